import { describe, expect, it } from 'vitest';
import { estimateEnd } from '../../src/core/rate-limit.ts';

const at = { now: 1_000_000, callMs: 500 };

const rateLimitOf = (remaining: number, resetInMs: number | null = null) => ({
  limit: 60,
  remaining,
  resetAt: resetInMs === null ? null : new Date(at.now + resetInMs),
});

describe('estimateEnd', () => {
  it.each<[string, Partial<Parameters<typeof estimateEnd>[0]>, number]>([
    ['the calls that are left, without a rate limit', { calls: 20, rateLimit: null }, 20 * 500],
    ['an assumed duration before the first call', { calls: 1, rateLimit: null, callMs: null }, 1_000],
    ['no wait while calls are left', { calls: 10, rateLimit: rateLimitOf(12) }, 10 * 500],
    ['the reset when none is left', { calls: 2, rateLimit: rateLimitOf(0, 30_000) }, 30_000 + 2 * 500],
    [
      'windows of a minute, of which some calls are left to others',
      { calls: 200, rateLimit: rateLimitOf(2, 10_000) },
      10_000 + 3 * 60_000 + 26 * 500,
    ],
  ])('counts %s', (_name, options, ms) => {
    expect(estimateEnd({ ...at, calls: 0, rateLimit: null, ...options }) - at.now).toBe(ms);
  });
});
