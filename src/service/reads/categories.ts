import type { Article, Category, CategoryKey, VersionLanguage } from '../../core/articles/articles.ts';
import type { BackendResult, BatchResults, LanguageOfList } from '../../core/backend.ts';
import { IdMap } from '../../core/base/id-map.ts';
import { lazily } from '../../core/base/lazily.ts';
import { allOk, mapFound, mapOk, ok } from '../../core/base/result.ts';
import type { TickQueue } from '../../core/base/tick-queue.ts';
import { decodePayloadList, mapInSteps, nullIfMissing, unreadableAt } from '../calls/read-response.ts';
import { decodeListedArticle, identifyListedArticle } from '../v2/articles.ts';
import { type CategoryNode, decodeCategoryNode } from '../v2/categories.ts';
import { at } from '../v2/fields.ts';
import { isTranslation, languageOfEntries, translationsIn } from './article-lists.ts';
import {
  listProjectVersions,
  type RequestedVersionLanguage,
  versionLanguageOf,
  versionLanguagesIn,
} from './project-versions.ts';
import type { ArticleInTree, CategoryBranch, CategoryTree, RequestCache } from './request-cache.ts';

export async function readRootCategories(
  cache: RequestCache,
  requested: RequestedVersionLanguage,
): BackendResult<readonly Category[] | null> {
  const versionLanguage = await versionLanguageOf(cache, requested);
  return versionLanguage.ok ? findInTree(cache, versionLanguage.value, ({ roots }) => roots) : versionLanguage;
}

/** Reads a category. The tree of its version and language is read once for a request. */
export async function readCategory(cache: RequestCache, key: CategoryKey): BackendResult<Category | null> {
  if (key.projectVersionId === undefined) return findInAnyTree(cache, key);
  const versionLanguage = await versionLanguageOf(cache, key);
  if (!versionLanguage.ok) return versionLanguage;
  return findInTree(cache, versionLanguage.value, ({ branches }) => branches.get(key.categoryId)?.category);
}

export async function readChildCategories(cache: RequestCache, parent: Category): BackendResult<readonly Category[]> {
  const found = await findInTree(cache, parent, ({ branches }) => branches.get(parent.categoryId)?.children);
  return mapOk(found, (children) => children ?? []);
}

/** Reads the tree of each version and language once for all its articles. */
export async function readCategoriesOfArticles(
  cache: RequestCache,
  articles: readonly Article[],
): BatchResults<Category | null> {
  const versionLanguages = new Map<string, VersionLanguage>(articles.map((article) => [keyOfTree(article), article]));
  const read = async ([key, versionLanguage]: [string, VersionLanguage]) =>
    [key, await readCategoryTree(cache, versionLanguage)] as const;
  const trees = new Map(await Promise.all(versionLanguages.entries().map(read)));
  return articles.map((article) =>
    mapFound(trees.get(keyOfTree(article)) ?? ok(null), (tree) => categoryIn(tree, article)),
  );
}

const keyOfTree = ({ projectVersionId, languageCode }: VersionLanguage): string =>
  `${projectVersionId}\n${languageCode}`;

const categoryIn = ({ articles, branches }: CategoryTree, { articleId, categoryId }: Article): Category | null =>
  articles.get(articleId)?.category ?? branches.get(categoryId ?? '')?.category ?? null;

export async function readCategoryTree(
  cache: RequestCache,
  { projectVersionId, languageCode }: VersionLanguage,
): BackendResult<CategoryTree | null> {
  const versionLanguage = { projectVersionId, languageCode };
  const response = await cache.get(['ProjectVersions', { id: projectVersionId }, 'categories'], {
    excludeArticles: false,
    langCode: languageCode,
    includeCategoryDescription: false,
  });
  return cache.decoded.categoryTrees.of(response, async (payload) => {
    const roots = await decodePayloadList(payload, (entry) => decodeCategoryNode(entry, versionLanguage, null), cache);
    if (!roots.ok) return nullIfMissing(roots, 'category tree');
    return buildCategoryTree(withoutUnreadable(roots.value), versionLanguage, cache.ticks).then(ok, unreadableAt);
  });
}

