import { type RawBuilder, sql } from 'kysely';
import type { Database } from './store-database.ts';
import { COLUMNS, type Tables } from './tables.ts';

/** Cuts a list into parts of one length; the last may be shorter. */
export function* slicesOf<T>(items: readonly T[], length: number): Generator<readonly T[]> {
  if (items.length <= length) yield items;
  else for (let start = 0; start < items.length; start += length) yield items.slice(start, start + length);
}

/** Stores rows by one statement, however many they are. */
export async function insertRows<T extends keyof Tables>(
  within: Database,
  table: T,
  rows: readonly Tables[T][],
): Promise<void> {
  if (rows.length > 0) await insertion(within, table, rows).execute(within.db);
}

/** The keys by which an import knows what is there already. */
const KEYS = {
  project_versions: ['id'],
  languages: ['project_version_id', 'code'],
  categories: ['id'],
  articles: ['id'],
  readers: ['id'],
  invited_sso_users: ['id'],
  reader_groups: ['id'],
} as const;

export type KeyedTable = keyof typeof KEYS;

/** Stores the rows whose key is not there yet, leaves the others as they are, and answers the first part of the new keys. */
export async function insertNew<T extends KeyedTable>(
  within: Database,
  table: T,
  rows: readonly Tables[T][],
): Promise<readonly string[]> {
  const key = KEYS[table].map((name) => sql.ref(name));
  const stored = await sql<{ id: string }>`
    ${insertion(within, table, rows)} on conflict (${sql.join(key)}) do nothing returning ${key[0]} as id
  `.execute(within.db);
  return stored.rows.map(({ id }) => id);
}

/** `where true` keeps SQLite from reading a following `on conflict` as a join condition (sqlite.org/lang_upsert.html). */
function insertion<T extends keyof Tables>(
  { engine }: Database,
  table: T,
  rows: readonly Tables[T][],
): RawBuilder<unknown> {
  const columns = COLUMNS[table];
  const names = sql.join(Object.keys(columns).map((name) => sql.ref(name)));
  const source = engine.rows({ alias: 'w', rows, columns });
  return sql`insert into ${sql.table(table)} (${names}) select ${names} from ${source} where true`;
}
