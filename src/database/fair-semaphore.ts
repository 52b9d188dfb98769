import { CallAbortedError, type CallContext } from './call-context.ts';

/** The longest time that a call waits for a permit, in milliseconds. */
const MAX_WAIT_MS = 10_000;

/** Idle keys that are kept, so that most calls find their state. */
const MAX_KEYS = 1_000;

interface KeyState {
  readonly key: string;
  heldPermits: number;
  readonly waiters: Waiter[];
}

interface Waiter {
  readonly callContext: CallContext;
  readonly grant: () => void;
  readonly reject: (reason: CallAbortedError) => void;
}

/**
 * Bounds the calls that run at one time, with fair shares. A key gets another permit only while it holds fewer than
 * are free: a single busy key gets about half of them, and another key soon gets one. Waiting keys get one permit
 * each in turn.
 */
export class FairSemaphore {
  #freePermits: number;
  readonly #waiterQuota: WaiterQuota;
  readonly #stateByKey = new Map<string, KeyState>();
  /** Keys with waiters; the one that got a permit longest ago comes first. */
  readonly #pending: KeyState[] = [];
  #isClosed = false;

  constructor(permits: number, waiterQuota: WaiterQuota) {
    this.#freePermits = permits;
    this.#waiterQuota = waiterQuota;
  }

  /** Calls that wait for a permit. */
  get waiting(): number {
    return this.#pending.reduce((sum, { waiters }) => sum + waiters.length, 0);
  }

  /** Runs `work` with a permit. Throws a `CallAbortedError` when the call gets none, or its client has disconnected. */
  async run<T>(callContext: CallContext, work: () => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new CallAbortedError('STORE_BUSY');
    const state = this.#stateOf(callContext.fairnessKey);
    if (state.waiters.length === 0 && state.heldPermits < this.#freePermits) this.#acquire(state);
    else await this.#wait(state, callContext);
    try {
      return await work();
    } finally {
      state.heldPermits -= 1;
      this.#freePermits += 1;
      this.#grantNext();
      this.#forget(state);
    }
  }

  /** Rejects waiting and later calls. Calls with a permit continue. */
  close(): void {
    this.#isClosed = true;
    for (const { waiters } of this.#pending.splice(0)) {
      for (const waiter of waiters.splice(0)) waiter.reject(new CallAbortedError('STORE_BUSY'));
    }
  }

  #acquire(state: KeyState): void {
    state.heldPermits += 1;
    this.#freePermits -= 1;
  }

  #wait(state: KeyState, callContext: CallContext): Promise<void> {
    if (!this.#waiterQuota.tryAcquire(state.key)) return Promise.reject(new CallAbortedError('STORE_BUSY'));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waitMs = Math.max(0, Math.min(MAX_WAIT_MS, callContext.deadline - performance.now()));
    const timer = setTimeout(() => {
      this.#remove(state, waiter);
      waiter.reject(new CallAbortedError('STORE_BUSY'));
    }, waitMs);
    const stopWaiting = () => {
      clearTimeout(timer);
      this.#waiterQuota.release(state.key);
    };
    const waiter: Waiter = {
      callContext,
      grant: () => {
        stopWaiting();
        resolve();
      },
      reject: (reason) => {
        stopWaiting();
        reject(reason);
      },
    };
    if (state.waiters.push(waiter) === 1) this.#pending.push(state);
    return promise;
  }

  #remove(state: KeyState, waiter: Waiter): void {
    state.waiters.splice(state.waiters.indexOf(waiter), 1);
    if (state.waiters.length === 0) this.#pending.splice(this.#pending.indexOf(state), 1);
    this.#forget(state);
  }

  #grantNext(): void {
    for (let index = 0; index < this.#pending.length && this.#freePermits > 0; ) {
      const state = this.#pending[index];
      if (!state || state.heldPermits >= this.#freePermits) {
        index += 1;
        continue;
      }
      this.#pending.splice(index, 1);
      const waiter = state.waiters.shift();
      if (state.waiters.length > 0) this.#pending.push(state);
      if (!waiter) continue;
      if (waiter.callContext.isGone()) {
        waiter.reject(new CallAbortedError('CLIENT_GONE'));
        continue;
      }
      this.#acquire(state);
      waiter.grant();
    }
  }

  #stateOf(key: string): KeyState {
    const known = this.#stateByKey.get(key);
    if (known) return known;
    const state = { key, heldPermits: 0, waiters: [] };
    this.#stateByKey.set(key, state);
    return state;
  }

  #forget({ key, heldPermits, waiters }: KeyState): void {
    if (this.#stateByKey.size > MAX_KEYS && heldPermits === 0 && waiters.length === 0) this.#stateByKey.delete(key);
  }
}

/**
 * Bounds the calls that wait in this process, for a connection or for a row. A key may add a waiter only while it has
 * fewer than are unused, so that one key takes half of them at most.
 */
export class WaiterQuota {
  #unused: number;
  readonly #waiters = new Map<string, number>();

  constructor(size: number) {
    this.#unused = size;
  }

  /** False when the key gets no further waiter. */
  tryAcquire(key: string): boolean {
    const waiters = this.#waiters.get(key) ?? 0;
    if (waiters >= this.#unused) return false;
    this.#unused -= 1;
    this.#waiters.set(key, waiters + 1);
    return true;
  }

  release(key: string): void {
    const waiters = (this.#waiters.get(key) ?? 0) - 1;
    this.#unused += 1;
    if (waiters > 0) this.#waiters.set(key, waiters);
    else this.#waiters.delete(key);
  }
}
