/**
 * Draws the rooms of src and what imports what into docs/architecture.md, between the two markers there.
 * With `--check` nothing is written, and a stale picture fails.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { configuration } from '../layers.ts';

const PAGE = 'docs/architecture.md';
const PICTURE = /(?<=<!-- picture -->\n)[\s\S]*(?=<!-- end of picture -->)/u;

/** From the top. Every room imports core, so these arrows are left out. */
const ROOMS = ['cli', 'server', 'mcp', 'graphql', 'jobs', 'store', 'service', 'core'];

const roomOf = (path: string): string => {
  const [, room = ''] = path.split('/');
  return room.endsWith('.ts') ? 'src' : room;
};

async function readImports(): Promise<readonly string[]> {
  const { output } = await cruise(['src'], { ...configuration.options, includeOnly: '^src/' });
  const { modules } = output as ICruiseResult;
  const imports = modules.flatMap(({ source, dependencies }) =>
    dependencies.map(({ resolved }) => `${roomOf(source)} ${roomOf(resolved)}`),
  );
  return [...new Set(imports)].sort();
}

function draw(imports: readonly string[]): string {
  const pairs = imports.map((pair) => pair.split(' '));
  const arrows = pairs.filter(
    ([from = '', to = '']) => from !== to && ROOMS.includes(from) && to !== 'core' && ROOMS.includes(to),
  );
  return [
    '```mermaid',
    'flowchart TD',
    ...ROOMS.map((room) => `  ${room}`),
    ...arrows.map(([from, to]) => `  ${from} --> ${to}`),
    '```',
    '',
  ].join('\n');
}

const page = readFileSync(PAGE, 'utf8');
const drawn = page.replace(PICTURE, draw(await readImports()));
if (drawn !== page && process.argv.includes('--check')) {
  console.error(`${PAGE} shows the rooms as they were: run npm run architecture.`);
  process.exitCode = 1;
} else {
  writeFileSync(PAGE, drawn);
}
