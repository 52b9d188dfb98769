import { err, ok, type Result } from '../../base/result.ts';
import { type ArticleOutcome, outcomesForAll, type SharedOutcome } from '../../domain/articles/article-outcomes.ts';
import type { ArticleUpdate, CompletedBulkUpdate } from '../../domain/articles/bulk-updates.ts';
import { timeLeft } from '../../domain/callers/caller.ts';
import { type BackendError, outOfTime } from '../../domain/errors.ts';
import { NO_NOTICES } from '../../domain/notices.ts';
import type { BulkUpdateRequest, SendBulkUpdate } from './batch.ts';

/** The items of a refused merged call that may have been applied. */
export type AppliedItems = 'nothing' | 'maybe-some';

/** Statuses that the items of a single caller may cause, so that each request is sent again alone. */
const APPLIED_BY_STATUS: ReadonlyMap<number | null, AppliedItems> = new Map([
  [400, 'maybe-some'],
  [403, 'nothing'],
  [409, 'maybe-some'],
  [413, 'nothing'],
  [422, 'maybe-some'],
]);

/** Null when the error concerns the whole call, so that nothing is sent again. */
export const appliedAfterRefusal = (error: BackendError): AppliedItems | null =>
  APPLIED_BY_STATUS.get(upstreamStatusOf(error)) ?? null;

function upstreamStatusOf(error: BackendError): number | null {
  if (error.kind === 'rejected') return error.httpStatus;
  if (error.kind === 'validation') return 400;
  return error.kind === 'forbidden' ? 403 : null;
}

/**
 * Sends a request of a refused merged call again, alone. It is not sent when it would have to wait for the rate limit.
 */
export async function retryAlone(
  send: SendBulkUpdate,
  { caller, updates }: BulkUpdateRequest,
  applied: AppliedItems,
): Promise<Result<CompletedBulkUpdate, BackendError>> {
  const result =
    timeLeft(caller) > 0
      ? await send({ ...caller, doesNotWait: true }, updates)
      : err(outOfTime(caller.requestTimeoutMs));
  if (applied === 'maybe-some') return ok(markUnconfirmedAsUnknown(updates, result));
  if (result.ok || result.error.kind !== 'unavailable') return result;
  const details = NOT_SENT_ALONE + result.error.message;
  return ok(
    sameOutcomeForAll(updates, { kind: 'not-attempted', details, reason: 'REJECTED', retryAfterSeconds: null }),
  );
}

const NOT_SENT_ALONE =
  'The service refused one call with this and the updates of others, and nothing of it was applied. ' +
  'Alone this was not sent. ';

const MAYBE_APPLIED =
  'The outcome is unknown: the service refused one call with this and the updates of others and may have applied ' +
  'a part of it, and alone this was refused or not sent. ';

/** Only a confirmed update is certain: an item may fail now because the first call has applied it. */
function markUnconfirmedAsUnknown(
  updates: readonly ArticleUpdate[],
  result: Result<CompletedBulkUpdate, BackendError>,
): CompletedBulkUpdate {
  if (result.ok) return { ...result.value, outcomes: result.value.outcomes.map(markUnlessUpdated) };
  const { error } = result;
  const { warnings, information } = error.kind === 'rejected' ? error : NO_MESSAGES;
  const { serviceErrors, message } = error;
  return {
    ...sameOutcomeForAll(updates, { kind: 'unknown', details: MAYBE_APPLIED + message }),
    serviceErrors,
    warnings,
    information,
  };
}

const markUnlessUpdated = (outcome: ArticleOutcome): ArticleOutcome =>
  outcome.kind === 'updated' || outcome.kind === 'unknown'
    ? outcome
    : { kind: 'unknown', articleId: outcome.articleId, details: MAYBE_APPLIED + (outcome.details ?? '') };

const NO_MESSAGES = { serviceErrors: [], ...NO_NOTICES };

const sameOutcomeForAll = (updates: readonly ArticleUpdate[], outcome: SharedOutcome): CompletedBulkUpdate => ({
  ...NO_MESSAGES,
  outcomes: outcomesForAll(updates, outcome),
});
