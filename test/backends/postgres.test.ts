import { inject } from 'vitest';
import type { Backend } from '../../src/core/backend.ts';
import { withPipeline } from '../../src/core/writes/pipeline.ts';
import { mergeWrites } from '../../src/service/merging/merging.ts';
import { openFixtureStore, TOKEN } from '../support/fixture-store.ts';
import { startGateway } from '../support/gateway.ts';
import { createPostgresDatabase } from '../support/postgres-database.ts';
import { describeContract } from './contract.ts';

/** A gateway over a database of its own, which goes with it. */
const openOver = (decorate: (store: Backend) => Backend) => async () => {
  const database = await createPostgresDatabase(inject('postgresUrl') ?? '');
  const backend = decorate(await openFixtureStore(database.url));
  const gateway = await startGateway({ backend, local: true, token: TOKEN });
  return {
    ...gateway,
    close: async () => {
      await gateway.close();
      await database.drop();
    },
  };
};

describeContract(
  'PostgreSQL',
  openOver((store) => store),
);

describeContract(
  'PostgreSQL, writes that meet sent as one',
  openOver((store) => withPipeline(store, { merging: mergeWrites({ maxItems: 100 }) })),
);
