import type { CallTerms } from '../../../database/call-context.ts';
import { FairSemaphore } from '../../../database/fair-semaphore.ts';
import type { WaitingRoom } from '../waiting-room.ts';

/**
 * Runs calls with the same key one after another, before they take a connection: of all the calls that want one row, a
 * single one waits in the database. Accounts take turns, as they do for connections.
 */
export class KeyedMutex {
  readonly #room: WaitingRoom;
  readonly #locks = new Map<string, { readonly semaphore: FairSemaphore; users: number }>();

  constructor(room: WaitingRoom) {
    this.#room = room;
  }

  async runExclusive<T>(key: string, terms: CallTerms, work: () => Promise<T>): Promise<T> {
    const lock = this.#locks.get(key) ?? { semaphore: new FairSemaphore(1, this.#room), users: 0 };
    this.#locks.set(key, lock);
    lock.users += 1;
    try {
      return await lock.semaphore.run(terms, work);
    } finally {
      lock.users -= 1;
      if (lock.users === 0) this.#locks.delete(key);
    }
  }
}
