import { hash, randomBytes } from 'node:crypto';
import { isObject } from '../../../base/json.ts';
import { MAX_ACCEPTED_TOKENS, MAX_IDLE_UNTRUSTED } from '../../../base/limits.ts';
import type { Gate, Semaphore } from '../../../base/semaphore.ts';
import type { RateLimit } from '../../../domain/rate-limit.ts';
import type { SharedState } from '../../../state/shared/shared-state.ts';
import { decodeEnvelope, payloadOf } from '../../../v2/envelope.ts';
import { TokenRateLimit } from './rate-limit.ts';
import type { RequestResult, ServiceCall, ServiceResponse } from './service-call.ts';
import { type RateLimitView, SharedRateLimit, type TokenBudget } from './shared-budget.ts';

/** How long a token counts as accepted after the last response that showed it. */
const ACCEPTED_MS = 60 * 60_000;

/** No read begins with less time than this left: it could only be cut off. */
const MIN_READ_MS = 50;

/** No write begins with less time than this left, however quick the calls before it were. */
export const MIN_WRITE_MS = 1_000;

/** The number of a token's last calls whose durations are remembered. */
const MAX_REMEMBERED_CALLS = 20;

/** Durations are forgotten after this time, so that writes go on after a call that took longer than any request has. */
const MAX_REMEMBERED_MS = 60_000;

/** One accepted token, or all strangers together. The failures of one source do not stop the calls of others. */
export class CallSource {
  /** Failures in a row. */
  failures = 0;
  /** True where a read is among them. */
  hasReadFailed = false;
  isProbing = false;
}

/** The rate limit and the acceptance of one API token, as responses show them. The token itself is not kept. */
export class TokenState {
  /** A hash of the token. */
  readonly key: string;
  readonly budget: CallBudget;
  /** Counts the failures of its calls while it is accepted. */
  readonly source = new CallSource();
  /** Calls that are in flight or wait. */
  pendingCalls = 0;
  #acceptedUntil = Number.NEGATIVE_INFINITY;
  readonly #watchers = new Set<(isAccepted: boolean) => void>();
  readonly #recentCalls: { readonly endedAt: number; readonly ms: number }[] = [];
  #nextCall = 0;

  constructor(key: string, budget: CallBudget) {
    this.key = key;
    this.budget = budget;
  }

  get isAccepted(): boolean {
    return this.#acceptedUntil > performance.now();
  }

  /** `performance.now()`. */
  get acceptedUntil(): number {
    return this.#acceptedUntil;
  }

  /** Calls the listener with each verdict of the service on the token, until the result is called. */
  watch(onVerdict: (isAccepted: boolean) => void): () => void {
    this.#watchers.add(onVerdict);
    return () => this.#watchers.delete(onVerdict);
  }

