import { isDeepStrictEqual } from 'node:util';
import type { PreviewSelection } from '../../core/articles/article-previews.ts';
import {
  type Article,
  type ArticleKey,
  type ArticleSelection,
  defaultOf,
  type ProjectVersion,
  type VersionLanguage,
} from '../../core/articles/articles.ts';
import {
  type ArticleUpdate,
  articleKeyOf,
  isListed,
  needsArticle,
  textKeyOf,
} from '../../core/articles/bulk-updates.ts';
import type { BackendResult, BatchResults } from '../../core/backend.ts';
import { allOk, mapFound, mapOk, ok, type Result } from '../../core/base/result.ts';
import { isSameId } from '../../core/base/text.ts';
import type { BackendError } from '../../core/errors.ts';
import { mapInSteps, valueIfOffered } from '../calls/read-response.ts';
import { type ListedField, listedFieldsOf, REVISION_FIELDS } from '../v2/articles.ts';
import { decodeEntryOfTree, findDoubtful } from './article-lists.ts';
import { readArticle, readUntranslated } from './articles.ts';
import { readCategoryTree } from './categories.ts';
import { listProjectVersions, versionLanguagesIn } from './project-versions.ts';
import type { ArticleInTree, CategoryTree, RequestCache } from './request-cache.ts';

interface ArticleRequest {
  readonly key: ArticleKey;
  /** The listed properties that are needed. */
  readonly fields: ReadonlySet<ListedField>;
  /** True where only a read of this one article has everything: its text, or a version by its number. */
  readonly isSingle: boolean;
}

/** So few articles are read one by one: a category tree and the project versions would cost as many calls. */
const MAX_UNLISTED = 2;

/** The most articles outside of the tree that are read to find their version. Most others will not exist either. */
export const MAX_PROBES = 3;

/**
 * Reads the article of each update as it is now. Everything that decides on a write, or reports its outcome, reads by
 * this function. What the updates set is read from category trees. An article itself is read only where the trees do
 * not have its values, or do not show what this gateway has written in the last minute. Where no read shows that, the
 * article says so (`unshown`). Fails before the first call where too many calls would be needed, and again after the
 * trees, before the first read of an article.
 */
export async function readArticlesOfUpdates(
  cache: RequestCache,
  updates: readonly ArticleUpdate[],
  selection: PreviewSelection,
): BackendResult<readonly (Article | null)[]> {
  const { callsPerArticle, onlyLists = false } = selection;
  cache.projectVersions = selection.projectVersions;
  const requests = await requestsOf(cache, updates, selection);
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
    if (onlyLists || article.value === null || isShown(article.value, selection) || !isEntry(article.value))
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
  const missing = all.filter(({ key }) => selection.withUntranslated && articles.get(key) === null);
  const readBase = async ({ key }: ArticleRequest) => valueIfOffered(await readUntranslated(cache, key), null);
  const found = allOk(await Promise.all(missing.map(readBase)));
  if (!found.ok) return found;
  for (const [index, { key }] of missing.entries()) articles.set(key, found.value[index] ?? null);
  const articleOf = (request: ArticleRequest | undefined) => (request && articles.get(request.key)) ?? null;
  return ok(updates.map((update) => articleOf(requests.get(textKeyOf(update)))));
}

/** False where a list may be older than the update needs. */
const isShown = (
  { unshown, mayLackVersion = false }: Article,
  { withPublicVersion = false }: PreviewSelection,
): boolean => unshown === undefined && !(withPublicVersion && mayLackVersion);

/** True for an entry of a list, which has no text. */
const isEntry = ({ content }: Article): boolean => content === undefined;

/**
 * The article, with the recent writes that the read does not show. These may have named no language, so the project
 * versions, which have the default one, are read where that matters.
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

/** False where the project versions do not show it. */
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
  selection: ArticleSelection = 'whole',
): BatchResults<Article | null> {
  const isSearched = ({ versionNumber }: ArticleKey) => selection === 'summary' && versionNumber === undefined;
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
  { withText, withPublicVersion = false, withRevision = false }: PreviewSelection,
): Promise<ReadonlyMap<string, ArticleRequest>> {
  const requests = new Map<string, ArticleRequest>();
  const addUpdate = (update: ArticleUpdate) => {
    const name = textKeyOf(update);
    const earlier = requests.get(name);
    const fields = new Set<ListedField>(earlier?.fields);
    if (withPublicVersion) fields.add('publicVersionNumber').add('hidden');
    if (withRevision || update.ifRevision !== undefined) for (const field of REVISION_FIELDS) fields.add(field);
    for (const [member, value] of Object.entries(update)) if (value != null && isListed(member)) fields.add(member);
    const isSingle = withText || earlier?.isSingle === true || needsArticle(update);
    requests.set(name, { key: articleKeyOf(update), fields, isSingle });
  };
  await mapInSteps(updates, addUpdate, { ticks: cache.ticks, entries: 0 });
  return requests;
}

