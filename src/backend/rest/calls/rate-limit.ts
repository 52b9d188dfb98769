import { z } from 'zod';
import type { RateLimit } from '../../../domain/rate-limit.ts';
import { decodeRateLimit, decodeRetryAfter } from '../../../v2/rate-limit.ts';
import type { RequestResult, ServiceResponse } from './service-call.ts';

/** A number that is not known is null, also where it was written in another shape. */
const known = z.number().nullable().catch(null);

/** JSON has no number for a time before all others. */
const time = z.number().catch(Number.NEGATIVE_INFINITY);

const count = z.number().catch(0);

/**
 * All that is known of the rate limit of one token. Times are milliseconds of one clock: `performance.now()` in memory,
 * the clock of the state in its row. Null stands for what is not known.
 */
export const rateLimitState = z.object({
  limit: known,
  remaining: known,
  resetAt: known,
  /** The time of the last response. */
  updatedAt: time,
  /** True after a reset without a known limit: one call at a time finds out. */
  isProbing: z.boolean().catch(false),
  inFlight: count,
  /** The time of the last call. */
  lastAcquiredAt: time,
  /** The time of the last call of an interactive caller. */
  interactiveAt: time,
  /** The calls that were left then. */
  remainingAtInteractive: known,
  /** The fewest calls that a response of this window reported as left. */
  lowestReported: known,
  /** Not before the window began. */
  windowBeganAt: time,
});

export type RateLimitState = z.infer<typeof rateLimitState>;

const NOTHING_KNOWN: Readonly<RateLimitState> = rateLimitState.parse({});

/** Converts the times of the state to a clock that is ahead by so many milliseconds. */
export const shiftedBy = (state: RateLimitState, ms: number): RateLimitState => ({
  ...state,
  resetAt: state.resetAt === null ? null : state.resetAt + ms,
  updatedAt: state.updatedAt + ms,
  lastAcquiredAt: state.lastAcquiredAt + ms,
  interactiveAt: state.interactiveAt + ms,
  windowBeganAt: state.windowBeganAt + ms,
});

/** The calls that a job leaves to others while nobody else uses the token. */
const IDLE_RESERVE = 2;

/** A job makes more room for interactive callers for so long after each of their calls. */
const INTERACTIVE_MS = 10_000;

/**
 * No window of the service is longer: see docs/service.md, "Rate limits". After this time one call is sent even if a response
 * named a later reset, so that a wrong number does not shut a token out for hours.
 */
const LONGEST_WINDOW_MS = 60_000;

/** A call of a job that finds out whether a new window has begun is tried again so soon while others are in flight. */
const PROBE_RETRY_MS = 100;

/** The shortest pause after a 429. */
const MIN_PAUSE_MS = 1_000;

/**
 * The remaining calls are spread over this time: 50 ms apart with 60 calls left, 3 s with one. So small writes are
 * merged into few calls even where the service responds faster than they come in.
 */
const SPREAD_MS = 3_000;

/** Each of several gateways merges only what comes to it, so each keeps the distance of so many, up to 1 s. */
const [MAX_DISTANCES, LONG_DISTANCE_MS] = [4, 1_000];

/**
 * The rate limit of one API token, as far as responses tell. Where they tell nothing, it has none. `now` is by the
 * clock of its state; the default is `performance.now()`, which steps of the machine's clock do not change.
 */
export class TokenRateLimit {
  readonly #state: RateLimitState;
  /** The number of gateways that share what responses report, each without knowing of the others' calls. */
  readonly #sharers: number;

  constructor(state: RateLimitState = { ...NOTHING_KNOWN }, sharers = 1) {
    this.#state = state;
    this.#sharers = sharers;
  }

  get state(): Readonly<RateLimitState> {
    return this.#state;
  }

  /** True where a call may be sent now. It is in flight until `onResponse`. */
  tryAcquire(now = performance.now()): boolean {
    const isAcquired = this.#tryAcquire(now);
    this.#state.interactiveAt = now;
    this.#state.remainingAtInteractive = this.#state.remaining;
    return isAcquired;
  }

