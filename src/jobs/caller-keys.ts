import { hash } from 'node:crypto';
import type { Backend, BackendResult } from '../core/backend.ts';
import { serviceUrlOf } from '../core/base/network.ts';
import { err, ok, type Result } from '../core/base/result.ts';
import { type Caller, sentTokenOf, usesServiceCredential } from '../core/callers/caller.ts';
import { type BackendError, forbidden } from '../core/errors.ts';

/** The knowledge base that jobs write to. */
export interface JobBinding {
  /** The service's base URL (`UPSTREAM_URL`); null for the embedded store. */
  readonly serviceUrl: string | null;
  /** The token that the gateway lends, or one that the embedded store accepts. Null where the gateway has none. */
  readonly ownToken: string | null;
}

/** The service and the token that a job is bound to. */
export interface BoundToken {
  readonly bindingKey: string;
  /** Never kept on disk. */
  readonly apiToken: string | null;
  readonly goesOnAlone: boolean;
}

/**
 * Names who sees a job or a key: the subject of the client and the token that was sent, together. JSON tells them apart
 * whatever they contain.
 *
 * @internal Exported for tests.
 */
export function callerKeyOf(caller: Caller): Result<string, BackendError> {
  const { client } = caller;
  if (client !== undefined && !client.ok) return client;
  if (client?.value.subject === null) return err(forbidden([], NO_SUBJECT));
  return ok(keyOf(['caller', client?.value.subject ?? null, sentTokenOf(caller)]));
}

/** The token that a job of the caller uses. */
export function bindCaller(binding: JobBinding, caller: Caller): BoundToken {
  if (binding.serviceUrl === null || usesServiceCredential(caller)) return bindOwnToken(binding, caller.apiToken);
  const { apiToken } = caller;
  return { bindingKey: serviceKeyOf(binding.serviceUrl, apiToken), apiToken, goesOnAlone: false };
}

/** The token of jobs that go on without their caller. */
export function bindOwnToken({ serviceUrl, ownToken }: JobBinding, lentToken: string | null = null): BoundToken {
  const apiToken = ownToken ?? lentToken;
  const bindingKey = serviceUrl === null ? STORE_BINDING : serviceKeyOf(serviceUrl, apiToken);
  return { bindingKey, apiToken, goesOnAlone: true };
}

const STORE_BINDING = 'store';

const serviceKeyOf = (serviceUrl: string, apiToken: string | null): string =>
  keyOf(['binding', serviceUrlOf(serviceUrl), apiToken]);

const keyOf = (parts: readonly (string | null)[]): string => hash('sha256', JSON.stringify(parts), 'base64url');

const NO_SUBJECT = 'Jobs and idempotency keys belong to the subject of their caller, and this caller has none (sub).';

/**
 * The key of a caller who may use the state: one whose token is accepted, so that nobody else fills or searches the disk. A caller with a
 * lent token was identified by the gateway, and sees jobs also while the service can't be asked.
 */
export async function keyOfKnownCaller(backend: Backend, caller: Caller): BackendResult<string> {
  const authenticated = backend.authenticate(caller);
  if (!authenticated.ok) return authenticated;
  const callerKey = callerKeyOf(caller);
  if (!callerKey.ok) return callerKey;
  const known = await backend.requireKnown(caller);
  return known.ok ? callerKey : known;
}
