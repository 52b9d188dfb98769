import { hash, randomUUID } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { css, js } from '@graphql-yoga/render-graphiql/graphiql';
import { type OutputChunk, type OutputOptions, rolldown } from 'rolldown';
import { examplesOf } from '../console/src/graphiql/examples.ts';
import { type BundledPackage, packagesOf, writeComponents, writeNotices } from './notices.ts';

// Builds the console from console/src into dist/console, where it is missing or older than its sources: the page, and
// its scripts and styles under names with a hash, each also compressed; and in its folder `graphiql` GraphiQL as one page, and
// the examples with which it opens. With `--force`, all is always built.

const SOURCE = 'console/src';
/** Its examples are the tabs of GraphiQL. */
const SCHEMA = 'schema.graphql';
/** What it shares with the command line. */
const SHARED = 'src/core/**';
const FOLDER = 'dist/console';
const PAGES = ['index.html', 'signed-in.html'];

/** The scripts of the pages, which share parts, and that of a worker, which is loaded when a text is first shown. */
const BUNDLES = [['main.tsx', 'signed-in.ts'], ['worker/worker.ts']];

const GRAPHIQL = join(SOURCE, 'graphiql');
/**
 * The version stays at 5.15.1: from the next release on, the page has the editor of VS Code, and thrice as many bytes. It is written into
 * the page as it is published.
 */
const GRAPHIQL_LIBRARY = { moduleIds: [fileURLToPath(import.meta.resolve('@graphql-yoga/render-graphiql/graphiql'))] };

/** The files beside the scripts that the page names. */
const FILES = ['style.css', 'preview.css', 'icon.svg'];

const isCurrent = (): boolean => {
  const pages = PAGES.map((name) => join(FOLDER, name));
  if (!pages.every(existsSync)) return false;
  const sources = globSync([
    `${SOURCE}/**`,
    'console/package.json',
    'package-lock.json',
    'scripts/console-page.ts',
    SCHEMA,
    SHARED,
  ]);
  const builtAt = Math.min(...pages.map((path) => statSync(path).mtimeMs));
  return sources.every((path) => statSync(path).mtimeMs < builtAt);
};

const openBundle = (...inputs: readonly string[]) =>
  rolldown({
    input: inputs.map((input) => join(SOURCE, input)),
    platform: 'browser',
    transform: { define: { 'process.env.NODE_ENV': '"production"' }, jsx: 'react-jsx' },
    onLog(level, log) {
      // React on a server reads these directives, and a browser does not.
      if (level === 'warn' && log.code !== 'MODULE_LEVEL_DIRECTIVE') throw new Error(log.message);
    },
  });

/** Bundles scripts with their parts, into a folder or without writing. */
async function bundle(scripts: readonly string[], target: string | null): Promise<readonly OutputChunk[]> {
  const build = await openBundle(...scripts);
  const options: OutputOptions = {
    format: 'esm',
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: '[name]-[hash].js',
    minify: true,
    comments: { legal: false, annotation: false, jsdoc: false },
  };
  const { output } = await (target === null ? build.generate(options) : build.write({ ...options, dir: target }));
  await build.close();
  return output.filter((file) => file.type === 'chunk');
}

/** Gives a file the hash of its bytes into its name, as the scripts have theirs. */
function copyHashed(file: string, target: string): string {
  const bytes = readFileSync(join(SOURCE, file));
  const { name, ext } = parse(file);
  const hashed = `${name}-${hash('sha256', bytes, 'hex').slice(0, 8)}${ext}`;
  writeFileSync(join(target, hashed), bytes);
  return hashed;
}

/** Joins our script and style with those of the library into one page. The gateway writes its options into it. */
async function writeGraphiQL(target: string): Promise<void> {
  const bundled = await openBundle('graphiql/main.ts');
  const { output } = await bundled.generate({ format: 'iife', minify: true });
  await bundled.close();
  const parts = new Map([
    ['/* main.ts */', output[0].code],
    ['/* library */', js],
    ["/* library's styles */", css],
    ['/* style.css */', readFileSync(join(GRAPHIQL, 'style.css'), 'utf8')],
  ]);
  const page = readFileSync(join(GRAPHIQL, 'page.html'), 'utf8');
  mkdirSync(target);
  writeFileSync(
    join(target, 'page.html'),
    page.replaceAll(/\/\* .*? \*\//gu, (name) => parts.get(name) ?? name),
  );
  writeFileSync(join(target, 'examples.json'), JSON.stringify(examplesOf(readFileSync(SCHEMA, 'utf8'))));
}

function compress(path: string): void {
  const bytes = readFileSync(path);
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }));
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
}

/** Written beside its place and moved there whole, since others may read or build it meanwhile. */
async function build(): Promise<void> {
  const target = `${FOLDER}-${randomUUID()}`;
  mkdirSync(target, { recursive: true });
  try {
    const chunks: OutputChunk[] = [];
    for (const scripts of BUNDLES) chunks.push(...(await bundle(scripts, target)));
    const scriptOf = (script: string) =>
      chunks.find(({ isEntry, name }) => isEntry && name === parse(script).name)?.fileName ?? '';
    const names = new Map([
      ...BUNDLES.flat().map((script) => [parse(script).base, scriptOf(script)] as const),
      ...FILES.map((file) => [file, copyHashed(file, target)] as const),
    ]);
    for (const page of PAGES) {
      const text = readFileSync(join(SOURCE, page), 'utf8');
      const named = text.replaceAll(
        /main\.tsx|signed-in\.ts|worker\.ts|style\.css|preview\.css|icon\.svg/gu,
        (name) => names.get(name) ?? name,
      );
      writeFileSync(join(target, page), named);
    }
    for (const path of globSync(`${target}/*`)) compress(path);
    await writeGraphiQL(join(target, 'graphiql'));
    writeNotices([...chunks, GRAPHIQL_LIBRARY], join(target, 'LICENCES.txt'));
    writeComponents([...chunks, GRAPHIQL_LIBRARY], join(target, 'bundled.cdx.json'));
    // Another process may have moved its own there meanwhile, which somebody may be reading.
    if (isForced || !isCurrent()) {
      rmSync(FOLDER, { recursive: true, force: true });
      renameSync(target, FOLDER);
    }
  } finally {
    rmSync(target, { recursive: true, force: true });
  }
}

/** The packages of which the scripts hold anything. */
export const consolePackages = async (): Promise<readonly BundledPackage[]> =>
  packagesOf([...(await Promise.all(BUNDLES.map((scripts) => bundle(scripts, null)))).flat(), GRAPHIQL_LIBRARY]);

const isForced = process.argv.includes('--force');
if (import.meta.main && (isForced || !isCurrent())) await build();
