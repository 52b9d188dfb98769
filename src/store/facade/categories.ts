import type { Article, Category } from '../../core/articles/articles.ts';
import type { JsonObject } from '../../core/base/json.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import type { BackendError } from '../../core/errors.ts';
import { encodeListedArticle } from '../../service/v2/articles.ts';
import { encodeCategory } from '../../service/v2/categories.ts';
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

/** Answers with the whole tree of one project version in one language, unpaged: see docs/service.md, "Categories". */
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

/** Reads a level of a tree by one call, and encodes it after all levels below it. */
async function encodeTree(
  request: FacadeRequest,
  level: readonly Category[],
  excludeArticles: boolean,
): Promise<Result<readonly JsonObject[], BackendError>> {
  if (level.length === 0) return ok([]);
  const children = collectResults(await request.backend.childCategories(request.caller, level));
  if (!children.ok) return children;
  const articles = await readArticles(request, excludeArticles ? [] : level);
  if (!articles.ok) return articles;
  const nodes = await encodeTree(request, children.value.flat(), excludeArticles);
  if (!nodes.ok) return nodes;
  let begun = 0;
  const encoded = level.map((category, index) => {
    const end = begun + (children.value[index]?.length ?? 0);
    const childNodes = nodes.value.slice(begun, end);
    begun = end;
    return encodeCategory(category, (articles.value[index] ?? []).map(encodeListedArticle), childNodes);
  });
  return ok(encoded);
}

function collectResults<T>(results: readonly Result<T, BackendError>[]): Result<readonly T[], BackendError> {
  const failed = results.find((result) => !result.ok);
  return failed ?? ok(results.flatMap((result) => (result.ok ? [result.value] : [])));
}

const ARTICLE_PAGE_SIZE = 1000;

async function readArticles(
  { backend, caller }: FacadeRequest,
  categories: readonly Category[],
): Promise<Result<readonly (readonly Article[])[], BackendError>> {
  const articles = categories.map((): Article[] => []);
  let hasMore = categories.length > 0;
  for (let skip = 0; hasMore; skip += ARTICLE_PAGE_SIZE) {
    const page = { limit: ARTICLE_PAGE_SIZE, skip };
    const pages = collectResults(await backend.articlesOfCategories(caller, categories, page));
    if (!pages.ok) return pages;
    for (const [index, { edges }] of pages.value.entries()) articles[index]?.push(...edges.map(({ node }) => node));
    hasMore = pages.value.some(({ hasNextPage }) => hasNextPage);
  }
  return ok(articles);
}
