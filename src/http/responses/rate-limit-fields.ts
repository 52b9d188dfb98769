import type { ServerResponse } from 'node:http';
import type { CallerAllowance } from '../../domain/rate-limit.ts';

/** The names of the header fields, in lower case. */
export const RATE_LIMIT_FIELDS = ['ratelimit-policy', 'ratelimit'] as const;

/** The name of the only policy. */
const POLICY = '"per-caller"';

/**
 * Tells a caller what it may still send, by the structured fields of draft-ietf-httpapi-ratelimit-headers-10: the quota
 * `q` in a window of `w` seconds, and the remaining requests `r` until the window ends in `t` seconds.
 */
export function setRateLimitFields(response: ServerResponse, allowance: CallerAllowance): void {
  const { perMinute, remaining, resetSeconds } = allowance;
  response.setHeader('ratelimit-policy', `${POLICY};q=${perMinute};w=60`);
  response.setHeader('ratelimit', `${POLICY};r=${remaining};t=${resetSeconds}`);
}
