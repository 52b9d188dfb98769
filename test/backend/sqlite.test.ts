import { openFixtureStore, TOKEN } from '../support/fixture-store.ts';
import { startGateway } from '../support/gateway.ts';
import { describeContract } from './contract.ts';

describeContract('the embedded store', async () =>
  startGateway({ backend: await openFixtureStore(), local: true, token: TOKEN }),
);
