import type { Category, VersionLanguage } from '../../core/articles/articles.ts';
import type { JsonObject } from '../../core/base/json.ts';
import { idIn, integerIn, languageOf, listIn, objectOf, textIn } from './fields.ts';

/** One category of the tree. Its articles and children are not decoded yet. */
export interface CategoryNode {
  readonly category: Category;
  readonly articles: readonly unknown[];
  readonly children: readonly unknown[];
}

/** Decodes an entry; null where it can't be read. Missing members are taken from the request and the parent. */
export function decodeCategoryNode(
  given: unknown,
  requested: VersionLanguage,
  parentCategoryId: string | null,
): CategoryNode | null {
  const entry = objectOf(given);
  const categoryId = idIn(entry, 'id');
  if (categoryId === null) return null;
  const category = {
    categoryId,
    projectVersionId: textIn(entry, 'project_version_id') ?? requested.projectVersionId,
    languageCode: languageOf(entry, requested),
    name: textIn(entry, 'name') ?? '',
    // 0 means no position, as for articles.
    order: integerIn(entry, 'order') || null,
    parentCategoryId: textIn(entry, 'parent_category_id') ?? parentCategoryId,
  };
  return { category, articles: listIn(entry, 'articles'), children: listIn(entry, 'child_categories') };
}

/** Encodes a category with its articles and children. */
export const encodeCategory = (
  category: Category,
  articles: readonly JsonObject[],
  children: readonly JsonObject[],
): JsonObject => ({
  id: category.categoryId,
  name: category.name,
  description: null,
  project_version_id: category.projectVersionId,
  order: category.order ?? 0,
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
