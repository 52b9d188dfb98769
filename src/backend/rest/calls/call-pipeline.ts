import { setTimeout as sleep } from 'node:timers/promises';
import { type Fence, joinFences, openFence } from '../../../base/fence.ts';
import { MAX_PAUSED_CALLS } from '../../../base/limits.ts';
import { err, ok, type Result } from '../../../base/result.ts';
import { mostOf, NotBegun, Semaphore } from '../../../base/semaphore.ts';
import type { Caller } from '../../../domain/callers/caller.ts';
import type { TokenVerdicts } from '../../../domain/callers/token-verdicts.ts';
import { type BackendError, rateLimited, unauthenticated, unavailable } from '../../../domain/errors.ts';
import type { Metrics } from '../../../domain/metrics.ts';
import type { SharedState } from '../../../state/shared/shared-state.ts';
import { StateUnavailable } from '../../../state/state-unavailable.ts';
import { decodeRetryAfter } from '../../../v2/rate-limit.ts';
import { type Call, type CallStep, latestStartOf, type SendCall } from './call.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';
import type { ServiceHealth } from './readiness.ts';
import {
  CALL_QUEUE_FULL,
  type CallFailure,
  deadlineExceeded,
  isOutcomeKnown,
  notBegun,
  PROXY_UNAUTHENTICATED,
  type RequestResult,
  type ServiceCall,
  type WriteOperation,
} from './service-call.ts';
import { apiRootOf, openServiceClient, type ServiceClientOptions } from './service-client.ts';
import { createTokenStates, type TokenState, type TokenStates } from './token-states.ts';

/** The service as one caller may use it: with the caller's token, within the caller's time. */
export interface Upstream {
  /** Null when the caller has no token that a header can carry. */
  tokenOf(caller: Caller): string | null;
  /** Undefined while no response has told anything of the token. */
  tokenStateOf(caller: Caller): TokenState | undefined;
  readonly tokenVerdicts: TokenVerdicts;
  send(caller: Caller, operation: ServiceCall): Promise<RequestResult>;
}

export interface CallPipeline extends Upstream, ServiceHealth {
  close(): void;
}

export interface CallPipelineOptions extends ServiceClientOptions {
  /** The most calls that wait; one more fails at once, unsent. */
  readonly maxWaiting: number;
  /** Null where the gateway knows of no other in front of the same service. */
  readonly shared: SharedState | null;
  /** Marks what a write makes stale. Null where nobody has a cache. */
  readonly marks: CallStep | null;
}

/**
 * What becomes of a call to the service, in this order: each step sends the call on, or returns why it is not sent. Marks
 * and notes last for a time of their own, so a write makes them when nothing else delays it but its connection: see
 * docs/decisions/0015-upstream-budget-and-breaker.md.
 */
export function openCallPipeline(options: CallPipelineOptions): CallPipeline {
  const { baseUrl, timeoutMs, maxSockets, maxWaiting, shared, marks, log, metrics } = options;
  const slots = new Semaphore({ slots: mostOf(maxSockets), waiting: mostOf(maxWaiting) });
  const tokenStates = createTokenStates({ slots, shared, serviceUrl: apiRootOf(baseUrl) });
  const client = openServiceClient(options);
  const breaker = createCircuitBreaker(log, timeoutMs);
  const steps: readonly CallStep[] = [
    createRetries(),
    breaker.rejectEarly,
    createWaitingRoom(slots),
    breaker.guard,
    ...(marks === null ? [] : [marks]),
    createLockNotes(timeoutMs),
  ];
  const send = steps.reduceRight<SendCall>((next, step) => (call) => step(call, next), client.send);
  observeCalls(metrics, { slots, tokenStates, failingSince: breaker.failingSince });
  return {
    ...createUpstream(send, tokenStates),
    failingSince: breaker.failingSince,
    baseUrlProblem: client.baseUrlProblem,
    close: client.close,
  };
}

const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]+$/u;

