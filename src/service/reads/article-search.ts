import { isDeepStrictEqual } from 'node:util';
import type { PreviewExtent } from '../../core/articles/article-previews.ts';
import {
  type Article,
  type ArticleExtent,
  type ArticleKey,
  defaultOf,
  type Edition,
  type ProjectVersion,
} from '../../core/articles/articles.ts';
import {
  type ArticleUpdate,
  articleKeyOf,
  isListed,
  needsArticle,
  textKeyOf,
} from '../../core/articles/bulk-updates.ts';
import type { BackendResult, BatchResults } from '../../core/backend.ts';
import { mapOk, ok, type Result } from '../../core/base/result.ts';
import { isSameId } from '../../core/base/text.ts';
import type { BackendError } from '../../core/errors.ts';
import { mapInSteps, valueIfOffered } from '../calls/read-response.ts';
import { type ListedField, listedFieldsOf } from '../v2/articles.ts';
import { decodeListEntry } from './article-lists.ts';
import { readArticle } from './articles.ts';
import { readCategoryTree } from './categories.ts';
import { editionsIn, listProjectVersions } from './project-versions.ts';
import type { ArticleInTree, RequestCache } from './request-cache.ts';

/** An article, and what has to be known of it. */
interface ArticleRequest {
  readonly key: ArticleKey;
  /** The listed properties that have to be known. */
  readonly fields: ReadonlySet<ListedField>;
  /** True where only a read of this one article tells everything: its text, or a version by its number. */
  readonly isSingle: boolean;
}

/** So few articles are read one by one: a category tree and the project versions would cost as many calls. */
const MAX_UNLISTED = 2;

/** The number of articles outside of the tree that are read to learn their edition. Most of the others will not exist either. */
const MAX_PROBES = 3;

/**
 * The article of each update, as it is now: the one reader of all that decides on a write, or tells its outcome. What the updates
 * set is read from category trees, and from an article itself only where these do not show it, or not what this gateway has
 * written in the last minute. Where no read shows that, the article says so (`unshown`). Fails before the first call where these would be too many calls, and once trees have shown how
 * many articles have to be read, before the first of them.
 */
export async function readArticlesOfUpdates(
  cache: RequestCache,
  updates: readonly ArticleUpdate[],
  extent: PreviewExtent,
): BackendResult<readonly (Article | null)[]> {
  const { callsPerArticle, onlyLists = false } = extent;
  cache.projectVersions = extent.projectVersions;
  const requests = await requestsOf(cache, updates, extent);
  const all = [...requests.values()];
  const expected = cache.checkCalls(leastCalls(cache, all) + callsPerArticle * all.length);
  if (!expected.ok) return expected;
  const searched = all.filter(({ isSingle }) => !isSingle);
  const listed = await findInTrees(cache, searched);
  if (!listed.ok) return listed;
  const articles: FoundArticles = new Map();
  for (const [key, found] of listed.value) {
    const article = await compareWithWrites(cache, key, found);
    if (!article.ok) return article;
    if (onlyLists || article.value === null || isShown(article.value, extent) || !isEntry(article.value))
      articles.set(key, article.value);
  }
  const unread = all.filter(({ key }) => !articles.has(key));
  const remaining = cache.checkCalls(unread.length + callsPerArticle * all.length);
  if (!remaining.ok) return remaining;
  const reads = await Promise.all(unread.map(async ({ key }) => [key, await readCompared(cache, key)] as const));
  for (const [key, article] of reads) {
    if (!article.ok) return article;
    articles.set(key, article.value);
  }
  const articleOf = (request: ArticleRequest | undefined) => (request && articles.get(request.key)) ?? null;
  return ok(updates.map((update) => articleOf(requests.get(textKeyOf(update)))));
}

/** False where a list may be too old for what is asked of it. */
const isShown = ({ unshown, mayLackVersion = false }: Article, { withPublicVersion = false }: PreviewExtent): boolean =>
  unshown === undefined && !(withPublicVersion && mayLackVersion);

/** True for an entry of a list, which has no text. */
const isEntry = ({ content }: Article): boolean => content === undefined;

/**
 * The article, with what the read does not show of recent writes. Writes may have named no language: the project versions, which
 * tell the default one, are read only where it matters.
 */
async function compareWithWrites(
  cache: RequestCache,
  key: ArticleKey,
  article: Article | null,
): BackendResult<Article | null> {
  if (article === null) return ok(null);
  const source = isEntry(article) ? 'list' : 'article';
  const inDefault = cache.compared(article, { source, isDefaultLanguage: true });
  if (key.languageCode === undefined) return ok(inDefault);
  const inOther = cache.compared(article, { source, isDefaultLanguage: false });
  if (isDeepStrictEqual(inDefault, inOther)) return ok(inDefault);
  const versions = valueIfOffered(await listProjectVersions(cache), []);
  return mapOk(versions, (found) => (isInDefaultLanguage(article, found) ? inDefault : inOther));
}

async function readCompared(cache: RequestCache, key: ArticleKey): BackendResult<Article | null> {
  const article = await readArticle(cache, key);
  return article.ok ? compareWithWrites(cache, key, article.value) : article;
}

/** False where the project versions don't tell it. */
function isInDefaultLanguage(article: Article, versions: readonly ProjectVersion[]): boolean {
  const version = versions.find(({ projectVersionId }) => projectVersionId === article.projectVersionId);
  const language = defaultOf(version?.languages ?? []);
  return language?.code.toLowerCase() === article.languageCode.toLowerCase();
}

