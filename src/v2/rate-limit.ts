import type { RateLimit } from '../domain/project-versions.ts';

export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Seconds in ten years: a larger `X-RateLimit-Reset` can only be a point in time (facts, section 4). */
const LARGEST_DELAY = 315_360_000;

/** Above this a point in time counts milliseconds, not seconds. */
const LARGEST_EPOCH_SECONDS = 100_000_000_000;

/** Whole seconds to wait after a 429, rounded up; null where the answer does not say. */
export function decodeRetryAfter(headers: Headers, now: number): number | null {
  const retryAt = decodeMoment(headers['retry-after'], now) ?? decodeMoment(headers['x-ratelimit-reset'], now);
  return retryAt === null ? null : Math.max(0, Math.ceil((retryAt - now) / 1000));
}

/** What an answer says of the budget; null where it says nothing. `now` is in milliseconds since 1970. */
export function decodeRateLimit(headers: Headers, now: number): RateLimit | null {
  const limit = decodeCount(headers['x-ratelimit-limit']);
  const remaining = decodeCount(headers['x-ratelimit-remaining']);
  const reset = decodeMoment(headers['x-ratelimit-reset'], now);
  if (limit === null && remaining === null && reset === null) return null;
  return { limit, remaining, resetAt: reset === null ? null : new Date(reset) };
}

const decodeCount = (value: Headers[string]): number | null =>
  typeof value === 'string' && /^\d{1,9}$/u.test(value.trim()) ? Number(value) : null;

/** What tells a date from a word that `Date.parse` makes a date of. */
const DATE = /^(?:\d{4}-\d\d-\d\dT|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? )/u;

/**
 * Seconds from now, seconds or milliseconds since 1970, or a date: as milliseconds since 1970. What lies more than ten
 * years ahead is no time to wait for, and null.
 */
function decodeMoment(value: Headers[string], now: number): number | null {
  if (typeof value !== 'string') return null;
  const moment = DATE.test(value) ? Date.parse(value) : decodeNumber(value.trim(), now);
  return moment <= now + LARGEST_DELAY * 1000 ? moment : null;
}

/** NaN where it is no number, which is not before any moment. */
function decodeNumber(value: string, now: number): number {
  const number = /^\d+(?:\.\d+)?$/u.test(value) ? Number(value) : Number.NaN;
  if (number <= LARGEST_DELAY) return now + number * 1000;
  return number > LARGEST_EPOCH_SECONDS ? number : number * 1000;
}
