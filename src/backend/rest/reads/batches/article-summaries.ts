import { ok } from '../../../../base/result.ts';
import type { Article, ArticleExtent, ArticleKey } from '../../../../domain/articles/articles.ts';
import type { ListedField } from '../../../../v2/listed-fields.ts';
import type { BackendResult, BatchResults } from '../../../backend.ts';
import { readArticle } from '../articles.ts';
import { listProjectVersions } from '../project-versions.ts';
import { valueIfOffered } from '../read-response.ts';
import type { RequestCache } from '../request-cache.ts';
import type { Findings } from './article-search.ts';
import { searchEditions } from './edition-search.ts';
import type { PreviewRequest } from './preview-requests.ts';

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
