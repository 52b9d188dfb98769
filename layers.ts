import { readFileSync } from 'node:fs';
import type { IConfiguration } from 'dependency-cruiser';

/**
 * The rooms of src: the rooms that each may import, and the packages and modules of Node that not every room may. Of another
 * room only its public files may be imported, which its README.md lists (docs/decisions/0001-layers.md).
 */
const ROOMS: Readonly<Record<string, readonly [rooms: string, packages: string]>> = {
  core: ['', 'lru-cache zod'],
  service: ['core', 'got lru-cache node:http zod'],
  store: ['core service', 'kysely lru-cache md4w node:sqlite pg zod'],
  jobs: ['core store', 'dataloader kysely lru-cache'],
  graphql: ['core jobs', '@pothos/core @pothos/plugin-relay dataloader graphql lru-cache'],
  mcp: ['core graphql', '@modelcontextprotocol/server graphql'],
  server: [
    'core service store jobs graphql mcp',
    '@opentelemetry/[^/]+ cli-progress graphql graphql-yoga jose node:http node:tty zod',
  ],
  cli: ['core service store jobs graphql mcp server', 'csv-parse marked node:http smol-toml yaml zod'],
};

/** Beside src, only the tests of a room look inside it. The page imports what a browser can run: core alone. */
const PAGE = '^console/src/';
const BESIDE = '^(?:bench|console|integrations|scripts|test)/';
const ENTRIES = '^src/(?:index|main)\\.ts$';

/** The files that the README of a room names under "Public files", and those in the folders that it names there. */
function publicFilesOf(room: string): readonly string[] {
  const [, list = ''] =
    /^## Public files$(.*?)^## /msu.exec(readFileSync(new URL(`src/${room}/README.md`, import.meta.url), 'utf8')) ?? [];
  const names = Array.from(list.matchAll(/^- `([^`]+)`/gmu), ([, name = '']) => name);
  return names.map((name) => `^src/${room}/${name.replace('.', '\\.')}${name.endsWith('/') ? '' : '$'}`);
}

const rooms = Object.entries(ROOMS).map(([name, [imported, packages]]) => ({
  name,
  inside: `^src/${name}/`,
  tests: `^test/${name}/`,
  imported: imported.split(' ').filter((room) => room !== ''),
  packages: packages.split(' '),
}));
const everyPublicFile = [ENTRIES, ...rooms.flatMap(({ name }) => publicFilesOf(name))];
const SRC = { path: '^src/' };
const restricted = [...new Set(rooms.flatMap(({ packages }) => packages))];
const roomsWith = (name: string) => rooms.filter((room) => room.packages.includes(name)).map(({ inside }) => inside);
const EVERYWHERE = '^node_modules/@opentelemetry/api/'; // Without an SDK it does nothing.
const moduleOf = (name: string) =>
  name.startsWith('node:') ? `^(?:node:)?${name.slice(5)}$` : `^node_modules/${name}/`;
const onlyPublic = (path: string, publicFiles: readonly string[], but: readonly string[] = []) => ({
  name: `public files for ${path}`,
  from: { path, pathNot: [...but] },
  to: { path: '^src/', pathNot: [...publicFiles] },
});
const packages = [...restricted.map(moduleOf), EVERYWHERE];

export const configuration: IConfiguration = {
  forbidden: [
    ...rooms.map(({ inside, imported }) => onlyPublic(inside, [inside, ...imported.flatMap(publicFilesOf)])),
    ...rooms.map(({ inside, tests }) => onlyPublic(tests, [inside, ...everyPublicFile])),
    onlyPublic(BESIDE, everyPublicFile, [PAGE, ...rooms.map(({ tests }) => tests)]),
    onlyPublic(PAGE, publicFilesOf('core')),
    onlyPublic(ENTRIES, everyPublicFile),
    ...restricted.map((name) => ({
      name: `rooms for ${name}`,
      from: { path: '^src/', pathNot: roomsWith(name) },
      to: { path: moduleOf(name), pathNot: EVERYWHERE },
    })),
    { name: 'no other packages', from: SRC, to: { path: '^node_modules/', pathNot: packages } },
    { name: 'nothing beside it', from: { path: ['^src/', PAGE] }, to: { path: '^(?:bench|examples|scripts|test)/' } },
    { name: 'no unresolved imports', from: SRC, to: { couldNotResolve: true } },
    { name: 'no circles', from: {}, to: { circular: true } },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'types', 'default'] },
  },
};
