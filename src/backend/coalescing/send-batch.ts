import { type Caller, isLent } from '../../domain/callers/caller.ts';
import type { Log } from '../../domain/log.ts';
import type { Backend } from '../backend.ts';
import type { Submission } from './batch.ts';
import { type Aftermath, aftermathOf, sendAgain } from './retry-alone.ts';
import { type Shares, shares } from './split-result.ts';

export type Send = Backend['bulkUpdateArticles'];

export interface SendBatchOptions {
  readonly send: Send;
  readonly log: Log;
}

/** Makes one call of the batch and answers everybody in it. Never fails itself, whatever the call does. */
export async function sendBatch({ send, log }: SendBatchOptions, batch: readonly Submission[]): Promise<void> {
  const [first, ...others] = batch;
  if (first === undefined) return;
  if (others.length === 0) return settle(first, send(first.caller, first.updates));
  const updates = batch.flatMap((submission) => submission.updates);
  const caller = mergedCaller(first.caller, batch);
  try {
    const answer = await send(caller, updates);
    const aftermath = answer.ok ? null : aftermathOf(answer.error);
    if (aftermath === null) {
      const { answers, withheld } = shares(batch, answer);
      logWithheld(log, caller, withheld);
      for (const [index, share] of answers.entries()) batch[index]?.resolve(share);
      return;
    }
    await sendEachAgain(send, batch, aftermath);
  } catch (thrown) {
    for (const { reject } of batch) reject(thrown);
  }
}

/** Lists that are sent again concurrently: one that hangs leaves the others their time. */
const MAX_BESIDE = 4;

/**
 * In the batch's order, and before anything that waits, so that no update overtakes an earlier one of its article. In the
 * batch no article stands twice.
 */
async function sendEachAgain(send: Send, batch: readonly Submission[], aftermath: Aftermath): Promise<void> {
  const rest = batch.values();
  const sendNext = async () => {
    for (const submission of rest) await settle(submission, sendAgain(send, submission, aftermath));
  };
  await Promise.all(Array.from({ length: MAX_BESIDE }, sendNext));
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
  // Where one is known to the gateway, the call of all is.
  sentToken: batch.find(({ caller }) => isLent(caller))?.caller.sentToken,
  address,
  requestId: batch.map(({ caller }) => caller.requestId).join(' '),
  deadline: Math.min(...batch.map(({ caller }) => caller.deadline)),
});

/** By number alone: the texts may hold what somebody wrote. */
function logWithheld(log: Log, { requestId }: Caller, withheld: Shares['withheld']): void {
  const { serviceErrors, warnings, information } = withheld;
  if (serviceErrors + warnings + information === 0) return;
  log('info', 'notices of a merged call withheld', { requestId, ...withheld });
}
