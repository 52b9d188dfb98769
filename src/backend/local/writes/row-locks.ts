import { sql } from 'kysely';
import type { RowsParameter } from '../../../database/dialect.ts';
import { defineStatement } from '../../../database/statements.ts';
import { type IdRow, idRowTable, toIdRows } from '../tables/rows.ts';
import type { StoreDatabase } from '../tables/store-database.ts';

const defineLock = (table: 'articles' | 'reader_groups') =>
  defineStatement((database: StoreDatabase, ids: RowsParameter<IdRow>) =>
    sql`
      select count(*) from (
        select 1 from ${sql.table(table)} where id in ${idRowTable(database, ids)}
        order by id ${database.dialect.rowLock}
      ) as locked
    `.compile(database.db),
  );

const LOCKS = { articles: defineLock('articles'), reader_groups: defineLock('reader_groups') } as const;

/**
 * Locks rows until the transaction ends. Every write begins with it and locks all its rows by one statement, in the
 * order of their IDs: so no two writes wait for each other, and a write reads what the one before it has committed.
 */
export async function lockRows(
  transaction: StoreDatabase,
  table: keyof typeof LOCKS,
  ids: readonly string[],
): Promise<void> {
  if (transaction.dialect.rowLock !== null) await LOCKS[table](transaction, toIdRows(ids));
}
