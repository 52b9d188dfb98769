import type { Article } from '../../core/articles/articles.ts';
import type { UpdateTarget } from '../../core/articles/bulk-updates.ts';
import { parseSearchText } from '../../core/articles/search-words.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import type { BackendError } from '../../core/errors.ts';
import { encodeArticle, encodeArticleVersion, encodeListedArticle } from '../../service/v2/articles.ts';
import { encodeSearchHits } from '../../service/v2/text-search.ts';
import {
  type EnvelopeResult,
  type FacadeRequest,
  INT32_MAX,
  onlyResult,
  parseNumberInRange,
  pathParam,
  queryFlag,
  queryNumber,
  queryText,
  rejection,
  succeedWith,
} from './route-handler.ts';

/**
 * Falls back to the default language when there is no translation, and says so: see docs/service.md, "Articles". With
 * `isPublished` it is the public version where there is one. Public programs name the language in the query.
 */
export async function readArticle(request: FacadeRequest): EnvelopeResult {
  const isPublished = queryFlag(request.query, 'isPublished');
  if (!isPublished.ok) return isPublished;
  const languageCode = request.params.get('langCode') ?? queryText(request.query, 'langCode');
  for (const isFallback of [false, true]) {
    const code = isFallback ? undefined : languageCode;
    const latest = await findArticle(request, code);
    if (!latest.ok) return latest;
    const publicVersion = (isPublished.value && latest.value?.publicVersionNumber) || null;
    const article = publicVersion === null ? latest : await findArticle(request, code, publicVersion);
    if (!article.ok) return article;
    if (article.value) return succeedWith({ data: await encodeWhole(request, article.value, isFallback) });
  }
  return ARTICLE_NOT_FOUND;
}

/** A Markdown article also has its text as HTML, which can't be written. */
async function encodeWhole({ renderMarkdown }: FacadeRequest, article: Article, isFallback: boolean) {
  const { contentType, content } = article;
  const htmlContent = contentType === 'MARKDOWN' && content != null ? await renderMarkdown(content) : null;
  return encodeArticle({ article: htmlContent === null ? article : { ...article, htmlContent }, isFallback });
}

/** An unknown ID is a 400 everywhere in this service: see docs/service.md, "Status codes". */
const ARTICLE_NOT_FOUND = err(rejection(400, 'The article Id does not exist.'));

async function findArticle(
  request: FacadeRequest,
  languageCode: string | undefined,
  versionNumber?: number,
): Promise<Result<Article | null, BackendError>> {
  const key = { articleId: pathParam(request, 'articleId'), languageCode, versionNumber };
  return onlyResult(await request.backend.articles(request.caller, [key]));
}

/** The answer to a write of one article. It does not have its language: see docs/service.md, "Article create". */
export async function answerWithArticle(
  { backend, caller }: FacadeRequest,
  { articleId, languageCode }: Pick<UpdateTarget, 'articleId' | 'languageCode'>,
): EnvelopeResult {
  const key = { articleId, languageCode: languageCode ?? undefined };
  const article = onlyResult(await backend.articles(caller, [key], 'summary'));
  if (!article.ok) return article;
  return succeedWith({ data: article.value && { ...encodeListedArticle(article.value), language_code: null } });
}

export async function readArticleVersion(request: FacadeRequest): EnvelopeResult {
  const versionNumber = parseNumberInRange(pathParam(request, 'versionNumber'), { min: 1, max: INT32_MAX });
  if (versionNumber === null) return err(rejection(400, 'versionNumber must be a whole number of 1 or more.'));
  const article = await findArticle(request, request.params.get('langCode'), versionNumber);
  if (!article.ok) return article;
  if (article.value === null) return err(rejection(400, 'The article version does not exist.'));
  const data = await encodeWhole(request, article.value, false);
  return succeedWith({ data: { ...data, version_created_at: data['created_at'] } });
}

export async function listArticleVersions(request: FacadeRequest): EnvelopeResult {
  const article = await findArticle(request, request.params.get('langCode'));
  if (!article.ok) return article;
  if (article.value === null) return ARTICLE_NOT_FOUND;
  const versions = onlyResult(await request.backend.articleVersions(request.caller, [article.value]));
  return versions.ok ? succeedWith({ data: versions.value.map(encodeArticleVersion) }) : versions;
}

const EDITION_NOT_FOUND = err(rejection(400, 'The project version Id or the language code does not exist.'));

/** The largest `hitsPerPage`, and the page size for its default 0: see docs/service.md, "Article lists" and "Article search". */
const MAX_HITS = 100;
const DEFAULT_HITS = 1000;

export async function listArticles(request: FacadeRequest): EnvelopeResult {
  const { backend, caller, query } = request;
  const page = queryNumber(query, 'page', { min: 0, max: INT32_MAX, defaultValue: 0 });
  if (!page.ok) return page;
  const hits = queryNumber(query, 'hitsPerPage', { min: 0, max: MAX_HITS, defaultValue: 0 });
  if (!hits.ok) return hits;
  const limit = hits.value || DEFAULT_HITS;
  const filter = {
    projectVersionId: pathParam(request, 'projectVersionId'),
    languageCode: queryText(query, 'langCode'),
  };
  const articles = await backend.listArticles(caller, filter, { limit, skip: page.value * limit });
  if (!articles.ok) return articles;
  if (articles.value === null) return EDITION_NOT_FOUND;
  return succeedWith({ data: articles.value.edges.map(({ node }) => encodeListedArticle(node)) });
}

/** The default `hitsPerPage` of a search. */
const DEFAULT_SEARCH_HITS = 10;

/** Finds articles by the words of the store, in the order of their IDs. Without a text, all articles are hits. */
export async function searchArticles(request: FacadeRequest): EnvelopeResult {
  const { backend, caller, query } = request;
  const page = queryNumber(query, 'page', { min: 0, max: INT32_MAX, defaultValue: 0 });
  if (!page.ok) return page;
  const hits = queryNumber(query, 'hitsPerPage', { min: 1, max: MAX_HITS, defaultValue: DEFAULT_SEARCH_HITS });
  if (!hits.ok) return hits;
  const text = queryText(query, 'searchQuery');
  const words = text === undefined ? undefined : parseSearchText(text);
  if (typeof words === 'string') return err(rejection(400, `searchQuery ${words}.`));
  const versionLanguage = {
    projectVersionId: pathParam(request, 'projectVersionId'),
    languageCode: pathParam(request, 'langCode'),
  };
  const found = await backend.listArticles(
    caller,
    { ...versionLanguage, ...(words && { filter: { words } }) },
    { limit: hits.value, skip: page.value * hits.value },
  );
  if (!found.ok) return found;
  if (found.value === null) return EDITION_NOT_FOUND;
  const articles = found.value.edges.map(({ node }) => node);
  const counted = (await found.value.totalCount?.()) ?? ok(articles.length);
  if (!counted.ok) return counted;
  const total = counted.value;
  const data = encodeSearchHits({ query: text ?? '', articles, total, page: page.value, hitsPerPage: hits.value });
  return succeedWith({ data });
}
