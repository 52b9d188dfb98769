import { setTimeout as sleep } from 'node:timers/promises';
import { type Caller, timeLeft } from '../../domain/caller.ts';
import { type BackendError, unauthenticated, unavailable } from '../../domain/errors.ts';
import { err, type Result } from '../../domain/result.ts';
import { decodeRetryAfter } from '../../v2/rate-limit.ts';
import type { Budgets } from './budgets.ts';
import { LEAST_CALL_MS } from './call-time.ts';
import type { Call, Client } from './client.ts';
import type { HttpAnswer } from './exchange.ts';
import type { CallFailure } from './request-error.ts';

/** What is known of a call without an answer: that it was never sent, or nothing. */
export type Unanswered =
  | { readonly kind: 'not-sent'; readonly error: BackendError }
  | { readonly kind: 'unknown'; readonly reason: string };

type Sent = Result<HttpAnswer, CallFailure>;

/** The service as one caller may use it: with the right token, within the caller's time. */
export interface Upstream {
  /** Null where the caller has no token that a header can carry. */
  tokenOf(caller: Caller): string | null;
  /**
   * Sends again what surely did not arrive and what was refused with 429, as long as the caller waits, and once a read
   * that met a closing connection.
   */
  send(caller: Caller, call: Call): Promise<Result<HttpAnswer, Unanswered>>;
}

export interface UpstreamOptions {
  readonly client: Client;
  readonly budgets: Budgets;
}

/** So often is a connection tried for one call. */
const MAX_CONNECTS = 3;

/** The first pause before a connection is tried again; each next one is twice as long. */
const FIRST_PAUSE_MS = 100;

/** So many calls wait at one time to be sent again; what comes on top is given up at once. */
const MAX_PAUSING = 1_000;

const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]+$/u;

export function createUpstream({ client, budgets }: UpstreamOptions): Upstream {
  let pausing = 0;

  /** Whether the pause was made: not where it would outlast the caller, or where too many wait already. */
  const paused = async (caller: Caller, pauseMs: number) => {
    if (pauseMs + LEAST_CALL_MS >= timeLeft(caller) || pausing >= MAX_PAUSING) return false;
    pausing += 1;
    await sleep(pauseMs);
    pausing -= 1;
    return true;
  };

  const tokenOf = ({ apiToken }: Caller) => (apiToken !== null && HEADER_VALUE.test(apiToken) ? apiToken : null);

  const sendAs = async (apiToken: string, caller: Caller, call: Call): Promise<Result<HttpAnswer, Unanswered>> => {
    let end: Result<HttpAnswer, Unanswered> = err(notSent(unavailable(NO_TIME)));
    for (let attempt = 1; timeLeft(caller) > LEAST_CALL_MS; attempt += 1) {
      const turn = await budgets.take(apiToken, caller.deadline);
      if (!turn.ok) return attempt === 1 ? err(notSent(turn.error)) : end;
      const sent = await client.send(call, { apiToken, deadline: caller.deadline });
      turn.value.settle(sent);
      end = endOf(sent);
      const pauseMs = pauseBeforeNext(call, sent, attempt);
      if (pauseMs === null || !(await paused(caller, pauseMs))) break;
    }
    return end;
  };

  return {
    tokenOf,
    async send(caller, call) {
      const apiToken = tokenOf(caller);
      if (apiToken === null) return err(notSent(unauthenticated()));
      const gapMs = call.hasRoom ? budgets.gapMs(apiToken) : 0;
      if (gapMs > 0) await paused(caller, gapMs);
      return sendAs(apiToken, caller, call);
    },
  };
}

const NO_TIME = 'The time for the request was up before this was sent.';

/** Milliseconds until the call may be sent once more; null where it has its answer, or may have arrived. */
function pauseBeforeNext({ method }: Call, sent: Sent, attempt: number): number | null {
  if (sent.ok) {
    const { httpStatus, headers } = sent.value;
    // The budget knows by now how long to wait; where the service did not say, nobody does.
    return httpStatus === 429 && decodeRetryAfter(headers, Date.now()) !== null ? 0 : null;
  }
  const { kind } = sent.error;
  if (kind === 'not-connected' && attempt < MAX_CONNECTS) return FIRST_PAUSE_MS * 2 ** (attempt - 1);
  // A read that met a connection just being closed: a fresh one knows more.
  return kind === 'stale' && method === 'GET' && attempt === 1 ? 0 : null;
}

const endOf = (sent: Sent): Result<HttpAnswer, Unanswered> => (sent.ok ? sent : err(unanswered(sent.error)));

const notSent = (error: BackendError): Unanswered => ({ kind: 'not-sent', error });

const unanswered = ({ kind, reason }: CallFailure): Unanswered =>
  kind === 'unknown' || kind === 'stale'
    ? { kind: 'unknown', reason }
    : notSent(unavailable(`The service cannot be reached: ${reason}`));
