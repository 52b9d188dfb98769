import type { NotAttempted } from '../../core/articles/article-outcomes.ts';
import type { ArticleUpdateItem } from '../../core/articles/forks.ts';
import { changedSince, draftOutcome, isPlaced } from '../../core/articles/revisions.ts';
import { articlesOfUpdates } from '../reads/articles.ts';
import type { StoreDatabase } from '../tables/tables.ts';

/** Compares the items with the stored articles, which the transaction has locked, before any of them is applied. */
export async function findChangedItems(
  transaction: StoreDatabase,
  items: readonly ArticleUpdateItem[],
): Promise<ReadonlyMap<ArticleUpdateItem, NotAttempted>> {
  const expecting = items.filter(({ ifRevision }) => ifRevision !== undefined);
  const targets = expecting.map(({ articleId, languageCode, versionNumber, isForked }) => ({
    articleId,
    languageCode,
    versionNumber: isForked ? undefined : versionNumber,
  }));
  const articles = await articlesOfUpdates(transaction, targets, { withText: false, callsPerArticle: 0 });
  if (!articles.ok) throw new Error('Articles without texts are always read.');
  return new Map(
    expecting.flatMap((item, index) => {
      const article = articles.value[index] ?? null;
      const compared = article !== null && isPlaced(article) ? changedSince(item, article) : null;
      const outcome = item.isForked ? draftOutcome(item, article) : compared;
      return outcome === null ? [] : [[item, outcome] as const];
    }),
  );
}
