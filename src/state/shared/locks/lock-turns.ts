/** A process that has had a lock again and again for so long leaves it to the others, in milliseconds. */
const TURN_MS = 1_000;

/** It does so for longer than any of them pauses between two attempts, in milliseconds. */
const YIELD_MS = 400;

interface LockTurn {
  readonly beganAt: number;
  /** Null while the process has the lock. */
  releasedAt: number | null;
}

/**
 * The turns of one process. A process knows at once when it has released a lock, and the others only when they try
 * again: without turns, those that wait here would get it each time before the others.
 */
export class LockTurns {
  readonly #turns = new Map<string, LockTurn>();

  /** True while the others come first. */
  isOver(groupKey: string): boolean {
    const turn = this.#turns.get(groupKey);
    return turn !== undefined && turn.releasedAt !== null && turn.releasedAt - turn.beganAt >= TURN_MS;
  }

  onAcquired(groupKey: string): void {
    const beganAt = this.#turns.get(groupKey)?.beganAt ?? performance.now();
    this.#turns.set(groupKey, { beganAt, releasedAt: null });
  }

  /** The turn is forgotten unless the lock is acquired again soon. */
  onReleased(groupKey: string): void {
    const turn = this.#turns.get(groupKey);
    if (turn === undefined) return;
    turn.releasedAt = performance.now();
    setTimeout(() => {
      if (this.#turns.get(groupKey) === turn) this.#turns.delete(groupKey);
    }, YIELD_MS).unref();
  }
}
