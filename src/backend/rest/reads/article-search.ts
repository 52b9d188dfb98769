import { mapOk, ok } from '../../../base/result.ts';
import type { PreviewExtent } from '../../../domain/articles/article-previews.ts';
import type { Article, ArticleExtent, ArticleKey, Edition, ProjectVersion } from '../../../domain/articles/articles.ts';
import {
  type ArticleUpdate,
  articleKeyOf,
  isListed,
  type ListedProperty,
  needsArticle,
  textKeyOf,
} from '../../../domain/articles/bulk-updates.ts';
import type { BackendResult, BatchResults } from '../../backend.ts';
import { mapInSteps, valueIfOffered } from '../calls/read-response.ts';
import { decodeListEntry, readListStart } from './article-lists.ts';
import { defaultLanguages, readArticle, readInLanguage } from './articles.ts';
import { readCategoryTree } from './categories.ts';
import { editionsIn, listProjectVersions } from './project-versions.ts';
import type { CategoryTree, ListedArticle, RequestCache } from './request-cache.ts';

/**
 * The article of each update. What the updates set is read from the lists of an edition, which serve all its articles,
 * and from an article itself only where lists do not show it. Fails before the first call where these would be too many
 * calls, and once lists have shown how many articles have to be read, before the first of them.
 */
export async function readArticlesOfUpdates(
  cache: RequestCache,
  updates: readonly ArticleUpdate[],
  { withText, callsPerArticle }: PreviewExtent,
): BackendResult<readonly (Article | null)[]> {
  const requests = await requestsOf(cache, updates, withText);
  const all = [...requests.values()];
  const expected = cache.checkCalls(expectedCalls(all) + callsPerArticle * all.length);
  if (!expected.ok) return expected;
  const findings = await searchUnlessSingle(cache, all);
  if (!findings.ok) return findings;
  const { known, unread } = findings.value;
  const remaining = cache.checkCalls(unread.size + callsPerArticle * (known.size + unread.size));
  if (!remaining.ok) return remaining;
  const readOne = async ([request, key]: [PreviewRequest, ArticleKey]) =>
    [request, await readArticle(cache, key)] as const;
  for (const [request, article] of await Promise.all(unread.entries().map(readOne))) {
    if (!article.ok) return article;
    if (article.value !== null) known.set(request, article.value);
  }
  const articleOf = (request: PreviewRequest | undefined) => (request && known.get(request)) ?? null;
  return ok(updates.map((update) => articleOf(requests.get(textKeyOf(update)))));
}

/** So few articles are read one by one: the project versions and the lists could cost as many calls. */
const MAX_UNLISTED_SUMMARIES = 4;

/** The properties of a summary that an entry of a list may lack. */
const SUMMARY_FIELDS: ReadonlySet<ListedProperty> = new Set(['title', 'hidden', 'order', 'translationStatus']);

/**
 * Reads whole articles one by one, since the service has no call for several. Many summaries are found in the lists of
 * their editions, each of which serves all its articles by one call. Lists have only the latest version.
 */
export async function readArticles(
  cache: RequestCache,
  keys: readonly ArticleKey[],
  extent: ArticleExtent = 'whole',
): BatchResults<Article | null> {
  const listed = extent === 'summary' ? keys.filter(({ versionNumber }) => versionNumber === undefined) : [];
  if (listed.length <= MAX_UNLISTED_SUMMARIES) return Promise.all(keys.map((key) => readArticle(cache, key)));
  const requests = new Map(listed.map((key) => [key, { key, fields: SUMMARY_FIELDS, isSingle: false }]));
  const findings = await searchLists(cache, [...requests.values()], MAX_UNLISTED_SUMMARIES);
  return Promise.all(
    keys.map(async (key) => {
      const request = requests.get(key);
      if (request === undefined) return readArticle(cache, key);
      if (!findings.ok) return findings;
      const foundKey = findings.value.unread.get(request);
      return foundKey ? readArticle(cache, foundKey) : ok(findings.value.known.get(request) ?? null);
    }),
  );
}

/** An article that updates name, and what has to be known of it. */
interface PreviewRequest {
  readonly key: ArticleKey;
  /** The listed properties that the updates set. */
  readonly fields: ReadonlySet<ListedProperty>;
  /** True where only a read of this one article tells everything: its text, or a version by its number. */
  readonly isSingle: boolean;
}

/** So few articles are read one by one: lists would cost as many calls. */
const MAX_UNLISTED = 2;

