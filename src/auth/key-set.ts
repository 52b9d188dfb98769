import { errors, type JWTVerifyGetKey } from 'jose';
import type { Log } from '../domain/log.ts';
import { createFetchedKeys } from './jwks-cache.ts';

/** The key that a JWT says it is signed with, and the algorithms that such keys sign with here. */
export interface KeySource {
  /** Throws `KeysUnavailable` where the keys can't be had; whatever else it throws, the JWT is not valid. */
  readonly keyOf: JWTVerifyGetKey;
  readonly algorithms: readonly string[];
}

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

/** The keys at a JWKS URL. One that is not among them may be new, so they are fetched again before it is refused. */
export function createKeySet(jwksUrl: string, log: Log): KeySource {
  const keys = createFetchedKeys(jwksUrl, log);
  return {
    algorithms: ASYMMETRIC,
    keyOf: async (header, jws) => {
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
