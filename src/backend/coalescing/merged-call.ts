import type { ArticleUpdate, BulkUpdate } from '../../domain/articles.ts';
import { type Caller, timeLeft } from '../../domain/caller.ts';
import { type BackendError, unavailable } from '../../domain/errors.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import type { Backend } from '../backend.ts';
import type { Submission } from './batch.ts';
import { shares } from './shares.ts';

export type Send = Backend['bulkUpdateArticles'];

/** Makes one call of the batch and answers everybody in it. Never fails itself, whatever the call does. */
export async function sendBatch(send: Send, batch: readonly Submission[]): Promise<void> {
  const [first, ...others] = batch;
  if (first === undefined) return;
  if (others.length === 0) return settle(first, send(first.caller, first.updates));
  const updates = batch.flatMap((submission) => submission.updates);
  try {
    const answer = await send(mergedCaller(first.caller, batch), updates);
    if (answer.ok || !refusesInput(answer.error)) {
      for (const [submission, share] of shares(batch, answer)) submission.resolve(share);
      return;
    }
    // In the batch's order and before anything that waits, so that no update overtakes an earlier one of its article.
    for (const submission of batch) await settle(submission, sendAgain(send, submission, answer.error));
  } catch (thrown) {
    for (const { reject } of batch) reject(thrown);
  }
}

/** What is thrown is a bug, and goes to the caller whose call it was; the lane goes on. */
const settle = ({ resolve, reject }: Submission, answer: ReturnType<Send>): Promise<void> =>
  answer.then(resolve, reject);

/**
 * The call ends by the first deadline: nothing is begun, and nobody waits, past their own. What that takes from the others
 * is bounded by who goes together. The log line names every request.
 */
const mergedCaller = ({ apiToken, address }: Caller, batch: readonly Submission[]): Caller => ({
  apiToken,
  address,
  requestId: batch.map(({ caller }) => caller.requestId).join(' '),
  deadline: Math.min(...batch.map(({ caller }) => caller.deadline)),
});

/** A 400 says that something in the call is wrong, and not whose. */
const refusesInput = (error: BackendError): boolean =>
  error.kind === 'validation' || (error.kind === 'rejected' && error.httpStatus === 400);

const mayHaveApplied = (error: BackendError): boolean =>
  error.kind === 'outcome-unknown' || (error.kind === 'rejected' && error.mayHaveApplied);

async function sendAgain(
  send: Send,
  { caller, updates }: Submission,
  refusal: BackendError,
): Promise<Result<BulkUpdate, BackendError>> {
  const answer = timeLeft(caller) > 0 ? await send(caller, updates) : err(unavailable(NO_TIME));
  if (answer.ok || refusesInput(answer.error) || mayHaveApplied(answer.error) || !mayHaveApplied(refusal))
    return answer;
  return ok(unknown(updates, answer.error));
}

const NO_TIME = 'The time for the request was up before this was sent.';

/**
 * A failure that says nothing was written is true of the call made alone, but the merged one before it may have been
 * applied in part.
 */
function unknown(updates: readonly ArticleUpdate[], { message, serviceErrors }: BackendError): BulkUpdate {
  const details =
    'The outcome is unknown: one call with this and the updates of others was refused and may have been applied in ' +
    `part, and then this was not accepted alone. ${message}`;
  return {
    outcomes: updates.map(({ articleId }) => ({ kind: 'unknown', articleId, details })),
    serviceErrors,
    warnings: [],
    information: [],
    extensionData: null,
  };
}
