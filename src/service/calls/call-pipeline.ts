import { setTimeout as sleep } from 'node:timers/promises';
import { joinLeases, type Lease, openLease } from '../../core/base/lease.ts';
import { MAX_UNVERIFIED_CALLS, MAX_WAITING_CALLS } from '../../core/base/limits.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { mostOf, NotBegun, Semaphore } from '../../core/base/semaphore.ts';
import type { Caller } from '../../core/callers/caller.ts';
import { type BackendError, rateLimited, readsTooCostly, unauthenticated, unavailable } from '../../core/errors.ts';
import type { Metrics } from '../../core/metrics.ts';
import type { CallCount, ReservedCalls } from '../../core/rate-limit.ts';
import type { SharedState } from '../../core/shared-state.ts';
import { unlessUnavailable } from '../../core/state-unavailable.ts';
import { decodeRetryAfter } from '../v2/rate-limit.ts';
import { type Call, type CallStep, isTrusted, latestStartOf, type SendCall } from './call.ts';
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
import { type TokenState, TokenStates } from './token-states.ts';

export interface CallPipelineOptions extends ServiceClientOptions {
  /** The most waiting calls. Another call fails at once, unsent. */
  readonly maxWaiting: number;
  /** The state that gateways share; null where there is no other gateway in front of the same service. */
  readonly shared: SharedState | null;
  /** Invalidates the cached responses that a write makes stale. Null where no gateway has a cache. */
  readonly invalidations: CallStep | null;
}

/**
 * The steps of a call to the service, in this order: each sends the call on, or returns why it is not sent.
 * Invalidations and notes expire, so a write makes them as late as possible, when only its connection can delay it: see
 * docs/decisions/0015-upstream-budget-and-breaker.md.
 */
export function openCallPipeline(options: CallPipelineOptions): CallPipeline {
  const { baseUrl, timeoutMs, maxSockets, maxWaiting, shared, invalidations, log, metrics } = options;
  const slots = new Semaphore({ slots: mostOf(maxSockets), waiting: mostOf(maxWaiting) });
  const tokenStates = new TokenStates({ slots, shared, serviceUrl: apiRootOf(baseUrl) });
  const client = openServiceClient(options);
  const breaker = createCircuitBreaker(log, timeoutMs);
  const steps: readonly CallStep[] = [
    retry,
    breaker.rejectEarly,
    createTokenTurns(shared, metrics),
    createWaitingRoom(slots),
    rejectUnwanted,
    breaker.guard,
    ...(invalidations === null ? [] : [invalidations]),
    createLockNotes(timeoutMs),
  ];
  const send = steps.reduceRight<SendCall>((next, step) => (call) => step(call, next), client.send);
  metrics.observe('breakerOpen', () => (breaker.failingSince() === null ? 0 : 1));
  observeCalls(metrics, slots, tokenStates);
  const { watch, close } = client;
  return Object.assign(new Upstream(send, tokenStates), { failingSince: breaker.failingSince, watch, close });
}

export type CallPipeline = Upstream & ServiceHealth & { close(): void };

const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]+$/u;

/** The service for one caller: with the caller's token, within the caller's time. */
export class Upstream {
  readonly #send: SendCall;
  readonly #tokenStates: TokenStates;

  constructor(send: SendCall, tokenStates: TokenStates) {
    this.#send = send;
    this.#tokenStates = tokenStates;
  }

  /** Null when the caller has no token that a header can carry. */
  tokenOf({ apiToken }: Caller): string | null {
    return apiToken !== null && HEADER_VALUE.test(apiToken) ? apiToken : null;
  }

  /** The hash that names the caller's token at the service; null without a token. */
  tokenKeyOf(caller: Caller): string | null {
    const apiToken = this.tokenOf(caller);
    return apiToken === null ? null : this.#tokenStates.keyOf(apiToken);
  }

