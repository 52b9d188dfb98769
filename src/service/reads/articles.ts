import { type ArticleCreation, categoryKeysOf } from '../../core/articles/article-creations.ts';
import {
  type Article,
  type ArticleFilter,
  type ArticleKey,
  type ArticleListRequest,
  type ArticleOrder,
  type ArticleSlug,
  type ArticleVersion,
  type Category,
  titleKeyOf,
  type VersionLanguage,
} from '../../core/articles/articles.ts';
import { untranslated } from '../../core/articles/bulk-updates.ts';
import type { ArticlePage, BackendResult, BatchResults, LanguageOfList } from '../../core/backend.ts';
import type { PageRequest } from '../../core/base/pages.ts';
import { err, mapFound, mapOk, ok, type Result } from '../../core/base/result.ts';
import { compareTexts, isSameId, storedFormOf } from '../../core/base/text.ts';
import { type BackendError, notOffered } from '../../core/errors.ts';
import { decodePayload, decodePayloadList, nullIfMissing, valueIfOffered } from '../calls/read-response.ts';
import { type ArticleWithFallback, decodeArticle, decodeArticleVersion } from '../v2/articles.ts';
import { decodeEntryOfTree, findDoubtful, readAllArticles, readArticlePage, withLanguage } from './article-lists.ts';
import { readArticlesOfAllCategories, readCategoryTree } from './categories.ts';
import { paginateArray } from './paging.ts';
import { listProjectVersions, readDefaultLanguages, versionLanguageOf } from './project-versions.ts';
import type { ArticleList, RequestCache } from './request-cache.ts';
import { readFoundArticles } from './text-search.ts';

export async function readArticle(cache: RequestCache, key: ArticleKey): BackendResult<Article | null> {
  const { languageCode } = key;
  const found = await (languageCode === undefined
    ? readInDefaultLanguage(cache, key)
    : readInLanguage(cache, { ...key, languageCode }));
  return mapFound(found, ({ article, isFallback }) => (isFallback ? null : article));
}

/** Reads an article also where it has no text in the language: what all its languages share is the same in any. */
export async function readArticleInAnyLanguage(
  cache: RequestCache,
  { articleId, languageCode }: ArticleKey,
): BackendResult<Article | null> {
  const named = languageCode === undefined ? ok(null) : await readInLanguage(cache, { articleId, languageCode });
  const found = !named.ok || named.value !== null ? named : await readInDefaultLanguage(cache, { articleId });
  return mapFound(found, ({ article }) => article);
}

/**
 * Finds the article of a language in which it has no text, though its project version has the language; null where the
 * article does not exist, or has one.
 */
export async function readUntranslated(cache: RequestCache, key: ArticleKey): BackendResult<Article | null> {
  const { articleId, languageCode, versionNumber } = key;
  if (languageCode === undefined || (versionNumber ?? 1) !== 1) return ok(null);
  const answer = await readInLanguage(cache, { articleId, languageCode });
  if (!answer.ok || answer.value?.isFallback === false) return mapOk(answer, () => null);
  const article = await readArticleInAnyLanguage(cache, { articleId, languageCode });
  if (!article.ok || article.value === null) return article;
  const { value } = article;
  return mapOk(await languagesOf(cache, value), (codes) => {
    const named = codes.find((code) => isSameId(code, languageCode));
    return named === undefined ? null : untranslated(value, named);
  });
}

export async function readArticleVersions(
  cache: RequestCache,
  { articleId, languageCode }: Pick<Article, 'articleId' | 'languageCode'>,
): BackendResult<readonly ArticleVersion[]> {
  const response = await cache.get(['Articles', { id: articleId }, { id: languageCode }, 'versions']);
  return cache.decoded.articleVersions.of(response, async (payload) => {
    const versions = nullIfMissing(await decodePayloadList(payload, decodeArticleVersion, cache), 'article');
    return mapOk(versions, (found) => (found ?? []).filter((version) => version !== null));
  });
}

/**
 * Requests the text as it is stored, since a text for display must not be written back, and links that do not expire:
 * see docs/service.md, "Articles".
 */
const STORED_TEXT_QUERY = { isForDisplay: false, appendSASToken: false } as const;

const LATEST_VERSION_QUERY = { ...STORED_TEXT_QUERY, isPublished: false } as const;

