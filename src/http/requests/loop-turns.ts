/** Requests begin for so long in one turn of the event loop. Those after them begin in the next turns. */
const TURN_MS = 2;

/** The most that are tried in one turn: trying costs time even where nothing can begin. */
const MAX_TRIED = 64;

/**
 * Keeps the turns of the event loop short. libuv accepts one new connection in each turn: where a turn answers all
 * connections that are open, new ones wait for as many turns, and so do timers and health checks.
 */
export class LoopTurns {
  /** `performance.now()` when the first request of this turn began; null before it. */
  #begunAt: number | null = null;
  readonly #waiting: (() => void)[] = [];
  #tried = 0;

  /** Null where a request may begin at once. Else it waits for its turn, in the order in which requests came. */
  waitForTurn(): Promise<void> | null {
    if (this.#waiting.length === 0 && this.#hasTime()) return null;
    const { promise, resolve } = Promise.withResolvers<void>();
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
    if (this.#begunAt !== null) return performance.now() - this.#begunAt < TURN_MS;
    this.#begunAt = performance.now();
    setImmediate(() => {
      this.#begunAt = null;
    });
    return true;
  }
}
