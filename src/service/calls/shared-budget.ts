import { z } from 'zod';
import { jsonIn } from '../../core/base/json.ts';
import { err } from '../../core/base/result.ts';
import type { QueuedWaiter, Semaphore } from '../../core/base/semaphore.ts';
import { unavailable } from '../../core/errors.ts';
import type { CallCount } from '../../core/rate-limit.ts';
import type { BudgetChange, SharedState } from '../../core/shared-state.ts';
import { StateUnavailable } from '../../core/state-unavailable.ts';
import { CallBudget } from './call-budget.ts';
import { type RateLimitState, rateLimitState, shiftedBy, TokenRateLimit } from './rate-limit.ts';
import { notBegun, type RequestResult } from './service-call.ts';

/** A gateway that uses the budget. It counts until `endsAt`, so that one that has ended delays nobody for longer. */
const budgetSharer = z.object({
  inFlight: z.number(),
  /** The arrival of its first waiting call; null where none waits. */
  waitingSince: z.number().nullable(),
  endsAt: z.number(),
});

/** The state of one token's budget that several gateways share. Times are by the clock of the shared state. */
const budgetRow = z.object({
  writtenAt: z.number(),
  state: rateLimitState,
  /** The gateways with calls in flight or waiting, by name. */
  sharers: z.record(z.string(), budgetSharer),
});

type BudgetRow = z.infer<typeof budgetRow>;

/** Updates that waited for each other may read the clock out of order. A larger difference is a step of the clock. */
const CLOCK_STEP_MS = 1_000;

/**
 * Decodes the row; null where the text is no row, and where the clock was set back since it was written, which makes
 * its times far ahead.
 * @internal Exported for tests.
 */
export function decodeBudgetRow(text: string, now: number): BudgetRow | null {
  const row = budgetRow.safeParse(jsonIn(text)).data;
  if (row === undefined || row.writtenAt > now + CLOCK_STEP_MS) return null;
  const current = Object.entries(row.sharers).filter(([, { endsAt }]) => endsAt > now);
  return { ...row, sharers: Object.fromEntries(current) };
}

/** The reports and requests of one gateway for one update of a token's row. */
interface BudgetUse {
  readonly gateway: string;
  /** The state that the gateway knows, by `performance.now()`, with its own calls in flight. A new row begins with it. */
  readonly known: Readonly<RateLimitState>;
  /** Responses that the row does not have yet. `known` still counts their calls as in flight. */
  readonly responses: readonly RequestResult[];
  /** The waiting calls in their order, at most as many as there are slots. */
  readonly waiting: readonly QueuedWaiter[];
  /** The requests of jobs, in their order. */
  readonly backgroundCalls: readonly CallCount[];
}

/** The result of one update of the row. */
interface BudgetOutcome {
  /** The state of the row, by `performance.now()`, with the calls in flight of this gateway. */
  readonly known: RateLimitState;
  /** The number of waiting calls that may be sent, from the first on. */
  readonly granted: number;
  /** The number of calls that each job gets. */
  readonly grantedInBackground: readonly number[];
  /** Milliseconds during which nothing may be sent. */
  readonly blockedForMs: number;
  /** Milliseconds until the next update at the latest; null where nothing is in flight and nothing waits. */
  readonly nextUpdateMs: number | null;
}

/** The time between two heartbeats of a gateway with calls in flight. */
const HEARTBEAT_MS = 1_000;

/** A gateway whose heartbeat is later by so much counts no more. */
const GRACE_MS = 1_000;

/** The longest sleep until a reset, since a response to another gateway may open the limit earlier. */
const MAX_SLEEP_MS = 5_000;

/** The pause while the call of another gateway comes first, and while a response is needed before the next call. */
const TURN_POLL_MS = 25;
const RESPONSE_POLL_MS = 100;

/** Arrivals with a smaller difference count as equal, since each gateway reads the clock of the state a moment later. */
const SAME_TIME_MS = 5;