  /** The state of the caller's token; undefined while no response has reported on it. */
  tokenStateOf(caller: Caller): TokenState | undefined {
    const key = this.tokenKeyOf(caller);
    return key === null ? undefined : this.#tokenStates.find(key);
  }

  /** True when the service has accepted the caller's token within the last hour. */
  isAccepted(caller: Caller): boolean {
    return this.tokenStateOf(caller)?.isAccepted ?? false;
  }

  /** Takes calls of the rate limit for one step of a job. `too-costly` means that a whole window has fewer. */
  async reserve(caller: Caller, wanted: CallCount): Promise<Result<ReservedCalls, BackendError>> {
    const key = this.tokenKeyOf(caller);
    if (key === null) return err(unauthenticated());
    const token = this.#tokenStates.acquire(key);
    const { budget } = token;
    if (isTrusted({ token, caller })) budget.isShared = true;
    const release = () => this.#tokenStates.release(token);
    const limit = budget.capacity();
    const isTooMuch = limit !== null && limit < wanted.least;
    const calls = isTooMuch ? 0 : await budget.acquireInBackground(wanted);
    if (calls > 0) return ok(reservedCalls(token, calls, release));
    release();
    return err(
      isTooMuch ? readsTooCostly(wanted.least, limit) : rateLimited(budget.backgroundRetryAfterSeconds(wanted)),
    );
  }

  async send(caller: Caller, operation: ServiceCall): Promise<RequestResult> {
    const { apiToken } = caller;
    const key = this.tokenKeyOf(caller);
    if (apiToken === null || key === null) return err(notBegun(unauthenticated()));
    const token = this.#tokenStates.acquire(key);
    const call = { operation, caller, apiToken, token, lease: caller.lease, attempt: 1 };
    // Unverified tokens take no rows of the shared state.
    if (isTrusted(call)) token.budget.isShared = true;
    try {
      return await this.#send(call);
    } finally {
      this.#tokenStates.release(token);
    }
  }
}

/** Takes one call for the write, and the others for reads, before it and after it. Each must be released once. */
function reservedCalls({ budget }: TokenState, calls: number, onRelease: () => void): ReservedCalls {
  let left = calls;
  let isWriteLeft = true;
  return {
    calls,
    take(kind) {
      if (left <= (kind === 'read' && isWriteLeft ? 1 : 0) || budget.isExhausted()) return false;
      left -= 1;
      isWriteLeft &&= kind === 'read';
      return true;
    },
    release() {
      for (; left > 0; left -= 1) budget.onResponse(err(notBegun(unavailable())));
      onRelease();
    },
  };
}

function observeCalls(metrics: Metrics, slots: Semaphore, tokenStates: TokenStates): void {
  metrics.observe('callsInFlight', () => slots.inUse);
  metrics.observe('callsWaitingForConnection', () => slots.waitingForSlot);
  metrics.observe('callsWaitingForRateLimit', () => slots.waiting - slots.waitingForSlot);
  metrics.observe('budgetRemaining', () => tokenStates.lowestRateLimit()?.remaining ?? null);
  metrics.observe('budgetResetSeconds', () => {
    const resetAt = tokenStates.lowestRateLimit()?.resetAt ?? null;
    return resetAt === null ? null : Math.max(0, (resetAt.getTime() - Date.now()) / 1_000);
  });
}

/** How an attempt has ended. `limited`: the service refused it for its rate limit, and said how long to wait. */
type Ending = CallFailure['kind'] | 'answered' | 'limited' | 'refused-by-proxy';

/** The pause after the first refused connection. Each next pause is twice as long. */
const FIRST_CONNECT_RETRY_MS = 100;

const ONCE = { read: 1, write: 1 };

/** The most attempts of a call. A write is sent again only where the service has surely not applied it. */
const MAX_ATTEMPTS: Readonly<Record<Ending, Readonly<Record<ServiceCall['kind'], number>>>> = {
  answered: ONCE,
  // The waiting room knows how long the budget is closed, so the attempts are not counted.
  limited: { read: Number.POSITIVE_INFINITY, write: Number.POSITIVE_INFINITY },
  'not-begun': ONCE,
  'not-connected': { read: 3, write: 3 },
  'refused-by-proxy': ONCE,
  stale: { read: 2, write: 1 },
  unknown: ONCE,
};

