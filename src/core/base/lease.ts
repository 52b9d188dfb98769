import { type Clock, systemClock } from './clock.ts';

/**
 * Checks whether a write has lost its right to begin, since another process may have reported its outcome. It is
 * checked last, with no await between the check and writing to a connected socket.
 */
export interface Lease {
  isExpired(): boolean;
}

/** The largest difference between the two clocks, in milliseconds, that their rates and precision explain. */
const CLOCK_TOLERANCE_MS = 500;

/**
 * Opens a lease of so many milliseconds from now. It has expired as soon as one of both clocks says so: the monotonic
 * one may stop while the machine sleeps, and the wall clock may be set. A wall clock that went back proves nothing any
 * more, so the lease has expired.
 */
export function openLease(forMs: number, clocks: Pick<Clock, 'now' | 'monotonic'> = systemClock): Lease {
  const [wallStart, monotonicStart] = [clocks.now(), clocks.monotonic()];
  return {
    isExpired() {
      const wallMs = clocks.now() - wallStart;
      const monotonicMs = clocks.monotonic() - monotonicStart;
      return wallMs >= forMs || monotonicMs >= forMs || wallMs < monotonicMs - CLOCK_TOLERANCE_MS;
    },
  };
}

/** The joint lease, which expires as soon as one of them does. Undefined where there is none. */
export function joinLeases(leases: readonly (Lease | undefined)[]): Lease | undefined {
  const present = leases.filter((lease) => lease !== undefined);
  return present.length < 2 ? present[0] : { isExpired: () => present.some((lease) => lease.isExpired()) };
}