/** Updates the row for one gateway. It has no side effects, since it may be repeated. */
function updateBudget(use: BudgetUse, text: string | null, now: number): BudgetChange<BudgetOutcome> {
  const clock = performance.now();
  const offset = now - clock;
  const row = text === null ? null : decodeBudgetRow(text, now);
  const { [use.gateway]: own, ...sharers } = row?.sharers ?? {};
  const others = Object.values(sharers);
  const othersInFlight = others.reduce((sum, { inFlight }) => sum + inFlight, 0);
  const othersSince = Math.min(...others.map(({ waitingSince }) => waitingSince ?? Number.POSITIVE_INFINITY));
  const state = row?.state ?? shiftedBy(use.known, offset);
  state.inFlight = othersInFlight + use.known.inFlight;
  const rules = new TokenRateLimit(state);

  for (const response of use.responses) rules.onResponse(response, now);
  const isTurn = ({ since }: QueuedWaiter) => since + offset <= othersSince + SAME_TIME_MS;
  const granted = countWhile(use.waiting.length, (index) => {
    const call = use.waiting[index];
    return call !== undefined && isTurn(call) && rules.tryAcquire(now);
  });
  const blockedForMs = rules.blockedForMs(now);
  const firstLeft = use.waiting.slice(granted).find(({ waiter }) => waiter.deadline - clock > blockedForMs);
  const isIdle = firstLeft === undefined && othersSince === Number.POSITIVE_INFINITY;
  const grantedInBackground = use.backgroundCalls.map((wanted) =>
    isIdle ? rules.acquireInBackground(wanted, now) : 0,
  );

  const inFlight = state.inFlight - othersInFlight;
  const pollMs = blockedForMs > 0 ? Math.min(blockedForMs + 1, MAX_SLEEP_MS) : pollMsOf(rules, now);
  const restMs = inFlight > 0 ? HEARTBEAT_MS : null;
  const nextUpdateMs = firstLeft === undefined ? restMs : pollMs;
  if (nextUpdateMs !== null) {
    const endsAt = now + Math.max(nextUpdateMs, HEARTBEAT_MS) + GRACE_MS;
    const waitingSince = firstLeft === undefined ? null : firstLeft.since + offset;
    sharers[use.gateway] = { inFlight, waitingSince, endsAt };
  }
  const known = { ...shiftedBy(state, -offset), inFlight };
  const isChanged = own !== undefined || nextUpdateMs !== null || use.responses.length > 0;
  const changedRow: BudgetRow = { writtenAt: now, state, sharers };
  return {
    budget: isChanged ? JSON.stringify(changedRow) : null,
    result: { known, granted, grantedInBackground, blockedForMs, nextUpdateMs },
  };
}

const pollMsOf = (rules: TokenRateLimit, now: number) => (rules.isOpen(now) ? TURN_POLL_MS : RESPONSE_POLL_MS);

/** The number of steps that succeed before the first that fails, at most `max`. */
function countWhile(max: number, step: (index: number) => boolean): number {
  let count = 0;
  while (count < max && step(count)) count += 1;
  return count;
}

/** The response of a call that was granted and never sent. */
const UNUSED: RequestResult = err(notBegun(unavailable()));

/** The pause after a failure of the state, in which the row is not used. */
const RETRY_MS = 1_000;

/**
 * The budget of a token that several gateways share: its calls are taken from one row. One update runs at a time, and
 * the next one combines all requests that came up meanwhile. Unverified tokens take no rows. While the state fails, the
 * gateway uses its part of what was last known.
 */
export class SharedCallBudget extends CallBudget {
  readonly #shared: SharedState;
  /** The unique name of this gateway. */
  readonly #gateway: string;
  /** True while the gateway uses its part of the limit without the row. */
  #isAlone = false;
  /** True where calls were served without the row since the current update began. Its outcome is ignored then. */
  #wasInterrupted = false;
  /** `performance.now()` until which the row is not used after a failure. */
  #failedUntil = Number.NEGATIVE_INFINITY;
  #responses: RequestResult[] = [];
  /** The calls that the row has granted and that are not taken yet. */
  #granted = 0;
  /** Whether a call was refused while granted calls are handed out; null at other times. */
  #refusedWhileGranting: boolean | null = null;
  #backgroundCalls: CallCount[] = [];
  /** The update that has not begun yet; null while none is requested. */
  #next: Promise<BudgetOutcome | null> | null = null;
  /** The end of the last requested update. */
  #latest: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  /** `key` identifies the token at the service. All gateways have the same key for it. */
  constructor(slots: Semaphore, key: string, row: { readonly shared: SharedState; readonly gateway: string }) {
    super(slots, key);
    this.#shared = row.shared;
    this.#gateway = row.gateway;
  }

