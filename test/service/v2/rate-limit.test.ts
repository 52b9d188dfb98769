import { describe, expect, it } from 'vitest';
import { decodeRateLimit, decodeRetryAfter } from '../../../src/service/v2/rate-limit.ts';

const NOW = Date.UTC(2026, 0, 1, 12);

describe('decodeRetryAfter', () => {
  it.each([
    ['seconds', '30', 30],
    ['a fraction of a second', '0.2', 1],
    ['none', '0', 0],
    ['blanks around seconds', ' 30 ', 30],
    ['an epoch in seconds', `${NOW / 1000 + 45}`, 45],
    ['an epoch in milliseconds', `${NOW + 45_001}`, 46],
    ['an epoch that has passed', `${NOW / 1000 - 5}`, 0],
    ['an HTTP date', 'Thu, 01 Jan 2026 12:01:00 GMT', 60],
    ['a date of RFC 3339', '2026-01-01T12:01:00Z', 60],
    ['a word', 'soon', null],
    ['a word that Date.parse makes a date of', 'reset 1', null],
    ['less than nothing', '-5', null],
    ['nothing', '', null],
    ['hexadecimal digits', '0x10', null],
    ['more than any clock', '9'.repeat(400), null],
    ['a moment in ten thousand years', '253402300800000', null],
  ])('reads %s', (_, value, seconds) => {
    expect(decodeRetryAfter({ 'x-ratelimit-reset': value }, NOW)).toBe(seconds);
    expect(decodeRetryAfter({ 'retry-after': value }, NOW)).toBe(seconds);
  });

  it('prefers Retry-After over X-RateLimit-Reset', () => {
    expect(decodeRetryAfter({ 'retry-after': '3', 'x-ratelimit-reset': '9' }, NOW)).toBe(3);
    expect(decodeRetryAfter({ 'retry-after': 'soon', 'x-ratelimit-reset': '9' }, NOW)).toBe(9);
  });

  it('is null without a header, or where one is repeated', () => {
    expect(decodeRetryAfter({}, NOW)).toBeNull();
    expect(decodeRetryAfter({ 'retry-after': ['1', '2'] }, NOW)).toBeNull();
  });
});

describe('decodeRateLimit', () => {
  it('reads the header of each response', () => {
    expect(decodeRateLimit({ 'x-ratelimit-remaining': '59' }, NOW)).toEqual({
      limit: null,
      remaining: 59,
      resetAt: null,
    });
  });

  it('reads the headers of a response at the limit', () => {
    const headers = { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '15' };
    expect(decodeRateLimit(headers, NOW)).toEqual({ limit: 60, remaining: 0, resetAt: new Date(NOW + 15_000) });
  });

  it.each([{}, { 'x-ratelimit-remaining': 'many' }, { 'x-ratelimit-limit': '-1' }, { 'x-ratelimit-reset': '9e999' }])(
    'says nothing where %j says nothing',
    (headers) => {
      expect(decodeRateLimit(headers, NOW)).toBeNull();
    },
  );
});

describe('a point in time', () => {
  const AN_HOUR_AHEAD = new Date(NOW + 3_600_000).toUTCString();

  it.each([
    ['an epoch', `${NOW / 1000 + 3_630}`],
    ['an HTTP date', new Date(NOW + 3_630_000).toUTCString()],
  ])('is compared with the clock of the service where the response has its date: %s', (_, reset) => {
    const headers = { date: AN_HOUR_AHEAD, 'x-ratelimit-reset': reset };
    expect(decodeRetryAfter(headers, NOW)).toBe(30);
    expect(decodeRateLimit(headers, NOW)).toMatchObject({ resetAt: new Date(NOW + 30_000) });
  });

  it('is compared with the clock of the gateway where the response has no valid date', () => {
    const headers = { date: 'soon', 'x-ratelimit-reset': `${NOW / 1000 + 30}` };
    expect(decodeRetryAfter(headers, NOW)).toBe(30);
  });

  it('is null in a text of any length', () => {
    expect(decodeRetryAfter({ 'retry-after': `Mon, ${'1'.repeat(10_000)}` }, NOW)).toBeNull();
  });
});
