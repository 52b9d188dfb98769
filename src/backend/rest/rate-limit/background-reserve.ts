/** The calls that a job leaves to others while nobody else uses the token. */
const IDLE_RESERVE = 2;

/** A job makes more room for interactive callers for so long after each of their calls. */
const INTERACTIVE_MS = 10_000;

/** No window of the service is longer: see docs/service.md, "Rate limits". */
const LONGEST_WINDOW_MS = 60_000;

/** A call of a job that finds out whether a new window has begun is tried again so soon while others are in flight. */
const PROBE_RETRY_MS = 100;

/** The state of the token's rate limit. Null stands for what is not known. */
interface KnownLimit {
  readonly limit: number | null;
  readonly remaining: number | null;
  readonly inFlight: number;
  /** `performance.now()`. */
  readonly resetAt: number | null;
}

/**
 * The part of a token's rate limit that jobs leave to interactive callers: half of what was left at the last of their
 * calls, for ten seconds after it, else two calls. The service names the reset only when no call is left, so a job that
 * leaves some can't learn of it: it sends one call when the window must be over.
 */
export class BackgroundReserve {
  /** `performance.now()` of the last call of an interactive caller. */
  #interactiveAt = Number.NEGATIVE_INFINITY;
  /** The calls that were left then; null when that is not known. */
  #remainingAtInteractive: number | null = null;
  #lastReported: number | null = null;
  /** `performance.now()`, not before the window began. */
  #windowBeganAt = Number.NEGATIVE_INFINITY;

  onInteractiveCall(remaining: number | null): void {
    this.#interactiveAt = performance.now();
    this.#remainingAtInteractive = remaining;
  }

  /** Within the reserve there is only the call that finds out about a new window. The next one is a window later. */
  onBackgroundCall(): void {
    if (this.#isWindowOver()) this.#windowBeganAt = performance.now();
  }

  onNewWindow(): void {
    this.#windowBeganAt = performance.now();
    this.#remainingAtInteractive = null;
    this.#lastReported = null;
  }

  /** Responses of one window may come in another order than their calls, and differ by the number of these. */
  onReported(remaining: number, inFlight: number): void {
    if (this.#lastReported === null || remaining > this.#lastReported + inFlight) this.onNewWindow();
    this.#lastReported = remaining;
  }

  /** Milliseconds during which no job may send a call. */
  blockedForMs({ limit, remaining, inFlight, resetAt }: KnownLimit): number {
    if (remaining === null || remaining > this.#reserved(limit, remaining)) return 0;
    if (this.#isWindowOver()) return inFlight > 0 ? PROBE_RETRY_MS : 0;
    const now = performance.now();
    const windowEndsAt = Math.min(resetAt ?? Number.POSITIVE_INFINITY, this.#windowBeganAt + LONGEST_WINDOW_MS);
    const mayShrinkAt = remaining > idleReserveOf(limit) ? this.#interactiveAt + INTERACTIVE_MS : windowEndsAt;
    return Math.max(1, Math.min(windowEndsAt, mayShrinkAt) - now);
  }

  #reserved(limit: number | null, remaining: number): number {
    if (performance.now() >= this.#interactiveAt + INTERACTIVE_MS) return idleReserveOf(limit);
    this.#remainingAtInteractive ??= remaining;
    return Math.ceil(this.#remainingAtInteractive / 2);
  }

  #isWindowOver(): boolean {
    return performance.now() >= this.#windowBeganAt + LONGEST_WINDOW_MS;
  }
}

/** A limit of one or two calls can't be left whole, since the job would never go on. */
const idleReserveOf = (limit: number | null): number =>
  limit === null ? IDLE_RESERVE : Math.min(IDLE_RESERVE, Math.floor(limit / 2));
