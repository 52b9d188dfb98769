import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// Fails where a file of src writes to stdout or stderr beside src/server/process/terminal.ts, or makes a line of a log or of the
// audit log by a plain `JSON.stringify`, which leaves control characters and marks of direction raw. Prints each such line.
// `node scripts/writers.ts FOLDER` checks the src of another folder.

interface Rule {
  readonly pattern: RegExp;
  /** The files that the rule is about. */
  readonly files: RegExp;
  readonly advice: string;
}

const ANY_FILE = /^/u;
const STREAM = /\b(?:stdout|stderr)\b/u.source;

/** The writer itself, and the file that older versions of Node have to be able to read. */
const WRITERS = new Set(['src/server/process/terminal.ts', 'src/main.ts']);

const TERMINAL = 'print by src/server/process/terminal.ts';
const RULES: readonly Rule[] = [
  { pattern: new RegExp(`\\bprocess\\s*(?:\\?|!)?\\.\\s*${STREAM}`, 'u'), files: ANY_FILE, advice: TERMINAL },
  { pattern: /\bprocess\s*(?:\?\.)?\s*\[/u, files: ANY_FILE, advice: TERMINAL },
  {
    pattern: new RegExp(`\\{[^{}]*${STREAM}[^{}]*\\}\\s*=\\s*(?:globalThis\\.)?process\\b`, 'u'),
    files: ANY_FILE,
    advice: TERMINAL,
  },
  { pattern: /\bconsole\s*(?:\?\.|\.|\[)|=\s*console\b/u, files: ANY_FILE, advice: TERMINAL },
  {
    pattern:
      /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\(\s*|\bgetBuiltinModule\(\s*)['"](?:node:)?(?:process|console)['"]/u,
    files: ANY_FILE,
    advice: TERMINAL,
  },
  {
    pattern: /\b(?:writeSync|writeFileSync|appendFileSync|createWriteStream)\(\s*(?:[12]\b|['"]\/dev\/)/u,
    files: ANY_FILE,
    advice: TERMINAL,
  },
  {
    pattern: /\bJSON\s*\.\s*stringify\b/u,
    files: /^src\/(?:core\/(?:base\/logger|writes\/audit)|server\/process\/(?:audit-log|open-log))\.ts$/u,
    advice: 'use toPrintableJson of src/core/base/printable.ts',
  },
  {
    pattern: /\\p\{C(?:c|f|s|o|n)?\}|\\x9f|\\u202[8-e]/iu,
    files: /^src\/(?:core\/(?:base\/logger|writes\/audit)|cli\/.*|server\/(?:config|process)\/.*)\.ts$/u,
    advice: 'encode texts for people by src/core/base/printable.ts',
  },
];

/** Line and block comments; their line breaks stay. No string of src has the beginning of one amid a line. */
const COMMENT = /^\s*(?:\/\/.*|\/\*[\s\S]*?\*\/)/gmu;

const [folder = '.'] = process.argv.slice(2);

for (const file of globSync('src/**/*.ts', { cwd: folder }).sort()) {
  const name = file.replaceAll('\\', '/');
  if (WRITERS.has(name)) continue;
  const code = readFileSync(join(folder, file), 'utf8').replace(COMMENT, (text) => text.replace(/[^\n]/gu, ' '));
  for (const { pattern, files, advice } of RULES) {
    if (!files.test(name)) continue;
    for (const { index } of code.matchAll(new RegExp(pattern, 'gmu'))) {
      const line = code.slice(0, index).split('\n').length;
      console.error(`${name}:${line}: ${advice}`);
      process.exitCode = 1;
    }
  }
}
