import { type RawBuilder, sql } from 'kysely';
import { textProblem } from '../../../base/text.ts';
import type { Columns, ColumnType, RowOf, RowsParameter } from '../../../database/dialect.ts';
import { defineStatement, slicesOf } from '../../../database/statements.ts';
import type { Article, Category } from '../../../domain/articles/articles.ts';
import type { StoreDatabase } from './store-database.ts';
import { TABLE_COLUMNS, type Tables } from './tables.ts';

/** Maps IDs and codes that no text column can hold to '', which matches nothing: PostgreSQL rejects such parameters. */
export const toStorableId = <T extends string | null | undefined>(id: T): T | '' =>
  id == null || textProblem(id) === null ? id : '';

const ID_COLUMNS = { id: 'text' } as const;

export type IdRow = RowOf<typeof ID_COLUMNS>;

/** Rows of IDs, which a text column can hold. */
export const toIdRows = (ids: readonly string[]): readonly IdRow[] => ids.map((id) => ({ id: toStorableId(id) }));

/** Rows of IDs as a subquery with a single parameter. */
export const idRowTable = ({ db, dialect }: StoreDatabase, rows: readonly IdRow[] | RowsParameter<IdRow>) =>
  db.selectFrom(dialect.jsonTable({ alias: 'k', rows, columns: ID_COLUMNS })).select('k.id');

/** IDs as a subquery with a single parameter. */
export const idTable = (database: StoreDatabase, ids: readonly string[]) => idRowTable(database, toIdRows(ids));

const TRANSLATION_KEY = { n: 'integer', article_id: 'text', language_code: 'text' } as const;

/** Keys of translations as a table `k`, with their index in the list as `n`. */
export const translationKeyTable = ({ dialect }: StoreDatabase, articles: readonly Article[]) =>
  dialect.jsonTable({
    alias: 'k',
    rows: articles.map(({ articleId, languageCode }, n) => ({ n, article_id: articleId, language_code: languageCode })),
    columns: TRANSLATION_KEY,
  });

const EDITION_OF_CATEGORY = { n: 'integer', category_id: 'text', language_code: 'text' } as const;

export type CategoryRow = RowOf<typeof EDITION_OF_CATEGORY>;

/** Rows of categories in a language, with their index in the list. */
export const toCategoryRows = (categories: readonly Category[]): readonly CategoryRow[] =>
  categories.map(({ categoryId, languageCode }, n) => ({ n, category_id: categoryId, language_code: languageCode }));

/** Categories in a language as a table `k`. */
export const categoryTable = ({ dialect }: StoreDatabase, rows: readonly CategoryRow[] | RowsParameter<CategoryRow>) =>
  dialect.jsonTable({ alias: 'k', rows, columns: EDITION_OF_CATEGORY });

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

/**
 * Defines the statement that changes the rows of a table that have the keys of given rows, whose columns are named. A null keeps
 * the stored value.
 */
export function defineUpdate<
  T extends keyof Tables,
  C extends Columns & { readonly [Name in keyof C]: ColumnOf<T, Name> },
>(table: T, key: readonly (keyof C & string)[], columns: C) {
  const stored = (name: string) => sql.ref(`${table}.${name}`);
  const given = (name: string) => sql.ref(`u.${name}`);
  const values = Object.keys(columns).filter((name) => !key.includes(name));
  const changes = values.map((name) => sql`${sql.ref(name)} = coalesce(${given(name)}, ${stored(name)})`);
  const matches = key.map((name) => sql`${stored(name)} = ${given(name)}`);
  return defineStatement(({ db, dialect }: StoreDatabase, rows: RowsParameter<RowOf<C>>) =>
    sql`update ${sql.table(table)} set ${sql.join(changes)} from ${dialect.jsonTable({ alias: 'u', rows, columns })}
      where ${sql.join(matches, sql` and `)}`.compile(db),
  );
}

type ColumnOf<T extends keyof Tables, Name> = Name extends keyof Tables[T] ? ColumnType : never;
