/** The duration and number of the measurements. */
export interface Pace {
  readonly warmUpMs: number;
  readonly sampleMs: number;
  readonly rounds: number;
  /** Further rounds while the spread of a target exceeds `maxSpread`. */
  readonly extraRounds: number;
  /** As a share of the median. */
  readonly maxSpread: number;
}

/**
 * The warm-up is long enough for V8 to have compiled the hot functions and for the heap to be steady, as in a server
 * that runs for days.
 */
export const FULL_PACE: Pace = { warmUpMs: 6_000, sampleMs: 1_500, rounds: 3, extraRounds: 2, maxSpread: 0.1 };

/** For a quick check. Too short for figures that are published. */
export const QUICK_PACE: Pace = { warmUpMs: 500, sampleMs: 700, rounds: 1, extraRounds: 0, maxSpread: 1 };
