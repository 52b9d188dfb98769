import { type AliasedRawBuilder, type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import type { Category } from '../../core/articles/articles.ts';
import { textProblem } from '../../core/base/text.ts';
import { type Columns, type ColumnType, EachRow, type RowOf } from '../database/dialect.ts';
import { defineStatement, type Places, type StatementBuilder, slicesOf } from '../database/statements.ts';
import type { KnowledgeBaseLists } from '../knowledge-base/format.ts';
import { type StoreDatabase, TABLE_COLUMNS, type Tables } from './tables.ts';

/** Maps IDs and codes that no text column can hold to '', which matches nothing: PostgreSQL rejects such parameters. */
export const toStorableId = <T extends string | null | undefined>(id: T): T | '' =>
  id == null || textProblem(id) === null ? id : '';

/** The keys of a read as a table `k`, with the index of each key as `n`. */
type KeyTable<Key extends object> = AliasedRawBuilder<Key, 'k'>;

export const defineKeyedStatement = <C extends Columns, Result, Variant = void>(
  columns: C,
  build: (database: StoreDatabase, keys: KeyTable<RowOf<C>>, variant: Variant) => StatementBuilder<Result>,
) =>
  defineStatement((database: StoreDatabase, { placeOf }: Places<{ rows: readonly RowOf<C>[] }>, variant: Variant) =>
    build(database, database.dialect.jsonTable({ alias: 'k', rows: placeOf('rows'), columns }), variant),
  );

export const CATEGORY_KEY = { n: 'integer', category_id: 'text', language_code: 'text' } as const;

export const toCategoryRows = (categories: readonly Category[]) =>
  categories.map(({ categoryId, languageCode }, n) => ({ n, category_id: categoryId, language_code: languageCode }));

const ID_KEY = { id: 'text' } as const;

const selectIds = ({ db }: StoreDatabase, keys: KeyTable<RowOf<typeof ID_KEY>>) => db.selectFrom(keys).select('k.id');

/** Defines a statement over IDs. They are a subquery with a single parameter. */
export function defineIdStatement<Result, Variant = void>(
  build: (database: StoreDatabase, ids: ReturnType<typeof selectIds>, variant: Variant) => StatementBuilder<Result>,
) {
  const statement = defineKeyedStatement(ID_KEY, (database, keys, variant: Variant) =>
    build(database, selectIds(database, keys), variant),
  );
  return (database: StoreDatabase, ids: readonly string[], variant: Variant): Promise<readonly Result[]> => {
    const rows = ids.map((id) => ({ id: toStorableId(id) }));
    return statement(database, { rows }, variant);
  };
}

/** The most rows of one statement. SQLite blocks the event loop for about 15 ms with so many. */
export const MAX_ROWS = 2_000;

/** Stores rows by as few statements as MAX_ROWS allows. */
export async function insertRows<T extends keyof Tables>(
  transaction: Pick<StoreDatabase, 'dialect'> & { readonly db: QueryExecutorProvider },
  table: T,
  rows: readonly Tables[T][],
): Promise<void> {
  for (const slice of slicesOf(rows, MAX_ROWS))
    await insertStatement(transaction, table, slice).execute(transaction.db);
}

export async function nextNumber(
  { db }: StoreDatabase,
  table: keyof Tables,
  column: 'position' | 'id',
): Promise<number> {
  const query = sql<{ last: number | null }>`select max(${sql.ref(column)}) as last from ${sql.table(table)}`;
  return ((await query.execute(db)).rows[0]?.last ?? 0) + 1;
}

/** The tables in which an import finds existing entries by their keys. */
export type KeyedTable = keyof KnowledgeBaseLists;

/** Stores the rows with new keys, skips the others, and returns the first column of the new keys. */
export async function insertNewRows<T extends KeyedTable>(
  transaction: StoreDatabase,
  table: T,
  rows: readonly Tables[T][],
): Promise<readonly string[]> {
  const [id, key] =
    table === 'languages' ? [sql`project_version_id`, sql`project_version_id, code`] : [sql`id`, sql`id`];
  const stored = await sql<{ id: string }>`
    ${insertStatement(transaction, table, rows)} on conflict (${key}) do nothing returning ${id} as id
  `.execute(transaction.db);
  return stored.rows.map((row) => row.id);
}

/**
 * `where true` keeps SQLite from reading a following `on conflict` as a join condition (sqlite.org/lang_upsert.html).
 */
function insertStatement<T extends keyof Tables>(
  { dialect }: Pick<StoreDatabase, 'dialect'>,
  table: T,
  rows: readonly Tables[T][],
): RawBuilder<unknown> {
  const columns = TABLE_COLUMNS[table];
  const names = sql.join(Object.keys(columns).map((name) => sql.ref(name)));
  const source = dialect.jsonTable({ alias: 'k', rows, columns });
  return sql`insert into ${sql.table(table)} (${names}) select ${names} from ${source} where true`;
}

/**
 * Defines the statement that updates rows by the keys and named columns of given rows. A column that a row leaves out keeps
 * its value, and one that all rows leave out is not in the statement: SQLite would write its indexes again.
 */
export function defineUpdate<
  T extends keyof Tables,
  C extends Columns & { readonly [Name in keyof C]: ColumnOf<T, Name> },
  Key extends keyof C & string,
>(table: T, key: readonly Key[], columns: C) {
  const stored = (name: string) => sql.ref(`${table}.${name}`);
  const updateOf = (names: readonly string[], given: (name: string) => RawBuilder<unknown>, from = sql``) => {
    const changes = names.map((name) => sql`${sql.ref(name)} = coalesce(${given(name)}, ${stored(name)})`);
    const matches = key.map((name) => sql`${stored(name)} = ${given(name)}`);
    return sql`update ${sql.table(table)} set ${sql.join(changes)}${from} where ${sql.join(matches, sql` and `)}`;
  };
  const updateAll = defineStatement(
    ({ dialect }: StoreDatabase, { placeOf }: Places<{ rows: readonly object[] }>, names: readonly string[]) => {
      const sent = Object.fromEntries(Object.entries(columns).filter(([name]) => [...key, ...names].includes(name)));
      const rows = dialect.jsonTable({ alias: 'k', rows: placeOf('rows'), columns: sent });
      return updateOf(names, (name) => sql.ref(`k.${name}`), sql` from ${rows}`);
    },
  );
  const updateEach = defineStatement(
    (_database: StoreDatabase, { placeOf }: Places<{ rows: EachRow }>, names: readonly string[]) =>
      updateOf(names, (name) => (name === names[0] ? placeOf('rows') : sql.raw('?'))),
  );
  const values = Object.keys(columns).filter((name) => !key.some((one) => one === name));
  return async (transaction: StoreDatabase, rows: readonly UpdateOf<C, Key>[]): Promise<void> => {
    const changed = values.filter((name) => rows.some((row) => Reflect.get(row, name) != null));
    if (changed.length === 0) return;
    if (!transaction.dialect.runsEachRow) await updateAll(transaction, { rows }, changed);
    else {
      const parameters = [...changed, ...key];
      const each = new EachRow(rows.map((row) => parameters.map((name) => Reflect.get(row, name) ?? null)));
      await updateEach(transaction, { rows: each }, changed);
    }
  };
}

type ColumnOf<T extends keyof Tables, Name> = Name extends keyof Tables[T] ? ColumnType : never;

/** A row of an update. JSON has no members that are undefined. */
type UpdateOf<C extends Columns, Key extends keyof C> = Pick<RowOf<C>, Key> & {
  readonly [Name in Exclude<keyof C, Key>]?: RowOf<C>[Name] | null | undefined;
};
