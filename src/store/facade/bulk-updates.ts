import { isObject } from '../../core/base/json.ts';
import { err, ok } from '../../core/base/result.ts';
import { outcomeUnknown } from '../../core/errors.ts';
import { createServiceError } from '../../core/notices.ts';
import { decodeBulkUpdate, encodeOutcomes } from '../../service/v2/bulk-updates.ts';
import { answerWithArticle } from './articles.ts';
import {
  bodyRejection,
  decodeItems,
  type EnvelopeResult,
  type FacadeRequest,
  onlyResult,
  pathParam,
} from './route-handler.ts';

export async function bulkUpdateArticles(request: FacadeRequest): EnvelopeResult {
  const updates = decodeItems(request, 'updated', decodeBulkUpdate);
  if (!updates.ok) return updates;
  const updated = await request.backend.bulkUpdateArticles(request.caller, updates.value);
  if (!updated.ok) return updated;
  const { outcomes, serviceErrors, ...notices } = updated.value;
  return ok({ ...notices, payload: { data: encodeOutcomes(outcomes) }, success: true, errors: serviceErrors });
}

/** Updates one article by its path. What fails is an error of the whole call. */
export async function updateArticle(request: FacadeRequest): EnvelopeResult {
  const { backend, caller, body, params } = request;
  const named = { article_id: pathParam(request, 'articleId'), lang_code: params.get('langCode') ?? null };
  const item = isObject(body) ? [{ ...body, ...named }] : body;
  const updates = decodeItems({ ...request, body: item }, 'updated', decodeBulkUpdate);
  if (!updates.ok) return updates;
  const updated = await backend.bulkUpdateArticles(caller, updates.value);
  if (!updated.ok) return updated;
  const { kind, details } = onlyResult(updated.value.outcomes);
  if (kind === 'unknown') return err(outcomeUnknown(details ?? ''));
  if (kind !== 'updated') return err(bodyRejection([createServiceError(details ?? '', '400')]));
  return answerWithArticle(request, onlyResult(updates.value));
}
