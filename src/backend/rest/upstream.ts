import { setTimeout as sleep } from 'node:timers/promises';
import { type Caller, timeLeft } from '../../domain/caller.ts';
import { type BackendError, unauthenticated, unavailable } from '../../domain/errors.ts';
import { err, type Result } from '../../domain/result.ts';
import { decodeRetryAfter } from '../../v2/rate-limit.ts';
import type { Call, Client, HttpAnswer } from './client.ts';
import type { RateLimits } from './rate-limits.ts';
import type { CallFailure } from './request-error.ts';

/** What is known of a call without an answer: that it was never sent, or nothing. */
export type Unanswered =
  | { readonly kind: 'not-sent'; readonly error: BackendError }
  | { readonly kind: 'unknown'; readonly reason: string };

/** The service as one caller may use it: with the right token, within the caller's time. */
export interface Upstream {
  /** Null where neither the caller nor the gateway has a token that a header can carry. */
  tokenOf(caller: Caller): string | null;
  /**
   * Sends again what surely did not arrive and what was refused with 429, as long as the caller waits, and once a read
   * that met a closing connection.
   */
  send(caller: Caller, call: Call): Promise<Result<HttpAnswer, Unanswered>>;
}

export interface UpstreamOptions {
  readonly client: Client;
  readonly rateLimits: RateLimits;
  /** The gateway's own token, for callers who bring none. */
  readonly apiToken: string | null;
}

/** So often is a connection tried for one call. */
const MAX_CONNECTS = 3;

/** The first pause before a call is sent again; each next one is twice as long, so that no answer makes us hammer. */
const FIRST_PAUSE_MS = 100;

/** So many calls wait at one time to be sent again; what comes on top is given up at once. */
const MAX_PAUSING = 1_000;

/** With less time than this left no call is begun: it could only end in an unknown outcome. */
const LEAST_CALL_MS = 50;

const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]+$/u;

export function createUpstream({ client, rateLimits, apiToken: ownToken }: UpstreamOptions): Upstream {
  let pausing = 0;

  /** Whether the pause was made: not where it would outlast the caller, or where too many wait already. */
  const paused = async (caller: Caller, pauseMs: number) => {
    if (pauseMs + LEAST_CALL_MS >= timeLeft(caller) || pausing >= MAX_PAUSING) return false;
    pausing += 1;
    await sleep(pauseMs);
    pausing -= 1;
    return true;
  };

  const tokenOf = (caller: Caller) => {
    const token = caller.apiToken ?? ownToken;
    return token !== null && HEADER_VALUE.test(token) ? token : null;
  };

  const sendAs = async (apiToken: string, caller: Caller, call: Call): Promise<Result<HttpAnswer, Unanswered>> => {
    for (let attempt = 1; timeLeft(caller) > LEAST_CALL_MS; attempt += 1) {
      const sent = await client.send(call, { apiToken, deadline: caller.deadline });
      if (sent.ok) rateLimits.note(apiToken, sent.value.headers);
      const pauseMs = isLostRead(call, sent) && attempt === 1 ? 0 : pauseBeforeNext(sent, attempt);
      const goesOn = pauseMs !== null && (await paused(caller, pauseMs));
      if (!goesOn) return endOf(sent);
    }
    return err(notSent(unavailable('The time for the request was up before this was sent.')));
  };

  return {
    tokenOf,
    async send(caller, call) {
      const apiToken = tokenOf(caller);
      return apiToken === null ? err(notSent(unauthenticated())) : sendAs(apiToken, caller, call);
    },
  };
}

/** A read that met a connection just being closed: a fresh one knows more. */
const isLostRead = ({ method }: Call, sent: Result<HttpAnswer, CallFailure>): boolean =>
  method === 'GET' && !sent.ok && sent.error.kind === 'stale';

/** Milliseconds until the call may be sent once more; null where it has its answer, or may have arrived. */
function pauseBeforeNext(sent: Result<HttpAnswer, CallFailure>, attempt: number): number | null {
  const backoffMs = FIRST_PAUSE_MS * 2 ** (attempt - 1);
  if (!sent.ok) return sent.error.kind === 'not-connected' && attempt < MAX_CONNECTS ? backoffMs : null;
  const { httpStatus, headers } = sent.value;
  const seconds = httpStatus === 429 ? decodeRetryAfter(headers, Date.now()) : null;
  return seconds === null ? null : Math.max(seconds * 1_000, backoffMs);
}

const endOf = (sent: Result<HttpAnswer, CallFailure>): Result<HttpAnswer, Unanswered> =>
  sent.ok ? sent : err(unanswered(sent.error));

const notSent = (error: BackendError): Unanswered => ({ kind: 'not-sent', error });

const unanswered = ({ kind, reason }: CallFailure): Unanswered =>
  kind === 'unknown' || kind === 'stale'
    ? { kind: 'unknown', reason }
    : notSent(unavailable(`The service cannot be reached: ${reason}`));
