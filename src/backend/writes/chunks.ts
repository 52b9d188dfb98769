import type { ArticleUpdate } from '../../domain/articles/bulk-updates.ts';

/** The items of a bulk update that go into one call. */
export type Chunk = readonly ArticleUpdate[];

/**
 * Cuts a bulk update into chunks of at most `size` items, in order. No chunk holds an article twice, since the effect
 * of that is unknown, and results name items by article: see docs/service.md, "Bulk article update".
 */
export function splitIntoChunks(updates: readonly ArticleUpdate[], size: number): readonly Chunk[] {
  const chunks: Chunk[] = [];
  let start = 0;
  let articleIds = new Set<string>();
  let index = 0;
  for (const { articleId } of updates) {
    const isFull = index - start >= size;
    // The size tells whether the ID was added, which saves a second look into the set.
    if (isFull || articleIds.size === articleIds.add(articleId).size) {
      chunks.push(updates.slice(start, index));
      start = index;
      articleIds = new Set([articleId]);
    }
    index += 1;
  }
  if (start < updates.length) chunks.push(start === 0 ? updates : updates.slice(start));
  return chunks;
}
