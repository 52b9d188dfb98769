import type { TestProject } from 'vitest/node';
import { startPostgres } from './embedded-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The PostgreSQL server of this run; absent when the tests run over SQLite. */
    readonly postgresUrl?: string;
  }
}

/** One server for all files of a run: the one that TEST_POSTGRES_URL names, or one that is started. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const given = process.env['TEST_POSTGRES_URL'];
  const server = given ? { url: given, stop: async () => {} } : await startPostgres();
  provide('postgresUrl', server.url);
  return server.stop;
}
