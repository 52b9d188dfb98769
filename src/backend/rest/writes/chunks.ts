import type { ArticleUpdate } from '../../../domain/articles/bulk-updates.ts';

type Chunk = readonly ArticleUpdate[];

/**
 * Cuts a bulk update into what goes upstream in one call: in order, each of at most `size` items, and none with the same
 * article twice, since nothing says what the service makes of that, and its answer names items by article (facts, 3a).
 */
export function chunksOf(updates: Chunk, size: number): readonly Chunk[] {
  const chunks: Chunk[] = [];
  let start = 0;
  let articleIds = new Set<string>();
  for (const [index, { articleId }] of updates.entries()) {
    const isFull = index - start >= size;
    // Adding tells as well whether it was there: of a thousand items it is what takes the time here.
    if (isFull || articleIds.size === articleIds.add(articleId).size) {
      chunks.push(updates.slice(start, index));
      start = index;
      articleIds = new Set([articleId]);
    }
  }
  if (start < updates.length) chunks.push(start === 0 ? updates : updates.slice(start));
  return chunks;
}
