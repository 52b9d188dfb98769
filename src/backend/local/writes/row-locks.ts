import { sql } from 'kysely';
import { idTable } from '../tables/id-tables.ts';
import type { StoreDatabase } from '../tables/store-database.ts';

/**
 * Locks rows until the transaction ends. Every write begins with it and locks all its rows by one statement, in the
 * order of their IDs: so no two writes wait for each other, and a write reads what the one before it has committed.
 */
export async function lockRows(
  transaction: StoreDatabase,
  table: 'articles' | 'reader_groups',
  ids: readonly string[],
): Promise<void> {
  const { db, dialect } = transaction;
  if (dialect.rowLock === null) return;
  await sql`
    select count(*) from (
      select 1 from ${sql.table(table)} where id in ${idTable(transaction, ids)} order by id ${dialect.rowLock}
    ) as locked
  `.execute(db);
}