/** Reads the article; null when it does not exist. Without a translation the service answers with the default language. */
async function readInLanguage(
  cache: RequestCache,
  { articleId, languageCode, versionNumber }: ArticleKey & Pick<VersionLanguage, 'languageCode'>,
): BackendResult<ArticleWithFallback | null> {
  const path = ['Articles', { id: articleId }, { id: languageCode }] as const;
  const response = await (versionNumber === undefined
    ? cache.get(path, LATEST_VERSION_QUERY)
    : cache.get([...path, 'versions', { id: `${versionNumber}` }], STORED_TEXT_QUERY));
  const requested = { languageCode, pinned: versionNumber !== undefined };
  return cache.decoded.articles.of(response, async (payload) =>
    nullIfMissing(
      decodePayload(payload, (entry) => {
        const found = decodeArticle(entry, requested);
        // The response to another request must not be taken for the state of this article.
        return found !== null && isSameId(found.article.articleId, articleId) ? found : null;
      }),
      'article',
    ),
  );
}

/**
 * Tries the default languages of all project versions, since only the article itself has its project version. Where all
 * have the same default, that is one call.
 */
async function readInDefaultLanguage(cache: RequestCache, key: ArticleKey): BackendResult<ArticleWithFallback | null> {
  const versionLanguages = await readDefaultLanguages(cache);
  if (!versionLanguages.ok) return versionLanguages;
  for (const { languageCode } of versionLanguages.value) {
    const found = await readInLanguage(cache, { ...key, languageCode });
    if (!found.ok) return found;
    if (found.value === null) continue;
    const { projectVersionId } = found.value.article;
    const own = versionLanguages.value.find((versionLanguage) =>
      isSameId(versionLanguage.projectVersionId, projectVersionId),
    );
    return own === undefined ? found : readInLanguage(cache, { ...key, languageCode: own.languageCode });
  }
  return ok(null);
}

/** Selects and sorts articles as the store does: see docs/contract.md, "Lists of articles". */
function filterArticles(articles: Iterable<Article>, filter: ArticleFilter, orderBy: ArticleOrder): readonly Article[] {
  const matching = [...articles].filter((article) => matches(article, filter));
  if (orderBy === 'ID') return matching;
  const direction = orderBy === 'MODIFIED_AT_DESC' ? -1 : 1;
  return matching
    .map((article) => ({ article, key: sortKeyOf(article, orderBy) }))
    .sort((a, b) => direction * (compareTexts(a.key, b.key) || compareTexts(a.article.articleId, b.article.articleId)))
    .map(({ article }) => article);
}

function matches(article: Article, filter: ArticleFilter): boolean {
  const { hidden, translationStatuses, statuses, modifiedSince, modifiedBefore } = filter;
  const { translationStatus, status, modifiedAt } = article;
  if (hidden !== undefined && article.hidden !== hidden) return false;
  if (statuses && (status === null || !statuses.includes(status))) return false;
  if (translationStatuses && (translationStatus === null || !translationStatuses.includes(translationStatus))) {
    return false;
  }
  if (modifiedBefore !== undefined && !(modifiedAt !== null && modifiedAt < modifiedBefore)) return false;
  return modifiedSince === undefined || (modifiedAt !== null && modifiedAt >= modifiedSince);
}

const sortKeyOf = ({ title, modifiedAt }: Article, orderBy: ArticleOrder): string =>
  orderBy === 'TITLE' ? titleKeyOf(title) : (modifiedAt?.toISOString() ?? '');

/**
 * Reads the list of the version and language, since the service has no call by slug. Takes the first article by ID
 * where several have the slug. One that may be a stand-in is read.
 */
export async function readArticleBySlug(
  cache: RequestCache,
  { slug, ...requested }: ArticleSlug,
): BackendResult<Article | null> {
  const versionLanguage = await versionLanguageOf(cache, requested);
  if (!versionLanguage.ok || versionLanguage.value === null) return versionLanguage.ok ? ok(null) : versionLanguage;
  const list = await readAllArticles(cache, versionLanguage.value);
  if (!list.ok || list.value === null) return mapOk(list, () => null);
  const found = [...list.value.articles.values()].filter((article) => article.slug === slug);
  if (found.length === 0) return ok(null);
  const isDoubtful = await findDoubtfulInList(cache, versionLanguage.value, list.value);
  if (!isDoubtful.ok) return isDoubtful;
  for (const article of found.sort((a, b) => compareTexts(a.articleId, b.articleId))) {
    if (!isDoubtful.value(article)) return ok(article);
    const read = await readArticle(cache, article);
    if (!read.ok || read.value !== null) return read;
  }
  return ok(null);
}

