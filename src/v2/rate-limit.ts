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

function decodeCount(value: Headers[string]): number | null {
  const count = typeof value === 'string' && /^\d{1,9}$/u.test(value.trim()) ? Number(value) : null;
  return count;
}

/** Seconds from now, seconds or milliseconds since 1970, or an HTTP date: as milliseconds since 1970. */
function decodeMoment(value: Headers[string], now: number): number | null {
  if (typeof value !== 'string' || value.trim() === '') return null;
  const number = Number(value);
  if (Number.isNaN(number)) return decodeHttpDate(value);
  if (!Number.isFinite(number) || number < 0) return null;
  if (number <= LARGEST_DELAY) return now + number * 1000;
  return number > LARGEST_EPOCH_SECONDS ? number : number * 1000;
}

function decodeHttpDate(value: string): number | null {
  const moment = Date.parse(value);
  return Number.isNaN(moment) ? null : moment;
}
