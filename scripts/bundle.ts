import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { type OutputChunk, type OutputOptions, type Plugin, rolldown } from 'rolldown';
import { packagesOf, writeNotices } from './notices.ts';

// Bundles the program and the library with their packages into dist: docs/decisions/0038-start.md says why, and what is
// left out.

const FOLDER = 'dist';

const VIRTUAL_HTTP = '\0node:http';

/** The exports that are values: the getters load what is not used. */
const httpNames = Object.entries(Object.getOwnPropertyDescriptors(http))
  .filter(([, descriptor]) => 'value' in descriptor)
  .map(([name]) => name);

/**
 * An import of node:http reads all its exports, one of which loads the whole of undici. `require` reads none, and
 * returns what an instrumentation that was loaded earlier has put in its place.
 */
const requiredHttp: Plugin = {
  name: 'required-http',
  resolveId: (id, _importer, { kind }) =>
    /^(?:node:)?http$/u.test(id) && kind !== 'require-call' ? VIRTUAL_HTTP : null,
  load: (id) =>
    id === VIRTUAL_HTTP
      ? `import { createRequire } from 'node:module';
         const http = createRequire(import.meta.url)('node:http');
         export default http;
         export const { ${httpNames.join(', ')} } = http;`
      : null,
};

interface Bundle {
  readonly input: string;
  /** The folder in dist for what the input imports. */
  readonly name: string;
  /** The packages that stay in node_modules. */
  readonly external: readonly string[];
}

/** A program that imports the library shares these packages with it. The command shares graphql with nobody. */
const BUNDLES: readonly Bundle[] = [
  { input: 'src/main.ts', name: 'command', external: ['pg'] },
  { input: 'src/index.ts', name: 'library', external: ['pg', 'graphql', '@opentelemetry/api'] },
];

const outputOf = (name: string): OutputOptions => ({
  dir: FOLDER,
  format: 'esm',
  chunkFileNames: `${name}/[name]-[hash].js`,
  comments: { legal: true, annotation: false, jsdoc: false },
  sourcemap: true,
  sourcemapExcludeSources: true,
});

async function build({ input, name, external }: Bundle, isWritten: boolean): Promise<readonly OutputChunk[]> {
  const bundle = await rolldown({
    input,
    platform: 'node',
    external: external.map((id) => new RegExp(`^${id}(?:/|$)`, 'u')),
    plugins: [requiredHttp],
    onLog(level, log) {
      if (level === 'warn') throw new Error(log.message);
    },
  });
  const { output } = await (isWritten ? bundle.write(outputOf(name)) : bundle.generate(outputOf(name)));
  await bundle.close();
  return output.filter((file) => file.type === 'chunk');
}

const buildAll = async (isWritten: boolean): Promise<readonly OutputChunk[]> =>
  (await Promise.all(BUNDLES.map((bundle) => build(bundle, isWritten)))).flat();

/** The names and versions of the packages of which the bundles hold anything. */
export const bundledPackages = async (): Promise<ReadonlySet<string>> =>
  new Set(packagesOf(await buildAll(false)).map(({ name, version }) => `${name}@${version}`));

if (import.meta.main) {
  mkdirSync(FOLDER, { recursive: true });
  // The console is built by itself.
  for (const name of readdirSync(FOLDER)) if (name !== 'console') rmSync(join(FOLDER, name), { recursive: true });
  writeNotices(await buildAll(true), join(FOLDER, 'LICENCES.txt'));
}
