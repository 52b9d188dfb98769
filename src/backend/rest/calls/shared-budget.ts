import { isObject, type JsonObject } from '../../../base/json.ts';
import { err } from '../../../base/result.ts';
import type { Semaphore, Waiter } from '../../../base/semaphore.ts';
import { unavailable } from '../../../domain/errors.ts';
import type { BudgetChange, SharedState } from '../../../state/shared/shared-state.ts';
import { StateUnavailable } from '../../../state/state-unavailable.ts';
import { createRateLimitState, type RateLimitState, shiftedBy, TokenRateLimit } from './rate-limit.ts';
import { notBegun, type RequestResult } from './service-call.ts';

/** The knowledge that several gateways share of one token. Times are by the clock of the shared state. */
interface BudgetRow {
  readonly state: RateLimitState;
  /** The gateways that have calls in flight or waiting. */
  readonly sharers: Map<string, BudgetSharer>;
}

/**
 * One gateway, which counts until `endsAt`: one that has died holds nobody up for longer.
 * @internal Exported for tests.
 */
export interface BudgetSharer {
  readonly inFlight: number;
  /** The arrival of the first of its calls that wait; null where none does. */
  readonly waitingSince: number | null;
  readonly endsAt: number;
}

/** Bounds the length of a row. */
const MAX_SHARERS = 64;

/** Updates that waited for each other read the clock in another order than they write. More is a step of the clock. */
const CLOCK_STEP_MS = 1_000;

/**
 * Those that end first are left out where there are too many.
 * @internal Exported for tests.
 */
export function encodeBudgetRow({ state, sharers }: BudgetRow, now: number): string {
  const kept = [...sharers].toSorted(([, a], [, b]) => b.endsAt - a.endsAt).slice(0, MAX_SHARERS);
  return JSON.stringify({ writtenAt: now, state, sharers: Object.fromEntries(kept) });
}

/**
 * Null where the text is no row. A clock that was set back since it was written moves its times along.
 * @internal Exported for tests.
 */
export function decodeBudgetRow(text: string, now: number): BudgetRow | null {
  const row = parseRow(text);
  if (row === null || !isObject(row['state']) || !isObject(row['sharers'])) return null;
  const aheadMs = numberOr(row['writtenAt'], now) - now;
  const shiftMs = aheadMs > CLOCK_STEP_MS ? -aheadMs : 0;
  const sharers = new Map<string, BudgetSharer>();
  for (const [gateway, sharer] of Object.entries(row['sharers'])) {
    if (!isObject(sharer)) continue;
    const endsAt = numberOr(sharer['endsAt'], now) + shiftMs;
    const waitingSince = numberOr(sharer['waitingSince'], null);
    const movedSince = waitingSince === null ? null : waitingSince + shiftMs;
    if (endsAt > now)
      sharers.set(gateway, { inFlight: numberOr(sharer['inFlight'], 0), waitingSince: movedSince, endsAt });
  }
  return { state: shiftedBy(decodeState(row['state']), shiftMs), sharers };
}

/** A time that JSON has no number for, since it lies before all others, is read as it was. */
function decodeState(value: JsonObject): RateLimitState {
  const unknown = createRateLimitState();
  return {
    limit: numberOr(value['limit'], unknown.limit),
    remaining: numberOr(value['remaining'], unknown.remaining),
    resetAt: numberOr(value['resetAt'], unknown.resetAt),
    updatedAt: numberOr(value['updatedAt'], unknown.updatedAt),
    isProbing: value['isProbing'] === true,
    inFlight: 0,
    lastAcquiredAt: numberOr(value['lastAcquiredAt'], unknown.lastAcquiredAt),
    reservedAt: numberOr(value['reservedAt'], unknown.reservedAt),
    consecutiveRejections: numberOr(value['consecutiveRejections'], unknown.consecutiveRejections),
    interactiveAt: numberOr(value['interactiveAt'], unknown.interactiveAt),
    remainingAtInteractive: numberOr(value['remainingAtInteractive'], unknown.remainingAtInteractive),
    lowestReported: numberOr(value['lowestReported'], unknown.lowestReported),
    windowBeganAt: numberOr(value['windowBeganAt'], unknown.windowBeganAt),
  };
}

function parseRow(text: string): JsonObject | null {
  try {
    const row: unknown = JSON.parse(text);
    return isObject(row) ? row : null;
  } catch {
    return null;
  }
}

const numberOr = <Other>(value: unknown, other: Other): number | Other =>
  typeof value === 'number' && Number.isFinite(value) ? value : other;

