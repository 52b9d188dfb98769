import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from './harness/processes.ts';
import { fillIn } from './report/document.ts';
import { drawGrowth, drawLocal, drawWorkloads } from './report/plots.ts';
import type { Report } from './report/report.ts';
import { type Drawing, toSvg } from './report/svg.ts';
import { RESULTS_FOLDER } from './sections/build.ts';

// Writes the figures of a run, by default the newest, to docs/performance.md and draws the plots. Sections that the run
// left out keep their figures.

const FOLDER = join(REPOSITORY, 'docs/performance');
const FIGURES = join(FOLDER, 'figures.json');
const PAGE = join(REPOSITORY, 'docs/performance.md');

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

const report = { ...read(FIGURES), ...read(process.argv[2] ?? newestRun()) };
mkdirSync(FOLDER, { recursive: true });
writeFileSync(FIGURES, `${JSON.stringify(report, null, 2)}\n`);
if (report.workloads) draw('workloads', drawWorkloads(report.workloads.rows));
if (report.growth) draw('growth', drawGrowth(report.growth.rows));
if (report.local) draw('local', drawLocal(report.local.rows));
writeFileSync(PAGE, fillIn(readFileSync(PAGE, 'utf8'), report));
