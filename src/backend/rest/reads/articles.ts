import { ok } from '../../../base/result.ts';
import type { Article, ArticleKey, ArticleVersion } from '../../../domain/articles/articles.ts';
import type { Edition, ProjectVersion } from '../../../domain/articles/project-versions.ts';
import { type ArticleWithFallback, decodeArticle, decodeArticleVersion } from '../../../v2/articles.ts';
import type { BackendResult } from '../../backend.ts';
import { defaultOf, listProjectVersions } from './project-versions.ts';
import { decodePayload, decodePayloadList, nullIfNotFound } from './read-response.ts';
import { areValidPathIds, type RequestCache } from './request-cache.ts';

export async function readArticle(cache: RequestCache, key: ArticleKey): BackendResult<Article | null> {
  const { languageCode } = key;
  const found = await (languageCode === undefined
    ? readInDefaultLanguage(cache, key)
    : readInLanguage(cache, { ...key, languageCode }));
  return found.ok ? ok(found.value === null || found.value.isFallback ? null : found.value.article) : found;
}

export async function readArticleVersions(
  cache: RequestCache,
  { articleId, languageCode }: Article,
): BackendResult<readonly ArticleVersion[]> {
  if (!areValidPathIds(articleId, languageCode)) return ok([]);
  const response = await cache.get(['Articles', articleId, languageCode, 'versions']);
  return cache.decoded.articleVersions.of(response, async (payload) => {
    const versions = nullIfNotFound(await decodePayloadList(payload, decodeArticleVersion, cache));
    return versions.ok ? ok((versions.value ?? []).filter((version) => version !== null)) : versions;
  });
}

/**
 * Requests the text as it is stored, since a text for display must not be written back, and links that do not expire:
 * see docs/service.md, "Articles".
 */
const STORED_TEXT_QUERY = { isForDisplay: false, appendSASToken: false } as const;

const LATEST_VERSION_QUERY = { ...STORED_TEXT_QUERY, isPublished: false } as const;

/** Null when the article does not exist. Without a translation the service answers with the default language. */
export async function readInLanguage(
  cache: RequestCache,
  { articleId, languageCode, versionNumber }: ArticleKey & Pick<Edition, 'languageCode'>,
): BackendResult<ArticleWithFallback | null> {
  if (!areValidPathIds(articleId, languageCode)) return ok(null);
  const path = ['Articles', articleId, languageCode];
  const response = await (versionNumber === undefined
    ? cache.get(path, LATEST_VERSION_QUERY)
    : cache.get([...path, 'versions', `${versionNumber}`], STORED_TEXT_QUERY));
  const requested = { languageCode, pinned: versionNumber !== undefined };
  return cache.decoded.articles.of(response, (payload) =>
    nullIfNotFound(decodePayload(payload, (entry) => decodeArticle(entry, requested))),
  );
}

/**
 * Tries the default languages of all project versions, since only the article itself tells which project version it
 * belongs to. Where all have the same default, that is one call.
 */
async function readInDefaultLanguage(cache: RequestCache, key: ArticleKey): BackendResult<ArticleWithFallback | null> {
  const versions = await listProjectVersions(cache);
  if (!versions.ok) return versions;
  for (const languageCode of defaultLanguages(versions.value)) {
    const found = await readInLanguage(cache, { ...key, languageCode });
    if (!found.ok) return found;
    if (found.value === null) continue;
    const { projectVersionId } = found.value.article;
    const ownVersion = versions.value.find((version) => version.projectVersionId === projectVersionId);
    const ownLanguageCode = defaultOf(ownVersion?.languages ?? [])?.code ?? languageCode;
    return ownLanguageCode === languageCode ? found : readInLanguage(cache, { ...key, languageCode: ownLanguageCode });
  }
  return ok(null);
}

/** Each language once, that of the default project version first. */
export function defaultLanguages(versions: readonly ProjectVersion[]): ReadonlySet<string> {
  const first = defaultOf(versions);
  const sorted = [...(first ? [first] : []), ...versions];
  return new Set(sorted.flatMap(({ languages }) => defaultOf(languages)?.code ?? []));
}
