import { execFile } from 'node:child_process';
import { copyFile, cp } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { INTEGRATIONS } from '../../../../test/support/mounts.ts';

const PROGRAM = resolve('integrations/test/clients/compatibility/typed-program');
const TSC = join(INTEGRATIONS, '.bin/tsc');

/** The knowledge that TypeScript has of the operations by the types of a library. */
export interface TypeResults {
  /** The members of a union are told apart by `__typename`. */
  readonly narrowing: boolean;
  /** An access scope with two members does not compile. */
  readonly refusesContradictingScope: boolean;
}

/** Compiles the program against the types that a library has written into the folder. */
export async function compileTypedProgram(folder: string, clientTypes: string): Promise<TypeResults> {
  await cp(PROGRAM, folder, { recursive: true, filter: (path) => !path.includes('/client-types') });
  await copyFile(join(PROGRAM, 'client-types', clientTypes), join(folder, 'client-types.ts'));
  const output = await promisify(execFile)(TSC, ['-p', '.', '--pretty', 'false'], { cwd: folder }).then(
    ({ stdout }) => stdout,
    ({ stdout, message }) => stdout || message,
  );
  const files = new Set(output.match(/^[\w./-]+\.ts(?=\(\d)/gmu));
  const wrong = [...files].filter((file) => file !== 'narrowing.ts' && file !== 'contradicting-scope.ts');
  if (wrong.length > 0 || (files.size === 0 && output !== '')) throw new Error(output);
  return { narrowing: !files.has('narrowing.ts'), refusesContradictingScope: files.has('contradicting-scope.ts') };
}
