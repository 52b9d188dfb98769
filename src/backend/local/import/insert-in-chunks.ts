import { sql } from 'kysely';
import { insertNewRows, type KeyedTable } from '../tables/insert-rows.ts';
import type { StoreDatabase } from '../tables/store-database.ts';
import type { Tables } from '../tables/tables.ts';

/** The transaction of an import and its progress report, which every step gets. */
export interface ImportContext {
  readonly transaction: StoreDatabase;
  /** Gets the number of entries that were processed since the last call. */
  readonly reportProgress: (count: number) => void;
}

/** The most entries of one statement, and the most characters of text in them: they bound its memory. */
const MAX_ENTRIES = 1000;
const MAX_CHARACTERS = 4_000_000;

/** Cuts a list into chunks, each for one statement. */
export function* chunksBySize<T>(
  items: readonly T[],
  charactersOf: (item: T) => number = () => 0,
): Generator<readonly T[]> {
  let chunk: T[] = [];
  let characters = 0;
  for (const item of items) {
    chunk.push(item);
    characters += charactersOf(item);
    if (chunk.length < MAX_ENTRIES && characters < MAX_CHARACTERS) continue;
    yield chunk;
    chunk = [];
    characters = 0;
  }
  if (chunk.length > 0) yield chunk;
}

/** Stores the entries that are new, and returns their number. */
export async function addRows<T extends KeyedTable>(
  { transaction, reportProgress }: ImportContext,
  table: T,
  rows: readonly Tables[T][],
): Promise<number> {
  let added = 0;
  for (const chunk of chunksBySize(rows)) {
    added += (await insertNewRows(transaction, table, chunk)).length;
    reportProgress(chunk.length);
  }
  return added;
}

/** The position after the last row of a table. */
export async function nextPosition(
  { db }: StoreDatabase,
  table: 'project_versions' | 'reader_groups',
): Promise<number> {
  const { rows } = await sql<{ last: number | null }>`select max(position) as last from ${sql.table(table)}`.execute(
    db,
  );
  return (rows[0]?.last ?? 0) + 1;
}