/** Sends the call again as `MAX_ATTEMPTS` allows while time is left. Each attempt passes the whole pipeline. */
const retry: CallStep = async (call, next) => {
  let result: RequestResult | null = null;
  for (let attempt = 1; performance.now() <= latestStartOf(call); attempt += 1) {
    const latest = await next(attempt === 1 ? call : { ...call, attempt });
    // The earlier result says more than that the budget allows no further attempt.
    if (result !== null && isKeptBack(latest, call)) return result;
    result = latest;
    const ending = endingOf(latest);
    if (attempt >= MAX_ATTEMPTS[ending][call.operation.kind]) break;
    const pauseMs = ending === 'not-connected' ? FIRST_CONNECT_RETRY_MS * 2 ** (attempt - 1) : 0;
    if (pauseMs >= latestStartOf(call) - performance.now()) break;
    await sleep(pauseMs);
  }
  return result ?? err(deadlineExceeded(call.caller));
};

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
 * The one place where a call waits for its budget: it goes on once it has a call of its token's budget and a slot, and
 * keeps both until its response. The calls of a token are served in their order, and tokens are served in turn.
 */
const createWaitingRoom =
  (slots: Semaphore): CallStep =>
  async (call, next) => {
    const { token, caller, operation } = call;
    const isReserved = caller.reserved?.take(operation.kind) ?? false;
    if (isReserved || (caller.isBackground && (await token.budget.acquireInBackground()) > 0))
      return sendInBackground(slots, call, next);
    if (caller.isBackground) return err(notBegun(rateLimited(token.budget.backgroundRetryAfterSeconds())));
    const result = await slots.run(
      {
        key: token.key,
        deadline: token.budget.deadlineOf(latestStartOf(call), caller.doesNotWait ?? false),
        gate: token.budget,
      },
      () => sendInRoom(call, next),
    );
    return result instanceof NotBegun ? err(refusalOf(call, slots, result)) : result;
  };

/** The budget gets the response before the slot is released for the next call. */
async function sendInRoom(call: Call, next: SendCall): Promise<RequestResult> {
  const result = await next(call);
  call.token.onResponse(result);
  return result;
}

/** A call of a job, or one that was reserved, waits only for a slot: its budget was taken before. */
async function sendInBackground(slots: Semaphore, call: Call, next: SendCall): Promise<RequestResult> {
  const { token } = call;
  const result = await slots.run({ key: token.key, deadline: latestStartOf(call) }, () => sendInRoom(call, next));
  if (!(result instanceof NotBegun)) return result;
  const failure = err(refusalOf(call, slots, result));
  token.onResponse(failure);
  return failure;
}

/** The reason why a call was not sent. Where there was a free slot, the budget is the reason. */
function refusalOf({ token, caller }: Call, slots: Semaphore, { reason }: NotBegun): CallFailure {
  if (slots.slotsFor(token.key, 1) > 0) return notBegun(budgetErrorOf(token, caller));
  return reason === 'full' ? CALL_QUEUE_FULL : deadlineExceeded(caller);
}

const budgetErrorOf = ({ budget }: Call['token'], { doesNotWait }: Call['caller']): BackendError =>
  doesNotWait ? RATE_LIMIT_WOULD_WAIT : rateLimited(budget.retryAfterSeconds());

const UNWANTED = notBegun(unavailable('The client has left; nothing more was read for it.'));

/** Once its client has left, a query takes no further call of the rate limit. A mutation goes on with what it reads. */
const rejectUnwanted: CallStep = async (call, next) => {
  const { caller, operation } = call;
  const isLeft = caller.operationType === 'query' && caller.request.isEnded();
  const isShared = operation.kind === 'read' && operation.isShared?.() === true;
  return isLeft && !isShared ? err(UNWANTED) : next(call);
};

