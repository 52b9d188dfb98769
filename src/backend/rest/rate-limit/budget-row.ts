import { isObject, type JsonObject } from '../../../base/json/json-objects.ts';
import { createRateLimitState, type RateLimitState, shiftedBy } from './rate-limit-state.ts';

/** The knowledge that several gateways share of one token. Times are by the clock of the shared state. */
export interface BudgetRow {
  readonly state: RateLimitState;
  /** The gateways that have calls in flight or waiting. */
  readonly sharers: Map<string, BudgetSharer>;
}

/** One gateway, which counts until `endsAt`: one that has died holds nobody up for longer. */
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

/** Those that end first are left out where there are too many. */
export function encodeBudgetRow({ state, sharers }: BudgetRow, now: number): string {
  const kept = [...sharers].toSorted(([, a], [, b]) => b.endsAt - a.endsAt).slice(0, MAX_SHARERS);
  return JSON.stringify({ writtenAt: now, state, sharers: Object.fromEntries(kept) });
}

/** Null where the text is no row. A clock that was set back since it was written moves its times along. */
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
