import { errors, type JWTPayload, jwtVerify } from 'jose';
import { MAX_AUTHORIZATION_LENGTH } from '../base/limits.ts';
import type { Log } from '../base/log.ts';
import { err, ok, type Result } from '../base/result.ts';
import { CLIENT_SCOPES, type Client, type ClientAuthentication, INVALID_JWT_ERROR } from '../domain/callers/caller.ts';
import { type BackendError, unavailable } from '../domain/errors.ts';
import { createKeySet, type JwksSource, type KeySource, KeysUnavailable, openPublicKey } from './client-keys.ts';

export interface ClientAuthOptions {
  /** The source of the keys that sign JWTs (`CLIENT_JWKS_URL`), or the only key (`CLIENT_PUBLIC_KEY`). */
  readonly keys: Omit<JwksSource, 'userAgent'> | { readonly publicKey: string; readonly setting?: string };
  /** The header `User-Agent` of fetches of keys. */
  readonly userAgent: string;
  /** The exact `iss` and `aud` of every JWT (`CLIENT_JWT_ISSUER`, `CLIENT_JWT_AUDIENCE`). */
  readonly issuer: string;
  readonly audience: string;
  /** The claim that lists the scopes (`CLIENT_JWT_SCOPE_CLAIM`). */
  readonly scopeClaim: string;
  /** The API token that is lent to clients with a valid JWT. */
  readonly apiToken: string | null;
  readonly log: Log;
}

/** Tolerated difference between the clocks of the issuer and of this machine, in seconds. */
const CLOCK_TOLERANCE_S = 5;

/** The error is the reason why the public key cannot be used. */
export async function openClientAuth(options: ClientAuthOptions): Promise<Result<ClientAuthentication, string>> {
  const { keys, userAgent, log, apiToken } = options;
  const keySource =
    'jwksUrl' in keys
      ? ok(createKeySet({ ...keys, userAgent }, log))
      : await openPublicKey(keys.publicKey, keys.setting);
  if (!keySource.ok) return keySource;
  return ok({
    apiToken,
    identify: async (authorization, requestId) => {
      const jwt = jwtIn(authorization ?? '');
      if (jwt === undefined) return err(INVALID_JWT_ERROR);
      const requestLog: Log = (level, message, fields) => log(level, message, { ...fields, requestId });
      return verifyJwt(jwt, keySource.value, { ...options, log: requestLog });
    },
  });
}

const jwtIn = (authorization: string): string | undefined =>
  authorization.length > MAX_AUTHORIZATION_LENGTH ? undefined : /^bearer +(\S+)$/iu.exec(authorization)?.[1];

/** The reason is logged and not returned: an untrusted caller always receives the same error. */
async function verifyJwt(
  jwt: string,
  { getKey, algorithms }: KeySource,
  { issuer, audience, scopeClaim, log }: ClientAuthOptions,
): Promise<Result<Client, BackendError>> {
  const claims = { issuer, audience, requiredClaims: ['exp'], clockTolerance: CLOCK_TOLERANCE_S };
  try {
    const { payload } = await jwtVerify(jwt, getKey, { ...claims, algorithms: [...algorithms] });
    return ok(clientOf(payload, scopeClaim));
  } catch (error) {
    if (error instanceof KeysUnavailable) return err(unavailable(KEYS_UNAVAILABLE_MESSAGE));
    log('debug', 'a JWT was refused', jwtErrorFields(error));
    return err(INVALID_JWT_ERROR);
  }
}

const KEYS_UNAVAILABLE_MESSAGE = 'The gateway cannot tell at the moment who is asking. Nothing was sent.';

function clientOf(payload: JWTPayload, scopeClaim: string): Client {
  const claim = Object.hasOwn(payload, scopeClaim) ? payload[scopeClaim] : undefined;
  const claimedScopes: ReadonlySet<unknown> = new Set(typeof claim === 'string' ? claim.split(' ') : [claim].flat());
  return { subject: subjectOf(payload), scopes: new Set(CLIENT_SCOPES.filter((scope) => claimedScopes.has(scope))) };
}

/** Null when `sub` is not a non-empty string. */
const subjectOf = ({ sub }: { readonly sub?: unknown }): string | null => (typeof sub === 'string' && sub ? sub : null);

/** The code of the error and the claim that it concerns. Its message is left out, because it may quote the JWT. */
function jwtErrorFields(error: unknown): Readonly<Record<string, unknown>> {
  if (error instanceof errors.JWTClaimValidationFailed || error instanceof errors.JWTExpired)
    return { reason: error.code, claim: error.claim };
  return { reason: error instanceof errors.JOSEError ? error.code : String(error instanceof Error && error.name) };
}
