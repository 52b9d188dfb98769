import { inject } from 'vitest';
import { openLedger } from '../../src/state/open-ledger.ts';
import { createPostgresDatabase } from '../support/postgres-database.ts';
import { describeLedger } from './contract.ts';

describeLedger('PostgreSQL', async () => {
  const database = await createPostgresDatabase(inject('postgresUrl') ?? '');
  return {
    open: () => openLedger({ url: database.url, setting: 'STATE_URL' }),
    close: database.drop,
  };
});