  override tryPass(): boolean {
    if (!this.#isUsable()) return super.tryPass();
    if (this.#granted === 0) return false;
    this.#granted -= 1;
    return true;
  }

  override onRefused(): void {
    if (!this.#isUsable()) super.onRefused();
    else if (this.#refusedWhileGranting === null) void this.#update();
    else this.#refusedWhileGranting = true;
  }

  /** The update that follows decides on the call, so that each call is tried at least once. */
  override onTimeout(): boolean {
    if (!this.#isUsable() || !this.hasSlot()) return false;
    void this.#update();
    return true;
  }

  override deadlineOf(latestStart: number, doesNotWait: boolean): number {
    if (!this.#isUsable()) return super.deadlineOf(latestStart, doesNotWait);
    return doesNotWait ? performance.now() : latestStart;
  }

  override onResponse(result: RequestResult): void {
    if (this.#isUsable()) {
      this.#responses.push(result);
      void this.#update();
    } else super.onResponse(result);
  }

  override delayMs(): number {
    return this.rateLimit.delayMs(this.#isUsable() ? this.#shared.gatewayCount() : 1);
  }

  override async refresh(): Promise<void> {
    if (this.#isUsable()) await this.#update();
  }

  protected override async takeInBackground(wanted: CallCount): Promise<number> {
    if (!this.#isUsable()) return super.takeInBackground(wanted);
    const position = this.#backgroundCalls.push(wanted) - 1;
    const outcome = await this.#update();
    return outcome === null ? super.takeInBackground(wanted) : (outcome.grantedInBackground[position] ?? 0);
  }

  /** True while calls are taken from the row. The first failure makes the gateway use its part of the limit. */
  #isUsable(): boolean {
    if (this.isShared && this.#shared.problem() === null && performance.now() >= this.#failedUntil) return true;
    this.#wasInterrupted = true;
    if (this.isShared) this.#keepToShare();
    return false;
  }

  /** Runs the next update once the current one has ended. Null where the state has failed. */
  #update(): Promise<BudgetOutcome | null> {
    if (this.#next !== null) return this.#next;
    const next = this.#latest.then(() => {
      this.#next = null;
      clearTimeout(this.#timer);
      return this.#runUpdate();
    });
    this.#next = next;
    this.#latest = next.catch(() => null);
    return next;
  }

  async #runUpdate(): Promise<BudgetOutcome | null> {
    const present = [...this.slots.waitersOf(this.key)];
    const use = this.#takeUse(present);
    if (!this.#isUsable()) return this.#goOnAlone(use, present);
    this.#wasInterrupted = false;
    try {
      const outcome = await this.#shared.budgets.update(this.key, (text, now) => updateBudget(use, text, now));
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

  /** Requests at most as many calls of the row as there are slots. */
  #takeUse(present: readonly QueuedWaiter[]): BudgetUse {
    const use = {
      gateway: this.#gateway,
      known: this.rateLimit.state,
      responses: this.#responses,
      waiting: present.slice(0, this.slots.slotsFor(this.key, present.length)),
      backgroundCalls: this.#backgroundCalls,
    };
    this.#responses = [];
    this.#backgroundCalls = [];
    return use;
  }

  #apply({ waiting }: BudgetUse, outcome: BudgetOutcome, present: readonly QueuedWaiter[]): void {
    const { known, granted, blockedForMs, nextUpdateMs } = outcome;
    this.#isAlone = false;
    this.rateLimit = new TokenRateLimit(known);
    const wasRefused = this.#grant(granted);
    refuseFrom(present, blockedForMs);
    if (nextUpdateMs !== null) this.#timer = setTimeout(() => void this.#update(), nextUpdateMs).unref();
    // There may be more slots by now than were requested.
    if (wasRefused && granted === waiting.length) void this.#update();
  }

  /** Lets so many calls through, and gives back the rest. Returns true where a further call was refused. */
  #grant(calls: number): boolean {
    this.#granted = calls;
    this.#refusedWhileGranting = false;
    this.slots.reopen(this.key);
    const wasRefused = this.#refusedWhileGranting;
    this.#refusedWhileGranting = null;
    for (; this.#granted > 0; this.#granted -= 1) this.onResponse(UNUSED);
    return wasRefused;
  }

  #keepToShare(): void {
    if (this.#isAlone) return;
    this.#isAlone = true;
    const count = this.#shared.gatewayCount();
    const { limit, remaining, windowCalls, ...others } = this.rateLimit.state;
    const share = {
      limit: shareOf(limit, count),
      remaining: shareOf(remaining, count),
      windowCalls: shareOf(windowCalls, count),
    };
    this.rateLimit = new TokenRateLimit({ ...others, ...share }, count);
  }

  #goOnAlone({ responses }: BudgetUse, present: readonly QueuedWaiter[]): null {
    for (const response of responses) this.rateLimit.onResponse(response);
    this.slots.reopen(this.key);
    refuseFrom(present, 0);
    return null;
  }
}

/** Refuses the waiting calls whose deadlines are before the end of a block. */
function refuseFrom(waiters: readonly QueuedWaiter[], blockedForMs: number): void {
  const now = performance.now();
  for (const { waiter, refuse } of waiters) if (waiter.deadline - now <= blockedForMs) refuse('timed-out');
}

const shareOf = (calls: number | null, count: number): number | null =>
  calls === null ? null : Math.floor(calls / count);
