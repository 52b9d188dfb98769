import { runSections } from '../report/sections.ts';
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
await runSections({
  command: 'bench:jobs',
  quick: 'some minutes instead of half an hour: a tenth of the items, and a shorter window of the rate limit',
  sections: {
    large: measureLargeJobs,
    answers: measureLostAnswers,
    key: measureOneKey,
    pollers: measurePollers,
    interactive: measureInteractive,
    gateways: measureTwoGateways,
  },
});
