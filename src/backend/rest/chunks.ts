import type { ArticleUpdate } from '../../domain/articles.ts';

type Chunk = readonly ArticleUpdate[];

/**
 * Cuts a bulk update into what goes upstream in one call: in order, each of at most `size` items, and none with the same
 * article twice, since nothing says what the service makes of that, and its answer names items by article (facts, 3a).
 */
export function chunksOf(updates: readonly ArticleUpdate[], size: number): readonly Chunk[] {
  const chunks: ArticleUpdate[][] = [];
  let articleIds = new Set<string>();
  for (const update of updates) {
    const current = chunks.at(-1);
    if (current === undefined || current.length >= size || articleIds.has(update.articleId)) {
      chunks.push([update]);
      articleIds = new Set();
    } else {
      current.push(update);
    }
    articleIds.add(update.articleId);
  }
  return chunks;
}
