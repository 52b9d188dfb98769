import { hash } from 'node:crypto';
import { MAX_COUNTED_CALLERS } from '../base/limits.ts';
import { networkOf } from '../base/network.ts';
import { err, ok } from '../base/result.ts';
import { type Caller, sentTokenOf, usesLentToken } from '../domain/callers/caller.ts';
import type { BackendError } from '../domain/errors.ts';
import type { CountedRequest } from '../domain/rate-limit.ts';

/** Counts one request of the caller. */
export type CallerRateLimit = (caller: Caller, address: string) => CountedRequest;

export interface CallerRateLimitOptions {
  /** Requests of one caller in a minute, greater than 0 (`CALLER_REQUESTS_PER_MINUTE`). */
  readonly perMinute: number;
  /** True when the caller's API token is known to be accepted. */
  readonly isKnown: (caller: Caller) => boolean;
  /** The number of known callers, and of networks of untrusted callers, that are counted at a time. */
  readonly maxCallers?: number;
}

/** The minute that begins with the first request of a caller. */
interface RateWindow {
  readonly endsAt: number;
  requests: number;
}

const MINUTE_MS = 60_000;

/**
 * Counts the requests of each caller per minute. Untrusted callers are counted by network, because they can make up
 * tokens, and in a map of their own, so that they cannot push the windows of known callers out.
 */
export function createCallerRateLimit({
  perMinute,
  isKnown,
  maxCallers = MAX_COUNTED_CALLERS,
}: CallerRateLimitOptions): CallerRateLimit {
  const known = createRateWindows(maxCallers);
  const untrusted = createRateWindows(maxCallers);
  return (caller, address) => {
    const now = performance.now();
    const callerKey = callerKeyOf(caller, isKnown);
    const rateWindow =
      callerKey === null ? untrusted(networkOf(address), now) : known(hash('sha256', callerKey, 'base64'), now);
    const resetSeconds = Math.ceil((rateWindow.endsAt - now) / 1_000);
    const hasRequestLeft = rateWindow.requests < perMinute;
    if (hasRequestLeft) rateWindow.requests += 1;
    return {
      result: hasRequestLeft ? ok(undefined) : err(tooManyRequests(resetSeconds)),
      allowance: { perMinute, remaining: perMinute - rateWindow.requests, resetSeconds },
    };
  };
}

/** All windows are equally long, so the map is in the order in which they end, and expired ones are at its front. */
function createRateWindows(max: number): (key: string, now: number) => RateWindow {
  const rateWindows = new Map<string, RateWindow>();
  const startWindow = (key: string, now: number): RateWindow => {
    for (const [other, { endsAt }] of rateWindows) {
      if (endsAt > now && rateWindows.size < max) break;
      rateWindows.delete(other);
    }
    const rateWindow = { endsAt: now + MINUTE_MS, requests: 0 };
    rateWindows.set(key, rateWindow);
    return rateWindow;
  };
  return (key, now) => {
    const current = rateWindows.get(key);
    return current && current.endsAt > now ? current : startWindow(key, now);
  };
}

/**
 * Null for an untrusted caller. A client whose JWT has no subject is one too: its API token may be the gateway's own,
 * which many clients share.
 */
function callerKeyOf(caller: Caller, isKnown: CallerRateLimitOptions['isKnown']): string | null {
  if (caller.client) {
    return caller.client.ok && caller.client.value.subject !== null ? `subject ${caller.client.value.subject}` : null;
  }
  const sent = sentTokenOf(caller);
  if (sent === null) return null;
  return usesLentToken(caller) || isKnown(caller) ? `token ${sent}` : null;
}

const tooManyRequests = (retryAfterSeconds: number): BackendError => ({
  kind: 'rate-limited',
  message: `Too many requests. Try again in ${retryAfterSeconds} s.`,
  retryAfterSeconds,
  serviceErrors: [],
});
