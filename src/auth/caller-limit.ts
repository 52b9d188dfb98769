import { hash } from 'node:crypto';
import { type Caller, sentTokenOf } from '../domain/caller.ts';
import type { BackendError } from '../domain/errors.ts';
import { err, ok, type Result } from '../domain/result.ts';

/** Takes one request out of what the caller has left; fails where nothing is left, and says when there will be. */
export type CallerLimit = (caller: Caller, address: string) => Result<void, BackendError>;

export interface CallerLimitOptions {
  /** Requests that one caller may make in a minute (`CALLER_RATE_LIMIT`), more than 0. */
  readonly perMinute: number;
  readonly authenticate: (caller: Caller) => Result<void, BackendError>;
  /** So many callers are counted at one time; then the one whose minute is nearest its end is forgotten. */
  readonly maxCallers?: number;
}

/** The minute of a caller, from the first request of it. */
interface Minute {
  readonly endsAt: number;
  requests: number;
}

const MINUTE_MS = 60_000;

/**
 * Counts the requests of each caller in minutes. Every minute is as long as any other, so the map has them in the order in
 * which they end, and what it forgets is always at its front.
 */
export function createCallerLimit({ perMinute, authenticate, maxCallers = 10_000 }: CallerLimitOptions): CallerLimit {
  const minutes = new Map<string, Minute>();
  const begin = (key: string, now: number): Minute => {
    for (const [other, { endsAt }] of minutes) {
      if (endsAt > now && minutes.size < maxCallers) break;
      minutes.delete(other);
    }
    const minute = { endsAt: now + MINUTE_MS, requests: 0 };
    minutes.set(key, minute);
    return minute;
  };
  return (caller, address) => {
    const key = hash('sha256', nameOf(authenticate(caller).ok ? caller : null, address), 'base64');
    const now = performance.now();
    const current = minutes.get(key);
    const minute = current && current.endsAt > now ? current : begin(key, now);
    if (minute.requests >= perMinute) return err(tooMany(Math.ceil((minute.endsAt - now) / 1_000)));
    minute.requests += 1;
    return ok(undefined);
  };
}

/** A token that was made up names nobody: a stranger is told from others by the address alone. */
function nameOf(caller: Caller | null, address: string): string {
  if (caller?.client?.ok && caller.client.value.subject !== null) return `subject ${caller.client.value.subject}`;
  // The token of a client may be the gateway's own, which many share.
  return caller?.apiToken && !caller.client ? `token ${sentTokenOf(caller)}` : `address ${address}`;
}

const tooMany = (retryAfterSeconds: number): BackendError => ({
  kind: 'rate-limited',
  message: `Too many requests. Try again in ${retryAfterSeconds} s.`,
  retryAfterSeconds,
  serviceErrors: [],
});
