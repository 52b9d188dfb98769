import type { RateLimit } from '../../../domain/articles/project-versions.ts';
import type { Result } from '../../../domain/result.ts';
import { decodeRateLimit, decodeRetryAfter } from '../../../v2/rate-limit.ts';
import type { HttpAnswer } from '../exchange.ts';
import type { CallFailure } from '../http/request.ts';

/**
 * The service counts by the minute (facts, section 4). An answer that closes for longer is believed for that long; then
 * one call asks again, so that a wrong number does not shut a token out for hours.
 */
const LONGEST_WINDOW_MS = 60_000;

/** The least pause after a 429. Each that follows at once is twice as long, so that no answer makes us hammer. */
const FIRST_PAUSE_MS = 100;
const MAX_REFUSALS = 8;

/**
 * What is left is spread over this much time, the less of it the further apart: 50 ms with 60 calls left, 3 s with one.
 * Then small writes that meet go in few calls also where the service answers faster than they come in.
 */
const SPREAD_MS = 3_000;

/** What one API token may still ask of the service, as far as its answers tell; where they tell nothing, anything. */
export class Budget {
  #limit: number | null = null;
  #left: number | null = null;
  /** `performance.now()`, and so is when it was told: a step of the clock changes no wait. */
  #resetAt: number | null = null;
  #toldAt = 0;
  /** Nothing was left, and nobody has said that there is again: one call at a time asks. */
  #isAsking = false;
  #underway = 0;
  /** `performance.now()` of the last call. */
  #spentAt = Number.NEGATIVE_INFINITY;
  /** 429s in a row. */
  #refusals = 0;

  get isIdle(): boolean {
    return this.#underway === 0;
  }

  /** Whether a call may be sent now; if so it counts as under way until it is settled. */
  spend(): boolean {
    if (this.closedForMs() > 0) return false;
    if ((this.#left === 0 || this.#isAsking) && !this.isIdle) return false;
    this.#underway += 1;
    this.#spentAt = performance.now();
    if (this.#left) this.#left -= 1;
    return true;
  }

  settle(sent: Result<HttpAnswer, CallFailure>): void {
    this.#underway -= 1;
    if (sent.ok) this.#learn(sent.value);
    else if (sent.error.kind === 'unknown' || sent.error.kind === 'stale') this.#forgetThatNothingIsLeft();
    else if (this.#left !== null && this.closedForMs() === 0) this.#left += 1;
  }

  /** Milliseconds to wait for a call that can wait; 0 where nothing was sent lately, or nothing is known. */
  gapMs(): number {
    return this.#left ? Math.max(0, this.#spentAt + SPREAD_MS / this.#left - performance.now()) : 0;
  }

  /** Milliseconds during which nothing may be sent. */
  closedForMs(): number {
    this.#refresh();
    if (this.#left !== 0 || this.#resetAt === null) return 0;
    return Math.max(0, Math.min(this.#resetAt, this.#toldAt + LONGEST_WINDOW_MS) - performance.now());
  }

  /** What the service says of the time to wait, in whole seconds; null where it says nothing. */
  secondsToWait(): number | null {
    return this.#resetAt === null ? null : Math.max(0, Math.ceil((this.#resetAt - performance.now()) / 1_000));
  }

  known(): RateLimit | null {
    this.#refresh();
    const [limit, remaining, resetAt] = [this.#limit, this.#left, this.#resetAt];
    if (limit === null && remaining === null && resetAt === null) return null;
    const resetsAt = resetAt === null ? null : new Date(Math.round(Date.now() + resetAt - performance.now()));
    return { limit, remaining, resetAt: resetsAt };
  }

  /** Once the reset is over there is a whole limit again, where the service has told it. */
  #refresh(): void {
    if (this.#resetAt === null || this.#resetAt > performance.now()) return;
    this.#isAsking = this.#left === 0 && this.#limit === null;
    this.#left = this.#limit;
    this.#resetAt = null;
  }

  #learn({ httpStatus, headers }: HttpAnswer): void {
    const now = Date.now();
    const said = decodeRateLimit(headers, now);
    this.#toldAt = performance.now();
    // The service tells the limit and its reset only once the limit is reached (facts, section 4), so they are kept.
    this.#limit = said?.limit ?? this.#limit;
    const seconds = httpStatus === 429 ? decodeRetryAfter(headers, now) : null;
    if (seconds !== null) {
      this.#refuse(seconds);
    } else if (said === null || said.remaining === null || httpStatus === 429) {
      this.#forgetThatNothingIsLeft();
    } else {
      this.#refusals = 0;
      if (said.resetAt !== null) this.#resetAt = this.#toldAt + said.resetAt.getTime() - now;
      // What is under way may be counted in that already, or not yet.
      this.#left = Math.min(said.remaining, Math.max(this.#left ?? said.remaining, said.remaining - this.#underway));
      this.#isAsking = false;
    }
  }

  #refuse(seconds: number): void {
    // Calls that were under way together are refused together, and that is one refusal.
    if (this.closedForMs() === 0) this.#refusals = Math.min(this.#refusals + 1, MAX_REFUSALS);
    this.#left = 0;
    this.#resetAt = performance.now() + Math.max(seconds * 1_000, FIRST_PAUSE_MS * 2 ** (this.#refusals - 1));
  }

  #forgetThatNothingIsLeft(): void {
    this.#refusals = 0;
    if (this.closedForMs() > 0) return;
    if (this.#left === 0) [this.#left, this.#resetAt] = [null, null];
    this.#isAsking = false;
  }
}
