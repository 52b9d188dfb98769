import { hash } from 'node:crypto';
import { setImmediate as nextTick } from 'node:timers/promises';
import { type QueryExecutorProvider, sql } from 'kysely';
import type { SqlDialect } from '../../../database/dialect.ts';
import { slicesOf } from '../../../database/statements.ts';
import { INDEXED_CHARACTERS, indexedWordsOf } from '../../../domain/articles/search-words.ts';
import { TABLE_COLUMNS, type Tables } from './tables.ts';

interface Texts {
  readonly title: string | null;
  readonly content: string | null;
}

/** The characters between two pauses for other work of the event loop: some 10 ms to find words, and 50 to index them. */
const CHARACTERS_PER_STEP = 100_000;

/** Cuts rows into parts, each for one statement: SQLite indexes its words on the event loop. */
const rowsInSteps = <T extends Texts>(rows: readonly T[]): Generator<readonly T[]> =>
  slicesOf(rows, Number.POSITIVE_INFINITY, {
    max: CHARACTERS_PER_STEP,
    sizeOf: ({ title, content }) => (title?.length ?? 0) + (content?.length ?? 0),
  });

/** The words of the texts of each row; null for a text that is null. */
export async function searchWordsOf(rows: readonly Texts[]): Promise<readonly Texts[]> {
  const words: Texts[] = [];
  for (const part of rowsInSteps(rows)) {
    if (words.length > 0) await nextTick();
    for (const { title, content } of part) {
      words.push({
        title: title === null ? null : indexedWordsOf(title),
        content: content === null ? null : indexedWordsOf(content),
      });
    }
  }
  return words;
}

/** 128 bits that tell texts with other words apart. Null has the words of ''. */
export const textDigestOf = (text: string | null): string =>
  hash('sha256', (text ?? '').slice(0, INDEXED_CHARACTERS), 'base64url').slice(0, 22);

interface TranslationTexts extends Texts {
  readonly article_id: string;
  readonly language_code: string;
}

/** The rows of translations that are not indexed yet, with consecutive IDs. */
export async function newWordRows(texts: readonly TranslationTexts[], firstId: number): Promise<readonly IndexedRow[]> {
  const words = await searchWordsOf(texts);
  return texts.map(({ article_id, language_code, title, content }, index) => ({
    id: firstId + index,
    article_id,
    language_code,
    title_digest: textDigestOf(title),
    content_digest: textDigestOf(content),
    title: words[index]?.title ?? '',
    content: words[index]?.content ?? '',
  }));
}

/** A row of the table with the words of its texts; null for words that stay as they are. */
type IndexedRow = Tables['article_words'] & Texts;

/** Stores new and changed rows, and indexes their words. */
export async function writeWords(
  { db, dialect }: { readonly db: QueryExecutorProvider; readonly dialect: SqlDialect },
  rows: readonly IndexedRow[],
): Promise<void> {
  const columns = TABLE_COLUMNS.article_words;
  const names = sql.join(Object.keys(columns).map((name) => sql.ref(name)));
  for (const part of rowsInSteps(rows)) {
    const stored = part.map(({ title: _title, content: _content, ...row }) => row);
    const source = dialect.jsonTable({ alias: 'k', rows: stored, columns });
    await sql`insert into article_words (${names}) select ${names} from ${source} where true on conflict (id) do update
      set title_digest = excluded.title_digest, content_digest = excluded.content_digest`.execute(db);
    for (const statement of dialect.wordIndex.write(part)) await statement.execute(db);
  }
}
