import { hash } from 'node:crypto';
import { type Caller, isLent, sentTokenOf } from '../domain/callers/caller.ts';
import { networkOf } from '../domain/callers/network.ts';
import type { BackendError } from '../domain/errors.ts';
import { err, ok, type Result } from '../domain/result.ts';

/** Takes one request out of what the caller has left; fails where nothing is left, and says when there will be. */
export type CallerLimit = (caller: Caller, address: string) => Result<void, BackendError>;

export interface CallerLimitOptions {
  /** Requests that one caller may make in a minute (`CALLER_RATE_LIMIT`), more than 0. */
  readonly perMinute: number;
  /** True where the API token that the caller brings is one that opens the gateway, as far as is known. */
  readonly isKnown: (caller: Caller) => boolean;
  /** The most known callers, and the most networks of strangers, that are counted at one time. */
  readonly maxCallers?: number;
}

/** The minute of a caller, from the first request of it. */
interface Minute {
  readonly endsAt: number;
  requests: number;
}

const MINUTE_MS = 60_000;

/**
 * Counts the requests of each caller in minutes. Strangers are counted by their network, whatever they make up, and apart
 * from those who are known: however many they are, the minute of a caller who is known stays.
 */
export function createCallerLimit({ perMinute, isKnown, maxCallers = 10_000 }: CallerLimitOptions): CallerLimit {
  const known = createMinutes(maxCallers);
  const strangers = createMinutes(maxCallers);
  return (caller, address) => {
    const now = performance.now();
    const name = nameOf(caller, isKnown);
    const minute = name === null ? strangers(networkOf(address), now) : known(hash('sha256', name, 'base64'), now);
    if (minute.requests >= perMinute) return err(tooMany(Math.ceil((minute.endsAt - now) / 1_000)));
    minute.requests += 1;
    return ok(undefined);
  };
}

/**
 * Every minute is as long as any other, so the map has them in the order in which they end, and what it forgets, where there
 * are too many, is always at its front.
 */
function createMinutes(max: number): (key: string, now: number) => Minute {
  const minutes = new Map<string, Minute>();
  const begin = (key: string, now: number): Minute => {
    for (const [other, { endsAt }] of minutes) {
      if (endsAt > now && minutes.size < max) break;
      minutes.delete(other);
    }
    const minute = { endsAt: now + MINUTE_MS, requests: 0 };
    minutes.set(key, minute);
    return minute;
  };
  return (key, now) => {
    const current = minutes.get(key);
    return current && current.endsAt > now ? current : begin(key, now);
  };
}

/** Null for a stranger. A client whose JWT names nobody is one too: their API token may be the gateway's, which many share. */
function nameOf(caller: Caller, isKnown: CallerLimitOptions['isKnown']): string | null {
  if (caller.client) {
    return caller.client.ok && caller.client.value.subject !== null ? `subject ${caller.client.value.subject}` : null;
  }
  const sent = sentTokenOf(caller);
  if (sent === null) return null;
  return isLent(caller) || isKnown(caller) ? `token ${sent}` : null;
}

const tooMany = (retryAfterSeconds: number): BackendError => ({
  kind: 'rate-limited',
  message: `Too many requests. Try again in ${retryAfterSeconds} s.`,
  retryAfterSeconds,
  serviceErrors: [],
});
