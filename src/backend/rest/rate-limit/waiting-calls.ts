/** Shared by the queues of all tokens. */
export interface SharedQueueCapacity {
  waiting: number;
  readonly max: number;
  /** The most calls that wait in one queue, so that the others keep some room. */
  readonly maxPerQueue: number;
}

export interface WaitingCall {
  /** `performance.now()`. */
  readonly arrivedAt: number;
  readonly latestStart: number;
  /** Only the first end counts. */
  end(isGranted: boolean): void;
}

/** The calls of one token that wait for its rate limit, in the order they came. */
export class WaitingCalls {
  readonly #capacity: SharedQueueCapacity;
  readonly #calls = new Set<WaitingCall>();

  constructor(capacity: SharedQueueCapacity) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#calls.size;
  }

  get isFull(): boolean {
    const { waiting, max, maxPerQueue } = this.#capacity;
    return waiting >= max || this.#calls.size >= maxPerQueue;
  }

  [Symbol.iterator](): Iterator<WaitingCall> {
    return this.#calls.values();
  }

  /** True once the call is granted. `onTimeout` decides what becomes of a call whose latest start has passed. */
  wait(latestStart: number, onTimeout: (call: WaitingCall) => void): Promise<boolean> {
    return new Promise((resolve) => {
      const arrivedAt = performance.now();
      const end = (isGranted: boolean) => {
        if (!this.#calls.delete(call)) return;
        clearTimeout(timer);
        this.#capacity.waiting -= 1;
        resolve(isGranted);
      };
      const call = { arrivedAt, latestStart, end };
      const timer = setTimeout(() => onTimeout(call), Math.max(0, latestStart - arrivedAt));
      this.#calls.add(call);
      this.#capacity.waiting += 1;
    });
  }
}
