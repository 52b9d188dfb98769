import type { Gate, Semaphore } from '../../../base/semaphore.ts';
import type { RateLimit } from '../../../domain/rate-limit.ts';
import { TokenRateLimit } from './rate-limit.ts';
import type { RequestResult } from './service-call.ts';
import { type RateLimitView, SharedRateLimit, type TokenBudget } from './shared-budget.ts';

interface CallBudgetOptions {
  /** The slots of the calls of all tokens, for which those of this token wait with `key`. */
  readonly slots: Semaphore;
  readonly key: string;
  /** Null where the gateway knows of no other in front of the same service. */
  readonly shared: TokenBudget | null;
}

/**
 * What the service allows one token: the rate limit that this gateway knows, or the one that it shares with others. It is
 * the gate of the token's waiting room: a waiting call is let through when it gets a call of the budget and a slot at once.
 */
export class CallBudget implements Gate {
  readonly #slots: Semaphore;
  readonly #key: string;
  readonly #view: RateLimitView;
  readonly #shared: SharedRateLimit | null;
  #reopenTimer: NodeJS.Timeout | undefined;
  /** `performance.now()`. */
  #refusedAt = 0;

  constructor({ slots, key, shared }: CallBudgetOptions) {
    this.#slots = slots;
    this.#key = key;
    this.#view = { rateLimit: new TokenRateLimit(), slots, key };
    this.#shared = shared && new SharedRateLimit(shared, this.#view);
  }

  /** True from when the service has accepted the token until it does not any more. */
  set isShared(isShared: boolean) {
    if (this.#shared !== null) this.#shared.isEnabled = isShared;
  }

  tryPass(): boolean {
    const shared = this.#usableShared();
    if (shared !== null) return shared.tryPass();
    // One time for all: a block that ended between the attempt and its timer would leave the calls without either.
    this.#refusedAt = performance.now();
    return this.#view.rateLimit.tryAcquire(this.#refusedAt);
  }

  /** Without a block, the next response lets the calls through. */
  onRefused(): void {
    const shared = this.#usableShared();
    if (shared !== null) {
      shared.onRefused();
      return;
    }
    clearTimeout(this.#reopenTimer);
    const blockedForMs = this.#view.rateLimit.blockedForMs(this.#refusedAt);
    if (blockedForMs > 0) this.#reopenTimer = setTimeout(() => this.#slots.reopen(this.#key), blockedForMs + 1).unref();
  }

  /** With a shared rate limit, the update that follows decides on the call, so that each is tried at least once. */
  onTimeout(): boolean {
    const shared = this.#usableShared();
    if (shared === null || !this.#hasSlot()) return false;
    void shared.update();
    return true;
  }

  /**
   * `performance.now()` until which it is of use to wait for a call: at once where the limit opens later than
   * `latestStart`, or is closed and the call does not wait.
   */
  deadlineOf(latestStart: number, doesNotWait: boolean): number {
    const now = performance.now();
    if (this.#usableShared() !== null) return doesNotWait ? now : latestStart;
    const { rateLimit } = this.#view;
    const isInVain = doesNotWait ? !rateLimit.isOpen(now) : rateLimit.blockedForMs(now) > latestStart - now;
    return isInVain ? now : latestStart;
  }

  /** Takes a call for a job. It never waits for others, and never overtakes a call that waits. */
  async tryAcquireInBackground(): Promise<boolean> {
    if (this.#slots.waitersOf(this.#key).length > 0 || !this.#hasSlot()) return false;
    return this.#usableShared()?.tryAcquireInBackground() ?? this.#view.rateLimit.tryAcquireInBackground();
  }

  /** Whole seconds until a call of a job may be sent, at least 1. */
  backgroundRetryAfterSeconds(): number {
    return Math.max(1, Math.ceil(this.#view.rateLimit.backgroundBlockedForMs() / 1_000));
  }

  /** Called once for each call that was taken. */
  onResponse(result: RequestResult): void {
    const shared = this.#usableShared();
    if (shared !== null) shared.onResponse(result);
    else {
      this.#view.rateLimit.onResponse(result);
      this.#slots.reopen(this.#key);
    }
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

  #hasSlot(): boolean {
    return this.#slots.slotsFor(this.#key, 1) > 0;
  }

  #usableShared(): SharedRateLimit | null {
    return this.#shared?.isUsable() ? this.#shared : null;
  }
}
