import { ok } from '../../../../base/result.ts';
import type { PreviewExtent } from '../../../../domain/articles/article-previews.ts';
import type { Article, ArticleKey } from '../../../../domain/articles/articles.ts';
import { type ArticleUpdate, textKeyOf } from '../../../../domain/articles/bulk-updates.ts';
import type { BackendResult } from '../../../backend.ts';
import { defaultLanguages, readArticle } from '../articles.ts';
import { listProjectVersions } from '../project-versions.ts';
import { valueIfOffered } from '../read-response.ts';
import type { RequestCache } from '../request-cache.ts';
import type { Findings } from './article-search.ts';
import { searchEditions } from './edition-search.ts';
import { expectedCalls, MAX_UNLISTED, type PreviewRequest, requestsOf } from './preview-requests.ts';

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
