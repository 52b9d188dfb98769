import type { Article } from '../../../domain/articles/articles.ts';
import type { Category } from '../../../domain/articles/categories.ts';
import type { Edition } from '../../../domain/articles/project-versions.ts';
import type { TickQueue } from '../../../domain/json/tick-queue.ts';
import { decodeListedArticle } from '../../../v2/articles.ts';
import { type CategoryNode, decodeCategoryNode } from '../../../v2/categories.ts';
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
}

export async function buildCategoryTree(
  roots: readonly CategoryNode[],
  edition: Edition,
  ticks: TickQueue,
): Promise<CategoryTree> {
  const branches = new Map<string, CategoryBranch>();
  const categoryOfArticle = new Map<string, Category>();
  const pending: CategoryNode[] = [...roots];
  const counter = { ticks, entries: 0 };
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const { category } = node;
    const { categoryId } = category;
    const articles = (
      await mapInSteps(node.articles, (entry) => articleOfEntry(category, entry, edition), counter)
    ).flat();
    const decode = (entry: unknown) => decodeCategoryNode(entry, edition, categoryId);
    const children = withoutUnreadable(await mapInSteps(node.children, decode, counter));
    branches.set(categoryId, { category, children: categoriesOf(children), articles });
    for (const { articleId } of articles) categoryOfArticle.set(articleId, category);
    for (const child of children) pending.push(child);
  }
  return { roots: categoriesOf(roots), branches, categoryOfArticle };
}

export const withoutUnreadable = (nodes: readonly (CategoryNode | null)[]) => nodes.filter((node) => node !== null);

const categoriesOf = (nodes: readonly CategoryNode[]) => nodes.map(({ category }) => category);

function articleOfEntry(category: Category, entry: unknown, edition: Edition): readonly Article[] {
  const article = decodeListedArticle(entry, edition);
  if (article === null || !isOfLanguage(article, edition)) return [];
  return [{ ...article, categoryId: category.categoryId }];
}

/**
 * False for an article that stands in for its missing translation. Language codes are compared without regard to case.
 */
export const isOfLanguage = (article: Article, { languageCode }: Pick<Edition, 'languageCode'>): boolean =>
  article.languageCode.toLowerCase() === languageCode.toLowerCase();
