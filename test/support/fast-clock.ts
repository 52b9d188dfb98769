import { type Clock, systemClock } from '../../src/core/base/clock.ts';

/** A clock on which real time passes so many times faster. */
export function fastClock(factor: number): Clock {
  const startedAt = performance.now();
  const epoch = Date.now();
  const elapsed = () => (performance.now() - startedAt) * factor;
  return {
    now: () => epoch + elapsed(),
    monotonic: () => startedAt + elapsed(),
    sleep: (ms, signal) => systemClock.sleep(ms / factor, signal),
  };
}

/**
 * A clock on which real time passes so many times slower, while pauses last as long as always: whatever has to happen within
 * a second of it does so on a busy machine, too.
 */
export const slowClock = (factor: number): Clock => ({ ...fastClock(1 / factor), sleep: systemClock.sleep });
