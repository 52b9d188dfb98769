/** A call that got no answer, and what is known of it. */
export interface CallFailure {
  /**
   * `not-begun`: the gateway itself had no room for the call, or refused it for those that failed before. `not-connected`:
   * no connection came about, so not a byte of the request was written. `unknown`: the request, or part of it, may have
   * reached the service. `stale`: the same, where it met a connection that had been idle and was just being closed.
   */
  readonly kind: 'not-begun' | 'not-connected' | 'unknown' | 'stale';
  /** A clause for messages; names no address. */
  readonly reason: string;
}

export const CROWDED: CallFailure = { kind: 'not-begun', reason: 'too many calls wait for it already.' };

export const REFUSED: CallFailure = {
  kind: 'not-begun',
  reason: 'the calls before this one failed, and another is trying it already.',
};

export const OUT_OF_TIME: CallFailure = { kind: 'not-begun', reason: 'the time for the request was up.' };

export const TOO_LARGE: CallFailure = { kind: 'unknown', reason: 'the answer of the service is too large.' };

export const TIMED_OUT = 'the service did not answer in time.';

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'the connection was refused.'],
  ['ENOTFOUND', 'the name of its host was not found.'],
  ['EAI_AGAIN', 'the name of its host could not be looked up.'],
  ['EHOSTUNREACH', 'there is no way to its host.'],
  ['ENETUNREACH', 'there is no way to its network.'],
  ['ECONNRESET', 'the connection was cut.'],
  ['EPIPE', 'the connection was cut.'],
  ['ERR_HTTP_CONTENT_LENGTH_MISMATCH', 'the connection was cut.'],
  ['ETIMEDOUT', TIMED_OUT],
]);

const CUT: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']);

/** How far a call had come when it failed. */
export interface Progress {
  readonly wasConnected: boolean;
  /** Whether it travelled on a connection that an earlier call had used. */
  readonly wasReused: boolean;
}

/**
 * Only one thing proves that a request never arrived: that it never had a connection to travel on (over TLS, one whose
 * handshake was done). The code of the error proves nothing, since the same codes come before and after.
 */
export function callFailureOf(error: Error, isUnanswered: boolean, progress: Progress): CallFailure {
  const code = 'code' in error ? `${error.code}` : '';
  const known = REASONS.get(code);
  if (!progress.wasConnected) return { kind: 'not-connected', reason: known ?? 'the connection could not be set up.' };
  const isStale = progress.wasReused && CUT.has(code) && isUnanswered;
  return { kind: isStale ? 'stale' : 'unknown', reason: known ?? 'the answer of the service could not be read.' };
}
