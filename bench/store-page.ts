import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from './harness/processes.ts';
import { toSvg } from './report/svg.ts';
import { toMarkdown } from './report/tables.ts';
import { RESULTS_FOLDER } from './sections/build.ts';
import type { StoreReport } from './store/figures.ts';
import { drawCost, drawMemory } from './store/plots.ts';
import { costTable, fillTable, memoryTable, neighboursTable } from './store/tables.ts';

// `npm run bench:store:plot` writes the figures of `npm run bench:store` to the page of all measurements and draws the plots.

const FOLDER = join(REPOSITORY, 'docs/store');
const PAGE = join(REPOSITORY, 'docs/performance/measurements.md');

const report: StoreReport = JSON.parse(readFileSync(process.argv[2] ?? join(RESULTS_FOLDER, 'store.json'), 'utf8'));
const { at, command, machine, loadAverage, runs } = report;
const provenance = `\`${command}\`, ${at.slice(0, 10)}; ${machine}; load average before the run ${loadAverage.toFixed(1)}.`;

const blocks = {
  cost: `${toMarkdown(costTable(runs))}\n\n${provenance}`,
  neighbours: toMarkdown(neighboursTable(runs)),
  memory: toMarkdown(memoryTable(runs)),
  fill: toMarkdown(fillTable(runs)),
};
const filled = Object.entries(blocks).reduce(
  (page, [name, text]) => {
    const pattern = new RegExp(`(<!-- store, ${name} -->\n).*?(<!-- /store, ${name} -->)`, 'su');
    if (!pattern.test(page)) throw new Error(`The page has no block "${name}".`);
    return page.replace(pattern, (_all, opening: string, closing: string) => `${opening}\n${text}\n\n${closing}`);
  },
  readFileSync(PAGE, 'utf8'),
);

mkdirSync(FOLDER, { recursive: true });
writeFileSync(PAGE, filled);
writeFileSync(join(FOLDER, 'figures.json'), `${JSON.stringify(report, null, 2)}\n`);
writeFileSync(join(FOLDER, 'scattered.svg'), toSvg(drawCost(runs, 'scattered')));
writeFileSync(join(FOLDER, 'neighbours.svg'), toSvg(drawCost(runs, 'neighbours')));
writeFileSync(join(FOLDER, 'memory.svg'), toSvg(drawMemory(runs)));
