import { err, ok, type Result } from '../../../base/result.ts';
import type { Caller } from '../../../domain/callers/caller.ts';
import { type BackendError, unauthenticated, unavailable } from '../../../domain/errors.ts';
import type { Backend } from '../../backend.ts';
import type { Upstream } from '../calls/call-pipeline.ts';
import { readPayload } from '../calls/read-response.ts';

/** Finds out whether the service accepts a caller's token, from earlier responses or with a call. */
export interface TokenVerification extends Pick<Backend, 'isAccepted' | 'verifyToken'> {
  /**
   * The error of a token that the service does not accept; null where it accepts the token, or where that is unclear.
   */
  rejectionOf(caller: Caller): Promise<BackendError | null>;
}

type TokenStatus =
  | { readonly kind: 'accepted' | 'unclear' }
  | { readonly kind: 'rejected'; readonly error: BackendError };

export function createTokenVerification(upstream: Upstream): TokenVerification {
  /** By token. The limiter of untrusted calls bounds their number. */
  const inFlight = new Map<string, Promise<TokenStatus>>();
  const isAccepted = (caller: Caller) => upstream.tokenStateOf(caller)?.isAccepted ?? false;

  const callService = async (caller: Caller): Promise<TokenStatus> => {
    const payload = readPayload(await upstream.send(caller, { kind: 'read', path: ['ProjectVersions'] }));
    if (isAccepted(caller)) return { kind: 'accepted' };
    return payload.ok || !TOKEN_ERROR_KINDS.has(payload.error.kind)
      ? { kind: 'unclear' }
      : { kind: 'rejected', error: payload.error };
  };

  const tokenStatusOf = async (caller: Caller): Promise<TokenStatus> => {
    const token = upstream.tokenOf(caller);
    if (token === null) return { kind: 'rejected', error: unauthenticated() };
    if (isAccepted(caller)) return { kind: 'accepted' };
    const status = inFlight.get(token) ?? callService(caller).finally(() => inFlight.delete(token));
    inFlight.set(token, status);
    return status;
  };

  return {
    isAccepted,
    async verifyToken(caller): Promise<Result<void, BackendError>> {
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
