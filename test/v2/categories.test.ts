import { describe, expect, it } from 'vitest';
import { decodeCategoryTree, encodeCategory } from '../../src/v2/categories.ts';
import { payloadOf } from '../../src/v2/envelope.ts';
import { overTheWire } from '../support/arbitraries.ts';
import { fixture } from '../support/fixtures.ts';

const ASKED = { projectVersionId: 'v', languageCode: 'en' };

describe('decodeCategoryTree', () => {
  it('reads the published tree with the entries of its articles', () => {
    const tree = decodeCategoryTree(payloadOf(fixture('category-tree').body), ASKED);
    expect(tree).toMatchObject([
      {
        category: { name: 'Guides', order: 1, parentCategoryId: null },
        articles: [{ id: '7b4d7c2e-0d1c-4b1b-9c55-1f4c62c0a001' }],
        children: [
          {
            category: { name: 'Deploy', order: 2, parentCategoryId: 'e0b7c1de-3d54-4a0e-8d4b-7c1a2b3d4001' },
            articles: [],
            children: [],
          },
        ],
      },
    ]);
  });

  it('undoes encodeCategory', () => {
    const category = { ...ASKED, categoryId: 'a', name: 'A', order: null, parentCategoryId: null };
    const child = { ...category, categoryId: 'b', name: 'B', order: 2, parentCategoryId: 'a' };
    const node = encodeCategory(category, [{ id: 'x' }], [encodeCategory(child, [], [])]);
    expect(decodeCategoryTree(overTheWire([node]), ASKED)).toEqual([
      { category, articles: [{ id: 'x' }], children: [{ category: child, articles: [], children: [] }] },
    ]);
  });

  it('knows from what was asked, and from where a node stands, what it leaves out', () => {
    const [root] = decodeCategoryTree([{ id: 'a', child_categories: [{ id: 'b' }] }], ASKED) ?? [];
    expect(root?.category).toMatchObject({ ...ASKED, name: '', parentCategoryId: null });
    expect(root?.children[0]?.category).toMatchObject({ ...ASKED, parentCategoryId: 'a' });
  });

  it('does not read an object as a tree', () => {
    expect(decodeCategoryTree({}, ASKED)).toBeNull();
  });
});
