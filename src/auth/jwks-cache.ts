import { createLocalJWKSet, type JWTVerifyGetKey } from 'jose';
import type { Log } from '../base/log.ts';
import { fetchJwks, type JwksSource } from './jwks-fetch.ts';

/** Thrown when the keys cannot be fetched. */
export class KeysUnavailable extends Error {}

/** How long keys count as fresh. The gateway accepts a withdrawn key for up to this long. */
const FRESH_FOR_MS = 600_000;

/** How long keys stay in use when the issuer cannot be reached (`stale-if-error`, RFC 5861). */
const STALE_IF_ERROR_MS = 24 * 3_600_000;

/** The shortest time between two fetches for an unknown key ID, so that made-up IDs cause little load. */
const COOL_DOWN_MS = 10_000;

/** The shortest time between a failed fetch and the next. */
const COOL_DOWN_AFTER_FAILURE_MS = 1_000;

/** For this long after a failed fetch, callers with a known key do not wait for another fetch. */
const FAILING_MS = 60_000;

export interface JwksCache {
  /** The cached keys, fetched again when they are not fresh. Throws `KeysUnavailable`. */
  current(): Promise<JWTVerifyGetKey>;
  /** For a key ID that is not in the cache: fetches the keys again after a cool-down. Throws `KeysUnavailable`. */
  latest(): Promise<JWTVerifyGetKey>;
}

/** Caches the keys at a JWKS URL. The first use fetches them; a monotonic clock measures their age. */
export function createJwksCache(source: JwksSource, log: Log): JwksCache {
  const { setting = 'CLIENT_JWKS_URL' } = source;
  let keys: JWTVerifyGetKey | null = null;
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let failedAt = Number.NEGATIVE_INFINITY;
  let pending: Promise<JWTVerifyGetKey> | null = null;
  const age = () => performance.now() - fetchedAt;
  const failedWithin = (ms: number) => performance.now() - failedAt < ms;
  const load = async (): Promise<JWTVerifyGetKey> => {
    try {
      keys = createLocalJWKSet(await fetchJwks(source));
      fetchedAt = performance.now();
      failedAt = Number.NEGATIVE_INFINITY;
      return keys;
    } catch (error) {
      failedAt = performance.now();
      log('warn', `the keys of the clients (${setting}) could not be fetched`, { error });
      throw new KeysUnavailable('The keys of the clients could not be fetched.', { cause: error });
    } finally {
      pending = null;
    }
  };
  const refresh = async (): Promise<JWTVerifyGetKey> => {
    if (failedWithin(COOL_DOWN_AFTER_FAILURE_MS)) throw new KeysUnavailable('The last fetch failed a moment ago.');
    pending ??= load();
    return pending;
  };
  return {
    current: async () => {
      const known = keys;
      if (known === null || age() >= STALE_IF_ERROR_MS) return refresh();
      if (age() < FRESH_FOR_MS) return known;
      const refreshed = refresh().catch(() => known);
      return failedWithin(FAILING_MS) ? known : refreshed;
    },
    latest: async () => (keys === null || age() >= COOL_DOWN_MS ? refresh() : keys),
  };
}
