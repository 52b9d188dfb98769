import { hash } from 'node:crypto';
import { setImmediate as nextTick } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { INDEXED_CHARACTERS, indexedWordsOf, type SearchWord } from '../../core/articles/search-words.ts';
import { MAX_SCATTERED_WORDS } from '../../core/base/limits.ts';
import type { SqlDialect } from '../database/dialect.ts';
import { slicesOf } from '../database/statements.ts';
import { defineUpdate, insertRows, MAX_ROWS, nextNumber } from './rows.ts';
import type { StoreDatabase, Tables } from './tables.ts';

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

/**
 * A hash of 128 bits, by which changed texts are found. Null has the words of ''.
 *
 * @internal Exported for the benchmark.
 */
export const textDigestOf = (text: string | null): string =>
  hash('sha256', (text ?? '').slice(0, INDEXED_CHARACTERS), 'base64url').slice(0, 22);

interface TranslationTexts extends Texts {
  readonly article_id: string;
  readonly language_code: string;
}

/** The rows of translations that are not indexed yet, with consecutive IDs. */
export const newWordRows = (texts: readonly TranslationTexts[], firstId: number): readonly NewRow[] =>
  texts.map(({ article_id, language_code, title, content }, index) => ({
    id: firstId + index,
    article_id,
    language_code,
    title_digest: textDigestOf(title),
    content_digest: textDigestOf(content),
    title: title ?? '',
    content: content ?? '',
  }));

type NewRow = Tables['article_words'] & Texts;

/** Stores new rows, and indexes the words of their texts. */
export async function insertWords(
  transaction: StoreDatabase,
  rows: readonly NewRow[],
  wordsOf: WordsOf = indexedWordsOf,
): Promise<void> {
  await insertWordRows(transaction, rows);
  await indexWords(transaction, rows, { wordsOf });
}

const insertWordRows = (transaction: StoreDatabase, rows: readonly NewRow[]): Promise<void> =>
  insertRows(
    transaction,
    'article_words',
    rows.map(({ title: _title, content: _content, ...row }) => row),
  );

/** The new texts of a translation, null for those that stay, and what the index has of it. */
export interface ChangedTexts extends TranslationTexts {
  /** Null for a translation that is not indexed yet. */
  readonly word_id: number | null;
  /** Null for a text whose words are indexed again, even if it is equal. */
  readonly title_digest: string | null;
  readonly content_digest: string | null;
}

/** Stores the digests of the texts that differ from the indexed ones, and returns these texts: their words are still to be indexed. */
export async function storeDigests(
  transaction: StoreDatabase,
  texts: readonly ChangedTexts[],
): Promise<readonly IndexedTexts[]> {
  const digests: Parameters<typeof updateDigests>[1][number][] = [];
  const changed: IndexedTexts[] = [];
  for (const { word_id: id, title, content, title_digest: ofTitle, content_digest: ofContent } of texts) {
    if (id === null) continue;
    const title_digest = newDigestOf(title, ofTitle);
    const content_digest = newDigestOf(content, ofContent);
    if ((title_digest ?? content_digest) === undefined) continue;
    digests.push({ id, title_digest, content_digest });
    changed.push({ id, title: title_digest ? title : null, content: content_digest ? content : null });
  }
  await updateDigests(transaction, digests);
  const added = texts.filter(({ word_id }) => word_id === null);
  if (added.length === 0) return changed;
  const rows = newWordRows(added, await nextNumber(transaction, 'article_words', 'id'));
  await insertWordRows(transaction, rows);
  return [...changed, ...rows];
}

/** The digest of a new text; undefined where the indexed one stays. */
function newDigestOf(text: string | null, indexed: string | null): string | undefined {
  const digest = text === null ? indexed : textDigestOf(text);
  return digest === null || digest === indexed ? undefined : digest;
}

const updateDigests = defineUpdate('article_words', ['id'], {
  id: 'integer',
  title_digest: 'text?',
  content_digest: 'text?',
});

/** Texts whose words are indexed, by the ID of the row; null for none. */
export interface IndexedTexts extends Texts {
  readonly id: number;
}

/** How the words of texts are indexed. */
export interface Indexing {
  readonly wordsOf?: WordsOf;
  /** True where `mergeWords` follows after the transaction. */
  readonly delaysMerging?: boolean;
}

/**
 * Indexes the words of texts in steps, since SQLite works on the event loop. It comes after all other changes, and in the
 * order of IDs, since FTS5 ends a part of its index before any other statement of several rows, and before a lower ID.
 */
export async function indexWords(
  { db, dialect }: StoreDatabase,
  rows: readonly IndexedTexts[],
  { wordsOf = indexedWordsOf, delaysMerging = false }: Indexing = {},
): Promise<void> {
  const merging = delaysMerging ? dialect.wordIndex.merging : null;
  const sorted = rows.toSorted((one, other) => one.id - other.id);
  for (const text of WORD_TEXTS) {
    const given = sorted.filter((row) => row[text.column] !== null);
    if (given.length === 0) continue;
    await merging?.delay(text).execute(db);
    for await (const part of inSteps(given, (row) => row[text.column])) {
      const words = part.map((row) => ({ id: row.id, words: wordsOf(row[text.column] ?? '') }));
      await dialect.wordIndex.write(text, words).execute(db);
    }
    await merging?.resume(text).execute(db);
  }
}

/**
 * Merges parts of the index of a text, in a transaction of its own, so that writes of others come in between. False where
 * there was nothing to merge.
 */
export async function mergeWords(
  { db, dialect: { wordIndex } }: StoreDatabase,
  text: (typeof WORD_TEXTS)[number],
): Promise<boolean> {
  const { merging } = wordIndex;
  if (merging === null) return false;
  const countWritten = async () => (await merging.writtenRows.execute(db)).rows[0]?.written ?? 0;
  const before = await countWritten();
  await merging.mergeSome(text).execute(db);
  return (await countWritten()) - before > 1;
}

/** True for texts whose words are found in several steps. */
export const areLong = (texts: readonly (string | null)[]): boolean =>
  texts.reduce((sum, text) => sum + (text?.length ?? 0), 0) > CHARACTERS_PER_STEP;

/** Finds the words of texts before the transaction that writes them, so that the transaction is short. */
export async function findWords(texts: readonly (string | null)[]): Promise<WordsOf> {
  const found = new Map<string, string>();
  for await (const part of inSteps(texts, (text) => text))
    for (const text of part) if (text !== null) found.set(text, indexedWordsOf(text));
  return (text) => found.get(text) ?? indexedWordsOf(text);
}

/** Returns the words of a text, between spaces. */
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
