import { describe, expect, it } from 'vitest';
import { BoundedValues, SHORT_PARTS, sliceText, WHOLE_PARTS } from '../../src/mcp/tool-results.ts';

function bound(value: unknown, limits = SHORT_PARTS) {
  const values = new BoundedValues(limits);
  return { value: values.bound(value), truncations: values.truncations };
}

describe('the bounds of a result', () => {
  it('keep what is within them as it is', () => {
    const value = {
      nodes: [{ title: 't'.repeat(1_000), order: 1, hidden: false, slug: null }],
      endCursor: 'c'.repeat(5_000),
    };
    expect(bound(value)).toEqual({ value, truncations: [] });
    expect(bound(Array.from({ length: 200 }, (_, index) => index)).truncations).toEqual([]);
  });

  it('end long texts and lists, and name each of them', () => {
    const { value, truncations } = bound({ a: { text: 'x'.repeat(1_001) }, ids: Array.from({ length: 201 }, String) });
    expect(value).toEqual({ a: { text: 'x'.repeat(1_000) }, ids: Array.from({ length: 200 }, String) });
    expect(truncations).toEqual([
      { path: 'a.text', unit: 'characters', kept: 1_000, total: 1_001 },
      { path: 'ids', unit: 'items', kept: 200, total: 201 },
    ]);
  });

  it('hold for lists within lists, too', () => {
    const item = (depth: number): unknown =>
      depth === 0 ? 'x'.repeat(5_000) : Array.from({ length: 300 }, () => item(depth - 1));
    const { value, truncations } = bound(item(2));
    expect(JSON.stringify(value).length).toBeLessThan(300_000);
    expect(truncations.at(-1)).toEqual({ path: '', unit: 'items', kept: 2, total: 300 });
  });

  it('leave the outcomes of 100 items whole, however long their details are', () => {
    const results = Array.from({ length: 100 }, (_, index) => ({
      __typename: 'ArticleUpdateNotAttempted',
      articleId: 'a'.repeat(1_000),
      details: `${index}`.padEnd(2_000, 'd'),
      reason: 'OUT_OF_TIME',
    }));
    const { value, truncations } = bound({ bulkUpdateArticles: { results } });
    expect(value).toMatchObject({ bulkUpdateArticles: { results: { length: 100 } } });
    expect(truncations.filter(({ unit }) => unit === 'items')).toEqual([]);
  });

  it('cut a result of whole parts only where all of it is too long', () => {
    const whole = { text: 'x'.repeat(100_000), ids: Array.from({ length: 1_000 }, String) };
    expect(bound(whole, WHOLE_PARTS)).toEqual({ value: whole, truncations: [] });
    const { truncations } = bound({ ...whole, other: 'x'.repeat(200_000), ...whole.ids }, WHOLE_PARTS);
    expect(truncations).toMatchObject([{ path: 'other', unit: 'characters', total: 200_000 }]);
  });

  it('divide no pair of surrogates', () => {
    expect([sliceText('a😀b', 0, 2), sliceText('a😀b', 0, 3), sliceText('😀', 0, 1)]).toEqual(['a', 'a😀', '\ud83d']);
  });
});
