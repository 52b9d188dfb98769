import type { Article, Category, CategoryKey, Edition } from '../../core/articles/articles.ts';
import type { BackendResult, BatchResults } from '../../core/backend.ts';
import { IdMap } from '../../core/base/id-map.ts';
import { lazily } from '../../core/base/lazily.ts';
import { mapFound, mapOk, ok } from '../../core/base/result.ts';
import type { TickQueue } from '../../core/base/tick-queue.ts';
import { decodePayloadList, mapInSteps, nullIfMissing } from '../calls/read-response.ts';
import { type CategoryNode, decodeCategoryNode } from '../v2/categories.ts';
import { articleIdOfEntry, decodeListEntry } from './article-lists.ts';
import { editionOf, editionsIn, listProjectVersions, type RequestedEdition } from './project-versions.ts';
import type { ArticleInTree, CategoryBranch, CategoryTree, RequestCache } from './request-cache.ts';

export async function readRootCategories(
  cache: RequestCache,
  requested: RequestedEdition,
): BackendResult<readonly Category[] | null> {
  const edition = await editionOf(cache, requested);
  return edition.ok ? findInTree(cache, edition.value, ({ roots }) => roots) : edition;
}

/** The cache of the request reads the tree of an edition once for all its categories. */
export async function readCategory(cache: RequestCache, key: CategoryKey): BackendResult<Category | null> {
  if (key.projectVersionId === undefined) return findInAnyTree(cache, key);
  const edition = await editionOf(cache, key);
  if (!edition.ok) return edition;
  return findInTree(cache, edition.value, ({ branches }) => branches.get(key.categoryId)?.category);
}

export async function readChildCategories(cache: RequestCache, parent: Category): BackendResult<readonly Category[]> {
  const found = await findInTree(cache, parent, ({ branches }) => branches.get(parent.categoryId)?.children);
  return mapOk(found, (children) => children ?? []);
}

/** Reads the tree of each edition once for all its articles. */
export async function readCategoriesOfArticles(
  cache: RequestCache,
  articles: readonly Article[],
): BatchResults<Category | null> {
  const editions = new Map<string, Edition>(articles.map((article) => [keyOfTree(article), article]));
  const read = async ([key, edition]: [string, Edition]) => [key, await readCategoryTree(cache, edition)] as const;
  const trees = new Map(await Promise.all(editions.entries().map(read)));
  return articles.map((article) =>
    mapFound(trees.get(keyOfTree(article)) ?? ok(null), (tree) => categoryIn(tree, article)),
  );
}

const keyOfTree = ({ projectVersionId, languageCode }: Edition): string => `${projectVersionId}\n${languageCode}`;

const categoryIn = ({ articles, branches }: CategoryTree, { articleId, categoryId }: Article): Category | null =>
  articles.get(articleId)?.category ?? branches.get(categoryId ?? '')?.category ?? null;

/** Null when the edition does not exist. */
export async function readCategoryTree(
  cache: RequestCache,
  { projectVersionId, languageCode }: Edition,
): BackendResult<CategoryTree | null> {
  const edition = { projectVersionId, languageCode };
  const response = await cache.get(['ProjectVersions', projectVersionId, 'categories'], {
    excludeArticles: false,
    langCode: languageCode,
    includeCategoryDescription: false,
  });
  return cache.decoded.categoryTrees.of(response, async (payload) => {
    const roots = await decodePayloadList(payload, (entry) => decodeCategoryNode(entry, edition, null), cache);
    if (!roots.ok) return nullIfMissing(roots, 'category tree');
    return ok(await buildCategoryTree(withoutUnreadable(roots.value), edition, cache.ticks));
  });
}

/** The articles of an edition that are in a category, once for each; null when the edition does not exist. */
export async function readArticlesOfAllCategories(
  cache: RequestCache,
  edition: Edition,
): BackendResult<readonly Article[] | null> {
  const tree = await readCategoryTree(cache, edition);
  if (!tree.ok || tree.value === null) return mapOk(tree, () => null);
  const lists = [...tree.value.branches.values()].map(({ articles }) => articles());
  return ok((await Promise.all(lists)).flat());
}

async function findInTree<T>(
  cache: RequestCache,
  edition: Edition | null,
  find: (tree: CategoryTree) => T | undefined,
): BackendResult<T | null> {
  const tree = edition === null ? ok(null) : await readCategoryTree(cache, edition);
  return mapFound(tree, (found) => find(found) ?? null);
}

/**
 * Looks into the trees of all project versions, the default one first, since an ID does not tell which one it is in.
 */
async function findInAnyTree(
  cache: RequestCache,
  { categoryId, languageCode }: CategoryKey,
): BackendResult<Category | null> {
  const versions = await listProjectVersions(cache);
  if (!versions.ok) return versions;
  for (const edition of editionsIn(versions.value, languageCode)) {
    const found = await findInTree(cache, edition, ({ branches }) => branches.get(categoryId)?.category);
    if (!found.ok || found.value !== null) return found;
  }
  return ok(null);
}

async function buildCategoryTree(
  roots: readonly CategoryNode[],
  edition: Edition,
  ticks: TickQueue,
): Promise<CategoryTree> {
  const branches = new IdMap<CategoryBranch>();
  const articles = new IdMap<ArticleInTree>();
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
  return listed.flatMap((article) => (article ? [{ ...article, categoryId }] : []));
}

const withoutUnreadable = (nodes: readonly (CategoryNode | null)[]) => nodes.filter((node) => node !== null);

const categoriesOf = (nodes: readonly CategoryNode[]) => nodes.map(({ category }) => category);
