import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import http from 'node:http';
import { join, parse, resolve } from 'node:path';
import { type OutputChunk, type OutputOptions, type Plugin, rolldown } from 'rolldown';
import { packagesOf, writeNotices } from './notices.ts';

// Bundles the program and the library with their packages into dist: docs/decisions/0038-start.md says why, and what is
// left out.

const FOLDER = 'dist';

/** The exports that are values: the getters load what is not used. */
const httpNames = Object.entries(Object.getOwnPropertyDescriptors(http))
  .filter(([, descriptor]) => 'value' in descriptor)
  .map(([name]) => name);

/** Puts other code in the place of each import of a module of Node. What requires it gets the real one. */
function replaceImports(module: string, code: string): Plugin {
  const name = `node:${module}`;
  const virtualId = `\0${name}`;
  return {
    name,
    resolveId: (id, _importer, { kind }) =>
      (id === name || id === module) && kind !== 'require-call' ? virtualId : null,
    load: (id) => (id === virtualId ? code : null),
  };
}

/**
 * An import of node:http reads all its exports, one of which loads the whole of undici. `require` reads none, and
 * returns what an instrumentation that was loaded earlier has put in its place.
 */
const requiredHttp = replaceImports(
  'http',
  `import { createRequire } from 'node:module';
   const http = createRequire(import.meta.url)('node:http');
   export default http;
   export const { ${httpNames.join(', ')} } = http;`,
);

/**
 * got has a client for HTTP/2, which the gateway turns off. node:http2 takes a twentieth of a start. An exporter of
 * telemetry that speaks gRPC requires the real one.
 */
const noHttp2 = replaceImports(
  'http2',
  `export const constants = {};
   export class Http2ServerResponse {}
   export default { constants };`,
);

/**
 * got's checks name types in their messages by `Intl.ListFormat`. Its languages take a twentieth of a start to load, so that they
 * are loaded for the first message.
 */
const lateListFormat: Plugin = {
  name: 'late-list-format',
  transform: (code, id) =>
    id.includes('/@sindresorhus/is/')
      ? { code: code.replace(/new Intl\.ListFormat\([^)]*\)/gu, '({ format: (list) => $&.format(list) })'), map: null }
      : null,
};

/** The modules that the command loads first, and those that `serve` loads beside them, each by their static imports. */
const STARTS = ['src/cli/commands.ts', 'src/cli/serve.ts'].map((path) => ({
  path: resolve(path),
  name: parse(path).name,
}));

/**
 * Puts the modules of each start into one file. Shared modules would be in many small files else: Node resolves each import of one
 * to a real path, so often that V8 optimizes the function that does it, which takes 5 MB of memory.
 */
function joinStarts(): { readonly plugin: Plugin; readonly nameOf: (id: string) => string | null } {
  const names = new Map<string, string>();
  const plugin: Plugin = {
    name: 'join-starts',
    buildEnd() {
      const add = (id: string, name: string): void => {
        const imported = names.has(id) ? null : this.getModuleInfo(id);
        if (!imported) return;
        names.set(id, name);
        for (const other of imported.importedIds) add(other, name);
      };
      for (const { path, name } of STARTS) add(path, name);
    },
  };
  return { plugin, nameOf: (id) => names.get(id) ?? null };
}

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

const outputOf = (name: string, nameOf: (id: string) => string | null): OutputOptions => ({
  dir: FOLDER,
  format: 'esm',
  chunkFileNames: `${name}/[name]-[hash].js`,
  comments: { legal: true, annotation: false, jsdoc: false },
  sourcemap: true,
  sourcemapExcludeSources: true,
  codeSplitting: { groups: [{ name: nameOf, debugName: 'starts' }] },
});

async function build({ input, name, external }: Bundle, isWritten: boolean): Promise<readonly OutputChunk[]> {
  const { plugin, nameOf } = joinStarts();
  const bundle = await rolldown({
    input,
    platform: 'node',
    external: external.map((id) => new RegExp(`^${id}(?:/|$)`, 'u')),
    plugins: [requiredHttp, noHttp2, lateListFormat, plugin],
    onLog(level, log) {
      if (level === 'warn') throw new Error(log.message);
    },
  });
  const { output } = await (isWritten ? bundle.write(outputOf(name, nameOf)) : bundle.generate(outputOf(name, nameOf)));
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
