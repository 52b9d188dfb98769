import { runSections } from '../report/sections.ts';
import { measureConnections } from './connections.ts';
import { measureLoad } from './load.ts';

/*
 * `npm run bench:overload -- [--quick] [SECTION…]`: twice the load that saturates the gateway, and new connections while
 * it is busy, each figure beside its bound. Ends with 1 when one is out of its bound.
 */
await runSections({
  command: 'bench:overload',
  quick: 'ten seconds of load instead of sixty, and no bounds on time and memory',
  sections: {
    load: measureLoad({ latencyMs: 0 }),
    slow: measureLoad({ latencyMs: 500 }),
    store: measureLoad('store'),
    connections: measureConnections({ latencyMs: 0 }),
    'store-connections': measureConnections('store'),
  },
});
