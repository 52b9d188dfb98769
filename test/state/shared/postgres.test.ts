import { inject } from 'vitest';
import { openSharedState } from '../../../src/state/shared/open-shared-state.ts';
import { createPostgresDatabase, type PostgresDatabase } from '../../support/postgres-database.ts';
import { describeSharedState } from './contract.ts';

const TABLES = ['gateways', 'token_budgets', 'group_locks', 'read_scopes', 'read_marks'];

/** One database for all tests of the suite, which each leaves without rows: creating one takes longer than most tests. */
function reuseDatabase() {
  let created: Promise<PostgresDatabase> | null = null;
  return async () => {
    created ??= createPostgresDatabase(inject('postgresUrl') ?? '', '', inject('sharedDatabases'));
    const { url, run } = await created;
    return {
      open: (name: string = crypto.randomUUID()) => openSharedState({ url, setting: 'STATE_URL', name, writeMs: 0 }),
      close: () => run(TABLES.map((table) => `delete from ${table}`).join(';')),
    };
  };
}

describeSharedState('PostgreSQL', reuseDatabase());
