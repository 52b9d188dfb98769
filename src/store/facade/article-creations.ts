import type { ArticleCreation } from '../../core/articles/article-creations.ts';
import { MAX_CREATED_ARTICLES } from '../../core/base/limits.ts';
import { allOk, err, ok, type Result } from '../../core/base/result.ts';
import type { BackendError } from '../../core/errors.ts';
import { createServiceError } from '../../core/notices.ts';
import {
  createdText,
  decodeCreationBody,
  decodeCreationListBody,
  failedText,
} from '../../service/v2/article-creations.ts';
import { answerWithArticle } from './articles.ts';
import {
  bodyRejection,
  decodeItems,
  type EnvelopeResult,
  type FacadeRequest,
  onlyResult,
  rejection,
} from './route-handler.ts';

/** Answers with the article. */
export async function createArticle(request: FacadeRequest): EnvelopeResult {
  const ids = await create(request, decodeItems(request, 'created', decodeCreationBody), (_item, reason) => reason);
  if (!ids.ok) return ids;
  return answerWithArticle(request, { articleId: onlyResult(ids.value).article_id });
}

/** Creates all items that can be created. If one fails, the answer is an error that names the first such item. */
export async function bulkCreateArticles(request: FacadeRequest): EnvelopeResult {
  const maxBulkItems = Math.min(request.maxBulkItems, MAX_CREATED_ARTICLES);
  const items = decodeItems({ ...request, maxBulkItems }, 'created', decodeCreationListBody);
  const data = await create(request, items, failedText);
  return data.ok ? ok({ payload: { data: data.value }, success: true }) : data;
}

/** Returns an entry for each article. The service has no status for an unknown outcome, so it is an error of the server. */
async function create(
  { backend, caller }: FacadeRequest,
  items: Result<readonly ArticleCreation[], BackendError>,
  describe: (item: ArticleCreation, reason: string) => string,
) {
  if (!items.ok) return items;
  const created = await backend.createArticles(caller, items.value);
  if (!created.ok) return created;
  return allOk(
    items.value.map((item, index) => {
      const outcome = created.value.outcomes[index];
      if (outcome?.kind === 'created')
        return ok({ article_id: outcome.articleId, success: true, details: createdText(item) });
      const description = describe(item, outcome?.details ?? '');
      const isFailed = outcome?.kind === 'failed';
      return err(isFailed ? bodyRejection([createServiceError(description, '400')]) : rejection(500, description));
    }),
  );
}
