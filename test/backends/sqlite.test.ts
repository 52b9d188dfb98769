import { withPipeline } from '../../src/core/writes/pipeline.ts';
import { mergeWrites } from '../../src/service/merging/merging.ts';
import { openFixtureStore, TOKEN } from '../support/fixture-store.ts';
import { startGateway } from '../support/gateway.ts';
import { describeContract } from './contract.ts';

describeContract('the embedded store', async () =>
  startGateway({ backend: await openFixtureStore(), local: true, token: TOKEN }),
);

describeContract('the embedded store, writes that meet sent as one', async () => {
  const backend = withPipeline(await openFixtureStore(), { merging: mergeWrites({ maxItems: 100 }) });
  return startGateway({ backend, local: true, token: TOKEN });
});
