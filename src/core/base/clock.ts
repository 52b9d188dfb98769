import { setTimeout as setTimeoutPromise } from 'node:timers/promises';

/** The time, and waiting. Tests and simulations have a clock of their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds of `performance.now()`, which changes of the system's time do not affect. Deadlines use it. */
  monotonic(): number;
  /** Resolves after so many milliseconds, at most 24 days, or at once when the signal aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** A timer with more ends at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) => setTimeoutPromise(Math.min(ms, MAX_TIMER_MS), undefined, { signal }).catch(() => {}),
};

/** The value of a promise, or null where it takes longer. Its later rejection is not reported as unhandled. */
export function withinTime<T>(promise: Promise<T>, ms: number): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(null), Math.min(ms, MAX_TIMER_MS));
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
