/**
 * Draws the folders of src and what imports what into docs/architecture.md, between the two markers there.
 * With `--check` nothing is written, and a stale picture fails.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { configuration } from '../layers.ts';

const PAGE = 'docs/architecture.md';
const PICTURE = /(?<=<!-- picture -->\n)[\s\S]*(?=<!-- end of picture -->)/u;

/** Files that are contracts of their own, beside the folder that implements them. */
const PORTS: readonly string[] = [
  'jobs/article-update-jobs.ts',
  'core/writes/idempotency-keys.ts',
  'jobs/state/ledger.ts',
];

/** From the top: a folder imports from its own layer's contracts or from below, as layers.ts has it. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  'Layer 3: wiring': [
    'cli',
    'gateway',
    'telemetry',
    'app.ts',
    'http',
    'mcp',
    'facade',
    'execution',
    'server/open-backend.ts',
    'config',
  ],
  'Layer 2: adapters': ['schema', 'auth', 'core/writes', 'service', 'store', 'jobs', 'state'],
  'Layer 1: contracts': ['core/backend.ts', ...PORTS, 'v2', 'knowledge-base', 'database'],
  'Layer 0': ['domain', 'base'],
};

/** Files beside a folder that belong to it in the picture. */
const DRAWN_WITH: Readonly<Record<string, string>> = {
  'config.ts': 'config',
  'main.ts': 'cli',
  'index.ts': 'gateway',
};

function folderOf(path: string): string {
  const file = path.replace('src/', '');
  if (PORTS.includes(file)) return file;
  const [first = '', second = ''] = file.split('/');
  const name = first === 'backend' ? `backend/${second}` : first;
  return DRAWN_WITH[name] ?? name;
}

async function readImports(): Promise<ReadonlySet<string>> {
  const { output } = await cruise(['src'], { ...configuration.options, includeOnly: '^src/' });
  const { modules } = output as ICruiseResult;
  const imports = modules.flatMap(({ source, dependencies }) =>
    dependencies.map(({ resolved }) => `${folderOf(source)} ${folderOf(resolved)}`),
  );
  return new Set(imports.sort());
}

function draw(imports: ReadonlySet<string>): string {
  const folders = Object.values(LAYERS).flat();
  const idOf = (folder: string) => {
    if (!folders.includes(folder)) throw new Error(`${folder} is in no layer of scripts/architecture.ts`);
    return `f${folders.indexOf(folder)}`;
  };
  const boxes = Object.entries(LAYERS).flatMap(([layer, names], index) => [
    `  subgraph layer${index}["${layer}"]`,
    ...names.map((name) => `    ${idOf(name)}["${name}"]`),
    '  end',
  ]);
  const arrows = [...imports]
    .map((pair) => pair.split(' '))
    .filter(([from = '', to = '']) => from !== to && to !== 'domain' && to !== 'base')
    .map(([from = '', to = '']) => `  ${idOf(from)} --> ${idOf(to)}`);
  return ['```mermaid', 'flowchart TD', ...boxes, ...arrows, '```', ''].join('\n');
}

const page = readFileSync(PAGE, 'utf8');
const drawn = page.replace(PICTURE, draw(await readImports()));
if (drawn !== page && process.argv.includes('--check')) {
  console.error(`${PAGE} shows the folders as they were: run npm run architecture.`);
  process.exitCode = 1;
} else {
  writeFileSync(PAGE, drawn);
}
