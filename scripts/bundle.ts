import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, parse, resolve } from 'node:path';
import { type OutputChunk, type OutputOptions, type Plugin, rolldown } from 'rolldown';
import { type BundledPackage, packagesOf, writeComponents, writeNotices } from './notices.ts';

// Bundles the program, with the packages that its start loads, and the library into dist: docs/decisions/0038-start.md and
// docs/decisions/0052-dependencies.md say why.

const FOLDER = 'dist';

/**
 * The modules that the command loads first, and those that `serve` loads beside them; the check of Node, which the library
 * loads first, and the library: each by their static imports.
 */
const STARTS = [
  'src/cli/commands.ts',
  'src/cli/serve.ts',
  'src/server/gateway/require-node.ts',
  'src/server/gateway/create-gateway.ts',
].map((path) => ({
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

const { dependencies, peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const PACKAGES = Object.keys({ ...dependencies, ...peerDependencies });

/**
 * What a start loads, and what shares graphql with it: from node_modules, a start would take longer and more memory
 * (docs/decisions/0052-dependencies.md). Each also is a dependency, of exactly the version that is bundled.
 */
const BUNDLED = [
  '@opentelemetry/api',
  '@pothos/core',
  '@pothos/plugin-relay',
  'dataloader',
  'got',
  'graphql',
  'graphql-yoga',
  'kysely',
  'lru-cache',
  'zod',
];

const BUNDLES: readonly Bundle[] = [
  { input: 'src/main.ts', name: 'command', external: PACKAGES.filter((name) => !BUNDLED.includes(name)) },
  // A program that imports the library shares its packages with it.
  { input: 'src/index.ts', name: 'library', external: PACKAGES },
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
    plugins: [plugin],
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

/** The packages of which the bundles hold anything. */
export const bundledPackages = async (): Promise<readonly BundledPackage[]> => packagesOf(await buildAll(false));

if (import.meta.main) {
  mkdirSync(FOLDER, { recursive: true });
  // The console is built by itself.
  for (const name of readdirSync(FOLDER)) if (name !== 'console') rmSync(join(FOLDER, name), { recursive: true });
  const chunks = await buildAll(true);
  writeNotices(chunks, join(FOLDER, 'LICENCES.txt'));
  writeComponents(chunks, join(FOLDER, 'bundled.cdx.json'));
}
