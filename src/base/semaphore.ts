/** The number of units of a shared resource that untrusted callers may hold. */
interface QuotaLimits {
  /** All callers together. */
  readonly total: number;
  /** The callers of one key, such as a network. */
  readonly perKey: number;
}

/** A quarter of the capacity for all untrusted callers together, and a quarter of that for one key. */
export const untrustedQuotaOf = (capacity: number): QuotaLimits => ({
  total: Math.max(1, Math.floor(capacity / 4)),
  perKey: Math.max(1, Math.floor(capacity / 16)),
});

/** Counts the units that each key holds. */
export class Quota {
  readonly #limits: QuotaLimits;
  readonly #counts = new Map<string, number>();
  #total = 0;

  constructor(limits: QuotaLimits) {
    this.#limits = limits;
  }

  /** Takes a unit for the key. False when the key, or all keys together, hold as many as they may. */
  tryAcquire(key: string): boolean {
    const count = this.#counts.get(key) ?? 0;
    if (this.#total >= this.#limits.total || count >= this.#limits.perKey) return false;
    this.#total += 1;
    this.#counts.set(key, count + 1);
    return true;
  }

  /** Called exactly once for each acquired unit. */
  release(key: string): void {
    const count = this.#counts.get(key) ?? 0;
    this.#total -= 1;
    if (count > 1) this.#counts.set(key, count - 1);
    else this.#counts.delete(key);
  }
}

export type AcquireResult = 'acquired' | NotAcquired;

/** `full`: too many wait already. */
export type NotAcquired = 'full' | 'timed-out';

interface SemaphoreOptions {
  readonly slots: number;
  readonly maxWaiting: number;
  /** The most slots, and the most waiters, of one key. */
  readonly perKey?: { readonly slots: number; readonly maxWaiting: number };
}

export interface Acquirer {
  readonly key: string;
  /** True where all others are served first. */
  readonly isLowPriority: boolean;
}

const DEFAULT_ACQUIRER: Acquirer = { key: '', isLowPriority: false };

interface SemaphoreWaiter {
  readonly acquirer: Acquirer;
  readonly grant: () => void;
}

/** Bounds how much runs at one time. Waiters are served in their order, those of low priority last. */
export class Semaphore {
  readonly #slots: Quota;
  readonly #waiting: Quota;
  readonly #waiters: SemaphoreWaiter[] = [];
  readonly #lowPriorityWaiters: SemaphoreWaiter[] = [];
  #inUse = 0;

  constructor({ slots, maxWaiting, perKey = { slots, maxWaiting } }: SemaphoreOptions) {
    this.#slots = new Quota({ total: slots, perKey: perKey.slots });
    this.#waiting = new Quota({ total: maxWaiting, perKey: perKey.maxWaiting });
  }

  get inUse(): number {
    return this.#inUse;
  }

  get waiting(): number {
    return this.#waiters.length + this.#lowPriorityWaiters.length;
  }

  get isIdle(): boolean {
    return this.#inUse === 0;
  }

  /** Runs the work in a slot, and releases the slot whatever becomes of the work. */
  async run<T extends object>(
    timeoutMs: number,
    work: () => Promise<T>,
    acquirer = DEFAULT_ACQUIRER,
  ): Promise<T | NotAcquired> {
    // Without a wait where a slot is free: it would cost each call a promise.
    if (!this.#tryAcquire(acquirer)) {
      const result = await this.#waitForSlot(timeoutMs, acquirer);
      if (result !== 'acquired') return result;
    }
    try {
      return await work();
    } finally {
      this.release(acquirer);
    }
  }

  /** Must be followed by exactly one `release` with the same acquirer, which `run` sees to. */
  async acquire(timeoutMs: number, acquirer: Acquirer): Promise<AcquireResult> {
    return this.#tryAcquire(acquirer) ? 'acquired' : this.#waitForSlot(timeoutMs, acquirer);
  }

  release(acquirer: Acquirer): void {
    this.#inUse -= 1;
    this.#slots.release(acquirer.key);
    const canAcquire = (waiter: SemaphoreWaiter) => this.#tryAcquire(waiter.acquirer);
    (this.#waiters.find(canAcquire) ?? this.#lowPriorityWaiters.find(canAcquire))?.grant();
  }

  #tryAcquire({ key }: Acquirer): boolean {
    const isAcquired = this.#slots.tryAcquire(key);
    if (isAcquired) this.#inUse += 1;
    return isAcquired;
  }

  #waitForSlot(timeoutMs: number, acquirer: Acquirer): Promise<AcquireResult> {
    if (!this.#waiting.tryAcquire(acquirer.key)) return Promise.resolve('full');
    const waiters = acquirer.isLowPriority ? this.#lowPriorityWaiters : this.#waiters;
    return new Promise((resolve) => {
      const stopWaiting = (result: AcquireResult) => {
        clearTimeout(timer);
        waiters.splice(waiters.indexOf(waiter), 1);
        this.#waiting.release(acquirer.key);
        resolve(result);
      };
      const timer = setTimeout(() => stopWaiting('timed-out'), timeoutMs);
      const waiter = { acquirer, grant: () => stopWaiting('acquired') };
      waiters.push(waiter);
    });
  }
}
