import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operationsOf } from '../../../../test/clients/documents.ts';
import { INTEGRATIONS } from '../../../../test/support/mounts.ts';
import { startGatewayProcess } from '../../../../test/support/process.ts';
import { CHECKS } from './checks.ts';
import type { Library } from './library.ts';
import type { Session } from './session.ts';
import { compileTypedProgram, type TypeResults } from './typed-program.ts';

export interface LibraryResult {
  readonly name: string;
  readonly setup: string;
  /** The packages, each with its version. */
  readonly versions: readonly string[];
  /** The messages of the checks that failed, by their titles. */
  readonly failures: ReadonlyMap<string, string>;
  /** Null where the types come from another tool. */
  readonly types: TypeResults | null;
}

const TOKEN = 'compatibility';

/** Runs every check by one library, over a gateway that is started for it. */
export async function runLibrary(library: Library): Promise<LibraryResult> {
  const { name, setup, packages, types } = library;
  const versions = await Promise.all(packages.map((packageName) => versionOf(packageName)));
  const folder = await mkdtemp(join(tmpdir(), 'kb-gateway-compatibility-'));
  const program = join(folder, 'program');
  await mkdir(program);
  await symlink(INTEGRATIONS, join(folder, 'node_modules'));
  const gateway = await startGatewayProcess({
    cwd: folder,
    settings: { DATABASE_URL: 'sqlite::memory:', API_TOKEN: TOKEN },
  });
  try {
    const documents = await readFile('integrations/test/clients/compatibility/documents.graphql', 'utf8');
    const target = { url: gateway.url, token: TOKEN };
    const client = await library.open(target, documents, program);
    const failures = await failuresOf({ client, target, operationOf: operationsOf(documents) });
    return {
      name,
      setup,
      versions,
      failures,
      types: types === null ? null : await compileTypedProgram(program, types),
    };
  } finally {
    await gateway.stop();
    await rm(folder, { recursive: true });
  }
}

/** The messages of the checks that fail, by their titles. */
export async function failuresOf(session: Session): Promise<ReadonlyMap<string, string>> {
  const failures = new Map<string, string>();
  for (const { title, run } of CHECKS) {
    await run(session).catch((error: Error) => failures.set(title, error.message));
  }
  return failures;
}

async function versionOf(packageName: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(INTEGRATIONS, packageName, 'package.json'), 'utf8'));
  return `${packageName} ${version}`;
}
