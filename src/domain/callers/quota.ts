/** The number of units of a shared resource that untrusted callers may hold. */
export interface QuotaLimits {
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
