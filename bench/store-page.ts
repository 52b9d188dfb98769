import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from './harness/processes.ts';
import { toSvg } from './report/svg.ts';
import { type Table, toMarkdown } from './report/tables.ts';
import { RESULTS_FOLDER } from './sections/build.ts';
import type { StoreReport } from './store/figures.ts';
import { drawCost, drawMemory } from './store/plots.ts';
import { costTable, fillTable, memoryTable, neighboursTable } from './store/tables.ts';

// `npm run bench:store:plot`: puts the figures of the newest run of `npm run bench:store` into docs/store.md, and draws its plots.

const FOLDER = join(REPOSITORY, 'docs/store');
const PAGE = join(REPOSITORY, 'docs/store.md');

const report: StoreReport = JSON.parse(readFileSync(process.argv[2] ?? join(RESULTS_FOLDER, 'store.json'), 'utf8'));
const { at, command, machine, loadAverage, runs } = report;
const provenance = `\`${command}\`, ${at.slice(0, 10)}; ${machine}; load average before the run ${loadAverage.toFixed(1)}.`;
const block = (table: Table) => `${toMarkdown(table)}\n\n${provenance}`;

const blocks = {
  cost: block(costTable(runs)),
  neighbours: block(neighboursTable(runs)),
  memory: block(memoryTable(runs)),
  fill: block(fillTable(runs)),
};
const filled = Object.entries(blocks).reduce(
  (page, [name, text]) => {
    const place = new RegExp(`(<!-- ${name} -->\n).*?(<!-- /${name} -->)`, 'su');
    if (!place.test(page)) throw new Error(`The page has no place for "${name}".`);
    return page.replace(place, (_all, opening: string, closing: string) => `${opening}\n${text}\n\n${closing}`);
  },
  readFileSync(PAGE, 'utf8'),
);

mkdirSync(FOLDER, { recursive: true });
writeFileSync(PAGE, filled);
writeFileSync(join(FOLDER, 'figures.json'), `${JSON.stringify(report, null, 2)}\n`);
writeFileSync(join(FOLDER, 'scattered.svg'), toSvg(drawCost(runs, 'scattered')));
writeFileSync(join(FOLDER, 'neighbours.svg'), toSvg(drawCost(runs, 'neighbours')));
writeFileSync(join(FOLDER, 'memory.svg'), toSvg(drawMemory(runs)));
