import type { Article, VersionLanguage } from '../../core/articles/articles.ts';
import type { BackendResult, Page } from '../../core/backend.ts';
import type { PageRequest } from '../../core/base/pages.ts';
import { err, mapOk, ok } from '../../core/base/result.ts';
import { isSameId } from '../../core/base/text.ts';
import { notOffered } from '../../core/errors.ts';
import { decodePayload, nullIfMissing } from '../calls/read-response.ts';
import { decodeSearchHits, type SearchHit, type SearchHits } from '../v2/text-search.ts';
import { readAllArticles } from './article-lists.ts';
import { paginateArray } from './paging.ts';
import type { RequestCache } from './request-cache.ts';

/** The hits of a call. Pages count from 0: see docs/service.md, "Article search". */
const PAGE_SIZE = 100;

interface TextSearch {
  readonly versionLanguage: VersionLanguage;
  readonly text: string;
  readonly isShown: (article: Article) => boolean;
}

/**
 * The articles that the service finds, in its order, each once. Hits may be categories or deleted articles, so only
 * those in the list of the version and language are returned, as the list has them. Null when the version or language
 * does not exist. Reads from the first hit on, since only that shows which articles came before.
 */
export async function readFoundArticles(
  cache: RequestCache,
  search: TextSearch,
  request: PageRequest,
): BackendResult<Page<Article> | null> {
  const list = await readAllArticles(cache, search.versionLanguage);
  if (!list.ok || list.value === null) return mapOk(list, () => null);
  const { articles } = list.value;
  const seen = new Map<string, SearchHit>();
  for (let index = 0; ; index += 1) {
    const read = nullIfMissing(await readHits(cache, search, index), 'language');
    if (!read.ok || read.value === null) return mapOk(read, () => null);
    const { hits, pageCount } = read.value;
    const seenBefore = seen.size;
    for (const hit of hits) seen.set(JSON.stringify(hit), hit);
    const found = articlesOfHits([...seen.values()], articles, search);
    const page = paginateArray(found, ({ articleId }) => articleId, request);
    // A page without new hits is the last one, or one that the service repeats.
    const isEnd = seen.size === seenBefore || index + 1 >= (pageCount ?? Number.POSITIVE_INFINITY);
    if (!page.ok || isEnd || hasEnough(page.value, request))
      return mapOk(page, (value) => ({ ...value, totalCount: null }));
  }
}

const hasEnough = ({ hasNextPage, edges }: Page<Article>, { itemsOnly, limit }: PageRequest): boolean =>
  hasNextPage || (itemsOnly === true && edges.length === limit);

/** The languages of hits show as much as those of lists: see docs/service.md, "Article search". */
function articlesOfHits(
  hits: readonly SearchHit[],
  articles: ReadonlyMap<string, Article>,
  { versionLanguage: { languageCode }, isShown }: TextSearch,
): readonly Article[] {
  const isRequested = (hit: SearchHit) => isSameId(hit.languageCode, languageCode);
  const isProven = hits.some(isRequested);
  const found = new Map<string, Article>();
  for (const hit of hits) {
    const isTranslated = !isProven || hit.languageCode === null || isRequested(hit);
    const article = isTranslated && !hit.isCategory ? articles.get(hit.id) : undefined;
    if (article && isShown(article)) found.set(article.articleId, article);
  }
  return [...found.values()];
}

const NO_SEARCH = notOffered('The service does not offer the filter text: it has no search.');

async function readHits(
  cache: RequestCache,
  { versionLanguage, text }: TextSearch,
  index: number,
): BackendResult<SearchHits> {
  const response = await cache.get(
    ['ProjectVersions', { id: versionLanguage.projectVersionId }, { id: versionLanguage.languageCode }],
    {
      searchQuery: text,
      page: index,
      hitsPerPage: PAGE_SIZE,
    },
  );
  return cache.decoded.searchHits.of(response, async (payload) => {
    if (payload.ok && payload.value === null) return ok({ hits: [], pageCount: 0 });
    const hits = decodePayload(payload, decodeSearchHits);
    return !hits.ok && hits.error.kind === 'not-offered' ? err(NO_SEARCH) : hits;
  });
}
