import { joinFences } from '../../base/fence.ts';
import type { Log } from '../../base/log.ts';
import { type Caller, usesLentToken } from '../../domain/callers/caller.ts';
import { mergeRequests } from '../../domain/callers/request-record.ts';
import type { BulkUpdateRequest, SendBulkUpdate } from './batch.ts';
import { type AppliedItems, appliedAfterRefusal, retryAlone } from './retry-alone.ts';
import { type SplitResult, splitResult } from './split-result.ts';

export interface SendBatchOptions {
  readonly send: SendBulkUpdate;
  readonly log: Log;
}

/** Sends the batch as one call and settles all its requests. The promise itself never rejects. */
export async function sendBatch(options: SendBatchOptions, batch: readonly BulkUpdateRequest[]): Promise<void> {
  const { send, log } = options;
  const [first, ...others] = batch;
  if (first === undefined) return;
  if (others.length === 0) return settleWith(first, send(first.caller, first.updates));
  const updates = batch.flatMap((request) => request.updates);
  const caller = mergedCaller(first.caller, batch);
  try {
    const result = await send(caller, updates);
    if (!result.ok && result.error.kind === 'unavailable' && caller.fence?.isLate()) {
      // Nothing was sent. The requests whose fence is not late go once more, without the others.
      const { late = [], others = [] } = Object.groupBy(batch, (request) => (isLate(request) ? 'late' : 'others'));
      for (const { resolve } of late) resolve(result);
      return await sendBatch(options, others);
    }
    const applied = result.ok ? null : appliedAfterRefusal(result.error);
    if (applied === null) {
      const { results, withheld } = splitResult(batch, result);
      logWithheld(log, caller, withheld);
      for (const [index, callerResult] of results.entries()) batch[index]?.resolve(callerResult);
      return;
    }
    await retryEach(send, batch, applied);
  } catch (thrown) {
    for (const { reject } of batch) reject(thrown);
  }
}

const isLate = ({ caller }: BulkUpdateRequest): boolean => caller.fence?.isLate() === true;

/** More than 1, so that a retry that hangs does not use up the time of the others. */
const MAX_CONCURRENT_RETRIES = 4;

/**
 * Retries the requests in their order and before any pending request, so that no update overtakes an earlier one of the
 * same article. They can run concurrently, because an article occurs only once in a batch.
 */
async function retryEach(
  send: SendBulkUpdate,
  batch: readonly BulkUpdateRequest[],
  applied: AppliedItems,
): Promise<void> {
  const remaining = batch.values();
  const retryNext = async () => {
    for (const request of remaining) await settleWith(request, retryAlone(send, request, applied));
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_RETRIES }, retryNext));
}

/** An exception is a bug: it rejects the promise of this request, and the queue goes on. */
const settleWith = ({ resolve, reject }: BulkUpdateRequest, result: ReturnType<SendBulkUpdate>): Promise<void> =>
  result.then(resolve, reject);

/**
 * The call has the earliest deadline of its callers, so that none of them waits past their own. `BatchBuilder` bounds
 * the time that the others lose by this.
 */
const mergedCaller = (
  { apiToken, address, requestTimeoutMs }: Caller,
  batch: readonly BulkUpdateRequest[],
): Caller => ({
  apiToken,
  // A caller with a lent token makes the whole call a trusted one.
  sentToken: batch.find(({ caller }) => usesLentToken(caller))?.caller.sentToken,
  address,
  request: mergeRequests(batch.map(({ caller }) => caller.request)),
  deadline: Math.min(...batch.map(({ caller }) => caller.deadline)),
  requestTimeoutMs,
  fence: joinFences(batch.map(({ caller }) => caller.fence)),
});

/** Logs numbers only, because the texts may quote content. */
function logWithheld(log: Log, { request }: Caller, withheld: SplitResult['withheld']): void {
  const { serviceErrors, warnings, information } = withheld;
  if (serviceErrors + warnings + information === 0) return;
  log('info', 'notices of a merged call withheld', { requestId: request.id, ...withheld });
}
