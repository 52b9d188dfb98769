import { sql } from 'kysely';
import { wantedIds } from '../tables/id-tables.ts';
import type { Database } from '../tables/store-database.ts';

/**
 * Keeps rows to this transaction until it ends. Every write begins with it and takes all it needs by one statement, in the
 * order of the IDs: so two writes never wait for each other, and what one reads afterwards is what the other has left.
 */
export async function lockRows(
  within: Database,
  table: 'articles' | 'reader_groups',
  ids: readonly string[],
): Promise<void> {
  const { db, engine } = within;
  if (engine.rowLock === null) return;
  await sql`
    select count(*) from (
      select 1 from ${sql.table(table)} where id in ${wantedIds(within, ids)} order by id ${engine.rowLock}
    ) as locked
  `.execute(db);
}