/** The articles of a version and language that are in a category, each once; null when it does not exist. */
export async function readArticlesOfAllCategories(
  cache: RequestCache,
  versionLanguage: VersionLanguage,
): BackendResult<readonly Article[] | null> {
  const tree = await readCategoryTree(cache, versionLanguage);
  if (!tree.ok || tree.value === null) return mapOk(tree, () => null);
  const lists = await Promise.all([...tree.value.branches.values()].map(({ articles }) => articles()));
  return mapOk(allOk(lists), (articles) => articles.flat());
}

async function findInTree<T>(
  cache: RequestCache,
  versionLanguage: VersionLanguage | null,
  find: (tree: CategoryTree) => T | undefined,
): BackendResult<T | null> {
  const tree = versionLanguage === null ? ok(null) : await readCategoryTree(cache, versionLanguage);
  return mapFound(tree, (found) => find(found) ?? null);
}

/** Looks into the trees of all project versions, the default one first, since an ID does not show which one it belongs to. */
async function findInAnyTree(
  cache: RequestCache,
  { categoryId, languageCode }: CategoryKey,
): BackendResult<Category | null> {
  const versions = await listProjectVersions(cache);
  if (!versions.ok) return versions;
  for (const versionLanguage of versionLanguagesIn(versions.value, languageCode)) {
    const found = await findInTree(cache, versionLanguage, ({ branches }) => branches.get(categoryId)?.category);
    if (!found.ok || found.value !== null) return found;
  }
  return ok(null);
}

async function buildCategoryTree(
  roots: readonly CategoryNode[],
  versionLanguage: VersionLanguage,
  ticks: TickQueue,
): Promise<CategoryTree> {
  const branches = new IdMap<CategoryBranch>();
  const found: (ArticleInTree & NonNullable<ReturnType<typeof identifyListedArticle>>)[] = [];
  const language = lazily(() => languageOfEntries(found));
  const pending: CategoryNode[] = [...roots];
  const counter = { ticks, entries: 0 };
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const { category, articles: entries } = node;
    const identify = (entry: unknown, index: number) =>
      at(placeOf(category, 'articles', index), () => identifyListedArticle(entry, versionLanguage));
    const identities = await mapInSteps(entries, identify, counter);
    for (const [index, identity] of identities.entries())
      if (identity !== null) found.push({ ...identity, category, entry: entries[index] });
    const decode = (entry: unknown, index: number) =>
      at(placeOf(category, 'child_categories', index), () =>
        decodeCategoryNode(entry, versionLanguage, category.categoryId),
      );
    const children = withoutUnreadable(await mapInSteps(node.children, decode, counter));
    branches.set(category.categoryId, {
      category,
      children: categoriesOf(children),
      articles: lazily(() =>
        decodeArticles(node, { versionLanguage, language: language(), ticks }).then(ok, unreadableAt),
      ),
    });
    for (const child of children) pending.push(child);
  }
  const articles = found.filter((article) => isTranslation(article, language()));
  return {
    roots: categoriesOf(roots),
    branches,
    articles: new IdMap(articles.map((article) => [article.articleId, article])),
    language: language(),
  };
}

/** The place of an entry of a category, of which the ID says more than its place in the tree. */
const placeOf =
  ({ categoryId }: Category, list: 'articles' | 'child_categories', index: number) =>
  () =>
    `category ${categoryId}.${list}[${index}]`;

interface DecodingOfTree {
  readonly versionLanguage: VersionLanguage;
  readonly language: LanguageOfList;
  readonly ticks: TickQueue;
}

async function decodeArticles(
  { category, articles: entries }: CategoryNode,
  { versionLanguage, language, ticks }: DecodingOfTree,
): Promise<readonly Article[]> {
  const decode = (entry: unknown, index: number) =>
    at(placeOf(category, 'articles', index), () => decodeListedArticle(entry, versionLanguage));
  const { categoryId } = category;
  const listed = translationsIn(await mapInSteps(entries, decode, { ticks, entries: 0 }), language);
  return listed.flatMap((article) => (article ? [{ ...article, categoryId }] : []));
}

const withoutUnreadable = (nodes: readonly (CategoryNode | null)[]) => nodes.filter((node) => node !== null);

const categoriesOf = (nodes: readonly CategoryNode[]) => nodes.map(({ category }) => category);
