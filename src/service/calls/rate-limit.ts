import { z } from 'zod';
import type { CallCount, RateLimit } from '../../core/rate-limit.ts';
import { decodeRateLimit, decodeRetryAfter } from '../v2/rate-limit.ts';
import type { RequestResult, ServiceResponse } from './service-call.ts';

/** A number that may be unknown, which is null. A stored value of another shape counts as unknown. */
const known = z.number().nullable().catch(null);

/** A time. JSON has no number for a time before all others, so that is written as null. */
const time = z.number().catch(Number.NEGATIVE_INFINITY);

const count = z.number().catch(0);

/**
 * The known state of one token's rate limit. Times are milliseconds of one clock: `performance.now()` in memory, the
 * clock of the shared state in its row. Unknown values are null.
 */
export const rateLimitState = z.object({
  limit: known,
  remaining: known,
  resetAt: known,
  /** The time of the last response. */
  updatedAt: time,
  /** True after a reset without a known limit: one call at a time finds the limit out. */
  isProbing: z.boolean().catch(false),
  inFlight: count,
  lastAcquiredAt: time,
  interactiveAt: time,
  /** The number of calls that were left at `interactiveAt`. */
  remainingAtInteractive: known,
  /** The fewest remaining calls that a response of this window has reported. */
  lowestReported: known,
  windowBeganAt: time,
  /** The longest time until a reset that the service has reported. */
  windowMs: known,
  /** The most calls that a window was seen to have. A known limit takes precedence. */
  windowCalls: known,
  /** True from a 429 until the time that it reported. */
  isRefused: z.boolean().catch(false),
  /** True while a window is only assumed to have begun, by its time, and no response has confirmed it. */
  isAssumed: z.boolean().catch(false),
  /** The number of calls of this window whose responses have come. */
  answered: count,
  /** The number of calls of jobs in this window. */
  backgroundCalls: count,
  /** The time of the last call of a job, or of the first one that was refused. */
  backgroundAt: time,
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
  backgroundAt: state.backgroundAt + ms,
});

export const ONE_CALL: CallCount = { least: 1, most: 1 };

/** The calls that a job leaves to others while nobody else uses the token. */
const IDLE_RESERVE = 2;

/** After each interactive call, a job leaves more calls to others for so long. */
const INTERACTIVE_MS = 10_000;

/**
 * The longest window of the service: see docs/service.md, "Rate limits". After this time one call is sent even if a
 * response reported a later reset, so that a wrong number does not block a token for hours.
 */
const LONGEST_WINDOW_MS = 60_000;

/** A call of a job that finds out whether a new window has begun is tried again after so long while others are in flight. */
const PROBE_RETRY_MS = 100;

/** The shortest pause after a 429. */
const MIN_PAUSE_MS = 1_000;

/**
 * The remaining calls are spread over this time: they are 50 ms apart with 60 calls left, and 3 s with one. So small
 * writes are merged into few calls even where the service responds faster than they come in.
 */
const SPREAD_MS = 3_000;

/** Each of several gateways merges only its own writes, so it keeps the distance of so many gateways, up to 1 s. */
const MAX_DISTANCES = 4;
const LONG_DISTANCE_MS = 1_000;

/**
 * The rate limit of one API token, as responses report it. Without reports, nothing is limited. `now` is by the clock
 * of its state; the default is `performance.now()`, which is monotonic.
 */
export class TokenRateLimit {
  readonly #state: RateLimitState;
  /** The number of gateways that use the same reports without knowing of each other's calls. */
  readonly #sharers: number;

  constructor(state: RateLimitState = { ...NOTHING_KNOWN }, sharers = 1) {
    this.#state = state;
    this.#sharers = sharers;
  }

  get state(): Readonly<RateLimitState> {
    return this.#state;
  }

  /** Takes a call if one may be sent now. It is in flight until `onResponse`. */
  tryAcquire(now = performance.now()): boolean {
    const state = this.#state;
    const isAcquired = this.isOpen(now);
    if (isAcquired) {
      state.inFlight += 1;
      state.lastAcquiredAt = now;
      if (state.remaining) state.remaining -= 1;
    }
    state.interactiveAt = now;
    state.remainingAtInteractive = state.remaining;
    return isAcquired;
  }

