import { type Clock, systemClock } from './clock.ts';

/**
 * Tells whether a write has lost its right to begin, since another process may have told its outcome. It is asked last,
 * with no await between the answer and the bytes that a connected socket is handed.
 */
export interface Fence {
  isLate(): boolean;
}

/** The difference between the two clocks, in milliseconds, that their rates and readings alone explain. */
const CLOCK_TOLERANCE_MS = 500;

/**
 * Opens for so many milliseconds from now. Both clocks have to say that they are not over: the monotonic one may stand
 * still while the machine sleeps, and the wall clock may be set. A wall clock that went back proves nothing any more, so
 * the fence is late.
 */
export function openFence(forMs: number, clocks: Pick<Clock, 'now' | 'monotonic'> = systemClock): Fence {
  const [wallStart, monotonicStart] = [clocks.now(), clocks.monotonic()];
  return {
    isLate() {
      const wallMs = clocks.now() - wallStart;
      const monotonicMs = clocks.monotonic() - monotonicStart;
      return wallMs >= forMs || monotonicMs >= forMs || wallMs < monotonicMs - CLOCK_TOLERANCE_MS;
    },
  };
}

/** Late as soon as one of them is. Undefined where there is none. */
export function joinFences(fences: readonly (Fence | undefined)[]): Fence | undefined {
  const present = fences.filter((fence) => fence !== undefined);
  return present.length < 2 ? present[0] : { isLate: () => present.some((fence) => fence.isLate()) };
}