/** All that one gateway has to tell, and to ask, of the row of a token at one time. */
interface BudgetUse {
  readonly gateway: string;
  /** The state that the gateway knows, by `performance.now()`: the first row begins with it. Its calls in flight are its own. */
  readonly known: Readonly<RateLimitState>;
  /** Responses that the row does not have yet. Their calls are still in flight in `known`. */
  readonly responses: readonly RequestResult[];
  /** In the order they came, as many as there are slots for. */
  readonly waiting: readonly Waiter[];
  readonly backgroundCalls: number;
  readonly reservesDelay: boolean;
  /** The gateways that share the state. */
  readonly gateways: number;
}

/** The result of one update of the row. */
interface BudgetOutcome {
  /** The state of the row, by `performance.now()`; the calls in flight are those of this gateway. */
  readonly known: RateLimitState;
  /** The first so many of the waiting calls may be sent. */
  readonly granted: number;
  readonly grantedInBackground: number;
  /** Milliseconds until the reserved time. */
  readonly delayMs: number;
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
const [TURN_POLL_MS, RESPONSE_POLL_MS] = [25, 100];

/** Arrivals that differ by less count as equal, since each gateway reads the clock of the state a moment later. */
const SAME_TIME_MS = 5;

/** Changes the row as one gateway needs it. Has no effect but its result, since it may run again. */
function updateBudget(use: BudgetUse, text: string | null, now: number): BudgetChange<BudgetOutcome> {
  const clock = performance.now();
  const offset = now - clock;
  const row = (text === null ? null : decodeBudgetRow(text, now)) ?? createRow(use, offset);
  const wasSharer = row.sharers.delete(use.gateway);
  const { inFlight: othersInFlight, waitingSince: othersSince } = totalOf(row.sharers);
  row.state.inFlight = othersInFlight + use.known.inFlight;
  const rules = new TokenRateLimit(row.state);

  for (const response of use.responses) rules.onResponse(response, now);
  const isTurn = ({ since }: Waiter) => since + offset <= othersSince + SAME_TIME_MS;
  const granted = countWhile(use.waiting.length, (index) => {
    const call = use.waiting[index];
    return call !== undefined && isTurn(call) && rules.tryAcquire(now);
  });
  const blockedForMs = rules.blockedForMs(now);
  const firstLeft = use.waiting.slice(granted).find(({ applicant }) => applicant.deadline - clock > blockedForMs);
  const isIdle = firstLeft === undefined && othersSince === Number.POSITIVE_INFINITY;
  const grantedInBackground = countWhile(isIdle ? use.backgroundCalls : 0, () => rules.tryAcquireInBackground(now));
  const delayMs = use.reservesDelay ? rules.reserveDelayMs(now, use.gateways) : 0;

  const inFlight = row.state.inFlight - othersInFlight;
  const pollMs = blockedForMs > 0 ? Math.min(blockedForMs + 1, MAX_SLEEP_MS) : pollMsOf(rules, now);
  const restMs = inFlight > 0 ? HEARTBEAT_MS : null;
  const nextUpdateMs = firstLeft === undefined ? restMs : pollMs;
  if (nextUpdateMs !== null) {
    const endsAt = now + Math.max(nextUpdateMs, HEARTBEAT_MS) + GRACE_MS;
    const waitingSince = firstLeft === undefined ? null : firstLeft.since + offset;
    row.sharers.set(use.gateway, { inFlight, waitingSince, endsAt });
  }
  const known = { ...shiftedBy(row.state, -offset), inFlight };
  const isChanged = wasSharer || nextUpdateMs !== null || use.responses.length > 0 || use.reservesDelay;
  return {
    budget: isChanged ? encodeBudgetRow(row, now) : null,
    result: { known, granted, grantedInBackground, delayMs, blockedForMs, nextUpdateMs },
  };
}

const createRow = ({ known }: BudgetUse, offset: number): BudgetRow => ({
  state: shiftedBy(known, offset),
  sharers: new Map(),
});

function totalOf(sharers: ReadonlyMap<string, BudgetSharer>) {
  let [inFlight, waitingSince] = [0, Number.POSITIVE_INFINITY];
  for (const sharer of sharers.values()) {
    inFlight += sharer.inFlight;
    waitingSince = Math.min(waitingSince, sharer.waitingSince ?? waitingSince);
  }
  return { inFlight, waitingSince };
}

const pollMsOf = (rules: TokenRateLimit, now: number) => (rules.isOpen(now) ? TURN_POLL_MS : RESPONSE_POLL_MS);

/** The number of steps that succeed before the first that fails, at most `max`. */
function countWhile(max: number, step: (index: number) => boolean): number {
  let count = 0;
  while (count < max && step(count)) count += 1;
  return count;
}

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
