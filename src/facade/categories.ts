import type { Article } from '../domain/articles/bulk-updates.ts';
import type { Category } from '../domain/articles/categories.ts';
import type { BackendError } from '../domain/errors.ts';
import type { JsonObject } from '../domain/notices.ts';
import { err, ok, type Result } from '../domain/result.ts';
import { encodeListedArticle } from '../v2/articles.ts';
import { encodeCategory } from '../v2/categories.ts';
import { flagOf, textOf } from './query-params.ts';
import { answered, type Call, type Handled, only, param, refused } from './route-handler.ts';

/** The whole tree of one project version in one language, unpaged (facts, section 1). */
export async function readCategoryTree(call: Call): Handled {
  const excludeArticles = flagOf(call.query, 'excludeArticles');
  if (!excludeArticles.ok) return excludeArticles;
  const tree = { projectVersionId: param(call, 'projectVersionId'), languageCode: textOf(call.query, 'langCode') };
  const roots = await call.backend.rootCategories(call.caller, tree);
  if (!roots.ok) return roots;
  if (roots.value === null) return err(refused(400, 'The project version Id or the language code does not exist.'));
  const nodes = await treeBelow(call, roots.value, excludeArticles.value);
  return nodes.ok ? answered({ data: nodes.value }) : nodes;
}

export async function readCategory(call: Call): Handled {
  const key = { categoryId: param(call, 'categoryId'), languageCode: textOf(call.query, 'langCode') };
  const category = only(await call.backend.categories(call.caller, [key]));
  if (!category.ok) return category;
  if (category.value === null) return err(refused(400, 'The category Id does not exist.'));
  const nodes = await treeBelow(call, [category.value], false);
  return nodes.ok ? answered({ data: only(nodes.value) }) : nodes;
}

/** A tree level by level from its roots, and who is below whom. */
interface Tree {
  readonly categories: readonly Category[];
  readonly children: ReadonlyMap<string, readonly Category[]>;
}

/** Builds from the leaves up, so that the depth of a tree costs no stack. */
async function treeBelow(
  call: Call,
  roots: readonly Category[],
  excludeArticles: boolean,
): Promise<Result<readonly JsonObject[], BackendError>> {
  const tree = await descend(call, roots);
  if (!tree.ok) return tree;
  const { categories, children } = tree.value;
  const articles = await articlesIn(call, excludeArticles ? [] : categories);
  if (!articles.ok) return articles;
  const nodes = new Map<string, JsonObject>();
  const nodesOf = (some: readonly Category[] = []) =>
    some.map(({ categoryId }) => nodes.get(categoryId)).filter((node) => node !== undefined);
  for (const category of categories.toReversed()) {
    const { categoryId } = category;
    const entries = (articles.value.get(categoryId) ?? []).map(encodeListedArticle);
    nodes.set(categoryId, encodeCategory(category, entries, nodesOf(children.get(categoryId))));
  }
  return ok(nodesOf(roots));
}

/** One call a level, however wide it is. */
async function descend({ backend, caller }: Call, roots: readonly Category[]): Promise<Result<Tree, BackendError>> {
  let categories: readonly Category[] = [];
  const children = new Map<string, readonly Category[]>();
  let level = roots;
  while (level.length > 0) {
    categories = categories.concat(level);
    const answers = await backend.childCategories(caller, level);
    for (const [index, { categoryId }] of level.entries()) {
      const answer = answers[index];
      if (answer && !answer.ok) return answer;
      children.set(categoryId, answer?.value ?? []);
    }
    // A category that is its own ancestor would have no end.
    level = level
      .flatMap(({ categoryId }) => children.get(categoryId) ?? [])
      .filter((one) => !children.has(one.categoryId));
  }
  return ok({ categories, children });
}

/** Articles of one category that are read at once. */
const ARTICLES_AT_ONCE = 1000;

/** All articles of every category, page by page where one has many. */
async function articlesIn(
  { backend, caller }: Call,
  categories: readonly Category[],
): Promise<Result<ReadonlyMap<string, readonly Article[]>, BackendError>> {
  const articles = new Map<string, Article[]>(categories.map(({ categoryId }) => [categoryId, []]));
  let unread = categories;
  for (let skip = 0; unread.length > 0; skip += ARTICLES_AT_ONCE) {
    const answers = await backend.articlesOfCategories(caller, unread, { limit: ARTICLES_AT_ONCE, skip });
    const next: Category[] = [];
    for (const [index, category] of unread.entries()) {
      const answer = answers[index];
      if (answer && !answer.ok) return answer;
      articles.get(category.categoryId)?.push(...(answer?.value.edges ?? []).map(({ node }) => node));
      if (answer?.value.hasNextPage) next.push(category);
    }
    unread = next;
  }
  return ok(articles);
}