  /** Acquires for a call of a job, which leaves some calls to others. */
  tryAcquireInBackground(now = performance.now()): boolean {
    if (this.backgroundBlockedForMs(now) > 0 || !this.#tryAcquire(now)) return false;
    // Within the reserve there is only the call that finds out about a new window. The next one is a window later.
    if (this.#isWindowOver(now)) this.#state.windowBeganAt = now;
    return true;
  }

  #tryAcquire(now: number): boolean {
    const state = this.#state;
    if (!this.isOpen(now)) return false;
    state.inFlight += 1;
    state.lastAcquiredAt = now;
    if (state.remaining) state.remaining -= 1;
    return true;
  }

  /** False while nothing may be sent: until the reset, or until a call that is in flight has its response. */
  isOpen(now: number): boolean {
    if (this.blockedForMs(now) > 0) return false;
    const { remaining, isProbing, inFlight } = this.#state;
    return inFlight === 0 || (remaining !== 0 && !isProbing);
  }

  onResponse(result: RequestResult, now = performance.now()): void {
    const state = this.#state;
    state.inFlight -= 1;
    if (result.ok) this.#readHeaders(result.value, now);
    else if (result.error.kind === 'unknown' || result.error.kind === 'stale') this.#forgetExhaustion(now);
    else if (state.remaining !== null && this.blockedForMs(now) === 0) state.remaining += 1;
  }

  /** Milliseconds by which a call that can wait should be delayed, where so many gateways send such calls. */
  delayMs(gateways = 1, now = performance.now()): number {
    const { remaining, lastAcquiredAt } = this.#state;
    if (!remaining) return 0;
    const ownDistanceMs = SPREAD_MS / remaining;
    const sharedDistanceMs = Math.min(Math.min(gateways, MAX_DISTANCES) * ownDistanceMs, LONG_DISTANCE_MS);
    return Math.max(0, lastAcquiredAt + Math.max(ownDistanceMs, sharedDistanceMs) - now);
  }

  /** Milliseconds during which nothing may be sent. */
  blockedForMs(now = performance.now()): number {
    this.#applyReset(now);
    const { remaining, resetAt, updatedAt } = this.#state;
    if (remaining !== 0 || resetAt === null) return 0;
    return Math.max(0, Math.min(resetAt, updatedAt + LONGEST_WINDOW_MS) - now);
  }

  /** Milliseconds during which no call of a job may be sent. */
  backgroundBlockedForMs(now = performance.now()): number {
    return Math.max(this.blockedForMs(now), this.#reservedForMs(now));
  }

  /** Whole seconds until the reset; null where the service named none. */
  retryAfterSeconds(now = performance.now()): number | null {
    const { resetAt } = this.#state;
    return resetAt === null ? null : Math.max(0, Math.ceil((resetAt - now) / 1_000));
  }

  current(now = performance.now()): RateLimit | null {
    this.#applyReset(now);
    const { limit, remaining, resetAt } = this.#state;
    if (limit === null && remaining === null && resetAt === null) return null;
    const resetsAt = resetAt === null ? null : new Date(Math.round(Date.now() + resetAt - now));
    return { limit, remaining, resetAt: resetsAt };
  }

  /** After the reset the whole limit remains, where it is known. */
  #applyReset(now: number): void {
    const state = this.#state;
    if (state.resetAt === null || state.resetAt > now) return;
    state.isProbing = state.remaining === 0 && state.limit === null;
    state.remaining = state.limit;
    state.resetAt = null;
    this.#beginWindow(now);
  }

  #readHeaders({ httpStatus, headers }: ServiceResponse, now: number): void {
    const state = this.#state;
    const wallClock = Date.now();
    const reported = decodeRateLimit(headers, wallClock);
    state.updatedAt = now;
    // The limit and its reset are kept, since they come only once it is reached: see docs/service.md, "Rate limits".
    state.limit = this.#shareOf(reported?.limit ?? null) ?? state.limit;
    const seconds = httpStatus === 429 ? decodeRetryAfter(headers, wallClock) : null;
    const remaining = this.#shareOf(reported?.remaining ?? null);
    if (seconds !== null) {
      state.remaining = 0;
      state.resetAt = now + Math.max(seconds * 1_000, MIN_PAUSE_MS);
    } else if (remaining === null || httpStatus === 429) {
      this.#forgetExhaustion(now);
    } else if (this.blockedForMs(now) === 0 || reported?.resetAt != null) {
      // Other responses to calls that were sent before a block come late, and tell what was left before it.
      const lowest = this.#lowestReported(remaining, now);
      if (reported?.resetAt != null) state.resetAt = now + reported.resetAt.getTime() - wallClock;
      // The calls in flight may be counted in that number already, or not yet.
      state.remaining = Math.min(lowest, Math.max(state.remaining ?? 0, lowest - state.inFlight));
      state.isProbing = false;
    }
  }

  /**
   * Milliseconds during which jobs leave what remains to interactive callers: half of what was left at the last of their
   * calls, for ten seconds after it, else two calls. The service names the reset only when no call is left, so a job that
   * leaves some can't learn of it: it sends one call when the window must be over.
   */
  #reservedForMs(now: number): number {
    const { remaining, inFlight, resetAt, windowBeganAt, interactiveAt } = this.#state;
    if (remaining === null || remaining > this.#reservedCalls(remaining, now)) return 0;
    if (this.#isWindowOver(now)) return inFlight > 0 ? PROBE_RETRY_MS : 0;
    const windowEndsAt = Math.min(resetAt ?? Number.POSITIVE_INFINITY, windowBeganAt + LONGEST_WINDOW_MS);
    const mayShrinkAt = remaining > IDLE_RESERVE ? interactiveAt + INTERACTIVE_MS : windowEndsAt;
    return Math.max(1, Math.min(windowEndsAt, mayShrinkAt) - now);
  }

  #reservedCalls(remaining: number, now: number): number {
    if (now >= this.#state.interactiveAt + INTERACTIVE_MS) return IDLE_RESERVE;
    this.#state.remainingAtInteractive ??= remaining;
    return Math.ceil(this.#state.remainingAtInteractive / 2);
  }

  #isWindowOver(now: number): boolean {
    return now >= this.#state.windowBeganAt + LONGEST_WINDOW_MS;
  }

  #beginWindow(now: number): void {
    this.#state.windowBeganAt = now;
    this.#state.remainingAtInteractive = null;
    this.#state.lowestReported = null;
  }

  /**
   * Responses of one window may come in another order than their calls, and differ by the number of these. Returns the
   * lowest report of the window, which tells most.
   */
  #lowestReported(remaining: number, now: number): number {
    const { lowestReported, inFlight } = this.#state;
    const isSameWindow = lowestReported !== null && remaining <= lowestReported + inFlight;
    if (!isSameWindow) this.#beginWindow(now);
    const lowest = isSameWindow ? Math.min(lowestReported, remaining) : remaining;
    this.#state.lowestReported = lowest;
    return lowest;
  }

  #shareOf(count: number | null): number | null {
    return count === null ? null : Math.floor(count / this.#sharers);
  }

  #forgetExhaustion(now: number): void {
    const state = this.#state;
    if (this.blockedForMs(now) > 0) return;
    if (state.remaining === 0) [state.remaining, state.resetAt] = [null, null];
    state.isProbing = false;
  }
}
