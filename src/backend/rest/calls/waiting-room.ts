import type { RateLimit } from '../../../domain/rate-limit.ts';
import type { RequestResult } from './http-request.ts';
import { TokenRateLimit } from './rate-limit.ts';
import { type RateLimitView, SharedRateLimit, type TokenBudget } from './shared-rate-limit.ts';

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

/**
 * The calls of one token, in the order they came, each sent when the rate limit of the token allows: the one that this
 * gateway knows, or the one that it shares with others.
 */
export class RateLimitQueue {
  readonly #waiting: WaitingCalls;
  readonly #view: RateLimitView;
  readonly #shared: SharedRateLimit | null;
  #reopenTimer: NodeJS.Timeout | undefined;

  constructor(capacity: SharedQueueCapacity, budget: TokenBudget | null = null) {
    this.#waiting = new WaitingCalls(capacity);
    this.#view = { waiting: this.#waiting, rateLimit: new TokenRateLimit(), drainAlone: () => this.#drainAlone() };
    this.#shared = budget && new SharedRateLimit(budget, this.#view);
  }

  /** True from when the service has accepted the token until it does not any more. */
  set isShared(isShared: boolean) {
    if (this.#shared !== null) this.#shared.isEnabled = isShared;
  }

  /** True once a call may be sent; false, at once where possible, if it may not before `latestStart`. */
  async acquire(latestStart: number): Promise<boolean> {
    const shared = this.#usableShared();
    if (shared === null && this.#waiting.size === 0 && this.#view.rateLimit.tryAcquire()) return true;
    if (this.#waiting.isFull) return false;
    if (shared === null && this.#view.rateLimit.blockedForMs() > latestStart - performance.now()) return false;
    const isGranted = this.#waiting.wait(latestStart, (call) => this.#onTimeout(call));
    this.#drain();
    return isGranted;
  }

  /** True where a call of a job may be sent now. It never waits for others, and never overtakes a call that waits. */
  async tryAcquireInBackground(): Promise<boolean> {
    if (this.#waiting.size > 0) return false;
    return this.#usableShared()?.tryAcquireInBackground() ?? this.#view.rateLimit.tryAcquireInBackground();
  }

  /** Whole seconds until a call of a job may be sent, at least 1. */
  backgroundRetryAfterSeconds(): number {
    return Math.max(1, Math.ceil(this.#view.rateLimit.backgroundBlockedForMs() / 1_000));
  }

  onResponse(result: RequestResult): void {
    const shared = this.#usableShared();
    if (shared === null) {
      this.#view.rateLimit.onResponse(result);
      this.#drain();
    } else shared.onResponse(result);
  }

  /** Milliseconds by which a call that can wait should be delayed. */
  delayMs(): number | Promise<number> {
    return this.#usableShared()?.reserveDelayMs() ?? this.#view.rateLimit.delayMs();
  }

  retryAfterSeconds(): number | null {
    return this.#view.rateLimit.retryAfterSeconds();
  }

  /** As last known. */
  current(): RateLimit | null {
    return this.#view.rateLimit.current();
  }

  /** Reads what other gateways have learnt meanwhile. */
  async refresh(): Promise<void> {
    await this.#usableShared()?.update();
  }

  #usableShared(): SharedRateLimit | null {
    return this.#shared?.isUsable() ? this.#shared : null;
  }

  /** With a shared rate limit, the update that follows decides on the call, so that each is tried at least once. */
  #onTimeout(call: WaitingCall): void {
    const shared = this.#usableShared();
    if (shared !== null) return void shared.update();
    call.end(false);
    if (this.#waiting.size === 0) clearTimeout(this.#reopenTimer);
  }

  #drain(): void {
    const shared = this.#usableShared();
    if (shared === null) this.#drainAlone();
    else void shared.update();
  }

  #drainAlone(): void {
    clearTimeout(this.#reopenTimer);
    // One time for all: a block that ended between the attempt and the timer would leave the calls without either.
    const now = performance.now();
    for (const call of this.#waiting) {
      if (!this.#view.rateLimit.tryAcquire(now)) break;
      call.end(true);
    }
    // Without a block, the next response drains the queue.
    const blockedForMs = this.#view.rateLimit.blockedForMs(now);
    if (this.#waiting.size > 0 && blockedForMs > 0)
      this.#reopenTimer = setTimeout(() => this.#drain(), blockedForMs + 1);
  }
}
