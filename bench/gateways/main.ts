import { runSections } from '../report/sections.ts';
import { measurePage } from './page.ts';
import { measureReads } from './reads.ts';
import { measureUpdates } from './updates.ts';

/*
 * `npm run bench:gateways -- [--quick] [SECTION…]`: how many calls several gateways in front of one service make, each
 * figure beside its bound. Ends with 1 when one is out of its bound. `npm run test:gateways` kills and parts them.
 */
await runSections({
  command: 'bench:gateways',
  quick: 'two minutes instead of seven: fewer updates, and a shorter window of the rate limit',
  sections: {
    updates: measureUpdates,
    page: measurePage,
    reads: measureReads,
  },
});
