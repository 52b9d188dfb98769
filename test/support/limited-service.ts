import type { Behaviour } from './faulty-service.ts';

export interface Limit {
  /** So many calls of one token in one window. */
  readonly calls: number;
  readonly windowMs: number;
}

/** A behaviour that keeps a budget for each token, and what it counted. */
export interface Limited {
  readonly behaviour: Behaviour;
  /** Calls that were let through, window by window. */
  readonly windows: readonly number[];
  readonly accepted: () => number;
  /** Calls that were answered with 429. */
  readonly refused: () => number;
}

/** Counts as the service does: what remains is on every answer, limit and reset only where nothing does (facts, 4). */
export function limitedTo({ calls, windowMs }: Limit, behaviour: Behaviour): Limited {
  const windows: number[] = [];
  const tokens = new Map<unknown, { endsAt: number; used: number }>();
  let refused = 0;
  return {
    windows,
    accepted: () => windows.reduce((sum, count) => sum + count, 0),
    refused: () => refused,
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
      if (window.used === calls) {
        response.setHeader('x-ratelimit-limit', calls);
        response.setHeader('x-ratelimit-reset', ((window.endsAt - now) / 1_000).toFixed(3));
      }
      if (isAllowed) await behaviour(response, request);
      else response.writeHead(429).end();
    },
  };
}
