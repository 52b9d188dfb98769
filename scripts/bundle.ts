import { rmSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { type OutputChunk, type Plugin, rolldown } from 'rolldown';
import { readLockFile } from './lock-file.ts';
import { writeNotices } from './notices.ts';

// Bundles the command with its packages into dist/main.js and dist/command: docs/decisions/0038-start.md says why, and
// what is left out.

const FOLDER = 'dist/command';

/** Packages that few gateways load. They stay in node_modules. */
const EXTERNAL = [
  /^@opentelemetry\/(?!api$)/u,
  '@graphql-yoga/render-graphiql',
  /^@modelcontextprotocol\/sdk/u,
  'pg',
  'pg-native',
];

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

async function bundle(): Promise<readonly OutputChunk[]> {
  rmSync(FOLDER, { recursive: true, force: true });
  const build = await rolldown({
    input: 'src/main.ts',
    platform: 'node',
    external: EXTERNAL,
    plugins: [requiredHttp],
    onLog(level, log) {
      if (level === 'warn') throw new Error(log.message);
    },
  });
  const { output } = await build.write({
    dir: 'dist',
    format: 'esm',
    chunkFileNames: 'command/[name]-[hash].js',
    comments: { legal: true, annotation: false, jsdoc: false },
    sourcemap: true,
    sourcemapExcludeSources: true,
  });
  await build.close();
  return output.filter((file) => file.type === 'chunk');
}

const installed = new Set(
  readLockFile('.')
    .filter(({ isDev }) => !isDev)
    .map(({ name, version }) => `${name}@${version}`),
);
writeNotices(await bundle(), join(FOLDER, 'LICENCES.txt'), (name) => {
  if (!installed.has(name)) throw new Error(`${name} is not installed with the gateway.`);
});
