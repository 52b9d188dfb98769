import { errors, type JWTPayload, jwtVerify } from 'jose';
import { type Client, type ClientAuthentication, SCOPES, unknownClient } from '../domain/callers/clients.ts';
import { type BackendError, unavailable } from '../domain/errors.ts';
import type { Log } from '../domain/log.ts';
import { err, ok, type Result } from '../domain/result.ts';
import { KeysUnavailable } from './jwks-cache.ts';
import { createKeySet, type KeySource } from './key-set.ts';
import { openPublicKey } from './public-key.ts';

export interface ClientAuthOptions {
  /** Where the keys are that sign the JWTs (`CLIENT_JWKS_URL`), or the only one (`CLIENT_PUBLIC_KEY`). */
  readonly keys: { readonly jwksUrl: string } | { readonly publicKey: string };
  /** `iss` and `aud` of every JWT, to the letter (`CLIENT_JWT_ISSUER`, `CLIENT_JWT_AUDIENCE`). */
  readonly issuer: string;
  readonly audience: string;
  /** The claim that lists the scopes (`CLIENT_JWT_SCOPE_CLAIM`). */
  readonly scopeClaim: string;
  /** What the gateway holds for its clients. */
  readonly apiToken: string | null;
  readonly log: Log;
}

/** How far the clocks of the issuer and of this machine may be apart, in seconds. */
const CLOCK_TOLERANCE_S = 5;

/** The error says why the public key can't be used. */
export async function openClientAuth(options: ClientAuthOptions): Promise<Result<ClientAuthentication, string>> {
  const { keys, log, apiToken } = options;
  const source = 'jwksUrl' in keys ? ok(createKeySet(keys.jwksUrl, log)) : await openPublicKey(keys.publicKey);
  if (!source.ok) return source;
  return ok({
    apiToken,
    identify: async (authorization) => {
      const jwt = jwtIn(authorization ?? '');
      return jwt === undefined ? err(unknownClient) : verify(jwt, source.value, options);
    },
  });
}

/** As long as all headers of a request may be, and what comes in another way is no longer. */
const MAX_LENGTH = 16_384;

const jwtIn = (authorization: string): string | undefined =>
  authorization.length > MAX_LENGTH ? undefined : /^bearer +(\S+)$/iu.exec(authorization)?.[1];

/** What is wrong is for the log alone: a stranger is told the same whatever it is. */
async function verify(
  jwt: string,
  { keyOf, algorithms }: KeySource,
  { issuer, audience, scopeClaim, log }: ClientAuthOptions,
): Promise<Result<Client, BackendError>> {
  const claims = { issuer, audience, requiredClaims: ['exp'], clockTolerance: CLOCK_TOLERANCE_S };
  try {
    const { payload } = await jwtVerify(jwt, keyOf, { ...claims, algorithms: [...algorithms] });
    return ok(clientOf(payload, scopeClaim));
  } catch (error) {
    if (error instanceof KeysUnavailable) return err(unavailable(CANNOT_TELL));
    log('debug', 'a JWT was refused', reasonOf(error));
    return err(unknownClient);
  }
}

const CANNOT_TELL = 'The gateway cannot tell at the moment who is asking. Nothing was sent.';

function clientOf(payload: JWTPayload, scopeClaim: string): Client {
  const claim = Object.hasOwn(payload, scopeClaim) ? payload[scopeClaim] : undefined;
  const named: ReadonlySet<unknown> = new Set(typeof claim === 'string' ? claim.split(' ') : [claim].flat());
  return { subject: subjectOf(payload), scopes: new Set(SCOPES.filter((scope) => named.has(scope))) };
}

/** Nothing but a text is a name. */
const subjectOf = ({ sub }: { readonly sub?: unknown }): string | null => (typeof sub === 'string' && sub ? sub : null);

/** Its name, and which claim it is about: the message may quote what was sent. */
function reasonOf(error: unknown): Readonly<Record<string, unknown>> {
  if (error instanceof errors.JWTClaimValidationFailed || error instanceof errors.JWTExpired)
    return { reason: error.code, claim: error.claim };
  return { reason: error instanceof errors.JOSEError ? error.code : String(error instanceof Error && error.name) };
}
