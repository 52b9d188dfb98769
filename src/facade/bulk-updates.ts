import { err, ok } from '../base/result.ts';
import { decodeBulkUpdate, encodeOutcomes } from '../v2/bulk-updates.ts';
import { bodyRejection, type EnvelopeResult, type FacadeRequest, rejection } from './route-handler.ts';

export async function bulkUpdateArticles({ backend, caller, body, maxBulkItems }: FacadeRequest): EnvelopeResult {
  if (Array.isArray(body) && body.length > maxBulkItems) {
    return err(rejection(400, `$: at most ${maxBulkItems} items can be updated at once; these are ${body.length}.`));
  }
  const updates = decodeBulkUpdate(body);
  if (!updates.ok) return err(bodyRejection(updates.error));
  const updated = await backend.bulkUpdateArticles(caller, updates.value);
  if (!updated.ok) return updated;
  const { outcomes, serviceErrors, ...notices } = updated.value;
  return ok({ ...notices, payload: { data: encodeOutcomes(outcomes) }, success: true, errors: serviceErrors });
}
