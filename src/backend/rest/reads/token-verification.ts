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

/** Null where the service accepts the token; 'unclear' where it does not tell. */
type Verdict = BackendError | 'unclear' | null;

export function createTokenVerification(upstream: Upstream): TokenVerification {
  /** By token. The door bounds the number of strangers. */
  const inFlight = new Map<string, Promise<Verdict>>();
  const { isAccepted } = upstream.tokenVerdicts;

  const callService = async (caller: Caller): Promise<Verdict> => {
    const payload = readPayload(await upstream.send(caller, { kind: 'read', path: ['ProjectVersions'] }));
    if (isAccepted(caller)) return null;
    return payload.ok || !tellsOfToken(payload.error) ? 'unclear' : payload.error;
  };

  const verdictOn = async (caller: Caller): Promise<Verdict> => {
    if (!caller.request.share.isStranger) return null;
    const token = upstream.tokenOf(caller);
    if (token === null) return unauthenticated();
    if (isAccepted(caller)) return null;
    const verdict = inFlight.get(token) ?? callService(caller).finally(() => inFlight.delete(token));
    inFlight.set(token, verdict);
    return verdict;
  };

  return {
    async requireKnown(caller) {
      const verdict = await verdictOn(caller);
      if (verdict === null) return ok(undefined);
      return err(verdict === 'unclear' ? unavailable(UNCLEAR_MESSAGE) : verdict);
    },
    async rejectionOf(caller) {
      const verdict = await verdictOn(caller);
      // A token that may not read may still be permitted to write.
      return verdict === 'unclear' || verdict?.kind === 'forbidden' ? null : verdict;
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

const tellsOfToken = (error: BackendError): boolean =>
  TOKEN_ERROR_KINDS.has(error.kind) && !(error.kind === 'unavailable' && error.foreignStatus !== undefined);

const UNCLEAR_MESSAGE = 'The service did not tell whether it accepts the API token. Nothing else was sent.';
