import { err, ok } from '../base/result.ts';
import type { CreationOutcome } from '../domain/articles/article-creations.ts';
import type { BackendError } from '../domain/errors.ts';
import { createServiceError } from '../domain/notices.ts';
import { createdText, decodeCreationBody, decodeCreationListBody, failedText } from '../v2/article-creations.ts';
import { encodeListedArticle } from '../v2/articles.ts';
import { bodyRejection, type EnvelopeResult, type FacadeRequest, onlyResult, rejection } from './route-handler.ts';

/** Answers with the article, whose language is not told: see docs/service.md, "Article create". */
export async function createArticle({ backend, caller, body }: FacadeRequest): EnvelopeResult {
  const items = decodeCreationBody(body);
  if (!items.ok) return err(bodyRejection(items.error));
  const created = await backend.createArticles(caller, items.value);
  if (!created.ok) return created;
  const outcome = onlyResult(created.value.outcomes);
  if (outcome.kind !== 'created') return err(refusalOf(outcome, (reason) => reason));
  const article = onlyResult(await backend.articles(caller, [{ articleId: outcome.articleId }], 'summary'));
  if (!article.ok) return article;
  const data = article.value && { ...encodeListedArticle(article.value), language_code: null };
  return ok({ payload: { data }, success: true });
}

/** As soon as one item fails, the answer is an error that names the first such item. The others are created all the same. */
export async function bulkCreateArticles({ backend, caller, body, maxBulkItems }: FacadeRequest): EnvelopeResult {
  if (Array.isArray(body) && body.length > maxBulkItems)
    return err(rejection(400, `$: at most ${maxBulkItems} items can be created at once; these are ${body.length}.`));
  const items = decodeCreationListBody(body);
  if (!items.ok) return err(bodyRejection(items.error));
  const created = await backend.createArticles(caller, items.value);
  if (!created.ok) return created;
  const results: unknown[] = [];
  for (const [index, item] of items.value.entries()) {
    const outcome = created.value.outcomes[index];
    if (outcome?.kind !== 'created') return err(refusalOf(outcome, (reason) => failedText(item, reason)));
    results.push({ article_id: outcome.articleId, success: true, details: createdText(item) });
  }
  return ok({ payload: { data: results }, success: true });
}

/** Nothing tells more of an unknown outcome, so it is an error of the server. */
function refusalOf(outcome: CreationOutcome | undefined, describe: (reason: string) => string): BackendError {
  const description = describe(outcome?.details ?? '');
  return outcome?.kind === 'failed'
    ? bodyRejection([createServiceError(description, '400')])
    : rejection(500, description);
}
