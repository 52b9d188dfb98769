import type { Article, VersionLanguage } from '../../core/articles/articles.ts';
import type { BackendResult, Page } from '../../core/backend.ts';
import { IdMap } from '../../core/base/id-map.ts';
import type { PageRequest } from '../../core/base/pages.ts';
import { mapFound, mapOk } from '../../core/base/result.ts';
import { isSameId } from '../../core/base/text.ts';
import { decodePayloadList, nullIfMissing } from '../calls/read-response.ts';
import type { ServiceCall } from '../calls/service-call.ts';
import { decodeListedArticle, identifyListedArticle } from '../v2/articles.ts';
import { type PagedList, type PageEntries, paginate, readAllEntries } from './paging.ts';
import type { RequestCache } from './request-cache.ts';

/** The size of a page, and of a response without paging. Pages count from 0: see docs/service.md, "Article lists". */
const PAGE_SIZE = 100;
export const MAX_UNPAGED_ENTRIES = 1_000;

/** Reads a page of articles; null when the version or language does not exist. */
export const readArticlePage = async (
  cache: RequestCache,
  versionLanguage: VersionLanguage,
  request: PageRequest,
): BackendResult<Page<Article> | null> =>
  nullIfMissing(await paginate(pagedList(cache, versionLanguage), request), 'language');

/** Reads all articles of a version and language, by ID; null when it does not exist. */
export const readAllArticles = (
  cache: RequestCache,
  versionLanguage: VersionLanguage,
): BackendResult<ReadonlyMap<string, Article> | null> =>
  cache.articleLists.read(JSON.stringify([versionLanguage.projectVersionId, versionLanguage.languageCode]), async () =>
    mapFound(
      await readEntries(cache, versionLanguage),
      (articles) => new IdMap(articles.flatMap((article) => (article ? [[article.articleId, article]] : []))),
    ),
  );

async function readEntries(
  cache: RequestCache,
  versionLanguage: VersionLanguage,
): BackendResult<PageEntries<Article> | null> {
  const start = nullIfMissing(await readEntriesOf(cache, versionLanguage, {}), 'language');
  if (!start.ok || start.value?.length !== MAX_UNPAGED_ENTRIES) return start;
  const first = start.value;
  const { readPage, ...list } = pagedList(cache, versionLanguage);
  const readLaterPage = (index: number) => readPage(index + MAX_UNPAGED_ENTRIES / PAGE_SIZE);
  const rest = nullIfMissing(await readAllEntries({ ...list, readPage: readLaterPage }), 'language');
  return mapOk(rest, (articles) => [...first, ...(articles ?? [])]);
}

const pagedList = (cache: RequestCache, versionLanguage: VersionLanguage): PagedList<Article> => ({
  pageSize: PAGE_SIZE,
  readPage: (page) => readEntriesOf(cache, versionLanguage, { page, hitsPerPage: PAGE_SIZE }),
  idOf: ({ articleId }) => articleId,
});

async function readEntriesOf(
  cache: RequestCache,
  versionLanguage: VersionLanguage,
  query: ServiceCall['query'],
): BackendResult<PageEntries<Article>> {
  const { projectVersionId, languageCode } = versionLanguage;
  const path = ['ProjectVersions', projectVersionId, 'articles'];
  const response = await cache.get(path, { langCode: languageCode, ...query });
  return cache.decoded.articlePages.of(response, async (payload) => {
    const articles = await decodePayloadList(payload, (entry) => decodeListedArticle(entry, versionLanguage), cache);
    return mapOk(articles, (listed) => listed.map((article) => ofLanguage(article, versionLanguage)));
  });
}

/** Decodes an entry; null where it can't be read or is of another language. */
export const decodeListEntry = (entry: unknown, versionLanguage: VersionLanguage): Article | null =>
  ofLanguage(decodeListedArticle(entry, versionLanguage), versionLanguage);

const ofLanguage = (article: Article | null, versionLanguage: VersionLanguage): Article | null =>
  article !== null && isOfLanguage(article, versionLanguage) ? article : null;

/** The ID of the article of an entry, without decoding the rest; null where `decodeListEntry` returns null. */
export function articleIdOfEntry(entry: unknown, versionLanguage: VersionLanguage): string | null {
  const identity = identifyListedArticle(entry, versionLanguage);
  return identity !== null && isOfLanguage(identity, versionLanguage) ? identity.articleId : null;
}

/** False for an article that replaces a missing translation. Language codes are compared without regard to case. */
const isOfLanguage = (article: Pick<Article, 'languageCode'>, { languageCode }: VersionLanguage): boolean =>
  isSameId(article.languageCode, languageCode);
