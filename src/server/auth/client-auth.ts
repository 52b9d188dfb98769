import { createPublicKey, type KeyObject } from 'node:crypto';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { readBoundedFile } from '../../core/base/bounded-file.ts';
import type { Log } from '../../core/base/log.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { decodeText } from '../../core/base/text.ts';
import {
  CLIENT_SCOPES,
  type Client,
  type ClientAuthentication,
  DEV_ISSUER,
  DEV_JWT_SECONDS,
  INVALID_JWT_ERROR,
  UNKNOWN_CLIENT_ERROR,
} from '../../core/callers/caller.ts';
import type { BackendError } from '../../core/errors.ts';
import { fetchJson, type JsonSource } from './fetch-json.ts';

export interface ClientAuthOptions {
  /** The source of the keys that sign JWTs (`CLIENT_JWKS_URL`), or the only key (`CLIENT_PUBLIC_KEY`). */
  readonly keys: Omit<JwksSource, 'userAgent'> | { readonly publicKey: string; readonly setting?: string };
  /** The header `User-Agent` of fetches of keys. */
  readonly userAgent: string;
  /** The exact `iss` and `aud` of every JWT (`CLIENT_JWT_ISSUER`, `CLIENT_JWT_AUDIENCE`). */
  readonly issuer: string;
  readonly audience: string;
  readonly scopeClaim: string;
  /** The service credential, which clients with a valid JWT use. */
  readonly apiToken: string | null;
  readonly log: Log;
}

/** The tolerated difference between the clocks of the issuer and of this machine, in seconds. */
const CLOCK_TOLERANCE_S = 5;

/** The error is the reason why the public key cannot be used. */
export async function openClientAuth(options: ClientAuthOptions): Promise<Result<ClientAuthentication, string>> {
  const { keys, userAgent, log, apiToken } = options;
  const source =
    'jwksUrl' in keys ? ok(createKeySet({ ...keys, userAgent }, log)) : openPublicKey(keys.publicKey, keys.setting);
  if (!source.ok) return source;
  return ok({
    apiToken,
    identify: async ({ headers, request }) => {
      const jwt = jwtIn(headers.get('authorization') ?? '');
      if (jwt === undefined) return err(INVALID_JWT_ERROR);
      const requestLog: Log = (level, message, fields) => log(level, message, { ...fields, requestId: request.id });
      return verifyJwt(jwt, source.value, { ...options, log: requestLog });
    },
  });
}

const jwtIn = (authorization: string): string | undefined => /^bearer +(\S+)$/iu.exec(authorization)?.[1];

/** The keys that sign JWTs. */
interface KeySource {
  readonly getKey: JWTVerifyGetKey;
  /** Fetches the keys again where they may have changed. Resolves to false where they are the same. Never rejects. */
  readonly renew: () => Promise<boolean>;
}

/**
 * Verifies a JWT. The reason of a failure is logged and not returned: an untrusted caller always receives the same
 * error. jose accepts neither `none` nor an algorithm with a shared secret where the key is a public one (RFC 8725,
 * 3.1).
 */
async function verifyJwt(
  jwt: string,
  { getKey, renew }: KeySource,
  { issuer, audience, scopeClaim, log }: ClientAuthOptions,
): Promise<Result<Client, BackendError>> {
  const claims = { issuer, audience, requiredClaims: ['exp'], clockTolerance: CLOCK_TOLERANCE_S };
  const verify = () => jwtVerify(jwt, getKey, claims);
  try {
    const { payload } = await verify().catch(async (error) => {
      // A new key may have the ID of the one before, or neither has an ID.
      if (error instanceof errors.JWSSignatureVerificationFailed && (await renew())) return verify();
      throw error;
    });
    if (issuer === DEV_ISSUER && secondsLeft(payload) > DEV_JWT_SECONDS + CLOCK_TOLERANCE_S)
      throw new errors.JWTClaimValidationFailed('exp is too late', payload, 'exp');
    return ok(clientOf(payload, scopeClaim));
  } catch (error) {
    if (error instanceof KeysUnavailable) return err(UNKNOWN_CLIENT_ERROR);
    log('debug', 'a JWT was refused', jwtErrorFields(error));
    return err(INVALID_JWT_ERROR);
  }
}

const secondsLeft = ({ exp = 0 }: JWTPayload): number => exp - Date.now() / 1_000;

function clientOf(payload: JWTPayload, scopeClaim: string): Client {
  const claim = Object.hasOwn(payload, scopeClaim) ? payload[scopeClaim] : undefined;
  const claimedScopes: ReadonlySet<unknown> = new Set(typeof claim === 'string' ? claim.split(' ') : [claim].flat());
  return { subject: subjectOf(payload), scopes: new Set(CLIENT_SCOPES.filter((scope) => claimedScopes.has(scope))) };
}

const subjectOf = ({ sub }: { readonly sub?: unknown }): string | null => (typeof sub === 'string' && sub ? sub : null);

/** The code of the error and the claim that it concerns. Its message is left out, since it may quote the JWT. */
function jwtErrorFields(error: unknown): Readonly<Record<string, unknown>> {
  if (error instanceof errors.JWTClaimValidationFailed || error instanceof errors.JWTExpired)
    return { reason: error.code, claim: error.claim };
  return { reason: error instanceof errors.JOSEError ? error.code : String(error instanceof Error && error.name) };
}

