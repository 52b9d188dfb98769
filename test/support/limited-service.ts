import type { Behaviour } from './faulty-service.ts';

export interface Limit {
  /** The calls of one token that are allowed in one window. */
  readonly calls: number;
  readonly windowMs: number;
  /** True where every response tells the limit and its reset, as version 3 does. */
  readonly tellsAlways?: boolean;
}

/** A behaviour with a rate limit for each token, and its counters. */
export interface Limited {
  readonly behaviour: Behaviour;
  /** The accepted calls by window. */
  readonly windows: readonly number[];
  readonly accepted: () => number;
  /** The calls that got a 429. */
  readonly refused: () => number;
  /** The calls that a token has left in the present window. */
  readonly remaining: (token: string) => number;
}

/**
 * Counts calls as the service does: every response reports the remaining calls, and the limit and its reset only when
 * none remain. See docs/service.md, "Rate limits".
 */
export function limitedTo({ calls, windowMs, tellsAlways = false }: Limit, behaviour: Behaviour): Limited {
  const windows: number[] = [];
  const tokens = new Map<unknown, { endsAt: number; used: number }>();
  let refused = 0;
  return {
    windows,
    accepted: () => windows.reduce((sum, count) => sum + count, 0),
    refused: () => refused,
    remaining: (token) => {
      const window = tokens.get(token);
      return window && window.endsAt > performance.now() ? calls - window.used : calls;
    },
    async behaviour(response, request) {
      const token = request.headers['api_token'];
      const now = performance.now();
      const before = tokens.get(token);
      const window = before && before.endsAt > now ? before : { endsAt: now + windowMs, used: 0 };
      if (window !== before) windows.push(0);
      tokens.set(token, window);
      const isAllowed = window.used < calls;
      if (isAllowed) {
        window.used += 1;
        windows.push((windows.pop() ?? 0) + 1);
      } else refused += 1;
      response.setHeader('x-ratelimit-remaining', calls - window.used);
      if (tellsAlways || window.used === calls) {
        response.setHeader('x-ratelimit-limit', calls);
        response.setHeader('x-ratelimit-reset', ((window.endsAt - now) / 1_000).toFixed(3));
      }
      if (isAllowed) await behaviour(response, request);
      else response.writeHead(429).end();
    },
  };
}
