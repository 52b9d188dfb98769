import type { RateLimit } from '../../core/rate-limit.ts';

export type HttpHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Ten years. A larger `X-RateLimit-Reset` can only be a point in time: see docs/service.md, "Rate limits". */
const MAX_DELAY_SECONDS = 315_360_000;

/** A larger number counts milliseconds since 1970, a smaller one seconds. */
const MAX_EPOCH_SECONDS = 100_000_000_000;

/** Whole seconds to wait after a 429; null without a known header. `now` is in milliseconds since 1970. */
export function decodeRetryAfter(headers: HttpHeaders, now: number): number | null {
  const waitMs = decodeWaitMs(headers, 'retry-after', now) ?? decodeWaitMs(headers, 'x-ratelimit-reset', now);
  return waitMs === null ? null : Math.max(0, Math.ceil(waitMs / 1000));
}

/** The rate limit; null without a known header. `now` is in milliseconds since 1970. */
export function decodeRateLimit(headers: HttpHeaders, now: number): RateLimit | null {
  const limit = decodeCount(headers['x-ratelimit-limit']);
  const remaining = decodeCount(headers['x-ratelimit-remaining']);
  const resetMs = decodeWaitMs(headers, 'x-ratelimit-reset', now);
  if (limit === null && remaining === null && resetMs === null) return null;
  return { limit, remaining, resetAt: resetMs === null ? null : new Date(now + resetMs) };
}

const decodeCount = (value: HttpHeaders[string]): number | null =>
  typeof value === 'string' && /^\d{1,9}$/u.test(value.trim()) ? Number(value) : null;

/** The longest header that is parsed, in characters. Numbers and dates are shorter. */
const MAX_HEADER_LENGTH = 100;

/** The beginning of a date, which is required since `Date.parse` accepts many texts that are no dates. */
const DATE_PREFIX = /^(?:\d{4}-\d\d-\d\dT|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? )/u;

/**
 * Milliseconds to wait. The header has seconds from now, seconds or milliseconds since 1970, or a date. A point in time
 * is compared with the service's own clock, where the response has one (`Date`), since the gateway's may differ. Null
 * for more than ten years.
 */
function decodeWaitMs(headers: HttpHeaders, name: string, now: number): number | null {
  const value = headers[name];
  if (typeof value !== 'string' || value.length > MAX_HEADER_LENGTH) return null;
  const number = DATE_PREFIX.test(value) ? Number.NaN : decodeNumber(value.trim());
  if (number <= MAX_DELAY_SECONDS) return number * 1000;
  const moment = Number.isNaN(number) ? decodeDate(value) : number * (number > MAX_EPOCH_SECONDS ? 1 : 1000);
  const waitMs = moment - (decodeDate(headers['date']) || now);
  return waitMs <= MAX_DELAY_SECONDS * 1000 ? waitMs : null;
}

const decodeNumber = (text: string): number => (/^\d+(?:\.\d+)?$/u.test(text) ? Number(text) : Number.NaN);

/** The time in milliseconds since 1970, or NaN. */
const decodeDate = (value: HttpHeaders[string]): number =>
  typeof value === 'string' && value.length <= MAX_HEADER_LENGTH && DATE_PREFIX.test(value)
    ? Date.parse(value)
    : Number.NaN;

/** The time on the service's clock, in milliseconds since 1970; null in an answer that a cache has kept (`Age`). */
export function serviceTimeOf(headers: HttpHeaders): number | null {
  const time = headers['age'] === undefined ? decodeDate(headers['date']) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}