  onResponse(result: RequestResult): void {
    if (result.ok && result.value.httpStatus === 401) {
      this.#acceptedUntil = Number.NEGATIVE_INFINITY;
      this.budget.isShared = false;
      for (const watcher of this.#watchers) watcher(false);
    } else if (result.ok && showsAcceptance(result.value)) {
      this.#acceptedUntil = performance.now() + ACCEPTED_MS;
      this.budget.isShared = true;
      for (const watcher of this.#watchers) watcher(true);
    }
    this.budget.onResponse(result);
  }

  recordDuration(ms: number): void {
    this.#recentCalls[this.#nextCall] = { endedAt: performance.now(), ms };
    this.#nextCall = (this.#nextCall + 1) % MAX_REMEMBERED_CALLS;
  }

  /** Milliseconds that must be left of a request for a call to begin. */
  minTimeLeftMs(kind: ServiceCall['kind']): number {
    if (kind === 'read') return MIN_READ_MS;
    const since = performance.now() - MAX_REMEMBERED_MS;
    return this.#recentCalls.reduce(
      (most, { endedAt, ms }) => (endedAt < since ? most : Math.max(most, ms)),
      MIN_WRITE_MS,
    );
  }
}

/**
 * Only what an untrusted caller cannot bring about shows that a token is accepted: JSON with success, or the service's
 * own 403. A proxy or firewall sends 400, 403, 404, 413 and 429 for any token.
 */
function showsAcceptance({ httpStatus, body }: ServiceResponse): boolean {
  if (httpStatus === 403) return decodeEnvelope(body) !== null;
  if (httpStatus < 200 || httpStatus > 299) return false;
  // Published examples of a 200 have `success: false` and content: see docs/service.md, "Status codes".
  return isObject(body) ? body['success'] !== false || payloadOf(body) != null : Array.isArray(body);
}

/** Names an API token at one service. Gateways with other settings than these have the same names. */
export const tokenKeyOf = (serviceUrl: string, apiToken: string): string =>
  hash('sha256', JSON.stringify([serviceUrl, apiToken]), 'base64url');

/** The states of all API tokens, found by the hash of the token alone. */
export interface TokenStates {
  /** The token's state for one call. Until `release`, everybody gets the same object. */
  acquire(apiToken: string): TokenState;
  /** Must be called once for each `acquire`, after the response. */
  release(state: TokenState): void;
  find(apiToken: string): TokenState | undefined;
  /** The rate limit of the accepted token with the fewest calls left; null while none is known. */
  lowestRateLimit(): RateLimit | null;
}

interface TokenStatesOptions {
  /** The slots of the calls of all tokens. */
  readonly slots: Semaphore;
  /** The most accepted tokens that are remembered: those that were accepted last. */
  readonly maxTokens?: number;
  /** Null where the gateway knows of no other in front of the same service. */
  readonly shared?: SharedState | null;
  /** A budget is that of a token at one service. Equal for all gateways in front of it. */
  readonly serviceUrl?: string;
}

export function createTokenStates(options: TokenStatesOptions): TokenStates {
  const { slots, maxTokens = MAX_ACCEPTED_TOKENS, shared = null, serviceUrl = '' } = options;
  const secret = randomBytes(32).toString('base64');
  /** Apart from the untrusted, which therefore push out none of these. */
  const accepted = new Map<string, TokenState>();
  /** Tokens with pending calls, whose number the door bounds, and tokens with a known rate limit. */
  const untrusted = new Map<string, TokenState>();
  const gateway = randomBytes(9).toString('base64url');
  const createState = (key: string, apiToken: string): TokenState => {
    const row = shared && { shared, gateway, tokenKey: tokenKeyOf(serviceUrl, apiToken) };
    return new TokenState(key, new CallBudget({ slots, key, shared: row }));
  };

  const find = (key: string) => accepted.get(key) ?? untrusted.get(key);
  const keyOf = (apiToken: string): string => hash('sha256', secret + apiToken, 'base64');

  const moveToAccepted = (state: TokenState) => {
    if (accepted.has(state.key)) return;
    untrusted.delete(state.key);
    remember(accepted, state);
    if (accepted.size > maxTokens) removeState(accepted, leastRecentlyAccepted(accepted));
  };
  const removeAccepted = (state: TokenState) => {
    accepted.delete(state.key);
    untrusted.delete(state.key);
    if (state.budget.current() === null) return;
    remember(untrusted, state);
    if (untrusted.size > MAX_IDLE_UNTRUSTED) removeState(untrusted, firstIdle(untrusted));
  };

  return {
    acquire(apiToken) {
      const key = keyOf(apiToken);
      const state = find(key) ?? remember(untrusted, createState(key, apiToken));
      state.pendingCalls += 1;
      return state;
    },
    release(state) {
      state.pendingCalls -= 1;
      if (state.isAccepted) moveToAccepted(state);
      else if (state.pendingCalls === 0) removeAccepted(state);
    },
    find: (apiToken) => find(keyOf(apiToken)),
    lowestRateLimit: () => lowestOf(accepted.values()),
  };
}

function remember(states: Map<string, TokenState>, state: TokenState): TokenState {
  states.set(state.key, state);
  return state;
}

const removeState = (states: Map<string, TokenState>, state: TokenState | undefined) =>
  state && states.delete(state.key);

const firstIdle = (states: ReadonlyMap<string, TokenState>): TokenState | undefined =>
  states.values().find(({ pendingCalls }) => pendingCalls === 0);

/** Others can send calls with any untrusted token, so what remains of one says nothing of the gateway's own calls. */
function lowestOf(states: Iterable<TokenState>): RateLimit | null {
  let lowest: RateLimit | null = null;
  let fewest = Number.POSITIVE_INFINITY;
  for (const { budget } of states) {
    const current = budget.current();
    if (current?.remaining == null || current.remaining >= fewest) continue;
    [lowest, fewest] = [current, current.remaining];
  }
  return lowest;
}

/** A linear search, which only runs when a token becomes accepted beyond the limit. */
function leastRecentlyAccepted(states: ReadonlyMap<string, TokenState>): TokenState | undefined {
  let found: TokenState | undefined;
  for (const state of states.values())
    if (state.pendingCalls === 0 && (found === undefined || state.acceptedUntil < found.acceptedUntil)) found = state;
  return found;
}

interface CallBudgetOptions {
  /** The slots of the calls of all tokens, for which those of this token wait with `key`. */
  readonly slots: Semaphore;
  readonly key: string;
  /** Null where the gateway knows of no other in front of the same service. */
  readonly shared: TokenBudget | null;
}

/**
 * What the service allows one token: the rate limit that this gateway knows, or the one that it shares with others. It is
 * the gate of the token's waiting room: a waiting call is let through when it gets a call of the budget and a slot at once.
 */
export class CallBudget implements Gate {
  readonly #slots: Semaphore;
  readonly #key: string;
  readonly #view: RateLimitView;
  readonly #shared: SharedRateLimit | null;
  #reopenTimer: NodeJS.Timeout | undefined;
  /** `performance.now()`. */
  #refusedAt = 0;

