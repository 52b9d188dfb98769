import type { Page, PageRequest } from '../../../base/pages.ts';
import { ok } from '../../../base/result.ts';
import type { Article, Edition } from '../../../domain/articles/articles.ts';
import { decodeSearchHits, type SearchHit, type SearchHits } from '../../../v2/article-search.ts';
import type { BackendResult } from '../../backend.ts';
import { decodePayload, nullIfNotFound } from '../calls/read-response.ts';
import { readAllArticles } from './article-lists.ts';
import { paginateArray } from './paging.ts';
import type { RequestCache } from './request-cache.ts';

/** The hits of a call. Pages count from 0: see docs/service.md, "Article search". */
const PAGE_SIZE = 100;

interface TextSearch {
  readonly text: string;
  readonly isShown: (article: Article) => boolean;
}

/**
 * The articles that the service finds, in its order, each once. Hits may be categories or articles that are gone, so only those
 * that the list of the edition has are shown, as it has them. Null when the edition does not exist. Reads from the first hit on:
 * a version of an article that came before shows only there.
 */
export async function readFoundArticles(
  cache: RequestCache,
  {
    edition,
    search,
    request,
  }: { readonly edition: Edition; readonly search: TextSearch; readonly request: PageRequest },
): BackendResult<Page<Article> | null> {
  const list = await readAllArticles(cache, edition);
  if (!list.ok || list.value === null) return list.ok ? ok(null) : list;
  const seen = new Set<string>();
  const found = new Map<string, Article>();
  for (let index = 0; ; index += 1) {
    const read = nullIfNotFound(await readHits(cache, { edition, text: search.text, index }));
    if (!read.ok || read.value === null) return read.ok ? ok(null) : read;
    const { hits, pageCount } = read.value;
    const seenBefore = seen.size;
    for (const hit of hits) {
      seen.add(JSON.stringify(hit));
      const article = isArticleOf(hit, edition) ? list.value.get(hit.id) : undefined;
      if (article && search.isShown(article)) found.set(hit.id, article);
    }
    // A page that brings nothing new is the last one, or one that the service sends again and again.
    const isEnd = seen.size === seenBefore || index + 1 >= (pageCount ?? Number.POSITIVE_INFINITY);
    const page = paginateArray([...found.values()], ({ articleId }) => articleId, request);
    if (!page.ok) return page;
    const { hasNextPage, edges } = page.value;
    if (isEnd || hasNextPage || (request.itemsOnly === true && edges.length === request.limit))
      return ok({ ...page.value, totalCount: null });
  }
}

const isArticleOf = ({ isCategory, languageCode }: SearchHit, edition: Edition): boolean =>
  !isCategory && (languageCode === null || languageCode.toLowerCase() === edition.languageCode.toLowerCase());

async function readHits(
  cache: RequestCache,
  { edition, text, index }: { readonly edition: Edition; readonly text: string; readonly index: number },
): BackendResult<SearchHits> {
  const response = await cache.get(['ProjectVersions', edition.projectVersionId, edition.languageCode], {
    searchQuery: text,
    page: index,
    hitsPerPage: PAGE_SIZE,
  });
  return cache.decoded.searchHits.of(response, (payload) => decodePayload(payload, decodeSearchHits));
}
