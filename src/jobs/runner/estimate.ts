import type { RateLimit } from '../../domain/rate-limit.ts';

/** The service counts calls by the minute: see docs/service.md, "Rate limits". */
const WINDOW_MS = 60_000;

/** A job leaves these calls of each window to others. */
const RESERVED_CALLS = 2;

/** Stands for the duration of a call while none is known. */
const ASSUMED_CALL_MS = 1_000;

export interface EstimateOptions {
  readonly pending: number;
  readonly bulkSize: number;
  /** Null where none is known. */
  readonly rateLimit: RateLimit | null;
  /** The durations of the last calls, in milliseconds. */
  readonly callDurations: readonly number[];
  /** Milliseconds for which the job will not send anything. */
  readonly waitMs: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Milliseconds since 1970. */
export function estimateEnd({ pending, bulkSize, rateLimit, callDurations, waitMs, now }: EstimateOptions): number {
  const calls = Math.ceil(pending / bulkSize);
  const total = callDurations.reduce((sum, ms) => sum + ms, 0);
  const callMs = callDurations.length === 0 ? ASSUMED_CALL_MS : total / callDurations.length;
  const unlimited = now + waitMs + calls * callMs;
  const { remaining = null, limit = null, resetAt = null } = rateLimit ?? {};
  const left = remaining === null ? calls : Math.max(0, remaining - RESERVED_CALLS);
  if (calls <= left) return unlimited;
  const perWindow = Math.max(1, (limit ?? remaining ?? 0) - RESERVED_CALLS);
  const windows = Math.ceil((calls - left) / perWindow);
  const lastCalls = calls - left - (windows - 1) * perWindow;
  const nextWindow = resetAt?.getTime() ?? now + Math.max(waitMs, left * callMs, WINDOW_MS / 2);
  return Math.max(unlimited, nextWindow + (windows - 1) * WINDOW_MS + lastCalls * callMs);
}
