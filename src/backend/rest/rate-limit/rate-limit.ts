import type { RateLimit } from '../../../domain/rate-limit.ts';
import { decodeRateLimit, decodeRetryAfter } from '../../../v2/rate-limit.ts';
import type { RequestResult, ServiceResponse } from '../http/request.ts';
import { BackgroundReserve } from './background-reserve.ts';

/**
 * The service counts calls by the minute: see docs/service.md, "Rate limits". After this time one call is sent even if
 * a response named a later reset, so that a wrong number does not shut a token out for hours.
 */
const MAX_WINDOW_MS = 60_000;

/** The shortest pause after a 429, and how many 429s in a row double it. */
const [FIRST_BACKOFF_MS, MAX_CONSECUTIVE_REJECTIONS] = [100, 8];

/**
 * The remaining calls are spread over this time: 50 ms apart with 60 calls left, 3 s with one. So small writes are
 * merged into few calls even where the service responds faster than they come in.
 */
const SPREAD_MS = 3_000;

/** The rate limit of one API token, as far as responses tell. Where they tell nothing, it has none. */
export class TokenRateLimit {
  #limit: number | null = null;
  #remaining: number | null = null;
  /** `performance.now()`, which steps of the clock do not change. */
  #resetAt: number | null = null;
  /** `performance.now()` of the last response. */
  #updatedAt = 0;
  /** True after a reset without a known limit: one call at a time finds out. */
  #isProbing = false;
  #inFlight = 0;
  /** `performance.now()` of the last call. */
  #lastAcquiredAt = Number.NEGATIVE_INFINITY;
  /** 429s in a row. */
  #consecutiveRejections = 0;
  readonly #reserve = new BackgroundReserve();

  /** True where a call may be sent now. It is in flight until `onResponse`. */
  tryAcquire(): boolean {
    const isAcquired = this.#tryAcquire();
    this.#reserve.onInteractiveCall(this.#remaining);
    return isAcquired;
  }

  /** Acquires for a call of a job, which leaves some calls to others. */
  tryAcquireInBackground(): boolean {
    if (this.backgroundBlockedForMs() > 0 || !this.#tryAcquire()) return false;
    this.#reserve.onBackgroundCall();
    return true;
  }

  #tryAcquire(): boolean {
    if (this.blockedForMs() > 0) return false;
    if ((this.#remaining === 0 || this.#isProbing) && this.#inFlight > 0) return false;
    this.#inFlight += 1;
    this.#lastAcquiredAt = performance.now();
    if (this.#remaining) this.#remaining -= 1;
    return true;
  }

  onResponse(result: RequestResult): void {
    this.#inFlight -= 1;
    if (result.ok) this.#readHeaders(result.value);
    else if (result.error.kind === 'unknown' || result.error.kind === 'stale') this.#forgetExhaustion();
    else if (this.#remaining !== null && this.blockedForMs() === 0) this.#remaining += 1;
  }

  /** Milliseconds by which a call that can wait should be delayed. */
  delayMs(): number {
    return this.#remaining ? Math.max(0, this.#lastAcquiredAt + SPREAD_MS / this.#remaining - performance.now()) : 0;
  }

  /** Milliseconds during which nothing may be sent. */
  blockedForMs(): number {
    this.#applyReset();
    if (this.#remaining !== 0 || this.#resetAt === null) return 0;
    return Math.max(0, Math.min(this.#resetAt, this.#updatedAt + MAX_WINDOW_MS) - performance.now());
  }

  /** Milliseconds during which no call of a job may be sent. */
  backgroundBlockedForMs(): number {
    const blockedForMs = this.blockedForMs();
    const [limit, remaining, inFlight] = [this.#limit, this.#remaining, this.#inFlight];
    return Math.max(blockedForMs, this.#reserve.blockedForMs({ limit, remaining, inFlight, resetAt: this.#resetAt }));
  }

  /** Whole seconds until the reset; null where the service named none. */
  retryAfterSeconds(): number | null {
    return this.#resetAt === null ? null : Math.max(0, Math.ceil((this.#resetAt - performance.now()) / 1_000));
  }

  current(): RateLimit | null {
    this.#applyReset();
    const [limit, remaining, resetAt] = [this.#limit, this.#remaining, this.#resetAt];
    if (limit === null && remaining === null && resetAt === null) return null;
    const resetsAt = resetAt === null ? null : new Date(Math.round(Date.now() + resetAt - performance.now()));
    return { limit, remaining, resetAt: resetsAt };
  }

  /** After the reset the whole limit remains, where it is known. */
  #applyReset(): void {
    if (this.#resetAt === null || this.#resetAt > performance.now()) return;
    this.#isProbing = this.#remaining === 0 && this.#limit === null;
    this.#remaining = this.#limit;
    this.#resetAt = null;
    this.#reserve.onNewWindow();
  }

  #readHeaders({ httpStatus, headers }: ServiceResponse): void {
    const now = Date.now();
    const reported = decodeRateLimit(headers, now);
    this.#updatedAt = performance.now();
    // The limit and its reset are kept, since they come only once it is reached: see docs/service.md, "Rate limits".
    this.#limit = reported?.limit ?? this.#limit;
    const seconds = httpStatus === 429 ? decodeRetryAfter(headers, now) : null;
    if (seconds !== null) {
      this.#onRejected(seconds);
    } else if (reported === null || reported.remaining === null || httpStatus === 429) {
      this.#forgetExhaustion();
    } else {
      this.#consecutiveRejections = 0;
      this.#reserve.onReported(reported.remaining, this.#inFlight);
      if (reported.resetAt !== null) this.#resetAt = this.#updatedAt + reported.resetAt.getTime() - now;
      // The calls in flight may be counted in that number already, or not yet.
      this.#remaining = Math.min(
        reported.remaining,
        Math.max(this.#remaining ?? reported.remaining, reported.remaining - this.#inFlight),
      );
      this.#isProbing = false;
    }
  }

  #onRejected(seconds: number): void {
    // Calls that were in flight together are rejected together, which counts as one rejection.
    if (this.blockedForMs() === 0)
      this.#consecutiveRejections = Math.min(this.#consecutiveRejections + 1, MAX_CONSECUTIVE_REJECTIONS);
    this.#remaining = 0;
    this.#resetAt =
      performance.now() + Math.max(seconds * 1_000, FIRST_BACKOFF_MS * 2 ** (this.#consecutiveRejections - 1));
  }

  #forgetExhaustion(): void {
    this.#consecutiveRejections = 0;
    if (this.blockedForMs() > 0) return;
    if (this.#remaining === 0) [this.#remaining, this.#resetAt] = [null, null];
    this.#isProbing = false;
  }
}
