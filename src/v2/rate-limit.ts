import type { RateLimit } from '../domain/articles/project-versions.ts';

export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Seconds in ten years: a larger `X-RateLimit-Reset` can only be a point in time (facts, section 4). */
const LARGEST_DELAY = 315_360_000;

/** Above this a point in time counts milliseconds, not seconds. */
const LARGEST_EPOCH_SECONDS = 100_000_000_000;

/** Whole seconds to wait after a 429, rounded up; null where the answer does not say. `now` is in milliseconds since 1970. */
export function decodeRetryAfter(headers: Headers, now: number): number | null {
  const waitMs = decodeWait(headers, 'retry-after', now) ?? decodeWait(headers, 'x-ratelimit-reset', now);
  return waitMs === null ? null : Math.max(0, Math.ceil(waitMs / 1000));
}

/** What an answer says of the budget; null where it says nothing. `now` is in milliseconds since 1970. */
export function decodeRateLimit(headers: Headers, now: number): RateLimit | null {
  const limit = decodeCount(headers['x-ratelimit-limit']);
  const remaining = decodeCount(headers['x-ratelimit-remaining']);
  const resetMs = decodeWait(headers, 'x-ratelimit-reset', now);
  if (limit === null && remaining === null && resetMs === null) return null;
  return { limit, remaining, resetAt: resetMs === null ? null : new Date(now + resetMs) };
}

const decodeCount = (value: Headers[string]): number | null =>
  typeof value === 'string' && /^\d{1,9}$/u.test(value.trim()) ? Number(value) : null;

/** Longer than any number or date that is meant. */
const MAX_LENGTH = 100;

/** What tells a date from a word that `Date.parse` makes a date of. */
const DATE = /^(?:\d{4}-\d\d-\d\dT|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? )/u;

/**
 * Milliseconds to wait: seconds from now, seconds or milliseconds since 1970, or a date. A point in time is compared with
 * the clock that it was made by, the service's own, where the answer tells it (`Date`): ours may be an hour off. What lies
 * more than ten years ahead is no time to wait for, and null.
 */
function decodeWait(headers: Headers, name: string, now: number): number | null {
  const value = headers[name];
  if (typeof value !== 'string' || value.length > MAX_LENGTH) return null;
  const number = DATE.test(value) ? Number.NaN : decodeNumber(value.trim());
  if (number <= LARGEST_DELAY) return number * 1000;
  const moment = Number.isNaN(number) ? decodeDate(value) : number * (number > LARGEST_EPOCH_SECONDS ? 1 : 1000);
  const waitMs = moment - (decodeDate(headers['date']) || now);
  return waitMs <= LARGEST_DELAY * 1000 ? waitMs : null;
}

/** NaN where it is no number. */
const decodeNumber = (text: string): number => (/^\d+(?:\.\d+)?$/u.test(text) ? Number(text) : Number.NaN);

/** Milliseconds since 1970; NaN where it is no date, which is not before any moment. */
const decodeDate = (value: Headers[string]): number =>
  typeof value === 'string' && value.length <= MAX_LENGTH && DATE.test(value) ? Date.parse(value) : Number.NaN;
