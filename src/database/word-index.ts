import { type Expression, type RawBuilder, sql } from 'kysely';
import type { SearchedWord, SqlDialect, WordIndex } from './dialect.ts';

/** The texts whose words are indexed, each by a table of its own: a new title does not cost the words of the content. */
const TEXTS = [
  { index: 'article_title_words', column: 'title' },
  { index: 'article_content_words', column: 'content' },
] as const;

type WordText = (typeof TEXTS)[number];

/** The index of one text. */
interface WordIndexDialect extends Pick<SqlDialect, 'jsonTable'> {
  readonly create: (text: WordText) => readonly RawBuilder<unknown>[];
  /** Writes the rows of a table with `id` and `words`. */
  readonly write: (text: WordText, source: Expression<unknown>) => RawBuilder<unknown>;
  /** The IDs of the rows that have a word. */
  readonly idsWith: (text: WordText, word: SearchedWord) => RawBuilder<unknown>;
}

export const createWordIndex = ({ jsonTable, create, write, idsWith }: WordIndexDialect): WordIndex => ({
  create: TEXTS.flatMap(create),
  write: (rows) =>
    TEXTS.flatMap((text) => {
      const entries = rows.flatMap(({ id, [text.column]: words }) => (words === null ? [] : [{ id, words }]));
      const source = jsonTable({ alias: 'k', rows: entries, columns: { id: 'integer', words: 'text' } });
      return entries.length === 0 ? [] : [write(text, sql`${source}`)];
    }),
  matches: (words) => {
    const found = words.map((word) => {
      const ids = TEXTS.map((text) => idsWith(text, word));
      return sql`w.id in (${sql.join(ids, sql` union all `)})`;
    });
    return sql`${sql.join(found, sql` and `)}`;
  },
});
