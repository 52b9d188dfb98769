import { errors, type JWTVerifyGetKey } from 'jose';
import type { Log } from '../base/log.ts';
import { createJwksCache } from './jwks-cache.ts';
import type { JwksSource } from './jwks-fetch.ts';

/** Finds the key that a JWT names, and the algorithms that are accepted. */
export interface KeySource {
  /** Throws `KeysUnavailable` when the keys cannot be fetched. Any other error means that the JWT is not valid. */
  readonly getKey: JWTVerifyGetKey;
  readonly algorithms: readonly string[];
}

/** Excludes `none` and algorithms with a shared secret, for which a public key would be the secret (RFC 8725, 3.1). */
const ASYMMETRIC_ALGORITHMS = [
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

/** The keys at a JWKS URL. They are fetched again before an unknown key ID is refused, because the key may be new. */
export function createKeySet(source: JwksSource, log: Log): KeySource {
  const keys = createJwksCache(source, log);
  return {
    algorithms: ASYMMETRIC_ALGORITHMS,
    getKey: async (header, jws) => {
      const current = await keys.current();
      try {
        return await current(header, jws);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
        const latest = await keys.latest();
        if (latest === current) throw error;
        return latest(header, jws);
      }
    },
  };
}
