/** How long a target is under load before it is measured. */
export interface WarmUp {
  readonly milliseconds: number;
  /** It lasts longer until the target has answered so many requests, but no longer than `maxMilliseconds`. */
  readonly requests: number;
  readonly maxMilliseconds: number;
}

/** The duration and number of the measurements. */
export interface Pace {
  readonly warmUp: WarmUp;
  readonly sampleMs: number;
  readonly rounds: number;
  /** Further rounds while the spread of a target exceeds `maxSpread`. */
  readonly extraRounds: number;
  /** As a share of the median. */
  readonly maxSpread: number;
}

/**
 * Long enough for V8 to have compiled the hot functions for good and for the heap to be steady, as in a server that
 * runs for days. TurboFan, the last of V8's compilers, takes a function that is called once per request after some
 * 16,000 requests; decision 23 says what depends on it.
 */
export const FULL_PACE: Pace = {
  warmUp: { milliseconds: 6_000, requests: 20_000, maxMilliseconds: 30_000 },
  sampleMs: 1_500,
  rounds: 3,
  extraRounds: 2,
  maxSpread: 0.1,
};

/** For a quick check. Too short for figures that are published. */
export const QUICK_PACE: Pace = {
  warmUp: { milliseconds: 500, requests: 0, maxMilliseconds: 500 },
  sampleMs: 700,
  rounds: 1,
  extraRounds: 0,
  maxSpread: 1,
};

/** Warms a target up. `putLoad` keeps it under load for a time, in milliseconds, and resolves with what it answered. */
export async function warmUpTarget(
  { milliseconds, requests, maxMilliseconds }: WarmUp,
  putLoad: (milliseconds: number) => Promise<{ readonly requests: number }>,
): Promise<void> {
  const answered = await putLoad(milliseconds);
  const neededMs = (milliseconds * requests) / answered.requests;
  const furtherMs = Math.min(neededMs, maxMilliseconds) - milliseconds;
  if (furtherMs > 0) await putLoad(furtherMs);
}
