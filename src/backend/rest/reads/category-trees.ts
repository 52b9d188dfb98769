import type { Article } from '../../../domain/articles/articles.ts';
import type { Category } from '../../../domain/articles/categories.ts';
import type { Edition } from '../../../domain/articles/project-versions.ts';
import type { TickQueue } from '../../../domain/json/tick-queue.ts';
import { type CategoryNode, decodeCategoryNode } from '../../../v2/categories.ts';
import { decodeListEntry, type ListedArticle } from './listed-articles.ts';
import { mapInSteps } from './read-response.ts';

interface CategoryBranch {
  readonly category: Category;
  readonly children: readonly Category[];
  readonly articles: readonly Article[];
}

/**
 * All categories of an edition with their articles. Only this call tells which category an article is in: see
 * docs/service.md, "Categories".
 */
export interface CategoryTree {
  readonly roots: readonly Category[];
  readonly branches: ReadonlyMap<string, CategoryBranch>;
  readonly categoryOfArticle: ReadonlyMap<string, Category>;
  /** All articles by ID, without their category. */
  readonly articles: ReadonlyMap<string, ListedArticle>;
}

export async function buildCategoryTree(
  roots: readonly CategoryNode[],
  edition: Edition,
  ticks: TickQueue,
): Promise<CategoryTree> {
  const branches = new Map<string, CategoryBranch>();
  const categoryOfArticle = new Map<string, Category>();
  const articlesById = new Map<string, ListedArticle>();
  const pending: CategoryNode[] = [...roots];
  const counter = { ticks, entries: 0 };
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const { category } = node;
    const { categoryId } = category;
    const listed = (await mapInSteps(node.articles, (entry) => decodeListEntry(entry, edition), counter)).filter(
      (entry) => entry !== null,
    );
    const articles = listed.map(({ article }) => ({ ...article, categoryId }));
    const decode = (entry: unknown) => decodeCategoryNode(entry, edition, categoryId);
    const children = withoutUnreadable(await mapInSteps(node.children, decode, counter));
    branches.set(categoryId, { category, children: categoriesOf(children), articles });
    for (const entry of listed) {
      categoryOfArticle.set(entry.article.articleId, category);
      articlesById.set(entry.article.articleId, entry);
    }
    for (const child of children) pending.push(child);
  }
  return { roots: categoriesOf(roots), branches, categoryOfArticle, articles: articlesById };
}

export const withoutUnreadable = (nodes: readonly (CategoryNode | null)[]) => nodes.filter((node) => node !== null);

const categoriesOf = (nodes: readonly CategoryNode[]) => nodes.map(({ category }) => category);
