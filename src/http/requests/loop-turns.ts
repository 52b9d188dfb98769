import { MAX_STANDING_REQUESTS, MAX_WAITING_REQUESTS } from '../../base/limits.ts';

/** Requests begin for so long in one turn of the event loop. Those after them begin in the next turns. */
const TURN_MS = 2;

/** The most that are tried in one turn: trying costs time even where nothing can begin. */
const MAX_TRIED = 64;

/** A queue that has not been empty for so long is not from a burst: more requests come than can begin. */
const BURST_MS = 1_000;

/** While connections come, the turns that only accept and read take so many times as long as the one before them. */
const YIELD_RATIO = 2;

/**
 * Keeps the turns of the event loop short. libuv accepts one new connection in each turn: where a turn answers all
 * connections that are open, new ones wait for as many turns, and so do timers and health checks.
 */
export class LoopTurns {
  /** `performance.now()` when the first request of this turn began; null before it. */
  #begunAt: number | null = null;
  /** `performance.now()` until which connections go before requests; null while requests begin. */
  #yieldsUntil: number | null = null;
  #hasNewConnection = false;
  readonly #waiting: (() => void)[] = [];
  /** `performance.now()` when the queue was empty for the last time. */
  #emptyUntil = 0;
  #tried = 0;

  /** True where one more request must not wait. */
  get isFull(): boolean {
    const waiting = this.#waiting.length;
    if (waiting < MAX_STANDING_REQUESTS) return false;
    return waiting >= MAX_WAITING_REQUESTS || performance.now() - this.#emptyUntil > BURST_MS;
  }

  /**
   * Tells that the connection of the last request is new, so that others may be pending. While they come, two
   * thirds of the time are theirs: clients whose connection is not accepted learn nothing, and are not even refused.
   */
  onNewConnection(): void {
    if (this.#hasNewConnection) return;
    this.#hasNewConnection = true;
    setImmediate(() => {
      this.#hasNewConnection = false;
    });
  }

  /** Null where a request may begin at once. Else it waits for its turn, in the order in which requests came. */
  waitForTurn(): Promise<void> | null {
    if (this.#waiting.length === 0 && this.#hasTime()) return null;
    const { promise, resolve } = Promise.withResolvers<void>();
    if (this.#waiting.length === 0) this.#emptyUntil = performance.now();
    this.#waiting.push(resolve);
    this.#tryNext();
    return promise;
  }

  #tryNext(): void {
    if (this.#tried >= Math.min(MAX_TRIED, this.#waiting.length)) return;
    this.#tried += 1;
    setImmediate(this.#tryBegin);
  }

  /** Node runs all that a request does without waiting for anything before the next immediate. */
  readonly #tryBegin = (): void => {
    this.#tried -= 1;
    if (this.#hasTime()) this.#waiting.shift()?.();
    this.#tryNext();
  };

  #hasTime(): boolean {
    const now = performance.now();
    if (this.#begunAt !== null) return this.#yieldsUntil === null && now - this.#begunAt < TURN_MS;
    this.#begunAt = now;
    setImmediate(this.#endTurn, now);
    return true;
  }

  /** While connections come, the turns after this one are theirs, for twice as long as it took. */
  readonly #endTurn = (begunAt: number): void => {
    const now = performance.now();
    this.#yieldsUntil ??= now + YIELD_RATIO * (now - begunAt);
    if (this.#hasNewConnection && now < this.#yieldsUntil) {
      setImmediate(this.#endTurn, begunAt);
      return;
    }
    this.#begunAt = null;
    this.#yieldsUntil = null;
  };
}
