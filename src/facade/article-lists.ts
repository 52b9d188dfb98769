import { err } from '../base/result.ts';
import { encodeListedArticle } from '../v2/articles.ts';
import { rejection } from './errors.ts';
import { INT32_MAX, queryNumber, queryText } from './query-params.ts';
import { type FacadeRequest, type HandlerResult, pathParam, succeedWith } from './route-handler.ts';

/** The largest `hitsPerPage`, and the page size for its default 0: see docs/service.md, "Article lists". */
const MAX_HITS = 100;
const DEFAULT_HITS = 1000;

export async function listArticles(request: FacadeRequest): HandlerResult {
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
  if (articles.value === null)
    return err(rejection(400, 'The project version Id or the language code does not exist.'));
  return succeedWith({ data: articles.value.edges.map(({ node }) => encodeListedArticle(node)) });
}
