/** How long and how often is measured. */
export interface Pace {
  readonly warmUpMs: number;
  readonly sampleMs: number;
  readonly rounds: number;
  /** How often a sample whose rounds lie further apart than `maxSpread` is taken again. */
  readonly extraRounds: number;
  /** As a share of the median. */
  readonly maxSpread: number;
}

/**
 * Servers run for days. Within some seconds of load the compilers are done with most of what is hot, and the collector
 * with what their decisions did to the heap; until then a sample is half of one and half of the other.
 */
export const FULL_PACE: Pace = { warmUpMs: 6_000, sampleMs: 1_500, rounds: 3, extraRounds: 2, maxSpread: 0.1 };

/** For a look: too short for figures that are shown to anybody. */
export const QUICK_PACE: Pace = { warmUpMs: 500, sampleMs: 700, rounds: 1, extraRounds: 0, maxSpread: 1 };
