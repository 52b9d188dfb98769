/**
 * All that is known of the rate limit of one token. Times are milliseconds of one clock: `performance.now()` in memory,
 * the clock of the state in its row. Null stands for what is not known.
 */
export interface RateLimitState {
  limit: number | null;
  remaining: number | null;
  resetAt: number | null;
  /** The time of the last response. */
  updatedAt: number;
  /** True after a reset without a known limit: one call at a time finds out. */
  isProbing: boolean;
  inFlight: number;
  /** The time of the last call. */
  lastAcquiredAt: number;
  /** The latest time that a gateway has reserved for a call that can wait. */
  reservedAt: number;
  /** 429s in a row. */
  consecutiveRejections: number;
  /** The time of the last call of an interactive caller. */
  interactiveAt: number;
  /** The calls that were left then. */
  remainingAtInteractive: number | null;
  /** The fewest calls that a response of this window reported as left. */
  lowestReported: number | null;
  /** Not before the window began. */
  windowBeganAt: number;
}

export const createRateLimitState = (): RateLimitState => ({
  limit: null,
  remaining: null,
  resetAt: null,
  updatedAt: Number.NEGATIVE_INFINITY,
  isProbing: false,
  inFlight: 0,
  lastAcquiredAt: Number.NEGATIVE_INFINITY,
  reservedAt: Number.NEGATIVE_INFINITY,
  consecutiveRejections: 0,
  interactiveAt: Number.NEGATIVE_INFINITY,
  remainingAtInteractive: null,
  lowestReported: null,
  windowBeganAt: Number.NEGATIVE_INFINITY,
});

/** Converts the times of the state to a clock that is ahead by so many milliseconds. */
export const shiftedBy = (state: RateLimitState, ms: number): RateLimitState => ({
  ...state,
  resetAt: state.resetAt === null ? null : state.resetAt + ms,
  updatedAt: state.updatedAt + ms,
  lastAcquiredAt: state.lastAcquiredAt + ms,
  reservedAt: state.reservedAt + ms,
  interactiveAt: state.interactiveAt + ms,
  windowBeganAt: state.windowBeganAt + ms,
});
