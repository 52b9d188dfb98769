import type { WaitingRoom } from '../backend/local/waiting-room.ts';
import { type CallTerms, NotBegun } from './call-context.ts';

/** How long a call waits for a permit at most, in milliseconds. */
const MAX_WAIT_MS = 10_000;

/** Accounts without permits or waiters that are remembered, so that most calls find theirs. */
const MAX_ACCOUNTS = 1_000;

interface Account {
  readonly name: string;
  held: number;
  readonly waiters: Waiter[];
}

interface Waiter {
  readonly terms: CallTerms;
  readonly admit: () => void;
  readonly refuse: (reason: NotBegun) => void;
}

/**
 * Lets so many calls run at one time, with fair shares. An account gets another permit only while it holds fewer than are
 * free: alone it gets about half of them, and one that has none always finds some soon. Where several wait, each account
 * gets one permit in turn.
 */
export class FairSemaphore {
  #free: number;
  readonly #room: WaitingRoom;
  readonly #accounts = new Map<string, Account>();
  /** Accounts with waiters; the one that was served longest ago comes first. */
  readonly #pending: Account[] = [];
  #isClosed = false;

  constructor(permits: number, room: WaitingRoom) {
    this.#free = permits;
    this.#room = room;
  }

  /** Runs `work` with a permit. Throws `NotBegun` where the call gets none, or nobody waits for its answer any more. */
  async run<T>(terms: CallTerms, work: () => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new NotBegun('STORE_BUSY');
    const account = this.#accountOf(terms.account);
    if (account.waiters.length === 0 && account.held < this.#free) this.#take(account);
    else await this.#wait(account, terms);
    try {
      return await work();
    } finally {
      account.held -= 1;
      this.#free += 1;
      this.#admitNext();
      this.#forget(account);
    }
  }

  /** Refuses all who wait, and who come later. Those who have a permit go on. */
  close(): void {
    this.#isClosed = true;
    for (const { waiters } of this.#pending.splice(0)) {
      for (const waiter of waiters.splice(0)) waiter.refuse(new NotBegun('STORE_BUSY'));
    }
  }

  #take(account: Account): void {
    account.held += 1;
    this.#free -= 1;
  }

  #wait(account: Account, terms: CallTerms): Promise<void> {
    if (!this.#room.enter(account.name)) return Promise.reject(new NotBegun('STORE_BUSY'));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waitMs = Math.max(0, Math.min(MAX_WAIT_MS, terms.deadline - performance.now()));
    const timer = setTimeout(() => {
      this.#remove(account, waiter);
      waiter.refuse(new NotBegun('STORE_BUSY'));
    }, waitMs);
    const leave = () => {
      clearTimeout(timer);
      this.#room.leave(account.name);
    };
    const waiter: Waiter = {
      terms,
      admit: () => {
        leave();
        resolve();
      },
      refuse: (reason) => {
        leave();
        reject(reason);
      },
    };
    if (account.waiters.push(waiter) === 1) this.#pending.push(account);
    return promise;
  }

  #remove(account: Account, waiter: Waiter): void {
    account.waiters.splice(account.waiters.indexOf(waiter), 1);
    if (account.waiters.length === 0) this.#pending.splice(this.#pending.indexOf(account), 1);
    this.#forget(account);
  }

  #admitNext(): void {
    for (let index = 0; index < this.#pending.length && this.#free > 0; ) {
      const account = this.#pending[index];
      if (!account || account.held >= this.#free) {
        index += 1;
        continue;
      }
      this.#pending.splice(index, 1);
      const waiter = account.waiters.shift();
      if (account.waiters.length > 0) this.#pending.push(account);
      if (!waiter) continue;
      if (waiter.terms.isGone()) {
        waiter.refuse(new NotBegun('CLIENT_GONE'));
        continue;
      }
      this.#take(account);
      waiter.admit();
    }
  }

  #accountOf(name: string): Account {
    const known = this.#accounts.get(name);
    if (known) return known;
    const account = { name, held: 0, waiters: [] };
    this.#accounts.set(name, account);
    return account;
  }

  #forget({ name, held, waiters }: Account): void {
    if (this.#accounts.size > MAX_ACCOUNTS && held === 0 && waiters.length === 0) this.#accounts.delete(name);
  }
}
