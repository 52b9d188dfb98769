import type { RateLimitState } from './rate-limit-state.ts';

/** The calls that a job leaves to others while nobody else uses the token. */
const IDLE_RESERVE = 2;

/** A job makes more room for interactive callers for so long after each of their calls. */
const INTERACTIVE_MS = 10_000;

/** No window of the service is longer: see docs/service.md, "Rate limits". */
const LONGEST_WINDOW_MS = 60_000;

/** A call of a job that finds out whether a new window has begun is tried again so soon while others are in flight. */
const PROBE_RETRY_MS = 100;

/**
 * The part of a token's rate limit that jobs leave to interactive callers: half of what was left at the last of their
 * calls, for ten seconds after it, else two calls. The service names the reset only when no call is left, so a job that
 * leaves some can't learn of it: it sends one call when the window must be over.
 */
export class BackgroundReserve {
  readonly #state: RateLimitState;

  constructor(state: RateLimitState) {
    this.#state = state;
  }

  onInteractiveCall(now: number): void {
    this.#state.interactiveAt = now;
    this.#state.remainingAtInteractive = this.#state.remaining;
  }

  /** Within the reserve there is only the call that finds out about a new window. The next one is a window later. */
  onBackgroundCall(now: number): void {
    if (this.#isWindowOver(now)) this.#state.windowBeganAt = now;
  }

  onNewWindow(now: number): void {
    this.#state.windowBeganAt = now;
    this.#state.remainingAtInteractive = null;
    this.#state.lowestReported = null;
  }

  /**
   * Responses of one window may come in another order than their calls, and differ by the number of these. Returns the
   * lowest report of the window, which tells most.
   */
  onReported(remaining: number, now: number): number {
    const { lowestReported, inFlight } = this.#state;
    const isSameWindow = lowestReported !== null && remaining <= lowestReported + inFlight;
    if (!isSameWindow) this.onNewWindow(now);
    const lowest = isSameWindow ? Math.min(lowestReported, remaining) : remaining;
    this.#state.lowestReported = lowest;
    return lowest;
  }

  /** Milliseconds during which no job may send a call. */
  blockedForMs(now: number): number {
    const { limit, remaining, inFlight, resetAt, windowBeganAt, interactiveAt } = this.#state;
    if (remaining === null || remaining > this.#reserved(limit, remaining, now)) return 0;
    if (this.#isWindowOver(now)) return inFlight > 0 ? PROBE_RETRY_MS : 0;
    const windowEndsAt = Math.min(resetAt ?? Number.POSITIVE_INFINITY, windowBeganAt + LONGEST_WINDOW_MS);
    const mayShrinkAt = remaining > idleReserveOf(limit) ? interactiveAt + INTERACTIVE_MS : windowEndsAt;
    return Math.max(1, Math.min(windowEndsAt, mayShrinkAt) - now);
  }

  #reserved(limit: number | null, remaining: number, now: number): number {
    if (now >= this.#state.interactiveAt + INTERACTIVE_MS) return idleReserveOf(limit);
    this.#state.remainingAtInteractive ??= remaining;
    return Math.ceil(this.#state.remainingAtInteractive / 2);
  }

  #isWindowOver(now: number): boolean {
    return now >= this.#state.windowBeganAt + LONGEST_WINDOW_MS;
  }
}

/** A limit of one or two calls can't be left whole, since the job would never go on. */
const idleReserveOf = (limit: number | null): number =>
  limit === null ? IDLE_RESERVE : Math.min(IDLE_RESERVE, Math.floor(limit / 2));