const findDoubtfulInList = (cache: RequestCache, versionLanguage: VersionLanguage, { language }: ArticleList) =>
  findDoubtful(cache, { ...versionLanguage, ...language }, async (inDefault) =>
    mapFound(await readAllArticles(cache, inDefault), ({ articles }) => articles),
  );

/** Reads a page of matching articles; null when the version, the language or the category does not exist. */
export async function readMatchingArticles(
  cache: RequestCache,
  request: ArticleListRequest,
  page: PageRequest,
): BackendResult<ArticlePage | null> {
  const { categoryId, filter = {}, orderBy = 'ID' } = request;
  const search = searchOf(request);
  if (search !== null && !search.ok) return search;
  const versionLanguage = await versionLanguageOf(cache, request);
  if (!versionLanguage.ok || versionLanguage.value === null) return versionLanguage.ok ? ok(null) : versionLanguage;
  if (search !== null)
    return readFoundArticles(cache, { ...search.value, versionLanguage: versionLanguage.value }, page);
  const isWholeList = categoryId === undefined && orderBy === 'ID' && Object.keys(filter).length === 0;
  if (isWholeList) return readArticlePage(cache, versionLanguage.value, page);
  const list: Result<ArticleList | BranchArticles | null, BackendError> =
    categoryId === undefined
      ? await readAllArticles(cache, versionLanguage.value)
      : await readBranch(cache, versionLanguage.value, categoryId);
  if (!list.ok || list.value === null) return mapOk(list, () => null);
  const { articles, language } = list.value;
  const matching = paginateArticles(filterArticles(articles.values(), filter, orderBy), page);
  return mapOk(matching, (found) => withLanguage(found, language));
}

function searchOf({ categoryId, filter = {}, orderBy = 'ID' }: ArticleListRequest) {
  const { words, text, hidden, ...others } = filter;
  if (words === undefined) return null;
  const isOffered = categoryId === undefined && orderBy === 'ID' && Object.keys(others).length === 0;
  if (!isOffered) return err(notOffered(SEARCH_RULE));
  const query = text ?? words.map((word) => word.text).join(' ');
  return ok({ text: query, isShown: (article: Article) => matches(article, { hidden }) });
}

const SEARCH_RULE =
  'The service does not offer the filter text with other filters than hidden, with a category or in another order than ID.';

async function readBranch(
  cache: RequestCache,
  versionLanguage: VersionLanguage,
  categoryId: string,
): BackendResult<BranchArticles | null> {
  const tree = await readCategoryTree(cache, versionLanguage);
  if (!tree.ok || tree.value === null) return mapOk(tree, () => null);
  const { branches, language } = tree.value;
  const read = (await branches.get(categoryId)?.articles()) ?? ok(null);
  return mapFound(read, (articles) => ({ articles, language }));
}

interface BranchArticles {
  readonly articles: readonly Article[];
  readonly language: LanguageOfList;
}

/**
 * Finds the articles with the titles of new ones, as the service may have stored them, in their project versions and
 * default languages. Each version is read once, from the category tree, or from the list, which also has articles
 * without a category.
 */
export function createTitleSearch(cache: RequestCache) {
  const versionLanguages = new Map<string, BackendResult<ReadonlyMap<string, readonly Article[]>>>();
  return async ({ title, projectVersionId, categoryId }: ArticleCreation): BackendResult<readonly Article[]> => {
    const key = JSON.stringify([projectVersionId, categoryId == null]);
    const reading = versionLanguages.get(key) ?? readByTitle(cache, projectVersionId, categoryId != null);
    versionLanguages.set(key, reading);
    return mapOk(await reading, (articles) => articles.get(storedFormOf(title)) ?? []);
  };
}

async function readByTitle(
  cache: RequestCache,
  projectVersionId: string,
  isInCategory: boolean,
): BackendResult<ReadonlyMap<string, readonly Article[]>> {
  const versionLanguage = await versionLanguageOf(cache, { projectVersionId });
  if (!versionLanguage.ok || versionLanguage.value === null) return mapOk(versionLanguage, () => new Map());
  const articles = isInCategory
    ? await readArticlesOfAllCategories(cache, versionLanguage.value)
    : mapFound(await readAllArticles(cache, versionLanguage.value), (list) => [...list.articles.values()]);
  return mapOk(articles, (found) => Map.groupBy(found ?? [], ({ title }) => storedFormOf(title ?? '')));
}

