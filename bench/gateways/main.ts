import { FULL_SIZE, QUICK_SIZE, type Size } from '../jobs/size.ts';
import { type Figure, printSection } from '../report/figures.ts';
import { measurePage } from './page.ts';
import { measureReads } from './reads.ts';
import { measureUpdates } from './updates.ts';

/*
 * `npm run bench:gateways -- [--quick] [SECTION…]`: how many calls several gateways in front of one service make, each
 * figure beside its bound. Ends with 1 when one is out of its bound. `npm run test:gateways` kills and parts them.
 */
const SECTIONS: ReadonlyMap<string, (size: Size) => Promise<readonly Figure[]>> = new Map([
  ['updates', measureUpdates],
  ['page', measurePage],
  ['reads', measureReads],
]);

const HELP = `npm run bench:gateways -- [--quick] [SECTION…]

  --quick   two minutes instead of seven: fewer updates, and a shorter window of the rate limit
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
