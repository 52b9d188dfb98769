import { type RawBuilder, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/sqlite';
import type { JsonTableOptions, SearchedWord, SqlDialect } from '../dialect.ts';
import { isSqliteForeignKeyViolation, sqliteFailureOf } from './errors.ts';

/** An index of its own for each text, so that a new title does not cost the words of the content. */
const WORD_INDEXES = [
  { index: 'article_title_words', column: 'title' },
  { index: 'article_content_words', column: 'content' },
] as const;

/**
 * `ascii` splits at spaces alone, since words have no other ASCII characters than letters and digits. FTS5 needs the
 * old words to remove them: see https://sqlite.org/fts5.html#external_content_tables.
 */
function createWordIndex({ index, column }: (typeof WORD_INDEXES)[number]): readonly RawBuilder<unknown>[] {
  const table = sql.table(index);
  const words = sql.ref(column);
  const add = sql`insert into ${table} (rowid, ${words}) values (new.id, new.${words});`;
  const remove = sql`insert into ${table} (${table}, rowid, ${words}) values ('delete', old.id, old.${words});`;
  const trigger = (event: string) => sql`create trigger ${sql.table(`${index}_${event}`)}`;
  return [
    sql`create virtual table ${table} using fts5 (
      ${words}, content = 'article_words', content_rowid = 'id', tokenize = 'ascii', prefix = '3', detail = none,
      columnsize = 0
    )`,
    sql`${trigger('inserted')} after insert on article_words begin ${add} end`,
    sql`${trigger('deleted')} after delete on article_words begin ${remove} end`,
    sql`${trigger('updated')} after update on article_words when old.${words} <> new.${words} begin ${remove} ${add} end`,
  ];
}

/** True for rows of `article_words`, as `w`, that have a word in one of their texts. */
function hasWord({ text, isPrefix }: SearchedWord): RawBuilder<boolean> {
  const query = isPrefix ? `"${text}"*` : `"${text}"`;
  const found = WORD_INDEXES.map(({ index }) => {
    const table = sql.table(index);
    return sql`select rowid from ${table} where ${table} match ${query}`;
  });
  return sql`w.id in (${sql.join(found, sql` union all `)})`;
}

export const sqliteDialect: SqlDialect = {
  textType: sql`text`,
  tableNames: sql`select name from sqlite_schema where type = 'table'`,
  currentSchema: sql`select null as name`,
  isReadOnly: sql`0`,
  beforeMigrating: [sql`pragma journal_mode = wal`],
  beforeServing: [sql`pragma busy_timeout = 0`],
  rowLock: null,
  hasOneWriter: true,
  maxUpdatedRows: 1_000,
  lockTable: null,
  lockRowsOf: null,
  checkReferences: null,
  analyze: null,
  jsonTable: <Row extends object, Alias extends string>({ alias, rows, columns }: JsonTableOptions<Row, Alias>) => {
    const members = Object.keys(columns).map((name) => sql`value ->> ${sql.lit(`$.${name}`)} as ${sql.ref(name)}`);
    return sql<Row>`(select ${sql.join(members)} from json_each(${JSON.stringify(rows)}))`.as(alias);
  },
  jsonArray: (query) => sql`${jsonArrayFrom(query)}`,
  contains: (column, text) => sql`instr(${sql.ref(column)}, ${text}) > 0`,
  wordIndex: {
    rowId: sql`id integer primary key`,
    create: WORD_INDEXES.flatMap(createWordIndex),
    matches: (words) => sql`${sql.join(words.map(hasWord), sql` and `)}`,
  },
  failureOf: sqliteFailureOf,
  // The only connection is free once the open transactions have ended.
  close: (db) => db.connection().execute(() => db.destroy()),
  isForeignKeyViolation: isSqliteForeignKeyViolation,
};