  /** Takes calls for a job, which leaves some to others. Returns the number of calls that may be sent now, or 0. */
  acquireInBackground(wanted: CallCount = ONE_CALL, now = performance.now()): number {
    const state = this.#state;
    const calls = this.#allowedInBackground(wanted, now);
    if (calls === 0) {
      if (state.backgroundAt === Number.NEGATIVE_INFINITY) state.backgroundAt = now;
      return 0;
    }
    if (this.#isWindowOver(now)) this.#assumeWindow(now);
    else if (calls > 1) state.remaining ??= this.capacity;
    state.inFlight += calls;
    state.backgroundCalls += calls;
    [state.lastAcquiredAt, state.backgroundAt] = [now, now];
    if (state.remaining !== null) state.remaining = Math.max(0, state.remaining - calls);
    return calls;
  }

  /** False while nothing may be sent: until the reset, or until a call in flight has its response. */
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

  /** True while the service has no call left, not even for calls that were taken and not sent yet. */
  isExhausted(now = performance.now()): boolean {
    const { isRefused, lowestReported } = this.#state;
    return this.blockedForMs(now) > 0 && (isRefused || lowestReported === 0);
  }

  /** Milliseconds during which no call of a job may be sent. */
  backgroundBlockedForMs(now = performance.now(), wanted: CallCount = ONE_CALL): number {
    if (this.#allowedInBackground(wanted, now) > 0) return 0;
    const blockedForMs = this.blockedForMs(now);
    if (blockedForMs > 0) return blockedForMs;
    const { resetAt, interactiveAt, backgroundAt, windowBeganAt } = this.#state;
    if (this.#mustFindOut(now)) return PROBE_RETRY_MS;
    const windowMs = this.#windowMs;
    const changesAt = [windowBeganAt + windowMs, interactiveAt + INTERACTIVE_MS, backgroundAt + 2 * windowMs];
    if (resetAt !== null) changesAt.push(resetAt);
    return Math.max(1, Math.min(windowMs, ...changesAt.filter((at) => at > now).map((at) => at - now)));
  }

  /** Whole seconds until the reset; null where the service has not reported it. */
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

  /** After the reset, the whole limit remains, if it is known. */
  #applyReset(now: number): void {
    const state = this.#state;
    if (state.resetAt === null || state.resetAt > now) return;
    state.isProbing = state.remaining === 0 && state.limit === null;
    state.remaining = state.limit;
    state.resetAt = null;
    this.#beginWindow(now);
  }

  #learnWindow(remaining: number | null, resetMs: number): void {
    const state = this.#state;
    if (remaining !== null) state.windowCalls = Math.max(state.windowCalls ?? 0, remaining + 1);
    if (resetMs > 0) state.windowMs = Math.max(state.windowMs ?? 0, MIN_PAUSE_MS, resetMs);
  }

  /** A window in which nobody else has made calls lasts from the first response to the reset, at least. */
  #learnLength(remaining: number, resetAt: number): void {
    const { windowCalls, windowMs, windowBeganAt, answered } = this.#state;
    const isOwn = windowCalls !== null && windowCalls - remaining === answered;
    if (isOwn) this.#state.windowMs = Math.max(windowMs ?? 0, resetAt - windowBeganAt);
  }

