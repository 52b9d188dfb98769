import { basename, relative } from 'node:path';
import { shellWord } from '../core/base/printable.ts';
import type { Variables } from './command-options.ts';

/** The commands that are scripts of package.json of the same name. */
const SCRIPTS: ReadonlySet<string> = new Set([
  'init',
  'import',
  'export',
  'backup',
  'bulk-update',
  'plan',
  'apply',
  'check-service',
  'dev-jwt',
  'print-schema',
]);

/** A command as it is typed in this environment: with npx, with npm in a checkout, or by its name. '' means no command. */
export function commandLine(command: string, variables: Variables, args: readonly string[] = []): string {
  return [programLine(command, variables), ...args.map(quoted)].join(' ');
}

const quoted = (word: string): string => (/^[\w./:@%+=,-]+$/u.test(word) ? word : shellWord(word));

function programLine(command: string, { npm_lifecycle_event: script }: Variables): string {
  const file = process.argv[1] ?? '';
  const name = command === '' ? '' : ` ${command}`;
  if (/[\\/]node_modules[\\/]/u.test(file)) return `npx kb-gateway${name}`;
  if (basename(file) === 'kb-gateway') return `kb-gateway${name}`;
  const isByNpm = basename(file) === 'main.ts' && script !== undefined;
  if (isByNpm && (command === '' || command === 'serve')) return 'npm start --';
  return isByNpm && SCRIPTS.has(command) ? `npm run ${command} --` : `node ${quoted(relative('', file))}${name}`;
}