/** A note that is older when its write begins is renewed: the process was stopped, or the state is slow. */
const MAX_NOTE_AGE_MS = 1_000;

const MAX_NOTES = 2;

/**
 * The time after its note within which a write must begin: the age of the note, and as much again for the connection.
 * The note is valid for the time of a call longer, so that it is valid while the write can take effect.
 */
const NOTE_MARGIN_MS = 2 * MAX_NOTE_AGE_MS;

/**
 * Notes each write in its lock before it is sent, and removes the note once the outcome is known. Where the outcome
 * stays unknown, the note stays, so that nobody reads the group while the write may still take effect.
 */
const createLockNotes =
  (timeoutMs: number): CallStep =>
  async (call, next) => {
    const lock = call.operation.kind === 'write' ? call.operation.lock : null;
    if (!lock) return next(call);
    const note = await noteWrite(lock, timeoutMs);
    const result = note.ok
      ? await next({ ...call, lease: joinLeases([call.lease, note.value]) })
      : err(notBegun(note.error));
    // A note may have been made although it failed. One that can't be removed only delays the next update.
    if (isOutcomeKnown(result)) await unlessUnavailable(() => lock.endWrite());
    return result;
  };

/** Makes the note. The next holder of the lock waits until it has ended. */
async function noteWrite(
  lock: NonNullable<WriteOperation['lock']>,
  timeoutMs: number,
): Promise<Result<Lease, BackendError>> {
  const noted = await unlessUnavailable(async () => {
    for (let note = 1; note <= MAX_NOTES; note += 1) {
      const fresh = openLease(MAX_NOTE_AGE_MS);
      const lease = openLease(NOTE_MARGIN_MS);
      await lock.noteWrite(timeoutMs + NOTE_MARGIN_MS);
      if (!fresh.isExpired()) return ok(lease);
    }
    return err(unavailable(SLOW_NOTE_MESSAGE));
  });
  return noted ?? err(unavailable(LOST_MESSAGE));
}

const LOST_MESSAGE = 'The lock of this reader group was lost before the write; nothing was sent.';

const SLOW_NOTE_MESSAGE =
  'The state that the gateways share is too slow for a write of this reader group; nothing was sent.';

/** One call of each token asks the service. The others of that token use its result. */
const SLOTS = { slots: { total: MAX_UNVERIFIED_CALLS, perKey: 1 }, waiting: mostOf(MAX_WAITING_CALLS) };

/**
 * Lets the calls of a token that the service has not answered yet wait together for the first answer: one call gets it,
 * and the others are refused with it or go on. Tokens take turns. A refused token is refused for some seconds without a
 * call. A token that another gateway has seen accepted does not wait.
 */
function createTokenTurns(shared: SharedState | null, metrics: Metrics): CallStep {
  const firstCalls = new Semaphore(SLOTS);
  metrics.observe('callsWaitingUnverified', () => firstCalls.waiting);
  const note =
    shared &&
    ((token: TokenState) => {
      if (token.isDueToNote()) void unlessUnavailable(() => shared.acceptedTokens.add(token.key));
    });

  return async (call, next) => {
    const { token, caller } = call;
    if (!token.hasAnswer) {
      const first = await firstCalls.run({ key: token.key, deadline: latestStartOf(call) }, async () => {
        if (token.hasAnswer) return null;
        if (shared !== null && (await unlessUnavailable(() => shared.acceptedTokens.has(token.key)))) {
          token.setKnown();
          return null;
        }
        return next(call);
      });
      note?.(token);
      if (first instanceof NotBegun) return err(first.reason === 'full' ? CALL_QUEUE_FULL : deadlineExceeded(caller));
      if (first !== null) return first;
    }
    const result = token.refusal ?? (await next(call));
    note?.(token);
    return result;
  };
}
