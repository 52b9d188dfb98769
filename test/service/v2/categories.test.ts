import { describe, expect, it } from 'vitest';
import { type CategoryNode, decodeCategoryNode, encodeCategory } from '../../../src/service/v2/categories.ts';
import { payloadOf } from '../../../src/service/v2/envelope.ts';
import { overTheWire } from '../../support/arbitraries.ts';
import { fixture } from '../../support/fixtures.ts';

const REQUESTED = { projectVersionId: 'v', languageCode: 'en' };

/** Decodes a node with everything below it. */
function decodeTree(entry: unknown, parentCategoryId: string | null = null): CategoryNode | null {
  const node = decodeCategoryNode(entry, REQUESTED, parentCategoryId);
  return node && { ...node, children: node.children.map((child) => decodeTree(child, node.category.categoryId)) };
}

describe('decodeCategoryNode', () => {
  it('reads the published tree with the entries of its articles', () => {
    const tree = [payloadOf(fixture('category-tree').body)].flat().map((entry) => decodeTree(entry));
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
    const category = { ...REQUESTED, categoryId: 'a', name: 'A', order: null, parentCategoryId: null };
    const child = { ...category, categoryId: 'b', name: 'B', order: 2, parentCategoryId: 'a' };
    const node = encodeCategory(category, [{ id: 'x' }], [encodeCategory(child, [], [])]);
    expect(decodeTree(overTheWire(node))).toEqual({
      category,
      articles: [{ id: 'x' }],
      children: [{ category: child, articles: [], children: [] }],
    });
  });

  it('fills in what a node leaves out, from the request and from its parent', () => {
    const root = decodeTree({ id: 'a', child_categories: [{ id: 'b' }] });
    expect(root?.category).toMatchObject({ ...REQUESTED, name: '', parentCategoryId: null });
    expect(root?.children[0]).toMatchObject({ category: { ...REQUESTED, parentCategoryId: 'a' } });
  });

  it('does not read an entry without an ID', () => {
    expect(decodeTree({})).toBeNull();
  });
});
