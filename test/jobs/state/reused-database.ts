import { inject } from 'vitest';
import { createPostgresDatabase, type PostgresDatabase } from '../../support/postgres-database.ts';

interface ReusedDatabase<Opened> {
  /** Opens what is tested over the database of the URL. */
  readonly open: (url: string, name?: string) => Promise<Opened>;
  /** Leaves the tables without rows. */
  readonly clear: string;
}

/** One database for all tests of a suite, which each leaves without rows: creating one takes longer than most tests. */
export function reuseDatabase<Opened>({ open, clear }: ReusedDatabase<Opened>) {
  let created: Promise<PostgresDatabase> | null = null;
  return async () => {
    created ??= createPostgresDatabase(inject('postgresUrl') ?? '', '', inject('sharedDatabases'));
    const { url, run } = await created;
    return { open: (name?: string) => open(url, name), close: () => run(clear) };
  };
}
