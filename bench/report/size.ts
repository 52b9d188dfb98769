/** How much a run measures. */
export interface Size {
  /** True for the figures of the docs; the bounds on time and memory hold for these only. */
  readonly isFull: boolean;
  /** Milliseconds after which the service forgets the calls of a token. The real one counts for a minute. */
  readonly windowMs: number;
}

export const FULL_SIZE: Size = { isFull: true, windowMs: 60_000 };

/** The window is shorter in the same proportion as there is less to send. */
export const QUICK_SIZE: Size = { isFull: false, windowMs: 6_000 };

/** The calls that the service allows in a window: see docs/service.md, "Rate limits". */
export const CALLS_A_WINDOW = 60;
