import type { Article } from '../../../domain/articles/articles.ts';
import type { Edition } from '../../../domain/articles/project-versions.ts';
import type { Page, PageRequest } from '../../../domain/pages.ts';
import { ok } from '../../../domain/result.ts';
import { decodeListedArticle } from '../../../v2/articles.ts';
import type { BackendResult } from '../../backend.ts';
import type { ServiceCall } from '../http/client.ts';
import { isOfLanguage } from './category-trees.ts';
import { type PagedList, type PageEntries, paginate, readAllPages } from './paging.ts';
import { decodePayloadList, nullIfNotFound } from './read-response.ts';
import { areValidPathIds, type RequestCache } from './request-cache.ts';

/**
 * The size of a page, and the most entries of a response without paging. Pages count from 0: see
 * docs/service.md, "Article lists".
 */
const PAGE_SIZE = 100;
const MAX_UNPAGED_ENTRIES = 1_000;

/** Null when the edition does not exist. */
export async function readArticlePage(
  cache: RequestCache,
  edition: Edition,
  request: PageRequest,
): BackendResult<Page<Article> | null> {
  if (!areValidPathIds(edition.projectVersionId, edition.languageCode)) return ok(null);
  return nullIfNotFound(await paginate(pagedList(cache, edition), request));
}

/** All articles of an edition, by ID; null when the edition does not exist. */
export async function readAllArticles(
  cache: RequestCache,
  edition: Edition,
): BackendResult<ReadonlyMap<string, Article> | null> {
  if (!areValidPathIds(edition.projectVersionId, edition.languageCode)) return ok(null);
  return cache.articleLists.read(cacheKeyOf(edition), async () => {
    const articles = nullIfNotFound(await readEntries(cache, edition));
    if (!articles.ok || articles.value === null) return articles.ok ? ok(null) : articles;
    return ok(new Map(articles.value.flatMap((article) => (article ? [[article.articleId, article]] : []))));
  });
}

async function readEntries(cache: RequestCache, edition: Edition): BackendResult<PageEntries<Article>> {
  const first = await read(cache, edition, {});
  if (!first.ok || first.value.length !== MAX_UNPAGED_ENTRIES) return first;
  const { readPage, ...list } = pagedList(cache, edition);
  const readLaterPage = (index: number) => readPage(index + MAX_UNPAGED_ENTRIES / PAGE_SIZE);
  const rest = await readAllPages({ ...list, readPage: readLaterPage });
  return rest.ok ? ok([...first.value, ...rest.value]) : rest;
}

const pagedList = (cache: RequestCache, edition: Edition): PagedList<Article> => ({
  pageSize: PAGE_SIZE,
  readPage: (page) =>
    cache.articlePages.read(cacheKeyOf(edition, page), () => read(cache, edition, { page, hitsPerPage: PAGE_SIZE })),
  idOf: ({ articleId }) => articleId,
});

async function read(
  cache: RequestCache,
  edition: Edition,
  query: ServiceCall['query'],
): BackendResult<PageEntries<Article>> {
  const { projectVersionId, languageCode } = edition;
  const path = ['ProjectVersions', projectVersionId, 'articles'];
  const payload = await cache.get(path, { langCode: languageCode, ...query });
  const decode = (entry: unknown) => {
    const article = decodeListedArticle(entry, edition);
    return article !== null && isOfLanguage(article, edition) ? article : null;
  };
  return decodePayloadList(payload, decode, cache);
}

const cacheKeyOf = ({ projectVersionId, languageCode }: Edition, page?: number) =>
  JSON.stringify([projectVersionId, languageCode, page]);
