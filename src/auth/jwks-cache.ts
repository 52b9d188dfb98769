import { createLocalJWKSet, type JWTVerifyGetKey } from 'jose';
import type { Log } from '../domain/log.ts';

/** Thrown where the keys can't be had. */
export class KeysUnavailable extends Error {}

/** For the whole answer, in milliseconds and bytes. */
const TIMEOUT_MS = 5_000;
const MAX_BYTES = 262_144;

/** How long fetched keys count; one that the issuer withdraws is accepted no longer than that, */
const FRESH_FOR_MS = 600_000;

/** unless the issuer can't be reached: then the last ones that it gave stay in use, so long at most. */
const KEPT_FOR_MS = 24 * 3_600_000;

/** A key that is not known makes the keys be fetched again, at most so often: whoever makes up key IDs gains little. */
const COOL_DOWN_MS = 10_000;

/** The cool-down after a fetch that failed: soon enough for an issuer that is back, and no load for one that is not. */
const COOL_DOWN_AFTER_FAILURE_MS = 1_000;

/** After a failed fetch, callers whose key is known wait for no other fetch for this long. */
const FAILING_MS = 60_000;

export interface FetchedKeys {
  /** Those that count now, fetched where they have become too old. Throws `KeysUnavailable`. */
  current(): Promise<JWTVerifyGetKey>;
  /** Those that count where a key is not among the current ones: others, once some time has passed. Throws it too. */
  latest(): Promise<JWTVerifyGetKey>;
}

/** The keys at a JWKS URL, fetched when the first is needed. Their age is told by a clock that nobody sets. */
export function createFetchedKeys(jwksUrl: string, log: Log): FetchedKeys {
  let keys: JWTVerifyGetKey | null = null;
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let failedAt = Number.NEGATIVE_INFINITY;
  let pending: Promise<JWTVerifyGetKey> | null = null;
  const age = () => performance.now() - fetchedAt;
  const failedWithin = (ms: number) => performance.now() - failedAt < ms;
  const load = async (): Promise<JWTVerifyGetKey> => {
    try {
      keys = createLocalJWKSet(await fetchJson(jwksUrl));
      fetchedAt = performance.now();
      failedAt = Number.NEGATIVE_INFINITY;
      return keys;
    } catch (error) {
      failedAt = performance.now();
      log('warn', 'the keys of the clients (CLIENT_JWKS_URL) could not be fetched', { error });
      throw new KeysUnavailable('The keys of the clients could not be had.', { cause: error });
    } finally {
      pending = null;
    }
  };
  const refresh = async (): Promise<JWTVerifyGetKey> => {
    if (failedWithin(COOL_DOWN_AFTER_FAILURE_MS)) throw new KeysUnavailable('They could not be had a moment ago.');
    pending ??= load();
    return pending;
  };
  return {
    current: async () => {
      const known = keys;
      if (known === null || age() >= KEPT_FOR_MS) return refresh();
      if (age() < FRESH_FOR_MS) return known;
      const refreshed = refresh().catch(() => known);
      return failedWithin(FAILING_MS) ? known : refreshed;
    },
    latest: async () => (keys === null || age() >= COOL_DOWN_MS ? refresh() : keys),
  };
}

async function fetchJson(url: string) {
  const response = await fetch(url, {
    redirect: 'manual',
    headers: { accept: 'application/json, application/jwk-set+json' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.status !== 200) throw new Error(`HTTP ${response.status}`);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new Error(`more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}
