import type { RateLimit } from '../../../domain/rate-limit.ts';
import type { RequestResult } from '../http/request.ts';
import { TokenRateLimit } from './rate-limit.ts';

/** Shared by the queues of all tokens. */
export interface SharedQueueCapacity {
  waiting: number;
  readonly max: number;
  /** The most calls that wait in one queue, so that the others keep some room. */
  readonly maxPerQueue: number;
}

/** The calls of one token, in the order they came, each sent when the rate limit of the token allows. */
export class RateLimitQueue {
  readonly #rateLimit = new TokenRateLimit();
  readonly #capacity: SharedQueueCapacity;
  readonly #waiting = new Set<() => void>();
  #reopenTimer: NodeJS.Timeout | undefined;

  constructor(capacity: SharedQueueCapacity) {
    this.#capacity = capacity;
  }

  /** True once a call may be sent; false, at once where possible, if it may not before `latestStart`. */
  async acquire(latestStart: number): Promise<boolean> {
    if (this.#waiting.size === 0 && this.#rateLimit.tryAcquire()) return true;
    const { waiting, max, maxPerQueue } = this.#capacity;
    const timeoutMs = latestStart - performance.now();
    const isFull = waiting >= max || this.#waiting.size >= maxPerQueue;
    if (isFull || this.#rateLimit.blockedForMs() > timeoutMs) return false;
    return this.#wait(timeoutMs);
  }

  /** True where a call of a job may be sent now. It never waits, and never overtakes a call that waits. */
  tryAcquireInBackground(): boolean {
    return this.#waiting.size === 0 && this.#rateLimit.tryAcquireInBackground();
  }

  /** Whole seconds until a call of a job may be sent, at least 1. */
  backgroundRetryAfterSeconds(): number {
    return Math.max(1, Math.ceil(this.#rateLimit.backgroundBlockedForMs() / 1_000));
  }

  onResponse(result: RequestResult): void {
    this.#rateLimit.onResponse(result);
    this.#drain();
  }

  delayMs(): number {
    return this.#rateLimit.delayMs();
  }

  retryAfterSeconds(): number | null {
    return this.#rateLimit.retryAfterSeconds();
  }

  current(): RateLimit | null {
    return this.#rateLimit.current();
  }

  #wait(timeoutMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const stopWaiting = (isGranted: boolean) => {
        clearTimeout(timer);
        this.#waiting.delete(grant);
        this.#capacity.waiting -= 1;
        if (this.#waiting.size === 0) clearTimeout(this.#reopenTimer);
        resolve(isGranted);
      };
      const grant = () => stopWaiting(true);
      const timer = setTimeout(() => stopWaiting(false), timeoutMs);
      this.#waiting.add(grant);
      this.#capacity.waiting += 1;
      this.#drain();
    });
  }

  #drain(): void {
    clearTimeout(this.#reopenTimer);
    for (const grant of this.#waiting) {
      if (!this.#rateLimit.tryAcquire()) break;
      grant();
    }
    // Without a block, the next response drains the queue.
    const blockedForMs = this.#rateLimit.blockedForMs();
    if (this.#waiting.size > 0 && blockedForMs > 0)
      this.#reopenTimer = setTimeout(() => this.#drain(), blockedForMs + 1);
  }
}
