import { toText } from '../report/tables.ts';
import { type Figure, FULL_SIZE, isWithin, QUICK_SIZE, type Size } from './figures.ts';
import { measureInteractive } from './interactive.ts';
import { measureLargeJobs } from './large-jobs.ts';
import { measureLostAnswers } from './lost-answers.ts';
import { measureOneKey } from './one-key.ts';
import { measurePollers } from './pollers.ts';
import { measureTwoGateways } from './two-gateways.ts';

/*
 * `npm run bench:jobs -- [--quick] [SECTION…]`: the figures of jobs, each beside its bound, over a service that keeps a
 * ledger of what it gets. Ends with 1 when one is out of its bound. `npm run test:kill` has those of crashes.
 */
const SECTIONS: ReadonlyMap<string, (size: Size) => Promise<readonly Figure[]>> = new Map([
  ['large', measureLargeJobs],
  ['answers', measureLostAnswers],
  ['key', measureOneKey],
  ['pollers', measurePollers],
  ['interactive', measureInteractive],
  ['gateways', measureTwoGateways],
]);

const HELP = `npm run bench:jobs -- [--quick] [SECTION…]

  --quick   some minutes instead of half an hour: a tenth of the items, and a shorter window of the rate limit
  SECTION   of ${[...SECTIONS.keys()].join(', ')}`;

const given = process.argv.slice(2);
const names = given.filter((argument) => argument !== '--quick');
const size = given.includes('--quick') ? QUICK_SIZE : FULL_SIZE;

const shown = (value: number): string =>
  Number.isInteger(value) ? value.toLocaleString('en-US') : value.toPrecision(value >= 100 ? 4 : 3);

const rowOf = (figure: Figure): readonly string[] => [
  figure.what,
  `${shown(figure.value)} ${figure.unit}`.trimEnd(),
  figure.atMost === null ? '–' : `≤ ${shown(figure.atMost)}`,
  isWithin(figure) ? '' : 'OUT OF BOUNDS',
];

async function run(name: string, measure: (size: Size) => Promise<readonly Figure[]>): Promise<void> {
  const begun = performance.now();
  try {
    const figures = await measure(size);
    const seconds = Math.round((performance.now() - begun) / 1_000);
    console.log(
      `\n${name} (${seconds} s)\n${toText({ head: ['', 'measured', 'bound', ''], rows: figures.map(rowOf) })}`,
    );
    if (!figures.every(isWithin)) process.exitCode = 1;
  } catch (error) {
    console.error(`\n${name} failed:`, error);
    process.exitCode = 1;
  }
}

if (names.some((name) => !SECTIONS.has(name))) {
  console.log(HELP);
  process.exitCode = given.includes('--help') ? 0 : 2;
} else {
  for (const [name, measure] of SECTIONS) if (names.length === 0 || names.includes(name)) await run(name, measure);
}