function createUpstream(send: SendCall, tokenStates: TokenStates): Upstream {
  const tokenOf = ({ apiToken }: Caller) => (apiToken !== null && HEADER_VALUE.test(apiToken) ? apiToken : null);
  const tokenStateOf = (caller: Caller) => {
    const apiToken = tokenOf(caller);
    return apiToken === null ? undefined : tokenStates.find(apiToken);
  };
  return {
    tokenOf,
    tokenStateOf,
    tokenVerdicts: {
      isAccepted: (caller) => tokenStateOf(caller)?.isAccepted ?? false,
      watch(caller, onVerdict) {
        const apiToken = tokenOf(caller);
        if (apiToken === null) return () => {};
        const token = tokenStates.acquire(apiToken);
        const stop = token.watch(onVerdict);
        return () => {
          stop();
          tokenStates.release(token);
        };
      },
    },
    async send(caller, operation) {
      const apiToken = tokenOf(caller);
      if (apiToken === null) return err(notBegun(unauthenticated()));
      const token = tokenStates.acquire(apiToken);
      if (!caller.request.share.isStranger) token.budget.isShared = true;
      try {
        return await send({ operation, caller, apiToken, token, fence: caller.fence, attempt: 1 });
      } finally {
        tokenStates.release(token);
      }
    },
  };
}

interface ObservedCalls {
  readonly slots: Semaphore;
  readonly tokenStates: TokenStates;
  readonly failingSince: () => number | null;
}

function observeCalls(metrics: Metrics, { slots, tokenStates, failingSince }: ObservedCalls): void {
  metrics.observe('breakerOpen', () => (failingSince() === null ? 0 : 1));
  metrics.observe('callsInFlight', () => slots.inUse);
  metrics.observe('callsWaitingForConnection', () => slots.waitingForSlot);
  metrics.observe('callsWaitingForRateLimit', () => slots.waiting - slots.waitingForSlot);
  metrics.observe('budgetRemaining', () => tokenStates.lowestRateLimit()?.remaining ?? null);
  metrics.observe('budgetResetSeconds', () => {
    const resetAt = tokenStates.lowestRateLimit()?.resetAt ?? null;
    return resetAt === null ? null : Math.max(0, (resetAt.getTime() - Date.now()) / 1_000);
  });
}

/** How an attempt has ended. `limited`: the service refused it for its rate limit, and named the time to wait. */
type Ending = CallFailure['kind'] | 'answered' | 'limited' | 'refused-by-proxy';

interface RetryRule {
  /** The most attempts. */
  readonly attempts: Readonly<Record<ServiceCall['kind'], number>>;
  /** Milliseconds before the next one. */
  readonly pauseMs: (attempt: number) => number;
}

/** The pause after the first refused connection. Each next pause is twice as long. */
const FIRST_CONNECT_RETRY_MS = 100;

const atOnce = () => 0;

const NEVER: RetryRule = { attempts: { read: 1, write: 1 }, pauseMs: atOnce };

/** A write is sent again only where the service has surely not applied it. */
const RETRY_RULES: Readonly<Record<Ending, RetryRule>> = {
  answered: NEVER,
  // The waiting room knows for how long the budget is closed.
  limited: { attempts: { read: Number.POSITIVE_INFINITY, write: Number.POSITIVE_INFINITY }, pauseMs: atOnce },
  'not-begun': NEVER,
  'not-connected': {
    attempts: { read: 3, write: 3 },
    pauseMs: (attempt) => FIRST_CONNECT_RETRY_MS * 2 ** (attempt - 1),
  },
  'refused-by-proxy': NEVER,
  stale: { attempts: { read: 2, write: 1 }, pauseMs: atOnce },
  unknown: NEVER,
};

/** Sends the call, and again as the rules say while time is left. Each attempt goes through the whole pipeline. */
function createRetries(): CallStep {
  let pausedCalls = 0;

  /** False, without a pause, where the call could not begin after it or where too many pause already. */
  const tryPause = async (call: Call, pauseMs: number) => {
    if (pauseMs >= latestStartOf(call) - performance.now() || pausedCalls >= MAX_PAUSED_CALLS) return false;
    pausedCalls += 1;
    await sleep(pauseMs);
    pausedCalls -= 1;
    return true;
  };

  return async (call, next) => {
    let result: RequestResult = err(deadlineExceeded(call.caller));
    for (let attempt = 1; performance.now() <= latestStartOf(call); attempt += 1) {
      const latest = await next(attempt === 1 ? call : { ...call, attempt });
      // The attempt before tells more than that the budget allows no other.
      if (attempt > 1 && isKeptBack(latest, call)) return result;
      result = latest;
      const { attempts, pauseMs } = RETRY_RULES[endingOf(latest)];
      if (attempt >= attempts[call.operation.kind] || !(await tryPause(call, pauseMs(attempt)))) break;
    }
    return result;
  };
}

