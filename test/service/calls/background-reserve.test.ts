import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ok } from '../../../src/core/base/result.ts';
import { TokenRateLimit } from '../../../src/service/calls/rate-limit.ts';

const remaining = (count: number, more = {}) =>
  ok({ httpStatus: 200, headers: { 'x-ratelimit-remaining': `${count}`, ...more }, body: {} });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'Date'] });
});

afterEach(() => {
  vi.useRealTimers();
});

/** The calls of a job that are let through now, each with its response. */
function sendInBackground(rateLimit: TokenRateLimit, left: number): number {
  let calls = 0;
  while (calls < 100 && rateLimit.acquireInBackground()) {
    calls += 1;
    rateLimit.onResponse(remaining(left - calls));
  }
  return calls;
}

/** A rate limit that jobs alone use. */
function usedByJobs(left: number): TokenRateLimit {
  const rateLimit = new TokenRateLimit();
  rateLimit.acquireInBackground();
  rateLimit.onResponse(remaining(left));
  return rateLimit;
}

function callInteractively(rateLimit: TokenRateLimit, left: number): void {
  rateLimit.tryAcquire();
  rateLimit.onResponse(remaining(left));
}

describe('the calls of a job', () => {
  it('leave two calls while nobody else uses the token', () => {
    const rateLimit = usedByJobs(10);
    expect(sendInBackground(rateLimit, 10)).toBe(8);
    expect(rateLimit.tryAcquire()).toBe(true);
  });

  it('leave half of what an interactive call has left, and all but two calls after ten seconds', () => {
    const rateLimit = usedByJobs(41);
    callInteractively(rateLimit, 40);
    expect(sendInBackground(rateLimit, 40)).toBe(20);
    expect(rateLimit.backgroundBlockedForMs()).toBe(10_000);
    vi.advanceTimersByTime(10_000);
    expect(sendInBackground(rateLimit, 20)).toBe(18);
  });

  it('go on by one call where the window must be over, since no response has named its end', () => {
    const rateLimit = usedByJobs(3);
    expect(sendInBackground(rateLimit, 3)).toBe(1);
    expect(rateLimit.backgroundBlockedForMs()).toBe(60_000);
    vi.advanceTimersByTime(60_000);
    expect(rateLimit.acquireInBackground()).toBe(1);
    expect(rateLimit.acquireInBackground()).toBe(0);
    rateLimit.onResponse(remaining(59));
    expect(sendInBackground(rateLimit, 59)).toBe(57);
  });

  it('go on by one call a minute where the service reports no more', () => {
    const rateLimit = usedByJobs(2);
    vi.advanceTimersByTime(60_000);
    expect(sendInBackground(rateLimit, 2)).toBe(1);
    expect(rateLimit.backgroundBlockedForMs()).toBeGreaterThan(59_000);
  });

  it('know how long a window lasts that they alone have used up, though its end is only named late', () => {
    const rateLimit = usedByJobs(1);
    vi.advanceTimersByTime(7_000);
    rateLimit.tryAcquire();
    rateLimit.onResponse(remaining(0, { 'x-ratelimit-limit': '2', 'x-ratelimit-reset': '3' }));
    vi.advanceTimersByTime(3_000);
    expect(sendInBackground(rateLimit, 2)).toBe(1);
    vi.advanceTimersByTime(9_999);
    expect(rateLimit.acquireInBackground()).toBe(0);
    vi.advanceTimersByTime(1);
    expect(rateLimit.acquireInBackground()).toBe(1);
  });

  it('wait for the reset where nothing is left', () => {
    const rateLimit = usedByJobs(1);
    callInteractively(rateLimit, 0);
    rateLimit.tryAcquire();
    rateLimit.onResponse(remaining(0, { 'x-ratelimit-limit': '60', 'x-ratelimit-reset': '20' }));
    expect(rateLimit.acquireInBackground()).toBe(0);
    expect(rateLimit.backgroundBlockedForMs()).toBeLessThanOrEqual(20_000);
    vi.advanceTimersByTime(20_001);
    expect(sendInBackground(rateLimit, 60)).toBe(58);
  });
});
