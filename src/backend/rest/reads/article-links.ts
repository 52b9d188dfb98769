import type { Page, PageRequest } from '../../../base/pages.ts';
import { err, ok } from '../../../base/result.ts';
import type { ArticleListRequest } from '../../../domain/articles/article-filters.ts';
import type { Article } from '../../../domain/articles/articles.ts';
import type { Category } from '../../../domain/articles/categories.ts';
import type { Edition } from '../../../domain/articles/project-versions.ts';
import { notOffered } from '../../../domain/errors.ts';
import type { BackendResult, BatchResults } from '../../backend.ts';
import { filterArticles } from './article-filters.ts';
import { readAllArticles, readArticlePage } from './article-lists.ts';
import { readArticle } from './articles.ts';
import { readCategoryTree } from './categories.ts';
import { paginateArray } from './paging.ts';
import { editionOf, listProjectVersions } from './project-versions.ts';
import type { RequestCache } from './request-cache.ts';

/** Null when the edition or the category does not exist. */
export async function readMatchingArticles(
  cache: RequestCache,
  request: ArticleListRequest,
  page: PageRequest,
): BackendResult<Page<Article> | null> {
  const { categoryId, filter = {}, orderBy = 'ID' } = request;
  // Lists have no text, and the search of the service finds other articles: see docs/service.md, "Article lists".
  if (filter.words !== undefined)
    return err(notOffered('The service does not offer the filter text: its lists have no texts.'));
  const edition = await editionOf(cache, request);
  if (!edition.ok || edition.value === null) return edition.ok ? ok(null) : edition;
  const isWholeList = categoryId === undefined && orderBy === 'ID' && Object.keys(filter).length === 0;
  if (isWholeList) return readArticlePage(cache, edition.value, page);
  const articles = await readArticles(cache, edition.value, categoryId);
  if (!articles.ok || articles.value === null) return articles.ok ? ok(null) : articles;
  return paginateArticles(filterArticles(articles.value, filter, orderBy), page);
}

/** All articles of an edition or of one of its categories; null when one of them does not exist. */
async function readArticles(
  cache: RequestCache,
  edition: Edition,
  categoryId: string | undefined,
): BackendResult<readonly Article[] | null> {
  if (categoryId === undefined) {
    const list = await readAllArticles(cache, edition);
    return list.ok ? ok(list.value && [...list.value.values()]) : list;
  }
  return readBranch(cache, edition, categoryId);
}

/** All articles of a category; null when the category does not exist. */
async function readBranch(
  cache: RequestCache,
  edition: Edition,
  categoryId: string,
): BackendResult<readonly Article[] | null> {
  const tree = await readCategoryTree(cache, edition);
  if (!tree.ok) return tree;
  const articles = await tree.value?.branches.get(categoryId)?.articles();
  return ok(articles ?? null);
}

export async function readArticlesOfCategory(
  cache: RequestCache,
  category: Category,
  request: PageRequest,
): BackendResult<Page<Article>> {
  const articles = await readBranch(cache, category, category.categoryId);
  return articles.ok ? paginateArticles(articles.value ?? [], request) : articles;
}

/** The translations of one article are read whole, since lists would cost as many calls. */
export async function readTranslations(
  cache: RequestCache,
  articles: readonly Article[],
): BatchResults<readonly Article[]> {
  const readTranslation = articles.length === 1 ? readWholeTranslation : readListedTranslation;
  return Promise.all(articles.map((article) => readTranslationsOf(cache, article, readTranslation)));
}

type ReadTranslation = (cache: RequestCache, article: Article, languageCode: string) => BackendResult<Article | null>;

async function readTranslationsOf(
  cache: RequestCache,
  article: Article,
  readTranslation: ReadTranslation,
): BackendResult<readonly Article[]> {
  const codes = await languagesOf(cache, article);
  if (!codes.ok) return codes;
  const found: Article[] = [];
  for (const languageCode of codes.value) {
    const isRead = languageCode === article.languageCode && !article.pinned;
    const translation = isRead ? ok(article) : await readTranslation(cache, article, languageCode);
    if (!translation.ok) return translation;
    if (translation.value !== null) found.push(translation.value);
  }
  return ok(found);
}

async function languagesOf(cache: RequestCache, article: Article): BackendResult<readonly string[]> {
  const versions = await listProjectVersions(cache);
  if (!versions.ok) return versions;
  const version = versions.value.find(({ projectVersionId }) => projectVersionId === article.projectVersionId);
  const codes = (version?.languages ?? []).map(({ code }) => code);
  return ok([...new Set([...codes, article.languageCode])].sort());
}

const readWholeTranslation: ReadTranslation = (cache, { articleId }, languageCode) =>
  readArticle(cache, { articleId, languageCode });

/** Reads the list of the language, which serves all its articles. */
const readListedTranslation: ReadTranslation = async (cache, { articleId, projectVersionId }, languageCode) => {
  const list = await readAllArticles(cache, { projectVersionId, languageCode });
  return list.ok ? ok(list.value?.get(articleId) ?? null) : list;
};

const paginateArticles = (articles: readonly Article[], request: PageRequest) =>
  paginateArray(articles, ({ articleId }) => articleId, request);
