import { hash } from 'node:crypto';
import { setImmediate as nextTick } from 'node:timers/promises';
import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import { INDEXED_CHARACTERS, indexedWordsOf, type SearchWord } from '../../core/articles/search-words.ts';
import { MAX_SCATTERED_WORDS } from '../../core/base/limits.ts';
import type { SqlDialect } from '../database/dialect.ts';
import { slicesOf } from '../database/statements.ts';
import { MAX_ROWS } from './rows.ts';
import { TABLE_COLUMNS, type Tables } from './tables.ts';

interface Texts {
  readonly title: string | null;
  readonly content: string | null;
}

/** The texts whose words are indexed, each in a table of its own: a new title leaves the words of the content alone. */
export const WORD_TEXTS = [
  { index: 'article_title_words', column: 'title' },
  { index: 'article_content_words', column: 'content' },
] as const;

/** The characters between two pauses for other work: it takes some 10 ms to find words, and 50 to index them. */
const CHARACTERS_PER_STEP = 100_000;

/** A hash of 128 bits, by which changed texts are found. Null has the words of ''. */
export const textDigestOf = (text: string | null): string =>
  hash('sha256', (text ?? '').slice(0, INDEXED_CHARACTERS), 'base64url').slice(0, 22);

interface TranslationTexts extends Texts {
  readonly article_id: string;
  readonly language_code: string;
}

/** The rows of translations that are not indexed yet, with consecutive IDs. */
export const newWordRows = (texts: readonly TranslationTexts[], firstId: number): readonly IndexedRow[] =>
  texts.map(({ article_id, language_code, title, content }, index) => ({
    id: firstId + index,
    article_id,
    language_code,
    title_digest: textDigestOf(title),
    content_digest: textDigestOf(content),
    title: title ?? '',
    content: content ?? '',
  }));

/** A row of the table with its texts; null for a text whose words do not change. */
type IndexedRow = Tables['article_words'] & Texts;

/** Stores new and changed rows, and indexes the words of their texts in steps, since SQLite works on the event loop. */
export async function writeWords(
  { db, dialect }: { readonly db: QueryExecutorProvider; readonly dialect: SqlDialect },
  rows: readonly IndexedRow[],
  wordsOf: WordsOf = indexedWordsOf,
): Promise<void> {
  const columns = TABLE_COLUMNS.article_words;
  const names = sql.join(Object.keys(columns).map((name) => sql.ref(name)));
  for (const slice of slicesOf(rows, MAX_ROWS)) {
    const stored = slice.map(({ title: _title, content: _content, ...row }) => row);
    const source = dialect.jsonTable({ alias: 'k', rows: stored, columns });
    await sql`insert into article_words (${names}) select ${names} from ${source} where true on conflict (id) do update
      set title_digest = excluded.title_digest, content_digest = excluded.content_digest`.execute(db);
  }
  for (const text of WORD_TEXTS)
    for await (const part of inSteps(rows, (row) => row[text.column])) {
      const changed = part.flatMap(({ id, [text.column]: value }) =>
        value === null ? [] : [{ id, words: wordsOf(value) }],
      );
      if (changed.length === 0) continue;
      for (const statement of dialect.wordIndex.write(text, changed)) await statement.execute(db);
    }
}

/** Finds the words of texts before the transaction that writes them, so that the transaction is short. */
export async function findWords(texts: readonly (string | null)[]): Promise<WordsOf> {
  const found = new Map<string, string>();
  for await (const part of inSteps(texts, (text) => text))
    for (const text of part) if (text !== null) found.set(text, indexedWordsOf(text));
  return (text) => found.get(text) ?? indexedWordsOf(text);
}

/** The words of a text between spaces. */
export type WordsOf = (text: string) => string;

/** Splits texts into parts, and lets other work run between them. */
async function* inSteps<T>(items: readonly T[], textOf: (item: T) => string | null) {
  const sizeOf = (item: T) => textOf(item)?.length ?? 0;
  for (const part of slicesOf(items, MAX_ROWS, { max: CHARACTERS_PER_STEP, sizeOf })) {
    yield part;
    await nextTick();
  }
}

/**
 * True for rows of the table, as `w`, that have each of the words. Many words, as those of a Chinese title, are all in the
 * title or all in the content: searching each in both would take as many times the rows that have it.
 */
export function hasWords({ wordIndex }: SqlDialect, words: readonly SearchWord[]): RawBuilder<boolean> {
  const parts = words.length > MAX_SCATTERED_WORDS ? [words] : words.map((word) => [word]);
  const found = parts.map((part) => {
    const ids = WORD_TEXTS.map((text) => wordIndex.idsWith(text, part));
    return sql`w.id in (${sql.join(ids, sql` union all `)})`;
  });
  return sql`${sql.join(found, sql` and `)}`;
}
