import { setTimeout as sleep } from 'node:timers/promises';
import { type Caller, isLent } from '../../domain/callers/caller.ts';
import { type BackendError, rateLimited, unauthenticated, unavailable } from '../../domain/errors.ts';
import { err, type Result } from '../../domain/result.ts';
import { decodeRetryAfter } from '../../v2/rate-limit.ts';
import type { Budgets } from './budgets.ts';
import type { HttpAnswer } from './exchange.ts';
import type { Call, Client, SendOptions } from './http/client.ts';
import { type CallFailure, OUT_OF_TIME } from './http/request.ts';
import type { TokenState } from './tokens/token-states.ts';
import type { Newcomers } from './tokens/untrusted-calls.ts';

/** What is known of a call without an answer: that it was never sent, or nothing. */
export type Unanswered =
  | { readonly kind: 'not-sent'; readonly error: BackendError }
  | { readonly kind: 'unknown'; readonly reason: string };

type Sent = Result<HttpAnswer, CallFailure>;

/** The service as one caller may use it: with the right token, within the caller's time. */
export interface Upstream {
  /** Null where the caller has no token that a header can carry. */
  tokenOf(caller: Caller): string | null;
  /** What is known of the caller's token; undefined where that is nothing. */
  known(caller: Caller): TokenState | undefined;
  /**
   * Begins nothing with too little time left: that is `not-sent`, with an `unavailable` error. Sends again what surely did not arrive and what was refused with 429, as long as the caller waits, and once a read
   * that met a closing connection.
   */
  send(caller: Caller, call: Call): Promise<Result<HttpAnswer, Unanswered>>;
}

export interface UpstreamOptions {
  readonly client: Client;
  readonly budgets: Budgets;
  readonly newcomers: Newcomers;
}

/** So often is a connection tried for one call. */
const MAX_CONNECTS = 3;

/** The first pause before a connection is tried again; each next one is twice as long. */
const FIRST_PAUSE_MS = 100;

/** So many calls wait at one time to be sent again; what comes on top is given up at once. */
const MAX_PAUSING = 1_000;

const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]+$/u;

export function createUpstream({ client, budgets, newcomers }: UpstreamOptions): Upstream {
  const send = createSending(client);

  const tokenOf = ({ apiToken }: Caller) => (apiToken !== null && HEADER_VALUE.test(apiToken) ? apiToken : null);

  return {
    tokenOf,
    known(caller) {
      const apiToken = tokenOf(caller);
      return apiToken === null ? undefined : budgets.find(apiToken);
    },
    async send(caller, call) {
      const apiToken = tokenOf(caller);
      if (apiToken === null) return err(notSent(unauthenticated()));
      const token = budgets.hold(apiToken);
      const { deadline, doesNotWait = false } = caller;
      const isKnown = isLent(caller);
      const sendNow = () => send({ apiToken, token, isKnown, deadline, doesNotWait }, call);
      try {
        if (isKnown || token.isAccepted) return await sendNow();
        return (await newcomers.run(caller, token, sendNow)) ?? err(notSent(unavailable(CROWDED)));
      } finally {
        budgets.letGo(token);
      }
    },
  };
}

/** How one caller's call is sent. */
interface Sending extends SendOptions {
  /** True where a call that would have to wait for the rate limit is not sent. */
  readonly doesNotWait: boolean;
}

/** Sends a call as often as it may be sent, each time when the token's budget allows. */
function createSending(client: Client) {
  let pausing = 0;

  /** Whether the pause was made: not where the call could not begin after it, or where too many wait already. */
  const paused = async (latest: number, pauseMs: number) => {
    if (pauseMs >= latest - performance.now() || pausing >= MAX_PAUSING) return false;
    pausing += 1;
    await sleep(pauseMs);
    pausing -= 1;
    return true;
  };

  const sendAs = async (options: Sending, call: Call): Answered => {
    const { token, deadline } = options;
    const { budget, release } = token.queue;
    const latest = () => deadline - token.times.leastFor(call.method);
    let end: Result<HttpAnswer, Unanswered> = err(unanswered(OUT_OF_TIME));
    for (let attempt = 1; performance.now() <= latest(); attempt += 1) {
      const refusal = await enterQueue(options, latest());
      if (refusal !== null) return attempt === 1 ? err(notSent(refusal)) : end;
      const sent = await client.send(call, options);
      token.note(sent);
      budget.settle(sent);
      release();
      end = endOf(sent);
      const pauseMs = pauseBeforeNext(call, sent, attempt);
      if (pauseMs === null || !(await paused(latest(), pauseMs))) break;
    }
    return end;
  };

  /** A call with room for more waits first, so that others can join the next one. */
  return async (options: Sending, call: Call): Answered => {
    const { queue, times } = options.token;
    const gapMs = call.hasRoom && !options.doesNotWait ? queue.budget.gapMs() : 0;
    if (gapMs > 0) await paused(options.deadline - times.leastFor(call.method), gapMs);
    return sendAs(options, call);
  };
}

/** Null once the rate limit allows the call; an error where it does not before `latest`, or at once for who does not wait. */
async function enterQueue({ token, doesNotWait }: Sending, latest: number): Promise<BackendError | null> {
  const { budget, enter } = token.queue;
  if (await enter(doesNotWait ? performance.now() : latest)) return null;
  return doesNotWait ? NO_WAIT : rateLimited(budget.secondsToWait());
}

type Answered = Promise<Result<HttpAnswer, Unanswered>>;

const CROWDED =
  'Too many calls with API tokens that the service has not accepted yet are under way already; nothing was sent.';

const NO_TIME = 'The time for the request was up before this was sent.';

const NO_WAIT = unavailable('It would have had to wait for the rate limit of the service.');

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

function unanswered(failure: CallFailure): Unanswered {
  const { kind, reason } = failure;
  if (kind === 'unknown' || kind === 'stale') return { kind: 'unknown', reason };
  return notSent(unavailable(failure === OUT_OF_TIME ? NO_TIME : `The service cannot be reached: ${reason}`));
}
