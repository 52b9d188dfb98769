import type { RequestError } from 'got';

/** A call that got no answer, and what is known of it. */
export interface CallFailure {
  /**
   * `crowded`: the gateway itself had no room for the call. `not-connected`: no connection came about, so not a byte of
   * the request was written. `unknown`: the request, or part of it, may have reached the service.
   */
  readonly kind: 'crowded' | 'not-connected' | 'unknown';
  /** A clause for messages; names no address. */
  readonly reason: string;
}

export const CROWDED: CallFailure = { kind: 'crowded', reason: 'too many calls wait for it already.' };

export const TOO_LARGE: CallFailure = { kind: 'unknown', reason: 'the answer of the service is too large.' };

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'the connection was refused.'],
  ['ENOTFOUND', 'the name of its host was not found.'],
  ['EAI_AGAIN', 'the name of its host could not be looked up.'],
  ['EHOSTUNREACH', 'there is no way to its host.'],
  ['ENETUNREACH', 'there is no way to its network.'],
  ['ECONNRESET', 'the connection was cut.'],
  ['EPIPE', 'the connection was cut.'],
  ['ERR_HTTP_CONTENT_LENGTH_MISMATCH', 'the connection was cut.'],
  ['ETIMEDOUT', 'the service did not answer in time.'],
]);

/**
 * Only one thing proves that a request never arrived: that it never had a connection to travel on (over TLS, one whose
 * handshake was done). The code of the error proves nothing, since the same codes come before and after.
 */
export const callFailureOf = (error: RequestError, wasConnected: boolean): CallFailure => ({
  kind: wasConnected ? 'unknown' : 'not-connected',
  reason:
    REASONS.get(error.code) ??
    (wasConnected ? 'the answer of the service could not be read.' : 'the connection could not be set up.'),
});