/** One request for each article that the updates name, in the order of the updates, by `textKeyOf`. */
async function requestsOf(
  cache: RequestCache,
  updates: readonly ArticleUpdate[],
  withText: boolean,
): Promise<ReadonlyMap<string, PreviewRequest>> {
  const requests = new Map<string, PreviewRequest>();
  await mapInSteps(
    updates,
    (update) => {
      const name = textKeyOf(update);
      requests.set(name, mergeRequest(requests.get(name), update, withText));
    },
    { ticks: cache.ticks, entries: 0 },
  );
  const listed = requests.values().filter(({ isSingle }) => !isSingle);
  if ([...listed].length > MAX_UNLISTED) return requests;
  return new Map(requests.entries().map(([name, request]) => [name, { ...request, isSingle: true }]));
}

function mergeRequest(request: PreviewRequest | undefined, update: ArticleUpdate, withText: boolean): PreviewRequest {
  const fields = new Set(request?.fields);
  for (const [member, value] of Object.entries(update)) if (value != null && isListed(member)) fields.add(member);
  const isSingle = withText || request?.isSingle === true || needsArticle(update);
  return { key: articleKeyOf(update), fields, isSingle };
}

/**
 * The calls that the requests take where every article exists, and the fewest project versions have them: a read for
 * each single article, the list of project versions, an article list for each language, and a category tree for each
 * language in which articles move.
 */
function expectedCalls(requests: readonly PreviewRequest[]): number {
  const singles = requests.filter(({ isSingle }) => isSingle);
  const listed = requests.filter(({ isSingle }) => !isSingle);
  const moved = requests.filter(({ fields }) => fields.has('categoryId'));
  const needsVersions = listed.length > 0 || requests.some(({ key }) => key.languageCode === undefined);
  return singles.length + (needsVersions ? 1 : 0) + fewestEditions(listed) + fewestEditions(moved);
}

/** The default language may be one of those that are named. */
function fewestEditions(requests: readonly PreviewRequest[]): number {
  const codes = new Set(requests.flatMap(({ key }) => key.languageCode ?? []));
  return requests.length === 0 ? 0 : Math.max(1, codes.size);
}

/** The requested articles that were found. An article that is in neither map does not exist. */
class Findings {
  /** Articles of which everything that was requested is known. */
  readonly known = new Map<PreviewRequest, Article>();
  /** Articles that have to be read themselves. */
  readonly unread = new Map<PreviewRequest, ArticleKey>();
}

/** Searches no list where articles that are read themselves are all that was requested. */
async function searchUnlessSingle(cache: RequestCache, requests: readonly PreviewRequest[]): BackendResult<Findings> {
  const unlocated = requests.filter(({ key, isSingle }) => isSingle && key.languageCode === undefined);
  const versions = unlocated.length > MAX_UNLISTED ? await offeredVersions(cache) : ok([]);
  if (!versions.ok) return versions;
  // With one default language, an article is found in that language wherever it is.
  const areSearched = defaultLanguages(versions.value).size > 1;
  const searched = requests.filter(({ key, isSingle }) => !isSingle || (areSearched && key.languageCode === undefined));
  const findings = searched.length > 0 ? await searchLists(cache, searched, 0) : ok(new Findings());
  if (!findings.ok) return findings;
  for (const request of new Set(requests).difference(new Set(searched)))
    findings.value.unread.set(request, request.key);
  return findings;
}

const offeredVersions = async (cache: RequestCache): BackendResult<readonly ProjectVersion[]> =>
  valueIfOffered(await listProjectVersions(cache), []);

/**
 * Finds articles of any languages in the lists of the editions that may have them. No further list of a language is read
 * for at most `maxUnlisted` articles: they are left unread.
 */
async function searchLists(
  cache: RequestCache,
  requests: readonly PreviewRequest[],
  maxUnlisted: number,
): BackendResult<Findings> {
  const versions = await offeredVersions(cache);
  if (!versions.ok) return versions;
  const areDefaultsKnown = versions.value.every(({ languages }) => languages.length > 0);
  const findings = new Findings();
  for (const [languageCode, group] of Map.groupBy(requests, ({ key }) => key.languageCode)) {
    const editions = editionsIn(versions.value, languageCode);
    const isComplete = versions.value.length > 0 && (languageCode !== undefined || areDefaultsKnown);
    const search = await searchEditions(cache, findings, { requests: group, maxUnlisted, editions, isComplete });
    if (!search.ok) return search;
  }
  return ok(findings);
}

