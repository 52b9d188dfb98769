import type { Gate, Semaphore } from '../../core/base/semaphore.ts';
import type { CallCount, RateLimit } from '../../core/rate-limit.ts';
import { ONE_CALL, TokenRateLimit } from './rate-limit.ts';
import type { RequestResult } from './service-call.ts';

/**
 * The calls that the service allows one token, as far as this gateway knows. It is the gate of the token's waiting
 * room: a waiting call is let through when it gets a call of the budget and a slot at once.
 */
export class CallBudget implements Gate {
  /** True while the service accepts the token. Only then is the budget shared with other gateways. */
  isShared = false;
  protected rateLimit = new TokenRateLimit();
  /** The slots of the calls of all tokens. Calls of this token wait for them with `key`. */
  protected readonly slots: Semaphore;
  protected readonly key: string;
  #reopenTimer: NodeJS.Timeout | undefined;
  /** `performance.now()` of the last refused attempt. */
  #refusedAt = 0;

  constructor(slots: Semaphore, key: string) {
    this.slots = slots;
    this.key = key;
  }

  tryPass(): boolean {
    // The same time is used for all waiting calls: a block that ended between the attempt and its timer would leave the
    // calls without either.
    this.#refusedAt = performance.now();
    return this.rateLimit.tryAcquire(this.#refusedAt);
  }

  /** Without a block, the next response serves the waiting calls. */
  onRefused(): void {
    clearTimeout(this.#reopenTimer);
    const blockedForMs = this.rateLimit.blockedForMs(this.#refusedAt);
    if (blockedForMs > 0) this.#reopenTimer = setTimeout(() => this.slots.reopen(this.key), blockedForMs + 1).unref();
  }

  onTimeout(): boolean {
    return false;
  }

  /**
   * `performance.now()` until which waiting for a call is useful. It is now where the limit opens later than
   * `latestStart`, or is closed and the call does not wait.
   */
  deadlineOf(latestStart: number, doesNotWait: boolean): number {
    const now = performance.now();
    const isInVain = doesNotWait ? !this.rateLimit.isOpen(now) : this.rateLimit.blockedForMs(now) > latestStart - now;
    return isInVain ? now : latestStart;
  }

  /**
   * Takes calls for a job, and returns their number. It never waits for others, and never overtakes a waiting call.
   * `onResponse` must be called for each of them.
   */
  async acquireInBackground(wanted: CallCount = ONE_CALL): Promise<number> {
    const mayPass = this.slots.waitersOf(this.key).length === 0 && this.hasSlot();
    return mayPass ? this.takeInBackground(wanted) : 0;
  }

  /** Whole seconds until so many calls of a job may be sent, at least 1. */
  backgroundRetryAfterSeconds(wanted: CallCount = ONE_CALL): number {
    return Math.max(1, Math.ceil(this.rateLimit.backgroundBlockedForMs(performance.now(), wanted) / 1_000));
  }

  /** True while the service has no call left, not even for calls that were taken and not sent yet. */
  isExhausted(): boolean {
    return this.rateLimit.isExhausted();
  }

  /** Called once for each call that was taken. */
  onResponse(result: RequestResult): void {
    this.rateLimit.onResponse(result);
    this.slots.reopen(this.key);
  }

  /** Milliseconds by which a call that can wait should be delayed. */
  delayMs(): number {
    return this.rateLimit.delayMs();
  }

  retryAfterSeconds(): number | null {
    return this.rateLimit.retryAfterSeconds();
  }

  current(): RateLimit | null {
    return this.rateLimit.current();
  }

  /** The calls of a whole window; null where no response has shown it. */
  capacity(): number | null {
    return this.rateLimit.capacity;
  }

  /** Reads what other gateways have reported meanwhile. */
  async refresh(): Promise<void> {}

  protected hasSlot(): boolean {
    return this.slots.slotsFor(this.key, 1) > 0;
  }

  protected async takeInBackground(wanted: CallCount): Promise<number> {
    return this.rateLimit.acquireInBackground(wanted);
  }
}
