import { describe, expect, it } from 'vitest';
import { nextChunk } from '../../../src/jobs/runner/next-chunk.ts';

const itemsOf = (...articleIds: readonly string[]) =>
  articleIds.map((articleId, index) => ({ index, update: { articleId } }));

const chunkOf = (articleIds: readonly string[], unknown: readonly string[] = []) =>
  nextChunk(itemsOf(...articleIds), new Set(unknown), 3).map(({ update }) => update.articleId);

describe('nextChunk', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['has at most so many items as a call', ['a', 'b', 'c', 'd'], ['a', 'b', 'c']],
    ['has no article twice, whatever the case of its ID', ['a', 'b', 'A', 'c'], ['a', 'b']],
    ['is all that is left', ['a'], ['a']],
  ])('%s', (_name, articleIds, chunk) => {
    expect(chunkOf(articleIds)).toEqual(chunk);
  });

  it('ends before an item whose article has an unknown one, and skips none', () => {
    expect(chunkOf(['a', 'B', 'c'], ['b'])).toEqual(['a']);
    expect(chunkOf(['B', 'c'], ['b'])).toEqual([]);
  });

  it('has no more text than one call should carry, but always an item', () => {
    const long = 'x'.repeat(3_000_000);
    const items = ['a', 'b', 'c'].map((articleId, index) => ({ index, update: { articleId, content: long } }));
    expect(nextChunk(items, new Set(), 3)).toHaveLength(1);
    const huge = [{ index: 0, update: { articleId: 'a', content: long + long } }];
    expect(nextChunk(huge, new Set(), 3)).toHaveLength(1);
  });
});