/** The data that the service returns at once for the articles of one edition. */
interface Listing {
  readonly edition: Edition;
  readonly entries: ReadonlyMap<string, ListedArticle>;
  readonly tree: CategoryTree | null;
  /** False where there may be more articles. */
  readonly isWhole: boolean;
}

interface SearchScope {
  readonly requests: readonly PreviewRequest[];
  readonly editions: readonly Edition[];
  /** True where an article that is in none of the editions does not exist. */
  readonly isComplete: boolean;
  /** No further list is read for so few articles: they are left unread. */
  readonly maxUnlisted: number;
}

/** Lists the editions in their order, or the one that an article was found to be in, until all articles are found. */
async function searchEditions(
  cache: RequestCache,
  findings: Findings,
  { requests, editions, isComplete, maxUnlisted }: SearchScope,
): BackendResult<void> {
  const probed = new Set<PreviewRequest>();
  let [pending, left, isWhole] = [requests, editions, isComplete];
  let edition = editions[0];
  while (edition !== undefined && pending.length > maxUnlisted) {
    const listing = await readListing(cache, edition, pending);
    if (!listing.ok) return listing;
    isWhole &&= listing.value.isWhole;
    left = left.filter((one) => one !== listing.value.edition);
    pending = pending.filter((request) => !addFinding(findings, request, listing.value));
    const probe = pending.length > maxUnlisted ? pending.find((request) => !probed.has(request)) : undefined;
    if (probe) probed.add(probe);
    const next = await likelyEditionOf(cache, probe, left);
    if (!next.ok) return next;
    edition = next.value;
  }
  if (!isWhole || left.length > 0) for (const request of pending) findings.unread.set(request, request.key);
  return ok(undefined);
}

/**
 * The first of the editions. Of several it is the one of an article, which is read to learn its project version, so that
 * articles of one edition are found in few calls, however many editions there are.
 */
async function likelyEditionOf(
  cache: RequestCache,
  probe: PreviewRequest | undefined,
  [first, ...others]: readonly Edition[],
): BackendResult<Edition | undefined> {
  if (first === undefined || others.length === 0 || probe === undefined) return ok(first);
  const key = { articleId: probe.key.articleId, languageCode: first.languageCode };
  // A 404 without a text says the same of an article as of a call that is not offered.
  const read = valueIfOffered(await readInLanguage(cache, key), null);
  if (!read.ok) return read;
  const projectVersionId = read.value?.article.projectVersionId;
  return ok(others.find((edition) => edition.projectVersionId === projectVersionId) ?? first);
}

/** False where the listing does not have the article. */
function addFinding(findings: Findings, request: PreviewRequest, { edition, entries, tree }: Listing): boolean {
  const { articleId } = request.key;
  const inTree = tree?.articles.get(articleId);
  const listed = entries.get(articleId) ?? (inTree ? decodeListEntry(inTree.entry, edition) : null);
  if (listed === null) return false;
  const categoryId = inTree?.category.categoryId;
  const isCategoryTold = categoryId !== undefined || !request.fields.has('categoryId');
  if (!request.isSingle && isCategoryTold && request.fields.isSubsetOf(listed.told)) {
    const article = { ...listed.article, ...edition, ...(categoryId !== undefined && { categoryId }) };
    findings.known.set(request, article);
  } else {
    findings.unread.set(request, { ...request.key, languageCode: edition.languageCode });
  }
  return true;
}

/**
 * Reads the list of an edition, and its tree where the list does not tell enough of the requested articles: their
 * categories, or the articles behind those that fit into one answer. So an edition costs at most two calls.
 */
async function readListing(
  cache: RequestCache,
  edition: Edition,
  requests: readonly PreviewRequest[],
): BackendResult<Listing> {
  const list = valueIfOffered(await readListStart(cache, edition), { entries: [], isWhole: false });
  if (!list.ok) return list;
  const { entries: listed, isWhole } = list.value ?? { entries: [], isWhole: true };
  const entries = new Map(listed.flatMap((entry) => (entry ? [[entry.article.articleId, entry]] : [])));
  const needsTree = requests.some(({ key, fields, isSingle }) =>
    entries.has(key.articleId) ? !isSingle && fields.has('categoryId') : !isWhole,
  );
  const tree = needsTree ? valueIfOffered(await readCategoryTree(cache, edition), null) : ok(null);
  return mapOk(tree, (found) => ({ edition, entries, tree: found, isWhole }));
}
