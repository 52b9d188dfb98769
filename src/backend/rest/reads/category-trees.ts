import type { TickQueue } from '../../../base/json/tick-queue.ts';
import { lazily } from '../../../base/lazily.ts';
import type { Article, Category, Edition } from '../../../domain/articles/articles.ts';
import { type CategoryNode, decodeCategoryNode } from '../../../v2/categories.ts';
import { mapInSteps } from '../calls/read-response.ts';
import { articleIdOfEntry, decodeListEntry } from './listed-articles.ts';

interface CategoryBranch {
  readonly category: Category;
  readonly children: readonly Category[];
  /** Decodes the articles directly in it at the first use. */
  readonly articles: () => Promise<readonly Article[]>;
}

/** An article of the tree, whose entry is decoded where more than its category is read. */
interface ArticleInTree {
  readonly category: Category;
  readonly entry: unknown;
}

/**
 * All categories of an edition with their articles. Only this call tells which category an article is in: see
 * docs/service.md, "Categories".
 */
export interface CategoryTree {
  readonly roots: readonly Category[];
  readonly branches: ReadonlyMap<string, CategoryBranch>;
  readonly articles: ReadonlyMap<string, ArticleInTree>;
}

export async function buildCategoryTree(
  roots: readonly CategoryNode[],
  edition: Edition,
  ticks: TickQueue,
): Promise<CategoryTree> {
  const branches = new Map<string, CategoryBranch>();
  const articles = new Map<string, ArticleInTree>();
  const pending: CategoryNode[] = [...roots];
  const counter = { ticks, entries: 0 };
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const { category, articles: entries } = node;
    const articleIds = await mapInSteps(entries, (entry) => articleIdOfEntry(entry, edition), counter);
    for (const [index, articleId] of articleIds.entries())
      if (articleId !== null) articles.set(articleId, { category, entry: entries[index] });
    const decode = (entry: unknown) => decodeCategoryNode(entry, edition, category.categoryId);
    const children = withoutUnreadable(await mapInSteps(node.children, decode, counter));
    branches.set(category.categoryId, {
      category,
      children: categoriesOf(children),
      articles: lazily(() => decodeArticles(node, edition, ticks)),
    });
    for (const child of children) pending.push(child);
  }
  return { roots: categoriesOf(roots), branches, articles };
}

async function decodeArticles(
  { category: { categoryId }, articles: entries }: CategoryNode,
  edition: Edition,
  ticks: TickQueue,
): Promise<readonly Article[]> {
  const decode = (entry: unknown) => decodeListEntry(entry, edition);
  const listed = await mapInSteps(entries, decode, { ticks, entries: 0 });
  return listed.flatMap((found) => (found ? [{ ...found.article, categoryId }] : []));
}

export const withoutUnreadable = (nodes: readonly (CategoryNode | null)[]) => nodes.filter((node) => node !== null);

const categoriesOf = (nodes: readonly CategoryNode[]) => nodes.map(({ category }) => category);
