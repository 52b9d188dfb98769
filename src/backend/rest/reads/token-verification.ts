import { err, ok, type Result } from '../../../base/result.ts';
import type { Caller } from '../../../domain/callers/caller.ts';
import { type BackendError, unauthenticated, unavailable } from '../../../domain/errors.ts';
import type { Upstream } from '../calls/call-pipeline.ts';
import { readPayload } from '../calls/read-response.ts';

/** Asks the service by one call whether it accepts a stranger's token. */
export interface TokenVerification {
  /** Fails unless the caller is known, or becomes so. */
  requireKnown(caller: Caller): Promise<Result<void, BackendError>>;
  /** The error of a stranger whose token the service does not accept. Null for others, and where that is unclear. */
  rejectionOf(caller: Caller): Promise<BackendError | null>;
}

type TokenStatus =
  | { readonly kind: 'accepted' | 'unclear' }
  | { readonly kind: 'rejected'; readonly error: BackendError };

export function createTokenVerification(upstream: Upstream): TokenVerification {
  /** By token. The door bounds the number of strangers. */
  const inFlight = new Map<string, Promise<TokenStatus>>();
  const { isAccepted } = upstream.tokenVerdicts;

  const callService = async (caller: Caller): Promise<TokenStatus> => {
    const payload = readPayload(await upstream.send(caller, { kind: 'read', path: ['ProjectVersions'] }));
    if (isAccepted(caller)) return { kind: 'accepted' };
    return payload.ok || !TOKEN_ERROR_KINDS.has(payload.error.kind)
      ? { kind: 'unclear' }
      : { kind: 'rejected', error: payload.error };
  };

  const tokenStatusOf = async (caller: Caller): Promise<TokenStatus> => {
    if (!caller.request.share.isStranger) return { kind: 'accepted' };
    const token = upstream.tokenOf(caller);
    if (token === null) return { kind: 'rejected', error: unauthenticated() };
    if (isAccepted(caller)) return { kind: 'accepted' };
    const status = inFlight.get(token) ?? callService(caller).finally(() => inFlight.delete(token));
    inFlight.set(token, status);
    return status;
  };

  return {
    async requireKnown(caller) {
      const status = await tokenStatusOf(caller);
      if (status.kind === 'accepted') return ok(undefined);
      return err(status.kind === 'rejected' ? status.error : unavailable(UNCLEAR_MESSAGE));
    },
    async rejectionOf(caller) {
      const status = await tokenStatusOf(caller);
      // A token that may not read may still be permitted to write.
      return status.kind === 'rejected' && status.error.kind !== 'forbidden' ? status.error : null;
    },
  };
}

/** Other errors of a read say nothing about the token. */
const TOKEN_ERROR_KINDS: ReadonlySet<BackendError['kind']> = new Set([
  'unauthenticated',
  'forbidden',
  'rate-limited',
  'unavailable',
]);

const UNCLEAR_MESSAGE = 'The service did not tell whether it accepts the API token. Nothing else was sent.';