  #readHeaders({ httpStatus, headers }: ServiceResponse, now: number): void {
    const state = this.#state;
    const wallClock = Date.now();
    const reported = decodeRateLimit(headers, wallClock);
    state.updatedAt = now;
    state.isAssumed = false;
    // The limit and its reset are kept, since the service reports them only when the limit is reached: see
    // docs/service.md, "Rate limits".
    state.limit = this.#shareOf(reported?.limit ?? null) ?? state.limit;
    const seconds = httpStatus === 429 ? decodeRetryAfter(headers, wallClock) : null;
    const remaining = this.#shareOf(reported?.remaining ?? null);
    const resetMs = seconds === null ? (reported?.resetAt?.getTime() ?? wallClock) - wallClock : seconds * 1_000;
    this.#learnWindow(httpStatus === 429 ? null : remaining, resetMs);
    if (seconds !== null) {
      state.remaining = 0;
      state.resetAt = now + Math.max(seconds * 1_000, MIN_PAUSE_MS);
      state.isRefused = true;
    } else if (remaining === null || httpStatus === 429) {
      this.#forgetExhaustion(now);
    } else if (this.blockedForMs(now) === 0 || reported?.resetAt != null) {
      // Responses to calls that were sent before a block may come late, and report what was left before it.
      const lowest = this.#lowestReported(remaining, now);
      state.answered += 1;
      if (reported?.resetAt != null) {
        state.resetAt = now + reported.resetAt.getTime() - wallClock;
        this.#learnLength(remaining, state.resetAt);
      }
      // The reported number may or may not include the calls in flight.
      state.remaining = Math.min(lowest, Math.max(state.remaining ?? 0, lowest - state.inFlight));
      state.isProbing = false;
    }
  }

  /**
   * The calls that a job may take now. It leaves others half of what was left at the last interactive call, for ten
   * seconds after it, else two calls. In each window the job gets the least that it needs nevertheless, if there is as
   * much and nobody else has called recently, and at the latest after two windows: otherwise a small window would have
   * no call for it.
   */
  #allowedInBackground({ least, most }: CallCount, now: number): number {
    if (!this.isOpen(now) || this.#mustFindOut(now)) return 0;
    const { interactiveAt, backgroundAt, backgroundCalls } = this.#state;
    const isOver = this.#isWindowOver(now);
    const capacity = this.capacity;
    const remaining = isOver || (this.#state.remaining === null && most > 1) ? capacity : this.#state.remaining;
    if (remaining === null) return most;
    const free = remaining - this.#reservedCalls(remaining, now);
    const full = capacity === null ? most : Math.min(most, Math.max(least, capacity - IDLE_RESERVE));
    if (free >= full) return Math.min(free, most);
    const hasWaited = isOver || now >= backgroundAt + 2 * this.#windowMs;
    if (!hasWaited && backgroundCalls > 0) return 0;
    if (free >= least) return free;
    const isQuiet = hasWaited || now >= interactiveAt + INTERACTIVE_MS;
    return isQuiet && remaining >= least ? least : 0;
  }

  /** True while a call is in flight whose response shows whether a window has begun. */
  #mustFindOut(now: number): boolean {
    const { inFlight, isProbing, isAssumed } = this.#state;
    return inFlight > 0 && (isProbing || isAssumed || this.#isWindowOver(now));
  }

  #reservedCalls(remaining: number, now: number): number {
    if (now >= this.#state.interactiveAt + INTERACTIVE_MS) return IDLE_RESERVE;
    this.#state.remainingAtInteractive ??= remaining;
    return Math.ceil(this.#state.remainingAtInteractive / 2);
  }

  /** The calls of a whole window; null where no response has shown it. */
  get capacity(): number | null {
    return this.#state.limit ?? this.#state.windowCalls;
  }

  get #windowMs(): number {
    return Math.min(this.#state.windowMs ?? LONGEST_WINDOW_MS, LONGEST_WINDOW_MS);
  }

  /**
   * The service reports the reset only when no call is left, so a job that leaves some may not learn of it. The window
   * must be over after its longest time.
   */
  #isWindowOver(now: number): boolean {
    const { remaining, windowBeganAt } = this.#state;
    return remaining !== null && now >= windowBeganAt + this.#windowMs;
  }

  #assumeWindow(now: number): void {
    this.#beginWindow(now);
    this.#state.isAssumed = true;
    this.#state.remaining = this.capacity;
  }

  #beginWindow(now: number): void {
    this.#state.windowBeganAt = now;
    this.#state.remainingAtInteractive = null;
    this.#state.lowestReported = null;
    this.#state.answered = 0;
    this.#state.backgroundCalls = 0;
    this.#state.isRefused = false;
  }

  /**
   * The lowest report of the window. Responses of one window may come in another order than their calls, and the lowest
   * number is the latest.
   */
  #lowestReported(remaining: number, now: number): number {
    const { lowestReported, inFlight } = this.#state;
    const isSameWindow = lowestReported !== null && remaining <= lowestReported + inFlight;
    if (!isSameWindow) {
      const { backgroundCalls } = this.#state;
      this.#beginWindow(now);
      // The call of this response belongs to the new window, and so may those in flight.
      this.#state.backgroundCalls = Math.min(backgroundCalls, inFlight + 1);
    }
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
