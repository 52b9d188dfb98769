import { type Figure, printSection } from '../report/figures.ts';
import { measureInteractive } from './interactive.ts';
import { measureLargeJobs } from './large-jobs.ts';
import { measureLostAnswers } from './lost-answers.ts';
import { measureOneKey } from './one-key.ts';
import { measurePollers } from './pollers.ts';
import { FULL_SIZE, QUICK_SIZE, type Size } from './size.ts';
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

if (names.some((name) => !SECTIONS.has(name))) {
  console.log(HELP);
  process.exitCode = given.includes('--help') ? 0 : 2;
} else {
  for (const [name, measure] of SECTIONS) {
    if (names.length === 0 || names.includes(name)) await printSection(name, () => measure(size));
  }
}
