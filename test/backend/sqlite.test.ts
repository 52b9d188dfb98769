import { coalesceWrites } from '../../src/backend/coalescing/coalesce-writes.ts';
import { openFixtureStore, TOKEN } from '../support/fixture-store.ts';
import { startGateway } from '../support/gateway.ts';
import { describeContract } from './contract.ts';

describeContract('the embedded store', async () =>
  startGateway({ backend: await openFixtureStore(), local: true, token: TOKEN }),
);

describeContract('the embedded store, writes that meet sent as one', async () => {
  const backend = coalesceWrites(await openFixtureStore(), { maxItems: 100 });
  return startGateway({ backend, local: true, token: TOKEN });
});
