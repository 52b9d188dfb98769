import { z } from 'zod';
import type { Category } from '../domain/articles/categories.ts';
import type { Edition } from '../domain/articles/project-versions.ts';
import type { JsonObject } from '../domain/json/json-objects.ts';
import { lenientInteger, lenientList, lenientText } from './fields.ts';

/** One category of the tree. Its articles and children are not decoded yet. */
export interface CategoryNode {
  readonly category: Category;
  readonly articles: readonly unknown[];
  readonly children: readonly unknown[];
}

const categoryNode = z.object({
  id: z.string().min(1),
  name: lenientText,
  order: lenientInteger,
  project_version_id: lenientText,
  parent_category_id: lenientText,
  language_code: lenientText,
  articles: lenientList(z.unknown()),
  child_categories: lenientList(z.unknown()),
});

/** Null for an entry that cannot be read. Members that it lacks are taken from the request and the parent. */
export function decodeCategoryNode(
  entry: unknown,
  requested: Edition,
  parentCategoryId: string | null,
): CategoryNode | null {
  const parsed = categoryNode.safeParse(entry);
  if (!parsed.success) return null;
  const node = parsed.data;
  const category = {
    categoryId: node.id,
    projectVersionId: node.project_version_id ?? requested.projectVersionId,
    languageCode: node.language_code ?? requested.languageCode,
    name: node.name ?? '',
    order: node.order,
    parentCategoryId: node.parent_category_id ?? parentCategoryId,
  };
  return { category, articles: node.articles, children: node.child_categories };
}

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
