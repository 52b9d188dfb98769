import { ok } from '../../core/base/result.ts';
import { decodeBulkUpdate, encodeOutcomes } from '../../service/v2/bulk-updates.ts';
import { decodeItems, type EnvelopeResult, type FacadeRequest } from './route-handler.ts';

export async function bulkUpdateArticles(request: FacadeRequest): EnvelopeResult {
  const updates = decodeItems(request, 'updated', decodeBulkUpdate);
  if (!updates.ok) return updates;
  const updated = await request.backend.bulkUpdateArticles(request.caller, updates.value);
  if (!updated.ok) return updated;
  const { outcomes, serviceErrors, ...notices } = updated.value;
  return ok({ ...notices, payload: { data: encodeOutcomes(outcomes) }, success: true, errors: serviceErrors });
}
