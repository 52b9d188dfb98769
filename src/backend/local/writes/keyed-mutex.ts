import type { CallContext } from '../../../database/call-context.ts';
import { FairSemaphore, type WaiterQuota } from '../../../database/fair-semaphore.ts';

/**
 * Runs calls with the same key one after another, before they take a connection: of all calls that change one row, a
 * single one waits in the database. Fairness keys take turns, as they do for connections.
 */
export class KeyedMutex {
  readonly #waiterQuota: WaiterQuota;
  readonly #locks = new Map<string, { readonly semaphore: FairSemaphore; users: number }>();

  constructor(waiterQuota: WaiterQuota) {
    this.#waiterQuota = waiterQuota;
  }

  async runExclusive<T>(key: string, callContext: CallContext, work: () => Promise<T>): Promise<T> {
    const lock = this.#locks.get(key) ?? { semaphore: new FairSemaphore(1, this.#waiterQuota), users: 0 };
    this.#locks.set(key, lock);
    lock.users += 1;
    try {
      return await lock.semaphore.run(callContext, work);
    } finally {
      lock.users -= 1;
      if (lock.users === 0) this.#locks.delete(key);
    }
  }
}
