import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { SignJWT } from 'jose';
import { type ClientScope, DEV_ISSUER, DEV_JWT_SECONDS } from '../../core/callers/caller.ts';

/** The audience of JWTs for trying, and the setting of a gateway that accepts them. */
export const DEV_AUDIENCE = 'kb-gateway';

/** Generates a private key in PEM. */
export const generateSigningKey = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString().trim();

/** The public key of a private key, both in PEM. */
export const publicKeyOf = (signingKey: string): string =>
  createPublicKey(signingKey).export({ format: 'pem', type: 'spki' }).toString().trim();

/** Signs a JWT for trying, with the longest allowed lifetime. */
export const signDevJwt = (signingKey: string, scopes: readonly ClientScope[]): Promise<string> =>
  new SignJWT({ scope: scopes.join(' ') })
    .setProtectedHeader({ alg: 'EdDSA' })
    .setIssuer(DEV_ISSUER)
    .setAudience(DEV_AUDIENCE)
    .setSubject('developer')
    .setIssuedAt()
    .setExpirationTime(`${DEV_JWT_SECONDS}s`)
    .sign(createPrivateKey(signingKey));
