import { z } from 'zod';
import { err } from '../../core/base/result.ts';
import type { QueuedWaiter, Semaphore } from '../../core/base/semaphore.ts';
import { unavailable } from '../../core/errors.ts';
import type { CallCount } from '../../core/rate-limit.ts';
import type { BudgetChange, SharedState } from '../../core/shared-state.ts';
import { StateUnavailable } from '../../core/state-unavailable.ts';
import { CallBudget } from './call-budget.ts';
import { type RateLimitState, rateLimitState, shiftedBy, TokenRateLimit } from './rate-limit.ts';
import { notBegun, type RequestResult } from './service-call.ts';

/** One gateway, which counts until `endsAt`: one that has died holds nobody up for longer. */
const budgetSharer = z.object({
  inFlight: z.number(),
  /** The arrival of the first of its calls that wait; null where none does. */
  waitingSince: z.number().nullable(),
  endsAt: z.number(),
});

/** The knowledge that several gateways share of one token. Times are by the clock of the shared state. */
const budgetRow = z.object({
  writtenAt: z.number(),
  state: rateLimitState,
  /** The gateways that have calls in flight or waiting, by their names. */
  sharers: z.record(z.string(), budgetSharer),
});

type BudgetRow = z.infer<typeof budgetRow>;

/** Updates that waited for each other read the clock in another order than they write. More is a step of the clock. */
const CLOCK_STEP_MS = 1_000;

/**
 * Null where the text is no row, and where the clock was set back since it was written: its times are far ahead then.
 * @internal Exported for tests.
 */
export function decodeBudgetRow(text: string, now: number): BudgetRow | null {
  const row = budgetRow.safeParse(parseJson(text)).data;
  if (row === undefined || row.writtenAt > now + CLOCK_STEP_MS) return null;
  const alive = Object.entries(row.sharers).filter(([, { endsAt }]) => endsAt > now);
  return { ...row, sharers: Object.fromEntries(alive) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** All that one gateway has to tell, and to ask, of the row of a token at one time. */
interface BudgetUse {
  readonly gateway: string;
  /** The state that the gateway knows, by `performance.now()`: the first row begins with it. Its calls in flight are its own. */
  readonly known: Readonly<RateLimitState>;
  /** Responses that the row does not have yet. Their calls are still in flight in `known`. */
  readonly responses: readonly RequestResult[];
  /** In the order they came, as many as there are slots for. */
  readonly waiting: readonly QueuedWaiter[];
  /** What jobs ask for, one after another. */
  readonly backgroundCalls: readonly CallCount[];
}

/** The result of one update of the row. */
interface BudgetOutcome {
  /** The state of the row, by `performance.now()`; the calls in flight are those of this gateway. */
  readonly known: RateLimitState;
  /** The first so many of the waiting calls may be sent. */
  readonly granted: number;
  /** The number of calls that each of the jobs gets. */
  readonly grantedInBackground: readonly number[];
  /** Milliseconds during which nothing may be sent. */
  readonly blockedForMs: number;
  /** Milliseconds until the next update at the latest; null where nothing is in flight and nothing waits. */
  readonly nextUpdateMs: number | null;
}

/** A gateway with calls in flight tells so often that it lives. */
const HEARTBEAT_MS = 1_000;

/** A gateway that is late by so much counts no more. */
const GRACE_MS = 1_000;

/** The longest sleep until a reset, since a response to another gateway may open the limit before. */
const MAX_SLEEP_MS = 5_000;

/** The pause while another gateway's call comes first, and while a call in flight has to have its response. */
const TURN_POLL_MS = 25;
const RESPONSE_POLL_MS = 100;

/** Arrivals that differ by less count as equal, since each gateway reads the clock of the state a moment later. */
const SAME_TIME_MS = 5;

/** Changes the row as one gateway needs it. Has no effect but its result, since it may run again. */
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

/** Stands for the response of a call that was granted and never sent. */
const UNUSED: RequestResult = err(notBegun(unavailable()));

/** The row is left alone for so long after a failure that the state does not count as its own. */
const RETRY_MS = 1_000;

/**
 * The budget of a token that several gateways share: its calls are taken from one row. One update at a time runs, and the
 * next one takes together all that has come up meanwhile. Made-up tokens take no rows. Where the state fails, the gateway
 * keeps to its share of what was last known.
 */
export class SharedCallBudget extends CallBudget {
  readonly #shared: SharedState;
  /** The name of this gateway, which no other has. */
  readonly #gateway: string;
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
  #backgroundCalls: CallCount[] = [];
  /** The update that has not begun yet; null while none is asked for. */
  #next: Promise<BudgetOutcome | null> | null = null;
  /** The end of the last update that was asked for. */
  #latest: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  /** `key` names the token at the service: it is equal for all gateways. */
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

  /** The update that follows decides on the call, so that each is tried at least once. */
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

  /** True while calls are taken from the row. From the first failure on, the gateway keeps to its share. */
  #isUsable(): boolean {
    if (this.isShared && this.#shared.problem() === null && performance.now() >= this.#failedUntil) return true;
    this.#wasInterrupted = true;
    if (this.isShared) this.#keepToShare();
    return false;
  }

  /** Runs the next update, once the one under way has ended. Null where the state has failed. */
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

  /** The row is asked for no more calls than there are slots. */
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
    // There may be more slots by now than the row was asked for.
    if (wasRefused && granted === waiting.length) void this.#update();
  }

  /** Lets so many calls through, and gives back those that no call takes any more. True where a further call was refused. */
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

/** Refuses those whose time is over before the end of a block. */
function refuseFrom(waiters: readonly QueuedWaiter[], blockedForMs: number): void {
  const now = performance.now();
  for (const { waiter, refuse } of waiters) if (waiter.deadline - now <= blockedForMs) refuse('timed-out');
}

const shareOf = (calls: number | null, count: number): number | null =>
  calls === null ? null : Math.floor(calls / count);
