import { err } from '../../../base/result.ts';
import type { Semaphore, Waiter } from '../../../base/semaphore.ts';
import { unavailable } from '../../../domain/errors.ts';
import type { SharedState } from '../../../state/shared/shared-state.ts';
import { StateUnavailable } from '../../../state/state-unavailable.ts';
import { type BudgetOutcome, type BudgetUse, updateBudget } from './budget-row.ts';
import { TokenRateLimit } from './rate-limit.ts';
import { notBegun, type RequestResult } from './service-call.ts';

/** The row of one token, as one gateway reaches it. */
export interface TokenBudget {
  readonly shared: SharedState;
  /** Names the token at the service, by a hash. */
  readonly tokenKey: string;
  /** The name of this gateway, which no other has. */
  readonly gateway: string;
}

/** The rate limit of the token, and the slots for which its calls wait. */
export interface RateLimitView {
  /** The rate limit as it is known: that of the row as of its last update, or a share of it. */
  rateLimit: TokenRateLimit;
  readonly slots: Semaphore;
  readonly key: string;
}

/** Stands for the response of a call that was granted and never sent. */
const UNUSED: RequestResult = err(notBegun(unavailable()));

/** The row is left alone for so long after a failure that the state does not count as its own. */
const RETRY_MS = 1_000;

/**
 * Takes the calls of one token from the row that all gateways share. One update at a time runs, and the next one takes
 * together all that has come up meanwhile. Where the state fails, the gateway keeps to its share of what was last known.
 */
export class SharedRateLimit {
  readonly #budget: TokenBudget;
  readonly #view: RateLimitView;
  #isEnabled = false;
  /** True while the gateway keeps to its share. */
  #isAlone = false;
  /** True where calls were served without the row since the update under way began, whose outcome then counts no more. */
  #wasInterrupted = false;
  /** `performance.now()`. */
  #failedUntil = Number.NEGATIVE_INFINITY;
  #responses: RequestResult[] = [];
  /** Calls that the row has granted, and that are not taken yet. */
  #granted = 0;
  /** Null except while the outcome of an update is told to the waiting calls. */
  #refusedWhileGranting: boolean | null = null;
  #backgroundCalls = 0;
  #reservesDelay = false;
  /** `performance.now()`, until which no other time is reserved. */
  #reservedUntil = Number.NEGATIVE_INFINITY;
  #next: PromiseWithResolvers<BudgetOutcome | null> | null = null;
  #isUpdating = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(budget: TokenBudget, view: RateLimitView) {
    this.#budget = budget;
    this.#view = view;
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

  tryPass(): boolean {
    if (this.#granted === 0) return false;
    this.#granted -= 1;
    return true;
  }

  onRefused(): void {
    if (this.#refusedWhileGranting === null) void this.update();
    else this.#refusedWhileGranting = true;
  }

  onResponse(result: RequestResult): void {
    this.#responses.push(result);
    void this.update();
  }

  async tryAcquireInBackground(): Promise<boolean> {
    const place = this.#backgroundCalls;
    this.#backgroundCalls += 1;
    const outcome = await this.update();
    return outcome === null ? this.#view.rateLimit.tryAcquireInBackground() : place < outcome.grantedInBackground;
  }

  /** Milliseconds by which a call that can wait should be delayed, so that all gateways together keep the distance. */
  async reserveDelayMs(): Promise<number> {
    const delayMs = this.#reservedUntil - performance.now();
    if (delayMs > 0) return delayMs;
    this.#reservesDelay = true;
    const outcome = await this.update();
    return outcome?.delayMs ?? this.#view.rateLimit.delayMs();
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
    const present = [...this.#view.slots.waitersOf(this.#view.key)];
    const use = this.#takeUse(present);
    if (!this.isUsable()) return this.#goOnAlone(use, present);
    this.#wasInterrupted = false;
    try {
      const outcome = await shared.budgets.update(tokenKey, (text, now) => updateBudget(use, text, now));
      if (this.#wasInterrupted) return this.#goOnAlone(use, present);
      this.#apply(use, outcome, present);
      return outcome;
    } catch (error) {
      this.#failedUntil = performance.now() + RETRY_MS;
      this.#keepToShare();
      this.#goOnAlone(use, present);
      if (error instanceof StateUnavailable) return null;
      throw error;
    }
  }

  /** The row is asked for no more calls than there are slots. */
  #takeUse(present: readonly Waiter[]): BudgetUse {
    const { slots, key, rateLimit } = this.#view;
    const use = {
      gateway: this.#budget.gateway,
      known: rateLimit.state,
      responses: this.#responses,
      waiting: present.slice(0, slots.slotsFor(key, present.length)),
      backgroundCalls: this.#backgroundCalls,
      reservesDelay: this.#reservesDelay,
      gateways: this.#budget.shared.gatewayCount(),
    };
    this.#responses = [];
    this.#backgroundCalls = 0;
    this.#reservesDelay = false;
    return use;
  }

  #apply({ waiting, reservesDelay }: BudgetUse, outcome: BudgetOutcome, present: readonly Waiter[]): void {
    const { known, granted, blockedForMs, delayMs, nextUpdateMs } = outcome;
    this.#isAlone = false;
    this.#view.rateLimit = new TokenRateLimit(known);
    if (reservesDelay) this.#reservedUntil = performance.now() + delayMs;
    const wasRefused = this.#grant(granted);
    refuseFrom(present, blockedForMs);
    if (nextUpdateMs !== null) this.#timer = setTimeout(() => void this.update(), nextUpdateMs).unref();
    // There may be more slots by now than the row was asked for.
    if (wasRefused && granted === waiting.length) void this.update();
  }

  /** Lets so many calls through, and gives back those that no call takes any more. True where a further call was refused. */
  #grant(calls: number): boolean {
    this.#granted = calls;
    this.#refusedWhileGranting = false;
    this.#view.slots.reopen(this.#view.key);
    const wasRefused = this.#refusedWhileGranting;
    this.#refusedWhileGranting = null;
    for (; this.#granted > 0; this.#granted -= 1) this.onResponse(UNUSED);
    return wasRefused;
  }

  #keepToShare(): void {
    if (this.#isAlone) return;
    this.#isAlone = true;
    const count = this.#budget.shared.gatewayCount();
    const { limit, remaining, ...others } = this.#view.rateLimit.state;
    const share = { limit: shareOf(limit, count), remaining: shareOf(remaining, count) };
    this.#view.rateLimit = new TokenRateLimit({ ...others, ...share }, count);
  }

  #goOnAlone({ responses }: BudgetUse, present: readonly Waiter[]): null {
    for (const response of responses) this.#view.rateLimit.onResponse(response);
    this.#view.slots.reopen(this.#view.key);
    refuseFrom(present, 0);
    return null;
  }
}

/** Refuses those whose time is over before the end of a block. */
function refuseFrom(waiters: readonly Waiter[], blockedForMs: number): void {
  const now = performance.now();
  for (const { applicant, refuse } of waiters) if (applicant.deadline - now <= blockedForMs) refuse('timed-out');
}

const shareOf = (calls: number | null, count: number): number | null =>
  calls === null ? null : Math.floor(calls / count);
