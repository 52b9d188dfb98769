import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runGateway } from './support/process.ts';

const ROOMS = ['core', 'service', 'store', 'jobs', 'graphql', 'server', 'mcp', 'cli'] as const;

const root = join(import.meta.dirname, '..');

/** The parts of a README that others read, too: lint permits imports of the public files only. */
function readRoom(room: string) {
  const text = readFileSync(join(root, 'src', room, 'README.md'), 'utf8');
  const entries = text.matchAll(/^- `(?<path>[^`]+)`: \S.*$/gmu);
  return {
    text,
    publicPaths: [...entries].map(({ groups }) => `src/${room}/${groups?.['path']}`),
    example: /^```ts\n(.*?)^```$/msu.exec(text)?.[1] ?? '',
  };
}

const PUBLIC = ROOMS.flatMap((room) => readRoom(room).publicPaths);

/** An entry with a slash at its end has all files below that folder. */
const isPublic = (path: string): boolean =>
  PUBLIC.some((entry) => (entry.endsWith('/') ? path.startsWith(entry) : path === entry));

const IMPORTS = /(?<=^import .*from ')[^']+(?=';$)/gmu;

/** Runs the example of a room's README from another folder, with the sources of this checkout. */
async function runExample(room: string, example: string) {
  const folder = await mkdtemp(join(tmpdir(), 'kb-gateway-room-'));
  const main = join(folder, 'example.mts');
  const base = pathToFileURL(join(root, 'src', room, 'README.md'));
  const program = example.replaceAll(IMPORTS, (name) => (name.startsWith('.') ? new URL(name, base).href : name));
  await writeFile(main, program);
  return runGateway([], { cwd: folder, main }).finally(() => rm(folder, { recursive: true }));
}

it('src has a README for each of its rooms, and no other folder', () => {
  const folders = globSync('*/', { cwd: join(root, 'src') });
  expect(folders.sort()).toEqual([...ROOMS].sort());
});

describe.each(ROOMS)('the README of %s', (room) => {
  const { text, publicPaths, example } = readRoom(room);

  it('is one page with its sections in their order, and may say what a new thing takes', () => {
    const headings = text.match(/^#{1,2} (?!A new ).*$/gmu);
    expect(headings).toEqual([`# ${room}`, '## Public files', '## Example', '## Never']);
    expect(text.split('\n').length).toBeLessThanOrEqual(81);
  });

  it('lists each public file once, and only what there is', () => {
    expect(publicPaths).toHaveLength(text.match(/^- .*$/gmu)?.length ?? 0);
    expect(new Set(publicPaths).size).toBe(publicPaths.length);
    const isThere = (path: string) =>
      existsSync(join(root, path)) && statSync(join(root, path)).isDirectory() === path.endsWith('/');
    expect(publicPaths.filter((path) => !isThere(path))).toEqual([]);
  });

  it('has an example of public files, which runs', { tags: 'long' }, async () => {
    const names = example.match(IMPORTS) ?? [];
    const paths = names.filter((name) => !name.startsWith('node:')).map((name) => posix.join('src', room, name));
    expect(paths).not.toEqual([]);
    expect(paths.filter((path) => !isPublic(path))).toEqual([]);
    const { code, stderr } = await runExample(room, example);
    expect(code, stderr).toBe(0);
  });
});
