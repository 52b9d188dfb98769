import type { SharedState } from '../../../state/shared/shared-state.ts';
import { StateUnavailable } from '../../../state/state-unavailable.ts';
import type { RequestResult } from './http-request.ts';
import { type BudgetOutcome, type BudgetUse, updateBudget } from './budget-row.ts';
import { TokenRateLimit } from './rate-limit.ts';
import type { WaitingCalls } from './waiting-room.ts';

/** The row of one token, as one gateway reaches it. */
export interface TokenBudget {
  readonly shared: SharedState;
  /** Names the token at the service, by a hash. */
  readonly tokenKey: string;
  /** The name of this gateway, which no other has. */
  readonly gateway: string;
}

/** The queue of the token, as far as updates of the row concern it. */
export interface RateLimitView {
  readonly waiting: WaitingCalls;
  /** The rate limit as it is known: that of the row as of its last update, or a share of it. */
  rateLimit: TokenRateLimit;
  /** Serves the waiting calls from what is known, without the row. */
  drainAlone(): void;
}

/** The row is left alone for so long after a failure that the state does not count as its own. */
const RETRY_MS = 1_000;

/**
 * Takes the calls of one token from the row that all gateways share. One update at a time runs, and the next one takes
 * together all that has come up meanwhile. Where the state fails, the gateway keeps to its share of what was last known.
 */
export class SharedRateLimit {
  readonly #budget: TokenBudget;
  readonly #queue: RateLimitView;
  #isEnabled = false;
  /** True while the gateway keeps to its share. */
  #isAlone = false;
  /** True where calls were served without the row since the update under way began, whose outcome then counts no more. */
  #wasInterrupted = false;
  /** `performance.now()`. */
  #failedUntil = Number.NEGATIVE_INFINITY;
  #responses: RequestResult[] = [];
  #backgroundCalls = 0;
  #reservesDelay = false;
  /** `performance.now()`, until which no other time is reserved. */
  #reservedUntil = Number.NEGATIVE_INFINITY;
  #next: PromiseWithResolvers<BudgetOutcome | null> | null = null;
  #isUpdating = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(budget: TokenBudget, queue: RateLimitView) {
    this.#budget = budget;
    this.#queue = queue;
  }

  /** False for a token that the service has not accepted: made-up tokens take no rows. */
  set isEnabled(isEnabled: boolean) {
    this.#isEnabled = isEnabled;
  }

  /** True while calls are taken from the row. From the first failure on, the gateway keeps to its share. */
  isUsable(): boolean {
    if (this.#isEnabled && this.#budget.shared.problem() === null && performance.now() >= this.#failedUntil)
      return true;
    this.#wasInterrupted = true;
    if (this.#isEnabled) this.#keepToShare();
    return false;
  }

  /** Runs the next update, and soon. Null where the state has failed. */
  update(): Promise<BudgetOutcome | null> {
    this.#next ??= Promise.withResolvers();
    const { promise } = this.#next;
    if (!this.#isUpdating) void this.#runUpdates();
    return promise;
  }

  onResponse(result: RequestResult): void {
    this.#responses.push(result);
    void this.update();
  }

  async tryAcquireInBackground(): Promise<boolean> {
    const place = this.#backgroundCalls;
    this.#backgroundCalls += 1;
    const outcome = await this.update();
    return outcome === null ? this.#queue.rateLimit.tryAcquireInBackground() : place < outcome.grantedInBackground;
  }

  /** Milliseconds by which a call that can wait should be delayed, so that all gateways together keep the distance. */
  async reserveDelayMs(): Promise<number> {
    const delayMs = this.#reservedUntil - performance.now();
    if (delayMs > 0) return delayMs;
    this.#reservesDelay = true;
    const outcome = await this.update();
    return outcome?.delayMs ?? this.#queue.rateLimit.delayMs();
  }

  async #runUpdates(): Promise<void> {
    this.#isUpdating = true;
    while (this.#next !== null) {
      const next = this.#next;
      this.#next = null;
      clearTimeout(this.#timer);
      await this.#runUpdate().then(next.resolve, next.reject);
    }
    this.#isUpdating = false;
  }

  async #runUpdate(): Promise<BudgetOutcome | null> {
    const { shared, tokenKey } = this.#budget;
    const use = this.#takeUse();
    if (!this.isUsable()) return this.#goOnAlone(use);
    this.#wasInterrupted = false;
    try {
      const outcome = await shared.budgets.update(tokenKey, (text, now) => updateBudget(use, text, now));
      if (this.#wasInterrupted) return this.#goOnAlone(use);
      this.#apply(use, outcome);
      return outcome;
    } catch (error) {
      this.#failedUntil = performance.now() + RETRY_MS;
      this.#keepToShare();
      this.#goOnAlone(use);
      if (error instanceof StateUnavailable) return null;
      throw error;
    }
  }

  #takeUse(): BudgetUse {
    const use = {
      gateway: this.#budget.gateway,
      known: this.#queue.rateLimit.state,
      responses: this.#responses,
      waiting: [...this.#queue.waiting],
      backgroundCalls: this.#backgroundCalls,
      reservesDelay: this.#reservesDelay,
      gateways: this.#budget.shared.gatewayCount(),
    };
    this.#responses = [];
    this.#backgroundCalls = 0;
    this.#reservesDelay = false;
    return use;
  }

  #apply({ waiting, reservesDelay }: BudgetUse, outcome: BudgetOutcome): void {
    const { known, granted, blockedForMs, delayMs, nextUpdateMs } = outcome;
    const now = performance.now();
    this.#isAlone = false;
    this.#queue.rateLimit = new TokenRateLimit(known);
    if (reservesDelay) this.#reservedUntil = now + delayMs;
    for (const [index, call] of waiting.entries())
      if (index < granted) call.end(true);
      else if (call.latestStart - now <= blockedForMs) call.end(false);
    if (nextUpdateMs !== null) this.#timer = setTimeout(() => void this.update(), nextUpdateMs).unref();
  }

  #keepToShare(): void {
    if (this.#isAlone) return;
    this.#isAlone = true;
    const count = this.#budget.shared.gatewayCount();
    const { limit, remaining, ...others } = this.#queue.rateLimit.state;
    const share = { limit: shareOf(limit, count), remaining: shareOf(remaining, count) };
    this.#queue.rateLimit = new TokenRateLimit({ ...others, ...share }, count);
  }

  #goOnAlone({ responses, waiting }: BudgetUse): null {
    for (const response of responses) this.#queue.rateLimit.onResponse(response);
    this.#queue.drainAlone();
    const now = performance.now();
    for (const call of waiting) if (call.latestStart <= now) call.end(false);
    return null;
  }
}

const shareOf = (calls: number | null, count: number): number | null =>
  calls === null ? null : Math.floor(calls / count);
