/** The settings of the gateways of a run, short so that a run meets each limit often. */
export const REQUEST_MS = 8_000;
export const CALL_MS = 1_500;
export const CACHE_MS = 2_000;

/** A write is marked for so long: see `openReadCaching`. */
export const MARK_MS = 2 * CALL_MS + 1_000;

export const CLIENTS = 6;
