import { describe, expect, it } from 'vitest';
import { nextChunk } from '../../../src/jobs/runner/next-chunk.ts';

const KIND = { maxItems: 3, comparesRevisions: true };

const itemsOf = (...articleIds: readonly string[]) =>
  articleIds.map((articleId, index) => ({ index, update: { articleId } }));

const chunkOf = (articleIds: readonly string[], unknown: readonly string[] = []) =>
  nextChunk(itemsOf(...articleIds), new Set(unknown), KIND).map(({ update }) => update.articleId);

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

  it('has items that expect revisions together with others of their article, where revisions are compared', () => {
    const [first, ...others] = itemsOf('a', 'b', 'A', 'a');
    const later = others.map(({ index, update }) => ({ index, update: { ...update, ifRevision: 'r' } }));
    const items = first === undefined ? [] : [first, ...later];
    expect(nextChunk(items, new Set(), KIND)).toEqual(items.slice(0, 3));
    expect(nextChunk(items, new Set(), { ...KIND, comparesRevisions: false })).toEqual(items.slice(0, 2));
  });

  it('leaves no item that expects a revision behind, unless a request is full of its article', () => {
    const items = itemsOf('a', 'b', 'b', 'b', 'c').map((item) => ({
      ...item,
      update: { ...item.update, ifRevision: 'r' },
    }));
    expect(nextChunk(items, new Set(), KIND)).toEqual(items.slice(0, 1));
    expect(nextChunk(items.slice(1), new Set(), KIND)).toEqual(items.slice(1, 4));
    expect(nextChunk(items.slice(1), new Set(), { ...KIND, maxItems: 2 })).toEqual(items.slice(1, 3));
  });

  it('has no more text than one call should carry, but always an item', () => {
    const long = 'x'.repeat(3_000_000);
    const items = ['a', 'b', 'c'].map((articleId, index) => ({ index, update: { articleId, content: long } }));
    expect(nextChunk(items, new Set(), KIND)).toHaveLength(1);
    const huge = [{ index: 0, update: { articleId: 'a', content: long + long } }];
    expect(nextChunk(huge, new Set(), KIND)).toHaveLength(1);
  });
});
