import { type RawBuilder, sql } from 'kysely';
import { type SearchedWord, type SqlDialect, WORD_TEXTS, type WordRow, type WordText } from '../dialect.ts';

/**
 * The percentage of deleted entries from which on FTS5 merges a part of the index. Its default of 10 costs a write more
 * than a search gains.
 */
const DELETE_MERGE = 40;

/**
 * An index without the texts themselves, from which entries are deleted by their IDs alone: see
 * https://sqlite.org/fts5.html#contentless_delete_tables. `ascii` splits at spaces alone, since words have no other
 * ASCII characters than letters and digits.
 */
function createIndex({ index, column }: WordText): readonly RawBuilder<unknown>[] {
  const table = sql.table(index);
  return [
    sql`create virtual table ${table} using fts5 (
      ${sql.ref(column)}, content = '', contentless_delete = 1, tokenize = 'ascii', prefix = '3', detail = none
    )`,
    sql`insert into ${table} (${table}, rank) values ('deletemerge', ${sql.lit(DELETE_MERGE)})`,
    sql`create trigger ${sql.table(`${index}_deleted`)} after delete on article_words begin
      delete from ${table} where rowid = old.id; end`,
  ];
}

/** FTS5 writes an entry with a lower ID than the one before into a part of its own, so they are sorted. */
function writeIndex({ index, column }: WordText, rows: readonly WordRow[], jsonTable: SqlDialect['jsonTable']) {
  const entries = rows.flatMap(({ id, [column]: words }) => (words === null ? [] : [{ id, words }]));
  if (entries.length === 0) return [];
  const source = jsonTable({ alias: 'k', rows: entries, columns: { id: 'integer', words: 'text' } });
  return [
    sql`insert or replace into ${sql.table(index)} (rowid, ${sql.ref(column)}) select id, words from ${source} order by id`,
  ];
}

/** True for rows of `article_words`, as `w`, that have a word in one of their texts. */
function hasWord({ text, isPrefix }: SearchedWord): RawBuilder<boolean> {
  const query = isPrefix ? `"${text}"*` : `"${text}"`;
  const found = WORD_TEXTS.map(({ index }) => {
    const table = sql.table(index);
    return sql`select rowid from ${table} where ${table} match ${query}`;
  });
  return sql`w.id in (${sql.join(found, sql` union all `)})`;
}

export const sqliteWordIndex = (jsonTable: SqlDialect['jsonTable']): SqlDialect['wordIndex'] => ({
  drop: ['article_words', ...WORD_TEXTS.map(({ index }) => index)].map(
    (table) => sql`drop table if exists ${sql.table(table)}`,
  ),
  create: WORD_TEXTS.flatMap(createIndex),
  write: (rows) => WORD_TEXTS.flatMap((text) => writeIndex(text, rows, jsonTable)),
  matches: (words) => sql`${sql.join(words.map(hasWord), sql` and `)}`,
});
