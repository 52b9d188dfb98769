import { describe, expect, it } from 'vitest';
import { itemWarnings } from '../../../src/core/articles/item-warnings.ts';

describe('itemWarnings', () => {
  it('is silent about plain items, also about one article in several languages and versions', () => {
    const items = [
      { articleId: 'a', title: 'A' },
      { articleId: 'a', languageCode: 'de', title: 'A' },
      { articleId: 'a', versionNumber: 1, content: '' },
      { articleId: 'b', hidden: false },
    ];
    expect(itemWarnings(items)).toEqual([]);
  });

  it('names ten items and lists a hundred of a list of any length', () => {
    const items = Array.from({ length: 10_000 }, () => ({ articleId: 'a', title: ' ' }));
    const [empty, repeated, ...others] = itemWarnings(items);
    expect(others).toEqual([]);
    expect(empty).toEqual({
      code: 'TITLE_EMPTY',
      description: 'Items that set an empty title. Their indexes: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 9990 more.',
      extensionData: { indexes: Array.from({ length: 100 }, (_, index) => index), total: 10_000 },
    });
    expect(repeated).toMatchObject({ code: 'ARTICLE_REPEATED', extensionData: { total: 9_999 } });
  });
});
