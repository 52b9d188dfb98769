/** Requests begin for so long in one turn of the event loop. Those after them begin in the next turns. */
const TURN_MS = 2;

/**
 * Keeps the turns of the event loop short. libuv accepts one new connection in each turn: where a turn answers all
 * connections that are open, new ones wait for as many turns, and so do timers and health checks.
 */
export class LoopTurns {
  /** `performance.now()` when the first request of this turn began; null before it. */
  #begunAt: number | null = null;
  #waiting = 0;

  /** Null where a request may begin at once. Else it waits for its turn, in the order in which requests came. */
  waitForTurn(): Promise<void> | null {
    if (this.#waiting === 0 && this.#hasTime()) return null;
    this.#waiting += 1;
    return new Promise((resolve) => setImmediate(this.#tryBegin, resolve));
  }

  /** Node runs all that a request does without waiting for anything before the next immediate. */
  readonly #tryBegin = (begin: () => void): void => {
    if (this.#hasTime()) {
      this.#waiting -= 1;
      begin();
    } else setImmediate(this.#tryBegin, begin);
  };

  #hasTime(): boolean {
    if (this.#begunAt !== null) return performance.now() - this.#begunAt < TURN_MS;
    this.#begunAt = performance.now();
    setImmediate(() => {
      this.#begunAt = null;
    });
    return true;
  }
}
