import { err, ok, type Result } from '../../core/base/result.ts';
import { type Caller, usesServiceCredential } from '../../core/callers/caller.ts';
import { type BackendError, unauthenticated, unavailable } from '../../core/errors.ts';
import type { Upstream } from '../calls/call-pipeline.ts';
import { readPayload } from '../calls/read-response.ts';

/** Asks the service by one call whether it accepts a token, unless it has accepted it within the last hour. */
export interface TokenVerification {
  /** Fails unless the token is accepted. */
  requireKnown(caller: Caller): Promise<Result<void, BackendError>>;
  /** The error of a caller whose token the service does not accept; null for others, and where that is unclear. */
  rejectionOf(caller: Caller): Promise<BackendError | null>;
}

/** Null where the service accepts the token; 'unclear' where its answer does not show it. */
type TokenAnswer = BackendError | 'unclear' | null;

export function createTokenVerification(upstream: Upstream): TokenVerification {
  /** The calls in flight by token. There are at most as many as requests. */
  const inFlight = new Map<string, Promise<TokenAnswer>>();

  const callService = async (caller: Caller): Promise<TokenAnswer> => {
    // The call is also that of others, who still need it where the client of a query has left.
    const asking = { ...caller, operationType: undefined };
    const payload = readPayload(await upstream.send(asking, { kind: 'read', path: ['ProjectVersions'] }));
    if (upstream.isAccepted(caller)) return null;
    return payload.ok || !tellsOfToken(payload.error) ? 'unclear' : payload.error;
  };

  const answerFor = async (caller: Caller): Promise<TokenAnswer> => {
    if (usesServiceCredential(caller) || caller.isBackground) return null;
    const token = upstream.tokenOf(caller);
    if (token === null) return unauthenticated();
    if (upstream.isAccepted(caller)) return null;
    const answer = inFlight.get(token) ?? callService(caller).finally(() => inFlight.delete(token));
    inFlight.set(token, answer);
    return answer;
  };

  return {
    async requireKnown(caller) {
      const answer = await answerFor(caller);
      if (answer === null) return ok(undefined);
      return err(answer === 'unclear' ? unavailable(UNCLEAR_MESSAGE) : answer);
    },
    async rejectionOf(caller) {
      const answer = await answerFor(caller);
      // A token that may not read may still be permitted to write.
      return answer === 'unclear' || answer?.kind === 'forbidden' ? null : answer;
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

const UNCLEAR_MESSAGE = 'The service did not say whether it accepts the API token. Nothing else was sent.';