/** The properties of a summary that an entry of a list may lack. */
const SUMMARY_FIELDS: ReadonlySet<ListedField> = new Set(['title', 'hidden', 'order', 'translationStatus']);

/**
 * Reads whole articles one by one, since the service has no call for several. Many summaries are found in category
 * trees, which have only the latest version.
 */
export async function readArticles(
  cache: RequestCache,
  keys: readonly ArticleKey[],
  extent: ArticleExtent = 'whole',
): BatchResults<Article | null> {
  const isSearched = ({ versionNumber }: ArticleKey) => extent === 'summary' && versionNumber === undefined;
  const requests = keys.filter(isSearched).map((key) => ({ key, fields: SUMMARY_FIELDS, isSingle: false }));
  const found = await findInTrees(cache, requests);
  const readOne = async (key: ArticleKey): Promise<Result<Article | null, BackendError>> => {
    if (!found.ok && isSearched(key)) return found;
    const known = found.ok ? found.value.get(key) : undefined;
    return known === undefined ? readArticle(cache, key) : ok(known);
  };
  return Promise.all(keys.map(readOne));
}

/** One request for each article that the updates name, in the order of the updates, by `textKeyOf`. */
async function requestsOf(
  cache: RequestCache,
  updates: readonly ArticleUpdate[],
  { withText, withPublicVersion = false }: PreviewExtent,
): Promise<ReadonlyMap<string, ArticleRequest>> {
  const requests = new Map<string, ArticleRequest>();
  const addUpdate = (update: ArticleUpdate) => {
    const name = textKeyOf(update);
    const earlier = requests.get(name);
    const fields = new Set<ListedField>(earlier?.fields);
    if (withPublicVersion) fields.add('publicVersionNumber');
    for (const [member, value] of Object.entries(update)) if (value != null && isListed(member)) fields.add(member);
    const isSingle = withText || earlier?.isSingle === true || needsArticle(update);
    requests.set(name, { key: articleKeyOf(update), fields, isSingle });
  };
  await mapInSteps(updates, addUpdate, { ticks: cache.ticks, entries: 0 });
  return requests;
}

/** The calls that the requests take where all articles exist, and one category tree has all that are searched for. */
function leastCalls({ projectVersions }: RequestCache, requests: readonly ArticleRequest[]): number {
  const singles = requests.filter(({ isSingle }) => isSingle).length;
  const searched = requests.length - singles;
  const isTreeRead = searched > MAX_UNLISTED;
  const needsVersions = isTreeRead || requests.some(({ key }) => key.languageCode === undefined);
  return singles + (isTreeRead ? 1 : searched) + (needsVersions && projectVersions === undefined ? 1 : 0);
}

/** Articles by the keys of their requests: null for one that does not exist, no entry for one that has to be read. */
type FoundArticles = Map<ArticleKey, Article | null>;

/** Finds articles in category trees, each of which has all articles of an edition that are in a category. */
async function findInTrees(cache: RequestCache, requests: readonly ArticleRequest[]): BackendResult<FoundArticles> {
  const found: FoundArticles = new Map();
  if (requests.length <= MAX_UNLISTED) return ok(found);
  const versions = valueIfOffered(await listProjectVersions(cache), []);
  if (!versions.ok) return versions;
  for (const [languageCode, group] of Map.groupBy(requests, ({ key }) => key.languageCode)) {
    const [edition] = editionsIn(versions.value, languageCode);
    if (edition === undefined || group.length <= MAX_UNLISTED) continue;
    const foundOfLanguage = await searchFrom(cache, group, edition);
    if (!foundOfLanguage.ok) return foundOfLanguage;
    for (const [key, article] of foundOfLanguage.value) found.set(key, article);
  }
  return ok(found);
}

/**
 * Looks into the tree of an edition. The articles that it does not have are likely to be in one other edition: one of them
 * is read, which tells its edition, and the search goes on there.
 */
async function searchFrom(
  cache: RequestCache,
  requests: readonly ArticleRequest[],
  edition: Edition,
): BackendResult<FoundArticles> {
  const found: FoundArticles = new Map();
  const tree = valueIfOffered(await readCategoryTree(cache, edition), null);
  if (!tree.ok || tree.value === null) return mapOk(tree, () => found);
  const missing: ArticleRequest[] = [];
  for (const request of requests) {
    const inTree = tree.value.articles.get(request.key.articleId);
    const article = inTree ? decodeFound(inTree, request, edition) : null;
    if (inTree === undefined) missing.push(request);
    else if (article !== null) found.set(request.key, article);
  }
  for (const [index, { key }] of missing.slice(0, -MAX_UNLISTED).slice(0, MAX_PROBES).entries()) {
    const article = await readArticle(cache, key);
    if (!article.ok) return article;
    found.set(key, article.value);
    if (article.value === null || isSameId(article.value.projectVersionId, edition.projectVersionId)) continue;
    const others = await searchFrom(cache, missing.slice(index + 1), article.value);
    return mapOk(others, (foundElsewhere) => new Map([...found, ...foundElsewhere]));
  }
  return ok(found);
}

/** Null where the tree does not tell enough of the article. */
function decodeFound(
  { entry, category: { categoryId } }: ArticleInTree,
  { fields }: ArticleRequest,
  { projectVersionId, languageCode }: Edition,
): Article | null {
  const article = decodeListEntry(entry, { projectVersionId, languageCode });
  return article !== null && fields.isSubsetOf(listedFieldsOf(entry)) ? { ...article, languageCode, categoryId } : null;
}
