import type { JsonObject } from '../base/json.ts';
import { err, ok, type Result } from '../base/result.ts';
import type { Article, Category } from '../domain/articles/articles.ts';
import type { BackendError } from '../domain/errors.ts';
import { encodeListedArticle } from '../v2/articles.ts';
import { encodeCategory } from '../v2/categories.ts';
import {
  type EnvelopeResult,
  type FacadeRequest,
  onlyResult,
  pathParam,
  queryFlag,
  queryText,
  rejection,
  succeedWith,
} from './route-handler.ts';

/** The whole tree of one project version in one language, unpaged: see docs/service.md, "Categories". */
export async function readCategoryTree(request: FacadeRequest): EnvelopeResult {
  const excludeArticles = queryFlag(request.query, 'excludeArticles');
  if (!excludeArticles.ok) return excludeArticles;
  const tree = {
    projectVersionId: pathParam(request, 'projectVersionId'),
    languageCode: queryText(request.query, 'langCode'),
  };
  const roots = await request.backend.rootCategories(request.caller, tree);
  if (!roots.ok) return roots;
  if (roots.value === null) return err(rejection(400, 'The project version Id or the language code does not exist.'));
  const nodes = await encodeTree(request, roots.value, excludeArticles.value);
  return nodes.ok ? succeedWith({ data: nodes.value }) : nodes;
}

export async function readCategory(request: FacadeRequest): EnvelopeResult {
  const key = { categoryId: pathParam(request, 'categoryId'), languageCode: queryText(request.query, 'langCode') };
  const category = onlyResult(await request.backend.categories(request.caller, [key]));
  if (!category.ok) return category;
  if (category.value === null) return err(rejection(400, 'The category Id does not exist.'));
  const nodes = await encodeTree(request, [category.value], false);
  return nodes.ok ? succeedWith({ data: onlyResult(nodes.value) }) : nodes;
}

/** Categories level by level from the roots, and the children of each by its ID. */
interface CategoryLevels {
  readonly categories: readonly Category[];
  readonly children: ReadonlyMap<string, readonly Category[]>;
}

/** Builds from the leaves up, without recursion, so that the depth of a tree costs no stack. */
async function encodeTree(
  request: FacadeRequest,
  roots: readonly Category[],
  excludeArticles: boolean,
): Promise<Result<readonly JsonObject[], BackendError>> {
  const tree = await readDescendants(request, roots);
  if (!tree.ok) return tree;
  const { categories, children } = tree.value;
  const articles = await readCategoryArticles(request, excludeArticles ? [] : categories);
  if (!articles.ok) return articles;
  const nodes = new Map<string, JsonObject>();
  const nodesOf = (siblings: readonly Category[] = []) =>
    siblings.map(({ categoryId }) => nodes.get(categoryId)).filter((node) => node !== undefined);
  for (const category of categories.toReversed()) {
    const { categoryId } = category;
    const entries = (articles.value.get(categoryId) ?? []).map(encodeListedArticle);
    nodes.set(categoryId, encodeCategory(category, entries, nodesOf(children.get(categoryId))));
  }
  return ok(nodesOf(roots));
}

/** Reads the tree with one call per level. */
async function readDescendants(
  { backend, caller }: FacadeRequest,
  roots: readonly Category[],
): Promise<Result<CategoryLevels, BackendError>> {
  let categories: readonly Category[] = [];
  const children = new Map<string, readonly Category[]>();
  let level = roots;
  while (level.length > 0) {
    categories = categories.concat(level);
    const results = await backend.childCategories(caller, level);
    for (const [index, { categoryId }] of level.entries()) {
      const result = results[index];
      if (result && !result.ok) return result;
      children.set(categoryId, result?.value ?? []);
    }
    // Skips categories that were read, since one that is its own ancestor would make this loop endless.
    level = level
      .flatMap(({ categoryId }) => children.get(categoryId) ?? [])
      .filter(({ categoryId }) => !children.has(categoryId));
  }
  return ok({ categories, children });
}

/** Articles of one category per call. */
const ARTICLE_PAGE_SIZE = 1000;

/** Reads all articles of the categories, page by page. */
async function readCategoryArticles(
  { backend, caller }: FacadeRequest,
  categories: readonly Category[],
): Promise<Result<ReadonlyMap<string, readonly Article[]>, BackendError>> {
  const articles = new Map<string, Article[]>(categories.map(({ categoryId }) => [categoryId, []]));
  let remaining = categories;
  for (let skip = 0; remaining.length > 0; skip += ARTICLE_PAGE_SIZE) {
    const results = await backend.articlesOfCategories(caller, remaining, { limit: ARTICLE_PAGE_SIZE, skip });
    const next: Category[] = [];
    for (const [index, category] of remaining.entries()) {
      const result = results[index];
      if (result && !result.ok) return result;
      articles.get(category.categoryId)?.push(...(result?.value.edges ?? []).map(({ node }) => node));
      if (result?.value.hasNextPage) next.push(category);
    }
    remaining = next;
  }
  return ok(articles);
}
