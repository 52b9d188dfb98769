/** The seconds to wait when no better value is known. */
export const DEFAULT_RETRY_AFTER_SECONDS = 5;

/** The service's rate limit of one API token, from its last response. Unknown values are null. */
export interface RateLimit {
  readonly limit: number | null;
  readonly remaining: number | null;
  readonly resetAt: Date | null;
}

/** The calls that one step of a job needs together. It gets fewer than `most` only where no window has as many for it. */
export interface CallCount {
  readonly least: number;
  readonly most: number;
}

/** Calls of the rate limit that belong to one step of a job until it releases them. The last one is for its write. */
export interface ReservedCalls {
  readonly calls: number;
  /** Takes one for a call that is sent now. Returns false where none is left for it, or nothing may be sent any more. */
  take(kind: 'read' | 'write'): boolean;
  /** Gives back the calls that were not taken. */
  release(): void;
}

/** The service counts calls by the minute: see docs/service.md, "Rate limits". */
const WINDOW_MS = 60_000;

/** The calls of each window that a job leaves to others. */
const RESERVED_CALLS = 2;

/** The assumed duration of a call while none is known. */
const ASSUMED_CALL_MS = 1_000;

interface EstimateOptions {
  readonly calls: number;
  readonly rateLimit: RateLimit | null;
  /** The duration of the last call in milliseconds; null before it. */
  readonly callMs: number | null;
  /** The current time in milliseconds since 1970. */
  readonly now: number;
}

/** The time at which so many calls will have been made, in milliseconds since 1970. */
export function estimateEnd({ calls, rateLimit, now, ...call }: EstimateOptions): number {
  const callMs = call.callMs ?? ASSUMED_CALL_MS;
  const unlimited = now + calls * callMs;
  const { remaining = null, limit = null, resetAt = null } = rateLimit ?? {};
  const left = remaining === null ? calls : Math.max(0, remaining - RESERVED_CALLS);
  if (calls <= left) return unlimited;
  const perWindow = Math.max(1, (limit ?? remaining ?? 0) - RESERVED_CALLS);
  const windows = Math.ceil((calls - left) / perWindow);
  const lastCalls = calls - left - (windows - 1) * perWindow;
  const nextWindow = resetAt?.getTime() ?? now + Math.max(left * callMs, WINDOW_MS / 2);
  return Math.max(unlimited, nextWindow + (windows - 1) * WINDOW_MS + lastCalls * callMs);
}
