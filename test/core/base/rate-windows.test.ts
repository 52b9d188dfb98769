import { afterEach, describe, expect, it, vi } from 'vitest';
import { MAX_COUNTED_CALLERS } from '../../../src/core/base/limits.ts';
import { RateWindows } from '../../../src/core/base/rate-windows.ts';

describe('RateWindows', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('counts each key in the minute that begins with its first event', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const windows = new RateWindows(2);
    expect(windows.tryCount('one')).toEqual({ isCounted: true, perMinute: 2, remaining: 1, resetSeconds: 60 });
    vi.advanceTimersByTime(14_500);
    expect(windows.tryCount('one')).toEqual({ isCounted: true, perMinute: 2, remaining: 0, resetSeconds: 46 });
    expect(windows.tryCount('one')).toMatchObject({ isCounted: false, remaining: 0 });
    expect(windows.tryCount('other')).toMatchObject({ isCounted: true });
    vi.advanceTimersByTime(45_500);
    expect(windows.tryCount('one')).toMatchObject({ isCounted: true, remaining: 1 });
  });

  it('bounds the number of keys, and forgets those first whose minute ends first', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const windows = new RateWindows(1);
    const count = (key: string) => {
      vi.advanceTimersByTime(1);
      return windows.tryCount(key).isCounted;
    };
    // They leave room for two more, and end after these.
    const others = Array.from({ length: MAX_COUNTED_CALLERS - 2 }, (_, index) => `other ${index}`);
    expect([count('one'), count('two'), count('one'), count('two')]).toEqual([true, true, false, false]);
    expect(others.every(count)).toBe(true);
    expect(count('three')).toBe(true);
    expect([count('two'), count('three')]).toEqual([false, false]);
    expect(count('one')).toBe(true);
    expect(count('two')).toBe(true);
  });
});
