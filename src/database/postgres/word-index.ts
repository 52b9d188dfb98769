import { type RawBuilder, sql } from 'kysely';
import { type SearchedWord, type SqlDialect, WORD_TEXTS, type WordRow, type WordText } from '../dialect.ts';

type JsonTable = SqlDialect['jsonTable'];

/** A table of its own for each text: GIN indexes a row anew, with all of its words, when anything in it changes. */
function createTable({ index }: WordText): readonly RawBuilder<unknown>[] {
  const table = sql.table(index);
  return [
    sql`create table ${table} (
      id integer not null primary key references article_words (id) on delete cascade,
      words tsvector not null
    )`,
    sql`create index ${sql.ref(`${index}_index`)} on ${table} using gin (words)`,
  ];
}

/** No parser of PostgreSQL reads the words. */
function writeTable({ index, column }: WordText, rows: readonly WordRow[], jsonTable: JsonTable) {
  const entries = rows.flatMap(({ id, [column]: words }) => (words === null ? [] : [{ id, words }]));
  if (entries.length === 0) return [];
  const source = jsonTable({ alias: 'k', rows: entries, columns: { id: 'integer', words: 'text' } });
  return [
    sql`insert into ${sql.table(index)} (id, words)
      select id, array_to_tsvector(array_remove(string_to_array(words, ' '), '')) from ${source}
      on conflict (id) do update set words = excluded.words`,
  ];
}

/** True for rows of `article_words`, as `w`, that have a word in one of their texts. */
function hasWord({ text, isPrefix }: SearchedWord): RawBuilder<boolean> {
  const query = `'${text}'${isPrefix ? ':*' : ''}`;
  const found = WORD_TEXTS.map(
    ({ index }) => sql`select id from ${sql.table(index)} where words @@ cast(${query} as tsquery)`,
  );
  return sql`w.id in (${sql.join(found, sql` union all `)})`;
}

export const postgresWordIndex = (jsonTable: JsonTable): SqlDialect['wordIndex'] => ({
  drop: [...WORD_TEXTS.map(({ index }) => index), 'article_words'].map(
    (table) => sql`drop table if exists ${sql.table(table)}`,
  ),
  create: WORD_TEXTS.flatMap(createTable),
  write: (rows) => WORD_TEXTS.flatMap((text) => writeTable(text, rows, jsonTable)),
  matches: (words) => sql`${sql.join(words.map(hasWord), sql` and `)}`,
});
