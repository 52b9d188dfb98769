import { createHash } from 'node:crypto';
import type { RateLimit } from '../../domain/project-versions.ts';
import { decodeRateLimit, type Headers } from '../../v2/rate-limit.ts';

/** So many tokens are remembered, the latest used; a token is remembered by its hash alone. */
const MAX_TOKENS = 1_000;

/** What the service last said of each token's budget, so that asking for it costs none of it. */
export interface RateLimits {
  note(apiToken: string, headers: Headers): void;
  of(apiToken: string): RateLimit | null;
}

export function createRateLimits(): RateLimits {
  const seen = new Map<string, RateLimit>();
  return {
    note(apiToken, headers) {
      const said = decodeRateLimit(headers, Date.now());
      if (said === null) return;
      const key = hashOf(apiToken);
      const limits = merged(said, seen.get(key));
      seen.delete(key);
      seen.set(key, limits);
      const [oldest] = seen.keys();
      if (seen.size > MAX_TOKENS && oldest !== undefined) seen.delete(oldest);
    },
    of(apiToken) {
      const limits = seen.get(hashOf(apiToken));
      return limits ? current(limits) : null;
    },
  };
}

const hashOf = (apiToken: string): string => createHash('sha256').update(apiToken).digest('base64');

/** The service tells the limit and its reset only once the limit is reached (facts, section 4), so they are kept. */
function merged(said: RateLimit, before: RateLimit | undefined): RateLimit {
  const { limit, resetAt } = before ? current(before) : { limit: null, resetAt: null };
  return { limit: said.limit ?? limit, remaining: said.remaining, resetAt: said.resetAt ?? resetAt };
}

/** Once the reset is over, nobody knows what remains. */
const current = (limits: RateLimit): RateLimit =>
  limits.resetAt !== null && limits.resetAt.getTime() <= Date.now()
    ? { ...limits, remaining: null, resetAt: null }
    : limits;
