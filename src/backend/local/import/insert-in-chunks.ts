import { sql } from 'kysely';
import { insertNew, type KeyedTable } from '../tables/insert-rows.ts';
import type { Database } from '../tables/store-database.ts';
import type { Tables } from '../tables/tables.ts';

/** The transaction an import runs in, and whom to tell that so many more entries are dealt with. */
export interface ImportStep {
  readonly within: Database;
  readonly advance: (count: number) => void;
}

/** One statement stores so many entries, or so many characters of text in them: what it holds in memory is bounded. */
const MAX_ENTRIES = 1000;
const MAX_CHARACTERS = 4_000_000;

/** Cuts a list into chunks that one statement each can store. */
export function* chunksOf<T>(
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

/** Stores the entries that are new; answers how many these were. */
export async function addAll<T extends KeyedTable>(
  { within, advance }: ImportStep,
  table: T,
  rows: readonly Tables[T][],
): Promise<number> {
  let added = 0;
  for (const chunk of chunksOf(rows)) {
    added += (await insertNew(within, table, chunk)).length;
    advance(chunk.length);
  }
  return added;
}

/** The position behind everything that is in a table. */
export async function nextPosition({ db }: Database, table: 'project_versions' | 'reader_groups'): Promise<number> {
  const { rows } = await sql<{ last: number | null }>`select max(position) as last from ${sql.table(table)}`.execute(
    db,
  );
  return (rows[0]?.last ?? 0) + 1;
}
