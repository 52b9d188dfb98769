import type { Article, VersionLanguage } from '../../core/articles/articles.ts';
import type { ArticlePage, BackendResult, LanguageOfList, Page } from '../../core/backend.ts';
import { IdMap } from '../../core/base/id-map.ts';
import type { PageRequest } from '../../core/base/pages.ts';
import { mapFound, mapOk, ok } from '../../core/base/result.ts';
import { isSameId } from '../../core/base/text.ts';
import { decodePayloadList, nullIfMissing, readable } from '../calls/read-response.ts';
import type { ServiceCall } from '../calls/service-call.ts';
import { decodeListedArticle, type ListedArticle, type NamedLanguage } from '../v2/articles.ts';
import { type PagedList, type PageEntries, paginate, readAllEntries } from './paging.ts';
import { listProjectVersions, versionLanguagesIn } from './project-versions.ts';
import type { ArticleList, RequestCache } from './request-cache.ts';

/** The size of a page, and of a response without paging. Pages count from 0: see docs/service.md, "Article lists". */
const PAGE_SIZE = 100;
export const MAX_UNPAGED_ENTRIES = 1_000;

interface NamedEntry {
  readonly named: NamedLanguage;
}

/** Finds out what the entries show of their language. Unreadable entries are null. */
export function languageOfEntries(entries: Iterable<NamedEntry | null>): LanguageOfList {
  const counts: Record<NamedLanguage, number> = { requested: 0, other: 0, none: 0 };
  for (const entry of entries) if (entry !== null) counts[entry.named] += 1;
  // A list without entries has nothing to doubt.
  const isProven = counts.requested > 0 || counts.other + counts.none === 0;
  return { isProven, standIns: isProven ? counts.other : 0 };
}

/** False for a stand-in. */
export const isTranslation = ({ named }: NamedEntry, { isProven }: LanguageOfList): boolean =>
  !isProven || named !== 'other';

export const translationsIn = (entries: PageEntries<ListedArticle>, language: LanguageOfList): PageEntries<Article> =>
  entries.map((entry) => (entry !== null && isTranslation(entry, language) ? entry.article : null));

/** The page with what its list shows, and without a total where that is not sure. */
export const withLanguage = (page: Page<Article>, language: LanguageOfList): ArticlePage => ({
  ...page,
  language,
  totalCount: language.isProven ? page.totalCount : null,
});

/**
 * Reads a page of articles; null when the version or language does not exist. Where a page names other languages alone,
 * the beginning of the whole list shows whether these are stand-ins.
 */
export async function readArticlePage(
  cache: RequestCache,
  versionLanguage: VersionLanguage,
  request: PageRequest,
): BackendResult<ArticlePage | null> {
  let seen: PageEntries<ListedArticle> = [];
  let beginning: PageEntries<ListedArticle> = [];
  const language = () => languageOfEntries([...seen, ...beginning]);
  const list = pagedList(cache, versionLanguage);
  const readPage = async (index: number) => {
    const page = await list.readPage(index);
    if (!page.ok) return page;
    seen = [...seen, ...page.value];
    if (!language().isProven && page.value.some((entry) => entry?.named === 'other')) {
      const unpaged = await readEntriesOf(cache, versionLanguage, {});
      if (!unpaged.ok) return unpaged;
      beginning = unpaged.value;
    }
    return ok(translationsIn(page.value, language()));
  };
  const page = await paginate({ ...list, readPage, idOf: ({ articleId }) => articleId }, request);
  return mapFound(nullIfMissing(page, 'language'), (found) => withLanguage(found, language()));
}

export const readAllArticles = (
  cache: RequestCache,
  versionLanguage: VersionLanguage,
): BackendResult<ArticleList | null> =>
  cache.articleLists.of(JSON.stringify([versionLanguage.projectVersionId, versionLanguage.languageCode]), async () =>
    mapFound(await readEntries(cache, versionLanguage), (entries) => {
      const language = languageOfEntries(entries);
      const articles = translationsIn(entries, language).filter((article) => article !== null);
      return { articles: new IdMap(articles.map((article) => [article.articleId, article])), language };
    }),
  );

async function readEntries(
  cache: RequestCache,
  versionLanguage: VersionLanguage,
): BackendResult<PageEntries<ListedArticle> | null> {
  const start = nullIfMissing(await readEntriesOf(cache, versionLanguage, {}), 'language');
  if (!start.ok || start.value?.length !== MAX_UNPAGED_ENTRIES) return start;
  const first = start.value;
  const { readPage, ...list } = pagedList(cache, versionLanguage);
  const readLaterPage = (index: number) => readPage(index + MAX_UNPAGED_ENTRIES / PAGE_SIZE);
  const rest = nullIfMissing(await readAllEntries({ ...list, readPage: readLaterPage }), 'language');
  return mapOk(rest, (entries) => [...first, ...(entries ?? [])]);
}

const pagedList = (cache: RequestCache, versionLanguage: VersionLanguage): PagedList<ListedArticle> => ({
  pageSize: PAGE_SIZE,
  readPage: (page) => readEntriesOf(cache, versionLanguage, { page, hitsPerPage: PAGE_SIZE }),
  idOf: ({ article }) => article.articleId,
});

async function readEntriesOf(
  cache: RequestCache,
  versionLanguage: VersionLanguage,
  query: ServiceCall['query'],
): BackendResult<PageEntries<ListedArticle>> {
  const { projectVersionId, languageCode } = versionLanguage;
  const path = ['ProjectVersions', { id: projectVersionId }, 'articles'] as const;
  const response = await cache.get(path, { langCode: languageCode, ...query });
  return cache.decoded.articlePages.of(response, (payload) =>
    decodePayloadList(payload, (entry) => decodeListedArticle(entry, versionLanguage), cache),
  );
}

/** Decodes an entry of a tree; null where that fails, so that the article itself is read. */
export function decodeEntryOfTree(entry: unknown, versionLanguage: VersionLanguage): Article | null {
  const listed = readable(() => decodeListedArticle(entry, versionLanguage));
  return listed.ok ? listed.value.article : null;
}

interface ArticlesById {
  get(articleId: string): Article | null | undefined;
}

/**
 * Returns a check for articles of a list that may be stand-ins, which only a read of the article shows: none where the
 * list proves its language or is in the default language, whose texts stand in for others. Elsewhere those that have the
 * title of the default language, which `readDefault` reads.
 */
export async function findDoubtful(
  cache: RequestCache,
  { projectVersionId, languageCode, isProven }: VersionLanguage & LanguageOfList,
  readDefault: (versionLanguage: VersionLanguage) => BackendResult<ArticlesById | null>,
): BackendResult<(article: Article) => boolean> {
  if (isProven) return ok(() => false);
  const versions = await listProjectVersions(cache);
  if (!versions.ok) return versions;
  const own = versions.value.filter((version) => isSameId(version.projectVersionId, projectVersionId));
  const [inDefault] = versionLanguagesIn(own, undefined);
  if (isSameId(inDefault?.languageCode, languageCode)) return ok(() => false);
  const articles = inDefault === undefined ? ok(null) : await readDefault(inDefault);
  return mapOk(articles, (found) => ({ articleId, title }: Article) => {
    const text = found?.get(articleId);
    return text == null || text.title === title;
  });
}
