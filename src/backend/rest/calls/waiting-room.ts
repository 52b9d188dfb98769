import { err } from '../../../base/result.ts';
import { NotBegun, type Semaphore } from '../../../base/semaphore.ts';
import { type BackendError, rateLimited, unavailable } from '../../../domain/errors.ts';
import { type Call, type CallStep, latestStartOf, type SendCall } from './call.ts';
import { CALL_QUEUE_FULL, type CallFailure, deadlineExceeded, notBegun, type RequestResult } from './service-call.ts';

const RATE_LIMIT_WOULD_WAIT = unavailable('It would have had to wait for the rate limit of the service.');

/**
 * The one place where a call waits for its turn: it goes on once it has a call of its token's budget and a slot, and has
 * both until its response. The first to come is the first to go, tokens take turns, and strangers come last.
 */
export const createWaitingRoom =
  (slots: Semaphore): CallStep =>
  async (call, next) => {
    const { token, caller, isStranger } = call;
    if (caller.isBackground) return sendInBackground(slots, call, next);
    const result = await slots.run(
      {
        key: token.key,
        deadline: token.budget.deadlineOf(latestStartOf(call), caller.doesNotWait ?? false),
        isLast: isStranger,
        gate: token.budget,
      },
      () => sendInRoom(call, next),
    );
    return result instanceof NotBegun ? err(refusalOf(call, slots, result)) : result;
  };

/** The budget hears of the response before the slot is free for the next call. */
async function sendInRoom(call: Call, next: SendCall): Promise<RequestResult> {
  const result = await next(call);
  call.token.onResponse(result);
  return result;
}

/** A call of a job waits for a slot at most. */
async function sendInBackground(slots: Semaphore, call: Call, next: SendCall): Promise<RequestResult> {
  const { token } = call;
  if (!(await token.budget.tryAcquireInBackground()))
    return err(notBegun(rateLimited(token.budget.backgroundRetryAfterSeconds())));
  const result = await slots.run({ key: token.key, deadline: latestStartOf(call) }, () => sendInRoom(call, next));
  if (!(result instanceof NotBegun)) return result;
  const failure = err(refusalOf(call, slots, result));
  token.onResponse(failure);
  return failure;
}

/** A call for which there is a slot was kept back by the budget. */
function refusalOf({ token, caller }: Call, slots: Semaphore, { reason }: NotBegun): CallFailure {
  if (slots.slotsFor(token.key, 1) > 0) return notBegun(budgetErrorOf(token, caller));
  return reason === 'full' ? CALL_QUEUE_FULL : deadlineExceeded(caller);
}

const budgetErrorOf = ({ budget }: Call['token'], { doesNotWait }: Call['caller']): BackendError =>
  doesNotWait ? RATE_LIMIT_WOULD_WAIT : rateLimited(budget.retryAfterSeconds());