const isKeptBack = (result: RequestResult, { caller }: Call): boolean =>
  !result.ok &&
  result.error.kind === 'not-begun' &&
  (result.error.error.kind === 'rate-limited' || caller.doesNotWait === true);

function endingOf(result: RequestResult): Ending {
  if (!result.ok) return result.error === PROXY_UNAUTHENTICATED ? 'refused-by-proxy' : result.error.kind;
  const { httpStatus, headers } = result.value;
  return httpStatus === 429 && decodeRetryAfter(headers, Date.now()) !== null ? 'limited' : 'answered';
}

const RATE_LIMIT_WOULD_WAIT = unavailable('It would have had to wait for the rate limit of the service.');

/**
 * The one place where a call waits for its turn: it goes on once it has a call of its token's budget and a slot, and has
 * both until its response. The first to come is the first to go, tokens take turns, and strangers come last.
 */
const createWaitingRoom =
  (slots: Semaphore): CallStep =>
  async (call, next) => {
    const { token, caller } = call;
    if (caller.isBackground) return sendInBackground(slots, call, next);
    const result = await slots.run(
      {
        key: token.key,
        deadline: token.budget.deadlineOf(latestStartOf(call), caller.doesNotWait ?? false),
        request: caller.request,
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
  if (slots.slotsFor(token.key, 1, caller.request.share) > 0) return notBegun(budgetErrorOf(token, caller));
  return reason === 'full' ? CALL_QUEUE_FULL : deadlineExceeded(caller);
}

const budgetErrorOf = ({ budget }: Call['token'], { doesNotWait }: Call['caller']): BackendError =>
  doesNotWait ? RATE_LIMIT_WOULD_WAIT : rateLimited(budget.retryAfterSeconds());

/** A write that begins later after its note is noted again: the process was stopped, or the state is slow. */
const MAX_NOTE_AGE_MS = 1_000;

const MAX_NOTES = 2;

/**
 * The write has to begin within this time of its note: its own age, and as much again for the connection. The note lasts
 * for the time of a call more, so a write that takes effect within that time of its beginning does so before the note ends.
 */
const NOTE_MARGIN_MS = 2 * MAX_NOTE_AGE_MS;

type Lock = NonNullable<WriteOperation['lock']>;

/**
 * Notes each write in its lock before it is sent, and removes the note once the outcome is known. Where it is not, the
 * note stays, so that nobody reads the group while the write may still take effect.
 */
function createLockNotes(timeoutMs: number): CallStep {
  const sendNoted = async (lock: Lock, call: Call, next: SendCall): Promise<RequestResult> => {
    const note = await noteWrite(lock, timeoutMs);
    const result = note.ok
      ? await next({ ...call, fence: joinFences([call.fence, note.value]) })
      : err(notBegun(note.error));
    // A note that failed may be there all the same.
    if (isOutcomeKnown(result)) await endWrite(lock);
    return result;
  };
  return (call, next) => {
    const lock = call.operation.kind === 'write' ? call.operation.lock : null;
    return lock ? sendNoted(lock, call, next) : next(call);
  };
}

/** The next holder of the lock waits for the end of the note. */
async function noteWrite(lock: Lock, timeoutMs: number): Promise<Result<Fence, BackendError>> {
  try {
    for (let note = 1; note <= MAX_NOTES; note += 1) {
      const fresh = openFence(MAX_NOTE_AGE_MS);
      const fence = openFence(NOTE_MARGIN_MS);
      await lock.noteWrite(timeoutMs + NOTE_MARGIN_MS);
      if (!fresh.isLate()) return ok(fence);
    }
    return err(unavailable(SLOW_NOTE_MESSAGE));
  } catch (error) {
    if (error instanceof StateUnavailable) return err(unavailable(LOST_MESSAGE));
    throw error;
  }
}

/** A note that can't be removed only makes the next update wait. */
async function endWrite(lock: Lock): Promise<void> {
  try {
    await lock.endWrite();
  } catch (error) {
    if (!(error instanceof StateUnavailable)) throw error;
  }
}

const LOST_MESSAGE = 'The lock of this reader group was lost before the write; nothing was sent.';

const SLOW_NOTE_MESSAGE =
  'The state that the gateways share is too slow for a write of this reader group; nothing was sent.';
