import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose';
import type { Log } from '../domain/log.ts';

/** The key that a JWT says it is signed with, and the algorithms that such keys sign with here. */
export interface KeySource {
  /** Throws `KeysUnavailable` where the keys can't be had; whatever else it throws, the JWT is not valid. */
  readonly keyOf: JWTVerifyGetKey;
  readonly algorithms: readonly string[];
}

export class KeysUnavailable extends Error {}

/** No algorithm with a shared secret, so that nobody signs with what is public; and never `none`. */
const ASYMMETRIC = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** For the whole answer, in milliseconds and bytes. */
const TIMEOUT_MS = 5_000;
const MAX_BYTES = 262_144;

/** How long fetched keys count; one that the issuer withdraws is accepted no longer than that. */
const FRESH_FOR_MS = 600_000;

/** A key that is not known makes the keys be fetched again, at most so often: whoever makes up key IDs gains little. */
const COOL_DOWN_MS = 10_000;

/** The same where the last fetch failed: soon enough for an issuer that is back, and no load for one that is not. */
const COOL_DOWN_AFTER_FAILURE_MS = 1_000;

/** The keys at a JWKS URL, fetched when the first is needed. */
export function createKeySet(jwksUrl: string, log: Log): KeySource {
  let failedAt = Number.NEGATIVE_INFINITY;
  const hasJustFailed = () => performance.now() - failedAt < COOL_DOWN_AFTER_FAILURE_MS;
  const keys = createRemoteJWKSet(new URL(jwksUrl), {
    timeoutDuration: TIMEOUT_MS,
    cacheMaxAge: FRESH_FOR_MS,
    cooldownDuration: COOL_DOWN_MS,
    [customFetch]: async (url, init) => {
      if (hasJustFailed()) throw new Error('They could not be had a moment ago.');
      return fetchSmall(url, init);
    },
  });
  return {
    algorithms: ASYMMETRIC,
    keyOf: async (header, jws) => {
      try {
        return await keys(header, jws);
      } catch (error) {
        // These two are about the JWT; everything else is about the keys.
        if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) throw error;
        if (!hasJustFailed()) {
          failedAt = performance.now();
          log('warn', 'the keys of the clients (CLIENT_JWKS_URL) could not be fetched', { error });
        }
        throw new KeysUnavailable('The keys of the clients could not be had.', { cause: error });
      }
    },
  };
}

async function fetchSmall(...[url, init]: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(url, init);
  if (response.status !== 200) throw new Error(`HTTP ${response.status}`);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new Error(`more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return new Response(Buffer.concat(chunks));
}