/** Fails before the first call where too many trees would be needed. */
export async function readArticlesWithTitles(
  cache: RequestCache,
  items: readonly ArticleCreation[],
): BatchResults<string | null> {
  const trees = new Set(categoryKeysOf(items).map(({ projectVersionId }) => projectVersionId)).size;
  const check = cache.checkCalls(Math.min(trees, 1) + trees);
  if (!check.ok) return items.map(() => check);
  const search = createTitleSearch(cache);
  return Promise.all(
    items.map(async (item) => {
      const titled = item.categoryId == null ? ok([]) : await search(item);
      return mapOk(
        titled,
        (found) => found.find((one) => isSameId(one.categoryId, item.categoryId))?.articleId ?? null,
      );
    }),
  );
}

const NO_ARTICLES: BranchArticles = { articles: [], language: { isProven: true, standIns: 0 } };

export async function readArticlesOfCategory(
  cache: RequestCache,
  category: Category,
  request: PageRequest,
): BackendResult<ArticlePage> {
  const branch = await readBranch(cache, category, category.categoryId);
  if (!branch.ok) return branch;
  const { articles, language } = branch.value ?? NO_ARTICLES;
  return mapOk(paginateArticles(articles, request), (page) => withLanguage(page, language));
}

/**
 * Reads the translations of articles. Those of a single article are read one by one; else the list of each language is
 * read, which serves all articles.
 */
export const readTranslations = (cache: RequestCache, articles: readonly Article[]): BatchResults<readonly Article[]> =>
  Promise.all(articles.map((article) => readTranslationsOf(cache, article, articles.length === 1)));

async function readTranslationsOf(
  cache: RequestCache,
  article: Article,
  areWhole: boolean,
): BackendResult<readonly Article[]> {
  const codes = await languagesOf(cache, article);
  if (!codes.ok) return codes;
  const { articleId, projectVersionId } = article;
  const found: Article[] = [];
  for (const languageCode of [...new Set([...codes.value, article.languageCode])].sort()) {
    const isRead = languageCode === article.languageCode && !article.pinned;
    const read = areWhole ? readArticle : readListed;
    const translation = isRead ? ok(article) : await read(cache, { articleId, projectVersionId, languageCode });
    if (!translation.ok) return translation;
    if (translation.value !== null) found.push(translation.value);
  }
  return ok(found);
}

/** Reads the tree of the default language, which one call has whole, and the list for an article without a category. */
export async function readDefaultLanguageTime(
  cache: RequestCache,
  { articleId, projectVersionId }: Article,
): BackendResult<Date | null> {
  const inDefault = await versionLanguageOf(cache, { projectVersionId });
  if (!inDefault.ok || inDefault.value === null) return mapOk(inDefault, () => null);
  const versionLanguage = inDefault.value;
  const tree = valueIfOffered(await readCategoryTree(cache, versionLanguage), null);
  const entry = tree.ok ? tree.value?.articles.get(articleId)?.entry : undefined;
  if (!tree.ok || entry !== undefined)
    return mapOk(tree, () => decodeEntryOfTree(entry, versionLanguage)?.modifiedAt ?? null);
  const list = await readAllArticles(cache, versionLanguage);
  return mapFound(list, ({ articles }) => articles.get(articleId)?.modifiedAt ?? null);
}

async function readListed(
  cache: RequestCache,
  { articleId, ...versionLanguage }: VersionLanguage & Pick<Article, 'articleId'>,
): BackendResult<Article | null> {
  const list = await readAllArticles(cache, versionLanguage);
  const article = list.ok ? list.value?.articles.get(articleId) : undefined;
  if (!list.ok || list.value === null || article === undefined) return mapOk(list, () => null);
  const isDoubtful = await findDoubtfulInList(cache, versionLanguage, list.value);
  if (!isDoubtful.ok) return isDoubtful;
  return isDoubtful.value(article) ? readArticle(cache, article) : ok(article);
}

async function languagesOf(cache: RequestCache, article: Article): BackendResult<readonly string[]> {
  const versions = await listProjectVersions(cache);
  if (!versions.ok) return versions;
  const version = versions.value.find((one) => isSameId(one.projectVersionId, article.projectVersionId));
  return ok((version?.languages ?? []).map(({ code }) => code));
}

const paginateArticles = (articles: readonly Article[], request: PageRequest) =>
  paginateArray(articles, ({ articleId }) => articleId, request);
