import { ok } from '../../../base/result.ts';
import type { PreviewExtent } from '../../../domain/articles/article-previews.ts';
import type { Article, ArticleExtent, ArticleKey } from '../../../domain/articles/articles.ts';
import { type ArticleUpdate, textKeyOf } from '../../../domain/articles/bulk-updates.ts';
import type { ListedField } from '../../../v2/listed-fields.ts';
import type { BackendResult, BatchResults } from '../../backend.ts';
import { valueIfOffered } from '../calls/read-response.ts';
import {
  expectedCalls,
  type Findings,
  MAX_UNLISTED,
  type PreviewRequest,
  requestsOf,
  searchEditions,
} from './article-search.ts';
import { defaultLanguages, readArticle } from './articles.ts';
import { listProjectVersions } from './project-versions.ts';
import type { RequestCache } from './request-cache.ts';

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
  const findings = await searchLists(cache, all);
  if (!findings.ok) return findings;
  const { known, unread } = findings.value;
  const remaining = cache.checkCalls(unread.size + callsPerArticle * (known.size + unread.size));
  if (!remaining.ok) return remaining;
  const articles = await readUnread(cache, unread);
  if (!articles.ok) return articles;
  const articleOf = (update: ArticleUpdate) => {
    const request = requests.get(textKeyOf(update));
    return (request && (known.get(request) ?? articles.value.get(request))) ?? null;
  };
  return ok(updates.map(articleOf));
}

/** Calls no list where articles that are read themselves are all that was requested. */
async function searchLists(cache: RequestCache, requests: readonly PreviewRequest[]): BackendResult<Findings> {
  const listed = requests.filter(({ isSingle }) => !isSingle);
  const single = requests.filter(({ isSingle }) => isSingle);
  const unlocated = single.filter(({ key }) => key.languageCode === undefined);
  const unread = new Map(single.map((request) => [request, request.key]));
  const findings: Findings = { known: new Map(), unread };
  if (listed.length === 0 && unlocated.length <= MAX_UNLISTED) return ok(findings);
  const versions = valueIfOffered(await listProjectVersions(cache), []);
  if (!versions.ok) return versions;
  // With one default language, an article is found in that language wherever it is.
  const isLocated = unlocated.length <= MAX_UNLISTED || defaultLanguages(versions.value).size <= 1;
  const searched = isLocated ? listed : [...listed, ...unlocated];
  for (const request of searched) unread.delete(request);
  const search = await searchEditions(cache, findings, {
    requests: searched,
    versions: versions.value,
    maxUnlisted: 0,
  });
  return search.ok ? ok(findings) : search;
}

async function readUnread(
  cache: RequestCache,
  unread: ReadonlyMap<PreviewRequest, ArticleKey>,
): BackendResult<ReadonlyMap<PreviewRequest, Article | null>> {
  const requests = [...unread.keys()];
  const results = await Promise.all(unread.values().map((key) => readArticle(cache, key)));
  const articles = new Map<PreviewRequest, Article | null>();
  for (const [index, result] of results.entries()) {
    const request = requests[index];
    if (!result.ok) return result;
    if (request) articles.set(request, result.value);
  }
  return ok(articles);
}

/** So few articles are read one by one: the project versions and the lists could cost as many calls. */
const MAX_UNLISTED_SUMMARIES = 4;

/** The properties of a summary that an entry of a list may lack. */
const SUMMARY_FIELDS: ReadonlySet<ListedField> = new Set(['title', 'hidden', 'order', 'translationStatus']);

/**
 * Reads whole articles one by one, since the service has no call for several. Many summaries are found in the lists of
 * their editions, each of which serves all its articles by one call.
 */
export async function readArticles(
  cache: RequestCache,
  keys: readonly ArticleKey[],
  extent: ArticleExtent = 'whole',
): BatchResults<Article | null> {
  const readOne = (key: ArticleKey) => readArticle(cache, key);
  const requests = new Map(extent === 'summary' ? keys.filter(isListed).map((key) => [key, requestOf(key)]) : []);
  if (requests.size <= MAX_UNLISTED_SUMMARIES) return Promise.all(keys.map(readOne));
  const findings = await findSummaries(cache, [...requests.values()]);
  return Promise.all(
    keys.map(async (key) => {
      const request = requests.get(key);
      if (request === undefined) return readOne(key);
      if (!findings.ok) return findings;
      const { known, unread } = findings.value;
      const foundKey = unread.get(request);
      return foundKey ? readOne(foundKey) : ok(known.get(request) ?? null);
    }),
  );
}

/** Lists have only the latest version. */
const isListed = ({ versionNumber }: ArticleKey): boolean => versionNumber === undefined;

const requestOf = (key: ArticleKey): PreviewRequest => ({ key, fields: SUMMARY_FIELDS, isSingle: false });

async function findSummaries(cache: RequestCache, requests: readonly PreviewRequest[]): BackendResult<Findings> {
  const versions = valueIfOffered(await listProjectVersions(cache), []);
  if (!versions.ok) return versions;
  const findings: Findings = { known: new Map(), unread: new Map() };
  const scope = { requests, versions: versions.value, maxUnlisted: MAX_UNLISTED_SUMMARIES };
  const search = await searchEditions(cache, findings, scope);
  return search.ok ? ok(findings) : search;
}
