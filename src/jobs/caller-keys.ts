import { hash } from 'node:crypto';
import type { Backend, BackendResult } from '../core/backend.ts';
import { serviceUrlOf } from '../core/base/network.ts';
import { err, ok, type Result } from '../core/base/result.ts';
import { type Caller, sentTokenOf, usesServiceCredential } from '../core/callers/caller.ts';
import { type BackendError, forbidden } from '../core/errors.ts';

/** The knowledge base that jobs write to, with the gateway's own token for it. */
export interface GatewayCredentials {
  /** The service's base URL (`UPSTREAM_URL`); null for the embedded store. */
  readonly serviceUrl: string | null;
  /** The service credential of the gateway, or a token that the embedded store accepts. Null where the gateway has none. */
  readonly ownToken: string | null;
}

export interface JobCredential {
  /** The hash of the service's URL and the token. A job runs only with the same one. */
  readonly credentialHash: string;
  /** It is never written to disk. */
  readonly apiToken: string | null;
  /** True where the job needs no token of its caller, and runs on after a restart. */
  readonly isUnattended: boolean;
}

/**
 * Names who sees a job or a key, by the subject of the client and the token that was sent. As members of a JSON array, no two
 * pairs give the same text.
 *
 * @internal Exported for tests.
 */
export function callerKeyOf(caller: Caller): Result<string, BackendError> {
  const { client } = caller;
  if (client !== undefined && !client.ok) return client;
  if (client?.value.subject === null) return err(forbidden([], NO_SUBJECT));
  return ok(keyOf(['caller', client?.value.subject ?? null, sentTokenOf(caller)]));
}

export function credentialOf(credentials: GatewayCredentials, caller: Caller): JobCredential {
  if (credentials.serviceUrl === null || usesServiceCredential(caller))
    return ownCredential(credentials, caller.apiToken);
  const { apiToken } = caller;
  return { credentialHash: serviceKeyOf(credentials.serviceUrl, apiToken), apiToken, isUnattended: false };
}

export function ownCredential(
  { serviceUrl, ownToken }: GatewayCredentials,
  lentToken: string | null = null,
): JobCredential {
  const apiToken = ownToken ?? lentToken;
  const credentialHash = serviceUrl === null ? STORE_CREDENTIAL : serviceKeyOf(serviceUrl, apiToken);
  return { credentialHash, apiToken, isUnattended: true };
}

const STORE_CREDENTIAL = 'store';

const serviceKeyOf = (serviceUrl: string, apiToken: string | null): string =>
  keyOf(['binding', serviceUrlOf(serviceUrl), apiToken]);

const keyOf = (parts: readonly (string | null)[]): string => hash('sha256', JSON.stringify(parts), 'base64url');

const NO_SUBJECT = 'Jobs and idempotency keys belong to the subject of their caller, and this caller has none (sub).';

/**
 * The key of a caller whose token the service accepts: nobody else fills or searches the disk. The gateway has identified
 * callers of the service credential itself, so these see jobs also while the service can't be asked.
 */
export async function keyOfKnownCaller(backend: Backend, caller: Caller): BackendResult<string> {
  const authenticated = backend.authenticate(caller);
  if (!authenticated.ok) return authenticated;
  const callerKey = callerKeyOf(caller);
  if (!callerKey.ok) return callerKey;
  const known = await backend.requireKnown(caller);
  return known.ok ? callerKey : known;
}