  constructor({ slots, key, shared }: CallBudgetOptions) {
    this.#slots = slots;
    this.#key = key;
    this.#view = { rateLimit: new TokenRateLimit(), slots, key };
    this.#shared = shared && new SharedRateLimit(shared, this.#view);
  }

  /** True from when the service has accepted the token until it does not any more. */
  set isShared(isShared: boolean) {
    if (this.#shared !== null) this.#shared.isEnabled = isShared;
  }

  tryPass(): boolean {
    const shared = this.#usableShared();
    if (shared !== null) return shared.tryPass();
    // One time for all: a block that ended between the attempt and its timer would leave the calls without either.
    this.#refusedAt = performance.now();
    return this.#view.rateLimit.tryAcquire(this.#refusedAt);
  }

  /** Without a block, the next response lets the calls through. */
  onRefused(): void {
    const shared = this.#usableShared();
    if (shared !== null) {
      shared.onRefused();
      return;
    }
    clearTimeout(this.#reopenTimer);
    const blockedForMs = this.#view.rateLimit.blockedForMs(this.#refusedAt);
    if (blockedForMs > 0) this.#reopenTimer = setTimeout(() => this.#slots.reopen(this.#key), blockedForMs + 1).unref();
  }

  /** With a shared rate limit, the update that follows decides on the call, so that each is tried at least once. */
  onTimeout(): boolean {
    const shared = this.#usableShared();
    if (shared === null || !this.#hasSlot()) return false;
    void shared.update();
    return true;
  }

  /**
   * `performance.now()` until which it is of use to wait for a call: at once where the limit opens later than
   * `latestStart`, or is closed and the call does not wait.
   */
  deadlineOf(latestStart: number, doesNotWait: boolean): number {
    const now = performance.now();
    if (this.#usableShared() !== null) return doesNotWait ? now : latestStart;
    const { rateLimit } = this.#view;
    const isInVain = doesNotWait ? !rateLimit.isOpen(now) : rateLimit.blockedForMs(now) > latestStart - now;
    return isInVain ? now : latestStart;
  }

  /** Takes a call for a job. It never waits for others, and never overtakes a call that waits. */
  async tryAcquireInBackground(): Promise<boolean> {
    if (this.#slots.waitersOf(this.#key).length > 0 || !this.#hasSlot()) return false;
    return this.#usableShared()?.tryAcquireInBackground() ?? this.#view.rateLimit.tryAcquireInBackground();
  }

  /** Whole seconds until a call of a job may be sent, at least 1. */
  backgroundRetryAfterSeconds(): number {
    return Math.max(1, Math.ceil(this.#view.rateLimit.backgroundBlockedForMs() / 1_000));
  }

  /** Called once for each call that was taken. */
  onResponse(result: RequestResult): void {
    const shared = this.#usableShared();
    if (shared !== null) shared.onResponse(result);
    else {
      this.#view.rateLimit.onResponse(result);
      this.#slots.reopen(this.#key);
    }
  }

  /** Milliseconds by which a call that can wait should be delayed. */
  delayMs(): number | Promise<number> {
    return this.#usableShared()?.reserveDelayMs() ?? this.#view.rateLimit.delayMs();
  }

  retryAfterSeconds(): number | null {
    return this.#view.rateLimit.retryAfterSeconds();
  }

  /** As last known. */
  current(): RateLimit | null {
    return this.#view.rateLimit.current();
  }

  /** Reads what other gateways have learnt meanwhile. */
  async refresh(): Promise<void> {
    await this.#usableShared()?.update();
  }

  #hasSlot(): boolean {
    return this.#slots.slotsFor(this.#key, 1) > 0;
  }

  #usableShared(): SharedRateLimit | null {
    return this.#shared?.isUsable() ? this.#shared : null;
  }
}
