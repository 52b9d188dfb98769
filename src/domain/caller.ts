/** Who is asking, and how long they wait. One object per request: whatever is kept for a request hangs on it. */
export interface Caller {
  /** The service's API token, or null where the caller brought none. */
  readonly apiToken: string | null;
  readonly requestId: string;
  /** `performance.now()` after which nothing new is begun on the caller's behalf (`REQUEST_TIMEOUT_MS`). */
  readonly deadline: number;
}

interface HeaderReader {
  get(name: string): string | null;
}

/** Many proxies drop names with an underscore, so the token has three places; the first that is there counts. */
export function apiTokenOf(headers: HeaderReader): string | null {
  const bare = headers.get('api_token') ?? headers.get('x-api-token');
  if (bare !== null) return bare || null;
  const bearer = /^bearer +(.+)$/iu.exec(headers.get('authorization') ?? '');
  return bearer?.[1] ?? null;
}

export const createCaller = (headers: HeaderReader, timeoutMs: number): Caller => ({
  apiToken: apiTokenOf(headers),
  requestId: crypto.randomUUID(),
  deadline: performance.now() + timeoutMs,
});

/** Milliseconds that are left of the caller's deadline, never below 0. */
export const timeLeft = (caller: Caller): number => Math.max(0, caller.deadline - performance.now());
