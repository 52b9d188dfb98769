import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ok } from '../../../src/core/base/result.ts';
import { TokenRateLimit } from '../../../src/service/calls/rate-limit.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'Date'] });
});

afterEach(() => {
  vi.useRealTimers();
});

/** The forms in which a service tells the seconds until its reset. */
const RESETS: Readonly<Record<string, (seconds: number, isRefused: boolean) => Readonly<Record<string, string>>>> = {
  seconds: (seconds) => ({ 'x-ratelimit-reset': seconds.toFixed(3) }),
  'whole seconds': (seconds) => ({ 'x-ratelimit-reset': `${Math.ceil(seconds)}` }),
  'seconds since 1970': (seconds) => ({ 'x-ratelimit-reset': `${Math.ceil(Date.now() / 1_000 + seconds)}` }),
  'Retry-After of a 429': (seconds, isRefused): Record<string, string> =>
    isRefused ? { 'retry-after': `${Math.ceil(seconds)}` } : {},
};

interface Service {
  readonly calls: number;
  readonly windowMs: number;
  readonly reset: string;
  readonly tells: 'always' | 'at the limit' | 'when it refuses';
  readonly tellsLimit: boolean;
  readonly tellsRemaining: boolean;
}

/** The responses to calls, of which so many are allowed in a window that begins with its first call. */
function openService({ calls, windowMs, reset, tells, tellsLimit, tellsRemaining }: Service) {
  let [used, endsAt] = [0, 0];
  return () => {
    const now = performance.now();
    if (now >= endsAt) [used, endsAt] = [0, now + windowMs];
    const isRefused = used >= calls;
    if (!isRefused) used += 1;
    const isTold = tells === 'always' || isRefused || (tells === 'at the limit' && used === calls);
    const headers = {
      ...(tellsRemaining && { 'x-ratelimit-remaining': `${calls - used}` }),
      ...(isTold && tellsLimit && { 'x-ratelimit-limit': `${calls}` }),
      ...(isTold && RESETS[reset]?.((endsAt - now) / 1_000, isRefused)),
    };
    return { isRefused, response: ok({ httpStatus: isRefused ? 429 : 200, headers, body: {} }) };
  };
}

const choices: readonly Service[] = Object.keys(RESETS).flatMap((reset) =>
  (['always', 'at the limit', 'when it refuses'] as const).flatMap((tells) =>
    [true, false].flatMap((tellsLimit) =>
      [true, false].flatMap((tellsRemaining) =>
        [1, 2, 3, 4, 5, 60].flatMap((calls) =>
          [4_000, 60_000].map((windowMs) => ({ calls, windowMs, reset, tells, tellsLimit, tellsRemaining })),
        ),
      ),
    ),
  ),
);

/** The longest time without a call of a job that has always another one, once the service has told a reset. */
function longestPauseMs(service: Service, callsOfOthers: number): number {
  const call = openService(service);
  const rateLimit = new TokenRateLimit();
  for (let n = 0; n < callsOfOthers; n += 1) if (rateLimit.tryAcquire()) rateLimit.onResponse(call().response);
  // An interactive call keeps jobs back for ten seconds.
  vi.advanceTimersByTime(10_000);
  const end = performance.now() + 8 * service.windowMs;
  let [lastAt, longest] = [performance.now(), 0];
  while (performance.now() < end) {
    const isSent = rateLimit.acquireInBackground() > 0;
    const answer = isSent ? call() : null;
    vi.advanceTimersByTime(isSent ? 20 : Math.ceil(rateLimit.backgroundBlockedForMs() / 1_000) * 1_000);
    if (answer) rateLimit.onResponse(answer.response);
    if (answer?.isRefused !== false) continue;
    if (rateLimit.state.windowMs !== null) longest = Math.max(longest, performance.now() - lastAt);
    lastAt = performance.now();
  }
  return rateLimit.state.windowMs === null ? 0 : Math.max(longest, performance.now() - lastAt);
}

describe('a job waits no longer than for the reset that the service has named', () => {
  it.each([0, 1, 2, 60])('in any form, after %i calls of others', (callsOfOthers) => {
    const late = choices.filter(
      (service) => longestPauseMs(service, Math.min(callsOfOthers, service.calls)) > service.windowMs + 2_500,
    );
    expect(late).toEqual([]);
  });
});

describe('the calls that a job takes together', () => {
  const remaining = (count: number, more = {}) =>
    ok({ httpStatus: 200, headers: { 'x-ratelimit-remaining': `${count}`, ...more }, body: {} });

  /** A token of which one call has been made in its window. */
  function usedOnce(calls: number) {
    const rateLimit = new TokenRateLimit();
    rateLimit.acquireInBackground();
    rateLimit.onResponse(remaining(calls - 1, { 'x-ratelimit-limit': `${calls}`, 'x-ratelimit-reset': '4' }));
    return rateLimit;
  }

  it.each([
    { calls: 60, most: 11, taken: 11, later: 11 },
    { calls: 13, most: 11, taken: 0, later: 11 },
    { calls: 5, most: 11, taken: 0, later: 3 },
    { calls: 3, most: 11, taken: 0, later: 2 },
    { calls: 2, most: 11, taken: 0, later: 2 },
  ])('are $later of $most in a new window of $calls, and $taken in one that others use', (expected) => {
    const rateLimit = usedOnce(expected.calls);
    const wanted = { least: 2, most: expected.most };
    expect(rateLimit.acquireInBackground(wanted)).toBe(expected.taken);
    for (let n = 0; n < expected.taken; n += 1) rateLimit.onResponse(remaining(expected.calls - 2 - n));
    vi.advanceTimersByTime(60_001);
    expect(rateLimit.acquireInBackground(wanted)).toBe(expected.later);
  });
});
