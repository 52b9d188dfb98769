import { randomBytes } from 'node:crypto';
import type { TestProject } from 'vitest/node';
import { startPostgres } from './embedded-postgres.ts';
import { dropPostgresDatabases } from './postgres-database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The PostgreSQL server of this run; absent when the tests run over SQLite. */
    readonly postgresUrl?: string;
    /** How the names of the databases begin that tests of this run share, one after the other. */
    readonly sharedDatabases?: string;
  }
}

/** One server for all files of a run: the one that TEST_POSTGRES_URL names, or one that is started. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const sharedDatabases = `kb_${randomBytes(8).toString('hex')}_`;
  provide('sharedDatabases', sharedDatabases);
  const given = process.env['TEST_POSTGRES_URL'];
  if (given) {
    provide('postgresUrl', given);
    return () => dropPostgresDatabases(given, sharedDatabases);
  }
  const server = await startPostgres();
  provide('postgresUrl', server.url);
  return server.stop;
}
