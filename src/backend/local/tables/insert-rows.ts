import { type RawBuilder, sql } from 'kysely';
import { slicesOf } from '../../../database/statements.ts';
import type { StoreDatabase } from './store-database.ts';
import { TABLE_COLUMNS, type Tables } from './tables.ts';

/** The most rows of one statement. SQLite keeps the event loop for about 15 ms with so many, and lets others in after it. */
export const MAX_ROWS = 2_000;

/** Stores rows by as few statements as MAX_ROWS allows. */
export async function insertRows<T extends keyof Tables>(
  transaction: StoreDatabase,
  table: T,
  rows: readonly Tables[T][],
): Promise<void> {
  for (const slice of slicesOf(rows, MAX_ROWS))
    await insertStatement(transaction, table, slice).execute(transaction.db);
}

/** The keys by which an import finds existing entries. */
const IMPORT_KEYS = {
  project_versions: ['id'],
  languages: ['project_version_id', 'code'],
  categories: ['id'],
  articles: ['id'],
  readers: ['id'],
  invited_sso_users: ['id'],
  reader_groups: ['id'],
} as const;

export type KeyedTable = keyof typeof IMPORT_KEYS;

/** Stores the rows with new keys, skips the others, and returns the first column of the new keys. */
export async function insertNewRows<T extends KeyedTable>(
  transaction: StoreDatabase,
  table: T,
  rows: readonly Tables[T][],
): Promise<readonly string[]> {
  const key = IMPORT_KEYS[table].map((name) => sql.ref(name));
  const stored = await sql<{ id: string }>`
    ${insertStatement(transaction, table, rows)} on conflict (${sql.join(key)}) do nothing returning ${key[0]} as id
  `.execute(transaction.db);
  return stored.rows.map(({ id }) => id);
}

/**
 * `where true` keeps SQLite from reading a following `on conflict` as a join condition (sqlite.org/lang_upsert.html).
 */
function insertStatement<T extends keyof Tables>(
  { dialect }: StoreDatabase,
  table: T,
  rows: readonly Tables[T][],
): RawBuilder<unknown> {
  const columns = TABLE_COLUMNS[table];
  const names = sql.join(Object.keys(columns).map((name) => sql.ref(name)));
  const source = dialect.jsonTable({ alias: 'k', rows, columns });
  return sql`insert into ${sql.table(table)} (${names}) select ${names} from ${source} where true`;
}
