import { describe, expect, it } from 'vitest';
import { joinLeases, openLease } from '../../../src/core/base/lease.ts';

/** The milliseconds that pass on each clock. */
interface Passed {
  readonly wall: number;
  readonly monotonic: number;
}

function leaseAfter(passed: Passed) {
  let at = { wall: 1_000_000, monotonic: 5_000 };
  const lease = openLease(10_000, { now: () => at.wall, monotonic: () => at.monotonic });
  const wasLate = lease.isExpired();
  at = { wall: at.wall + passed.wall, monotonic: at.monotonic + passed.monotonic };
  return [wasLate, lease.isExpired()];
}

describe('a lease of ten seconds', () => {
  it.each([
    ['is open where both clocks show less', { wall: 9_999, monotonic: 9_999 }, false],
    ['is late where the monotonic clock shows them', { wall: 9_900, monotonic: 10_000 }, true],
    ['is late where the wall clock alone shows them, as after the machine slept', { wall: 10_000, monotonic: 3 }, true],
    ['is late where the wall clock was set forward', { wall: 3_600_000, monotonic: 3 }, true],
    ['is late where the wall clock went back, behind the start', { wall: -3_600_000, monotonic: 3 }, true],
    ['is late where it went back by a part of what has passed', { wall: 1_000, monotonic: 4_000 }, true],
    ['is open where the wall clock is only slower', { wall: 3_600, monotonic: 4_000 }, false],
  ])('%s', (_case, passed, isLate) => {
    expect(leaseAfter(passed)).toEqual([false, isLate]);
  });
});

describe('several leases', () => {
  const late = { isExpired: () => true };
  const open = { isExpired: () => false };

  it.each([
    ['are none', [undefined, undefined], undefined],
    ['are open where the only one is', [undefined, open], false],
    ['are late where one of them is', [open, late], true],
    ['are open where all are', [open, open], false],
  ])('%s', (_case, leases, isLate) => {
    expect(joinLeases(leases)?.isExpired()).toBe(isLate);
  });
});
