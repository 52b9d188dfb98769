import { setImmediate as nextTick } from 'node:timers/promises';
import { ok, type Result } from '../../../base/result.ts';
import type { PreviewExtent } from '../../../domain/articles/article-previews.ts';
import type { Article } from '../../../domain/articles/articles.ts';
import { type ArticleUpdate, articleKeyOf, textKeyOf } from '../../../domain/articles/bulk-updates.ts';
import type { BackendError } from '../../../domain/errors.ts';
import type { StoreDatabase } from '../tables/store-database.ts';
import { articles } from './articles.ts';

/** One statement for so many articles, so that a long list does not block the event loop in one piece. */
const ARTICLES_PER_STATEMENT = 1_000;

/** Each article is read once, and its text only where an update sets it or the preview shows it. */
export async function articlesOfUpdates(
  database: StoreDatabase,
  updates: readonly ArticleUpdate[],
  { withText }: PreviewExtent,
): Promise<Result<readonly (Article | null)[], BackendError>> {
  const distinct = [...new Map(updates.map((update) => [textKeyOf(update), update]))];
  const found = new Map<string, Article | null>();
  for (let start = 0; start < distinct.length; start += ARTICLES_PER_STATEMENT) {
    if (start > 0) await nextTick();
    const slice = distinct.slice(start, start + ARTICLES_PER_STATEMENT);
    const needsText = withText || slice.some(([, { content, htmlContent }]) => (content ?? htmlContent) != null);
    const keys = slice.map(([, update]) => articleKeyOf(update));
    const read = await articles(database, keys, needsText ? 'whole' : 'summary');
    for (const [index, [key]] of slice.entries()) {
      const article = read[index];
      if (article?.ok === false) return article;
      found.set(key, article?.value ?? null);
    }
  }
  return ok(updates.map((update) => found.get(textKeyOf(update)) ?? null));
}
