import { createSharedWorld } from '../../../support/memory-shared-state.ts';
import { describeSharedState } from './contract.ts';

describeSharedState('the model', async () => {
  const world = createSharedWorld();
  return { open: async () => world.gateway(), close: async () => {} };
});
