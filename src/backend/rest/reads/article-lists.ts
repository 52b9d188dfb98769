import type { Page, PageRequest } from '../../../base/pages.ts';
import { mapFound, mapOk } from '../../../base/result.ts';
import type { Article, Edition } from '../../../domain/articles/articles.ts';
import { decodeListedArticle, identifyListedArticle, listedFieldsOf } from '../../../v2/articles.ts';
import type { BackendResult } from '../../backend.ts';
import { decodePayloadList, nullIfNotFound, type PayloadResult } from '../calls/read-response.ts';
import type { ServiceCall } from '../calls/service-call.ts';
import { type PagedList, type PageEntries, paginate, readAllPages } from './paging.ts';
import type { ListedArticle, ListStart, RequestCache } from './request-cache.ts';

/**
 * The size of a page, and the most entries of a response without paging. Pages count from 0: see
 * docs/service.md, "Article lists".
 */
const PAGE_SIZE = 100;
const MAX_UNPAGED_ENTRIES = 1_000;

/** Null when the edition does not exist. */
export const readArticlePage = async (
  cache: RequestCache,
  edition: Edition,
  request: PageRequest,
): BackendResult<Page<Article> | null> => nullIfNotFound(await paginate(pagedList(cache, edition), request));

/** The first articles of an edition, in one call; null when the edition does not exist. */
export async function readListStart(cache: RequestCache, edition: Edition): BackendResult<ListStart | null> {
  const response = await requestList(cache, edition, {});
  return cache.decoded.articleListStarts.of(response, async (payload) => {
    const entries = nullIfNotFound(await decodeEntries(cache, edition, payload));
    return mapFound(entries, (found) => ({ entries: found, isWhole: found.length !== MAX_UNPAGED_ENTRIES }));
  });
}

/** All articles of an edition, by ID; null when the edition does not exist. */
export const readAllArticles = (
  cache: RequestCache,
  edition: Edition,
): BackendResult<ReadonlyMap<string, Article> | null> =>
  cache.articleLists.read(JSON.stringify([edition.projectVersionId, edition.languageCode]), async () =>
    mapFound(
      await readEntries(cache, edition),
      (articles) => new Map(articles.flatMap((article) => (article ? [[article.articleId, article]] : []))),
    ),
  );

async function readEntries(cache: RequestCache, edition: Edition): BackendResult<PageEntries<Article> | null> {
  const start = await readListStart(cache, edition);
  if (!start.ok || start.value === null || start.value.isWhole)
    return mapFound(start, ({ entries }) => articlesOf(entries));
  const first = articlesOf(start.value.entries);
  const { readPage, ...list } = pagedList(cache, edition);
  const readLaterPage = (index: number) => readPage(index + MAX_UNPAGED_ENTRIES / PAGE_SIZE);
  const rest = nullIfNotFound(await readAllPages({ ...list, readPage: readLaterPage }));
  return mapOk(rest, (articles) => [...first, ...(articles ?? [])]);
}

const pagedList = (cache: RequestCache, edition: Edition): PagedList<Article> => ({
  pageSize: PAGE_SIZE,
  async readPage(page) {
    const response = await requestList(cache, edition, { page, hitsPerPage: PAGE_SIZE });
    return cache.decoded.articlePages.of(response, async (payload) =>
      mapOk(await decodeEntries(cache, edition, payload), articlesOf),
    );
  },
  idOf: ({ articleId }) => articleId,
});

const requestList = (
  cache: RequestCache,
  { projectVersionId, languageCode }: Edition,
  query: ServiceCall['query'],
): PayloadResult | Promise<PayloadResult> =>
  cache.get(['ProjectVersions', projectVersionId, 'articles'], { langCode: languageCode, ...query });

const decodeEntries = (
  cache: RequestCache,
  edition: Edition,
  payload: PayloadResult,
): BackendResult<PageEntries<ListedArticle>> =>
  decodePayloadList(payload, (entry) => decodeListEntry(entry, edition), cache);

const articlesOf = (entries: PageEntries<ListedArticle>): PageEntries<Article> =>
  entries.map((entry) => entry?.article ?? null);

/** Null for an entry that cannot be read, or that is of another language. */
export function decodeListEntry(entry: unknown, edition: Edition): ListedArticle | null {
  const article = decodeListedArticle(entry, edition);
  return article !== null && isOfLanguage(article, edition) ? { article, told: listedFieldsOf(entry) } : null;
}

/** The ID of the article of an entry, without decoding the rest; null where `decodeListEntry` returns null. */
export function articleIdOfEntry(entry: unknown, edition: Edition): string | null {
  const identity = identifyListedArticle(entry, edition);
  return identity !== null && isOfLanguage(identity, edition) ? identity.articleId : null;
}

/**
 * False for an article that stands in for its missing translation. Language codes are compared without regard to case.
 */
const isOfLanguage = (article: Pick<Article, 'languageCode'>, { languageCode }: Edition): boolean =>
  article.languageCode.toLowerCase() === languageCode.toLowerCase();
