/**
 * Bounds the calls that wait in this process, for a connection or for a row. An account may add a waiter only while it has
 * fewer than there is room for, so that one account fills half of the room at most.
 */
export class WaitingRoom {
  #free: number;
  readonly #waiters = new Map<string, number>();

  constructor(size: number) {
    this.#free = size;
  }

  /** False where there is no room. */
  enter(account: string): boolean {
    const waiters = this.#waiters.get(account) ?? 0;
    if (waiters >= this.#free) return false;
    this.#free -= 1;
    this.#waiters.set(account, waiters + 1);
    return true;
  }

  leave(account: string): void {
    const waiters = (this.#waiters.get(account) ?? 0) - 1;
    this.#free += 1;
    if (waiters > 0) this.#waiters.set(account, waiters);
    else this.#waiters.delete(account);
  }
}
