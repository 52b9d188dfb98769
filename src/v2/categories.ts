import { z } from 'zod';
import type { Category } from '../domain/articles/categories.ts';
import type { JsonObject } from '../domain/notices.ts';
import { listOf, text, whole } from './fields.ts';

/** A node of the category tree, with the raw entries of the articles in it. */
export interface CategoryNode {
  readonly category: Category;
  readonly articles: readonly unknown[];
  readonly children: readonly CategoryNode[];
}

/** What an answer leaves out of a node is known from what was asked. */
export interface TreeAsked {
  readonly projectVersionId: string;
  readonly languageCode: string;
}

const categoryNode = z.object({
  id: z.string().min(1),
  name: text,
  order: whole,
  project_version_id: text,
  parent_category_id: text,
  language_code: text,
  articles: listOf(z.unknown()),
  child_categories: listOf(z.unknown()),
});

/** The answer of the category tree; null where it is no list. */
export const decodeCategoryTree = (payload: unknown, asked: TreeAsked): readonly CategoryNode[] | null =>
  Array.isArray(payload) ? decodeNodes(payload, asked, null) : null;

function decodeNodes(
  entries: readonly unknown[],
  asked: TreeAsked,
  parentCategoryId: string | null,
): readonly CategoryNode[] {
  return entries.flatMap((entry) => {
    const node = decodeCategoryNode(entry, asked, parentCategoryId);
    return node ? [{ ...node, children: decodeNodes(node.children, asked, node.category.categoryId) }] : [];
  });
}

/** The same, with the raw entries of its children. */
export type RawCategoryNode = Omit<CategoryNode, 'children'> & { readonly children: readonly unknown[] };

/** One entry of the category tree without what is below it; null where it can't be read. */
export function decodeCategoryNode(
  entry: unknown,
  asked: TreeAsked,
  parentCategoryId: string | null,
): RawCategoryNode | null {
  const parsed = categoryNode.safeParse(entry);
  if (!parsed.success) return null;
  const node = parsed.data;
  const category = {
    categoryId: node.id,
    projectVersionId: node.project_version_id ?? asked.projectVersionId,
    languageCode: node.language_code ?? asked.languageCode,
    name: node.name ?? '',
    order: node.order,
    parentCategoryId: node.parent_category_id ?? parentCategoryId,
  };
  return { category, articles: node.articles, children: node.child_categories };
}

/** A node of the category tree as the service answers it. */
export const encodeCategory = (
  category: Category,
  articles: readonly JsonObject[],
  children: readonly JsonObject[],
): JsonObject => ({
  id: category.categoryId,
  name: category.name,
  description: null,
  project_version_id: category.projectVersionId,
  order: category.order,
  parent_category_id: category.parentCategoryId,
  hidden: false,
  articles,
  child_categories: children,
  icon: null,
  slug: null,
  language_code: category.languageCode,
  category_type: 0,
  created_at: null,
  modified_at: null,
  status: 0,
  content_type: 0,
});
