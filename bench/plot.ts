import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from './harness/processes.ts';
import { fillIn } from './report/document.ts';
import { drawStore, drawWorkloads } from './report/plots.ts';
import type { Report } from './report/report.ts';
import { type Drawing, toSvg } from './report/svg.ts';
import { RESULTS_FOLDER } from './sections/build.ts';

// Writes the figures of a run, by default the newest, to docs/performance.md and the page of all measurements, and draws
// the plots. Sections that the run left out keep their figures.

const FOLDER = join(REPOSITORY, 'docs/performance');
const FIGURES = join(FOLDER, 'figures.json');
const PAGES = [join(REPOSITORY, 'docs/performance.md'), join(FOLDER, 'measurements.md')];

const read = (file: string): Report => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {});

function newestRun(): string {
  const name = readdirSync(RESULTS_FOLDER)
    .filter((file) => /^\d.*\.json$/u.test(file))
    .toSorted()
    .at(-1);
  if (name === undefined) throw new Error('There are no results yet: npm run bench');
  return join(RESULTS_FOLDER, name);
}

function draw(name: string, drawing: Drawing): void {
  writeFileSync(join(FOLDER, `${name}.svg`), toSvg(drawing));
}

/** The file is formatted like all others, so that its changes can be read. */
function formatFigures(): void {
  execFileSync(join(REPOSITORY, 'node_modules/.bin/biome'), ['format', '--write', FIGURES], { stdio: 'ignore' });
}

const report = { ...read(FIGURES), ...read(process.argv[2] ?? newestRun()) };
mkdirSync(FOLDER, { recursive: true });
writeFileSync(FIGURES, JSON.stringify(report));
formatFigures();
const { workloads, reads, store } = report;
if (workloads) draw('writes', drawWorkloads('CPU time of a write in front of the service', workloads.rows));
if (reads) draw('reads', drawWorkloads('CPU time of a read in front of the service', reads.rows));
if (store) draw('store', drawStore('CPU time of a request over the store', store.rows));
const filled = fillIn(
  PAGES.map((page) => readFileSync(page, 'utf8')),
  report,
);
PAGES.forEach((page, index) => {
  writeFileSync(page, filled[index] ?? '');
});
