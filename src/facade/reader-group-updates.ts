import { err, ok } from '../base/result.ts';
import { decodeReaderGroupReplacement } from '../v2/reader-groups.ts';
import { bodyRejection } from './errors.ts';
import { type FacadeRequest, type HandlerResult, pathParam } from './route-handler.ts';

export async function updateReaderGroup(request: FacadeRequest): HandlerResult {
  const update = decodeReaderGroupReplacement(pathParam(request, 'groupId'), request.body);
  if (!update.ok) return err(bodyRejection(update.error));
  const updated = await request.backend.updateReaderGroup(request.caller, update.value);
  if (!updated.ok) return updated;
  const { serviceResult, ...notices } = updated.value;
  return ok({ ...notices, payload: { result: serviceResult ?? false }, success: true });
}
