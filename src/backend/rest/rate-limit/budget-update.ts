import type { BudgetChange } from '../../../state/shared/shared-state.ts';
import type { RequestResult } from '../http/request.ts';
import { type BudgetRow, type BudgetSharer, decodeBudgetRow, encodeBudgetRow } from './budget-row.ts';
import { TokenRateLimit } from './rate-limit.ts';
import { type RateLimitState, shiftedBy } from './rate-limit-state.ts';
import type { WaitingCall } from './waiting-calls.ts';

/** All that one gateway has to tell, and to ask, of the row of a token at one time. */
export interface BudgetUse {
  readonly gateway: string;
  /** The state that the gateway knows, by `performance.now()`: the first row begins with it. Its calls in flight are its own. */
  readonly known: Readonly<RateLimitState>;
  /** Responses that the row does not have yet. Their calls are still in flight in `known`. */
  readonly responses: readonly RequestResult[];
  /** In the order they came. */
  readonly waiting: readonly WaitingCall[];
  readonly backgroundCalls: number;
  readonly reservesDelay: boolean;
  /** The gateways that share the state. */
  readonly gateways: number;
}

/** The result of one update of the row. */
export interface BudgetOutcome {
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
export function updateBudget(use: BudgetUse, text: string | null, now: number): BudgetChange<BudgetOutcome> {
  const clock = performance.now();
  const offset = now - clock;
  const row = (text === null ? null : decodeBudgetRow(text, now)) ?? createRow(use, offset);
  const wasSharer = row.sharers.delete(use.gateway);
  const { inFlight: othersInFlight, waitingSince: othersSince } = totalOf(row.sharers);
  row.state.inFlight = othersInFlight + use.known.inFlight;
  const rules = new TokenRateLimit(row.state);

  for (const response of use.responses) rules.onResponse(response, now);
  const isTurn = ({ arrivedAt }: WaitingCall) => arrivedAt + offset <= othersSince + SAME_TIME_MS;
  const granted = countWhile(use.waiting.length, (index) => {
    const call = use.waiting[index];
    return call !== undefined && isTurn(call) && rules.tryAcquire(now);
  });
  const blockedForMs = rules.blockedForMs(now);
  const firstLeft = use.waiting.slice(granted).find(({ latestStart }) => latestStart - clock > blockedForMs);
  const isIdle = firstLeft === undefined && othersSince === Number.POSITIVE_INFINITY;
  const grantedInBackground = countWhile(isIdle ? use.backgroundCalls : 0, () => rules.tryAcquireInBackground(now));
  const delayMs = use.reservesDelay ? rules.reserveDelayMs(now, use.gateways) : 0;

  const inFlight = row.state.inFlight - othersInFlight;
  const pollMs = blockedForMs > 0 ? Math.min(blockedForMs + 1, MAX_SLEEP_MS) : pollMsOf(rules, now);
  const restMs = inFlight > 0 ? HEARTBEAT_MS : null;
  const nextUpdateMs = firstLeft === undefined ? restMs : pollMs;
  if (nextUpdateMs !== null) {
    const endsAt = now + Math.max(nextUpdateMs, HEARTBEAT_MS) + GRACE_MS;
    const waitingSince = firstLeft === undefined ? null : firstLeft.arrivedAt + offset;
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