const PEM_BEGIN = '-----BEGIN';

/** The most bytes of a PEM. The largest keys take a few kilobytes. */
const MAX_PEM_BYTES = 65_536;

/** The shortest RSA key. jose refuses shorter ones too, but only with the first JWT. */
const MIN_RSA_BITS = 2_048;

const CURVES: ReadonlySet<string | undefined> = new Set(['prime256v1', 'secp384r1', 'secp521r1']);

/** Opens the key that signs every JWT, from a file or from PEM, whose lines may also end with `\n` as two characters. */
export function openPublicKey(pemOrPath: string, setting = 'CLIENT_PUBLIC_KEY'): Result<KeySource, string> {
  try {
    const read = pemOrPath.startsWith(PEM_BEGIN)
      ? ok(Buffer.from(pemOrPath.replaceAll('\\n', '\n')))
      : readBoundedFile(pemOrPath, { maxBytes: MAX_PEM_BYTES });
    if (!read.ok) return err(noKey(setting, `it ${read.error}`));
    const pem = decodeText(read.value) ?? '';
    if (pem.includes('PRIVATE KEY')) return err(`${setting} is a private key: the gateway needs the public one`);
    const key = createPublicKey(pem);
    return isSupported(key) ? ok({ getKey: async () => key, renew: async () => false }) : err(`${setting} ${KEY_RULE}`);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : 'unreadable';
    return err(noKey(setting, String(reason)));
  }
}

const noKey = (setting: string, reason: string): string =>
  `${setting} holds no public key in PEM, nor is it the path of such a file (${reason})`;

const KEY_RULE = `must be an RSA key of at least ${MIN_RSA_BITS} bits, or one on P-256, P-384, P-521 or Ed25519`;

function isSupported({ asymmetricKeyType, asymmetricKeyDetails = {} }: KeyObject): boolean {
  const { namedCurve, modulusLength = 0 } = asymmetricKeyDetails;
  if (asymmetricKeyType === 'ec') return CURVES.has(namedCurve);
  return asymmetricKeyType === 'ed25519' || (asymmetricKeyType === 'rsa' && modulusLength >= MIN_RSA_BITS);
}

/** Thrown when the keys cannot be fetched. */
class KeysUnavailable extends Error {}

/** Keys count as fresh for so long. A withdrawn key is accepted for up to this time. */
const FRESH_FOR_MS = 600_000;

/** Keys stay in use for so long when the issuer can't be reached (`stale-if-error`, RFC 5861). */
const STALE_IF_ERROR_MS = 24 * 3_600_000;

/** The shortest time between two fetches for unknown key IDs and wrong signatures, so that invented ones cause little load. */
const COOL_DOWN_MS = 10_000;

/** The shortest time between a failed fetch and the next. */
const COOL_DOWN_AFTER_FAILURE_MS = 1_000;

/** For so long after a failed fetch, callers with a known key do not wait for another fetch. */
const FAILING_MS = 60_000;

/**
 * Finds keys at a JWKS URL and keeps them. The first use fetches them, and a monotonic clock measures their age. They
 * are fetched again before an unknown key ID is refused, since the key may be new. Throws `KeysUnavailable`; any other
 * error means that the JWT is invalid.
 */
function createKeySet(source: JwksSource, log: Log): KeySource {
  const { setting = 'CLIENT_JWKS_URL' } = source;
  let keys: JWTVerifyGetKey | null = null;
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let failedAt = Number.NEGATIVE_INFINITY;
  let pending: Promise<JWTVerifyGetKey> | null = null;
  const age = () => performance.now() - fetchedAt;
  const failedWithin = (ms: number) => performance.now() - failedAt < ms;
  const load = async (): Promise<JWTVerifyGetKey> => {
    try {
      keys = createLocalJWKSet(await fetchKeys(source));
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
  const current = async (): Promise<JWTVerifyGetKey> => {
    const known = keys;
    if (known === null || age() >= STALE_IF_ERROR_MS) return refresh();
    if (age() < FRESH_FOR_MS) return known;
    const refreshed = refresh().catch(() => known);
    return failedWithin(FAILING_MS) ? known : refreshed;
  };
  const getKey: JWTVerifyGetKey = async (header, jws) => {
    const known = await current();
    try {
      return await known(header, jws);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      const latest = age() >= COOL_DOWN_MS ? await refresh() : keys;
      if (latest === null || latest === known) throw error;
      return latest(header, jws);
    }
  };
  const renew = async () => {
    const known = keys;
    return age() >= COOL_DOWN_MS && (await refresh().catch(() => known)) !== known;
  };
  return { getKey, renew };
}

const fetchKeys = ({ jwksUrl, ...source }: JwksSource): Promise<JSONWebKeySet> =>
  fetchJson({ ...source, url: jwksUrl, accept: 'application/json, application/jwk-set+json' });

/** The URL of the keys, and the proxy in front of it. */
interface JwksSource extends Omit<JsonSource, 'url' | 'accept'> {
  readonly jwksUrl: string;
  /** The name of the URL's setting in messages. */
  readonly setting?: string;
}
