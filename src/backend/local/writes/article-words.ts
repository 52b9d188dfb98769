import { searchWordsOf, wordRowsInSteps } from '../tables/article-words.ts';
import type { StoreDatabase } from '../tables/store-database.ts';
import type { VersionChangeRow } from './change-rows.ts';

/** Updates the words of latest versions whose title or content changes. */
export async function updateArticleWords(
  transaction: StoreDatabase,
  versions: readonly VersionChangeRow[],
): Promise<void> {
  const changed = versions.filter(({ title, content }) => title !== null || content !== null);
  if (changed.length === 0) return;
  const words = await searchWordsOf(changed);
  const rows = changed.map(
    ({ article_id, language_code, version_number }, index): WordChangeRow => ({
      article_id,
      language_code,
      version_number,
      title: words[index]?.title ?? null,
      content: words[index]?.content ?? null,
    }),
  );
  for (const part of wordRowsInSteps(rows)) await writeWords(transaction, part);
}

type WordChangeRow = Pick<VersionChangeRow, keyof typeof WORDS_COLUMNS>;

async function writeWords({ db, dialect }: StoreDatabase, rows: readonly WordChangeRow[]): Promise<void> {
  await db
    .updateTable('article_words')
    .from([dialect.jsonTable({ alias: 'u', rows, columns: WORDS_COLUMNS }), 'article_translations as t'])
    .set((eb) => ({
      title: eb.fn.coalesce('u.title', 'article_words.title'),
      content: eb.fn.coalesce('u.content', 'article_words.content'),
    }))
    .whereRef('article_words.article_id', '=', 'u.article_id')
    .whereRef('article_words.language_code', '=', 'u.language_code')
    .whereRef('t.article_id', '=', 'u.article_id')
    .whereRef('t.language_code', '=', 'u.language_code')
    .whereRef('t.latest_version_number', '=', 'u.version_number')
    .execute();
}

const WORDS_COLUMNS = {
  article_id: 'text',
  language_code: 'text',
  version_number: 'integer',
  title: 'text',
  content: 'text',
} as const;