/** The calls that the requests need if all articles exist, and one category tree has all that are looked for. */
function leastCalls({ projectVersions }: RequestCache, requests: readonly ArticleRequest[]): number {
  const singles = requests.filter(({ isSingle }) => isSingle).length;
  const searched = requests.length - singles;
  const isTreeRead = searched > MAX_UNLISTED;
  const needsVersions = isTreeRead || requests.some(({ key }) => key.languageCode === undefined);
  return singles + (isTreeRead ? 1 : searched) + (needsVersions && projectVersions === undefined ? 1 : 0);
}

/** Found articles by the keys of their requests: null where there is none, no entry for one that has to be read. */
type FoundArticles = Map<ArticleKey, Article | null>;

/** Finds articles in category trees. Each has all articles of a version and language that are in a category. */
async function findInTrees(cache: RequestCache, requests: readonly ArticleRequest[]): BackendResult<FoundArticles> {
  const found: FoundArticles = new Map();
  if (requests.length <= MAX_UNLISTED) return ok(found);
  const versions = valueIfOffered(await listProjectVersions(cache), []);
  if (!versions.ok) return versions;
  for (const [languageCode, group] of Map.groupBy(requests, ({ key }) => key.languageCode)) {
    const [versionLanguage] = versionLanguagesIn(versions.value, languageCode);
    if (versionLanguage === undefined || group.length <= MAX_UNLISTED) continue;
    const foundOfLanguage = await searchFrom(cache, group, versionLanguage);
    if (!foundOfLanguage.ok) return foundOfLanguage;
    for (const [key, article] of foundOfLanguage.value) found.set(key, article);
  }
  return ok(found);
}

/**
 * Looks into the tree of a version and language. Articles that it lacks are probably all in another one: one of them is
 * read to find out which, and the search continues there.
 */
async function searchFrom(
  cache: RequestCache,
  requests: readonly ArticleRequest[],
  versionLanguage: VersionLanguage,
): BackendResult<FoundArticles> {
  const found: FoundArticles = new Map();
  const tree = valueIfOffered(await readCategoryTree(cache, versionLanguage), null);
  if (!tree.ok || tree.value === null) return mapOk(tree, () => found);
  const listed = await findListed(cache, requests, { ...versionLanguage, tree: tree.value });
  if (!listed.ok) return listed;
  const { missing } = listed.value;
  for (const [key, article] of listed.value.found) found.set(key, article);
  for (const [index, { key }] of missing.slice(0, -MAX_UNLISTED).slice(0, MAX_PROBES).entries()) {
    const article = await readArticle(cache, key);
    if (!article.ok) return article;
    found.set(key, article.value);
    if (article.value === null || isSameId(article.value.projectVersionId, versionLanguage.projectVersionId)) continue;
    const others = await searchFrom(cache, missing.slice(index + 1), article.value);
    return mapOk(others, (foundElsewhere) => new Map([...found, ...foundElsewhere]));
  }
  return ok(found);
}

/** Finds the articles that surely are translations, as the tree has them, and the requests whose articles it lacks. */
async function findListed(
  cache: RequestCache,
  requests: readonly ArticleRequest[],
  { tree, ...versionLanguage }: VersionLanguage & { readonly tree: CategoryTree },
): BackendResult<{ readonly found: FoundArticles; readonly missing: readonly ArticleRequest[] }> {
  const isDoubtful = await findDoubtful(cache, { ...versionLanguage, ...tree.language }, (inDefault) =>
    readTitlesOfTree(cache, inDefault),
  );
  const found: FoundArticles = new Map();
  const missing: ArticleRequest[] = [];
  return mapOk(isDoubtful, (mayBeStandIn) => {
    for (const request of requests) {
      const inTree = tree.articles.get(request.key.articleId);
      const article = inTree ? decodeFound(inTree, request, versionLanguage) : null;
      if (inTree === undefined) missing.push(request);
      else if (article !== null && !mayBeStandIn(article)) found.set(request.key, article);
    }
    return { found, missing };
  });
}

const readTitlesOfTree = async (cache: RequestCache, versionLanguage: VersionLanguage) =>
  mapFound(valueIfOffered(await readCategoryTree(cache, versionLanguage), null), ({ articles }) => ({
    get: (articleId: string) => decodeEntryOfTree(articles.get(articleId)?.entry, versionLanguage),
  }));

function decodeFound(
  { entry, category: { categoryId } }: ArticleInTree,
  { fields }: ArticleRequest,
  { projectVersionId, languageCode }: VersionLanguage,
): Article | null {
  const article = decodeEntryOfTree(entry, { projectVersionId, languageCode });
  if (article === null || !fields.isSubsetOf(listedFieldsOf(entry))) return null;
  return { ...article, languageCode, categoryId };
}
