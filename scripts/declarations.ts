/**
 * Writes the declarations of the package's entry into dist: src/index.ts and what its declarations import, which is
 * little of what its code imports.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';

const IMPORTED = /(?<=from ')\.{1,2}\/[^']+(?=\.ts')/gu;

/** The declarations that a file needs, with itself, by their paths without `.d.ts`. */
function reachableFrom(name: string, folder: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(name)) return found;
  found.add(name);
  const text = readFileSync(join(folder, `${name}.d.ts`), 'utf8');
  for (const [path] of text.matchAll(IMPORTED)) reachableFrom(normalize(join(dirname(name), path)), folder, found);
  return found;
}

/** Files whose types cannot be declared count only where the entry needs them: some values have types without a name. */
function failedFiles(output: string): ReadonlySet<string> {
  const lines = output.matchAll(/^src\/(?<name>.+)\.ts\(\d+,\d+\): error/gmu);
  return new Set([...lines].map(({ groups }) => groups?.['name'] ?? ''));
}

const folder = mkdtempSync(join(tmpdir(), 'kb-gateway-types-'));
try {
  const { stdout } = spawnSync('tsc', ['-p', 'tsconfig.types.json', '--outDir', folder], { encoding: 'utf8' });
  const failed = failedFiles(stdout);
  for (const name of reachableFrom('index', folder)) {
    if (failed.has(name)) throw new Error(`src/${name}.ts cannot be declared:\n${stdout}`);
    const target = join('dist', `${name}.d.ts`);
    mkdirSync(dirname(target), { recursive: true });
    const text = readFileSync(join(folder, `${name}.d.ts`), 'utf8');
    // An import for its effect alone declares nothing.
    const declared = text.replaceAll(/^import '[^']+';\n/gmu, '').replaceAll(/(?<=from '\.[^']+)\.ts'/gu, ".js'");
    writeFileSync(target, declared);
  }
} finally {
  rmSync(folder, { recursive: true });
}
