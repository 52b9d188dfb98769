import { setTimeout as sleep } from 'node:timers/promises';
import { err } from '../../base/result.ts';
import { type Caller, usesLentToken } from '../../domain/callers/caller.ts';
import { type BackendError, rateLimited, unauthenticated, unavailable } from '../../domain/errors.ts';
import { decodeRetryAfter } from '../../v2/rate-limit.ts';
import type { ServiceClient } from './calls/service-client.ts';
import { type CallFailure, deadlineExceeded, PROXY_UNAUTHENTICATED, type RequestResult } from './calls/http-request.ts';
import type { SendOptions, ServiceCall } from './calls/service-call.ts';
import type { TokenState, TokenStates } from './calls/token-states.ts';
import type { UntrustedCallLimiter } from './tokens/untrusted-calls.ts';

/** The service as one caller may use it: with the caller's token, within the caller's time. */
export interface Upstream {
  /** Null when the caller has no token that a header can carry. */
  tokenOf(caller: Caller): string | null;
  /** Undefined while no response has told anything of the token. */
  tokenStateOf(caller: Caller): TokenState | undefined;
  /**
   * Sends the call, and while time is left sends it again after a refused connection or a 429, and once more where a
   * read met a closing connection.
   */
  send(caller: Caller, call: ServiceCall): Promise<RequestResult>;
}

interface UpstreamOptions {
  readonly client: ServiceClient;
  readonly tokenStates: TokenStates;
  readonly untrustedCalls: UntrustedCallLimiter;
}

const MAX_CONNECT_ATTEMPTS = 3;

/** The pause after the first refused connection. Each next pause is twice as long. */
const FIRST_CONNECT_RETRY_MS = 100;

/** The most calls that pause at one time; one more is not sent again. */
const MAX_PAUSED_CALLS = 1_000;

const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]+$/u;

export function createUpstream({ client, tokenStates, untrustedCalls }: UpstreamOptions): Upstream {
  const sendWithinLimits = createRetryingSender(client);

  const tokenOf = ({ apiToken }: Caller) => (apiToken !== null && HEADER_VALUE.test(apiToken) ? apiToken : null);

  return {
    tokenOf,
    tokenStateOf(caller) {
      const apiToken = tokenOf(caller);
      return apiToken === null ? undefined : tokenStates.find(apiToken);
    },
    async send(caller, call) {
      const apiToken = tokenOf(caller);
      if (apiToken === null) return notBegun(unauthenticated());
      const token = tokenStates.acquire(apiToken);
      const { request, deadline, requestTimeoutMs, fence, doesNotWait = false, isBackground = false } = caller;
      const isTrusted = usesLentToken(caller);
      if (isTrusted) token.rateLimit.isShared = true;
      const time = { deadline, requestTimeoutMs, fence };
      const options = { apiToken, token, isTrusted, request, ...time, doesNotWait, isBackground };
      const sendNow = () => sendWithinLimits(options, call);
      try {
        if (isTrusted || token.isAccepted) return await sendNow();
        const result = await untrustedCalls.run(caller, token, sendNow);
        if (result === 'full') return notBegun(unavailable(TOO_MANY_UNTRUSTED_CALLS));
        return result === 'timed-out' ? err(deadlineExceeded(caller)) : result;
      } finally {
        tokenStates.release(token);
      }
    },
  };
}

interface TokenSendOptions extends SendOptions {
  /** True where the call fails instead of waiting for the rate limit. */
  readonly doesNotWait: boolean;
  /** True for a call of a job, which does not wait either. */
  readonly isBackground: boolean;
}

function createRetryingSender(client: ServiceClient) {
  let pausedCalls = 0;

  /** False, without a pause, where the call could not begin after it or where too many pause already. */
  const tryPause = async (latestStart: number, delayMs: number) => {
    if (delayMs >= latestStart - performance.now() || pausedCalls >= MAX_PAUSED_CALLS) return false;
    pausedCalls += 1;
    await sleep(delayMs);
    pausedCalls -= 1;
    return true;
  };

  return async (options: TokenSendOptions, call: ServiceCall): Promise<RequestResult> => {
    const { token, deadline } = options;
    const latestStart = () => deadline - token.minTimeLeftMs(call.method);
    let result: RequestResult = err(deadlineExceeded(options));
    for (let attempt = 1; performance.now() <= latestStart(); attempt += 1) {
      const rateLimitError = await awaitRateLimit(options, latestStart());
      if (rateLimitError !== null) return attempt === 1 ? notBegun(rateLimitError) : result;
      result = await client.send(call, optionsOfAttempt(options, attempt));
      token.onResponse(result);
      const retryDelay = retryDelayMs(call, result, attempt);
      if (retryDelay === null || !(await tryPause(latestStart(), retryDelay))) break;
    }
    return result;
  };
}

const optionsOfAttempt = (options: TokenSendOptions, attempt: number): TokenSendOptions =>
  attempt === 1 ? options : { ...options, resendCount: attempt - 1 };

/** Null once the rate limit allows the call; an error where it does not before `latestStart`. */
async function awaitRateLimit(
  { token: { rateLimit }, doesNotWait, isBackground }: TokenSendOptions,
  latestStart: number,
): Promise<BackendError | null> {
  if (isBackground)
    return (await rateLimit.tryAcquireInBackground()) ? null : rateLimited(rateLimit.backgroundRetryAfterSeconds());
  if (await rateLimit.acquire(doesNotWait ? performance.now() : latestStart)) return null;
  return doesNotWait ? RATE_LIMIT_WOULD_WAIT : rateLimited(rateLimit.retryAfterSeconds());
}

const TOO_MANY_UNTRUSTED_CALLS =
  'Too many calls with API tokens that the service has not accepted yet are under way already; nothing was sent.';

const RATE_LIMIT_WOULD_WAIT = unavailable('It would have had to wait for the rate limit of the service.');

/** Milliseconds until the call may be sent again; null where it has its response, or may have arrived. */
function retryDelayMs({ method }: ServiceCall, result: RequestResult, attempt: number): number | null {
  if (result.ok) {
    const { httpStatus, headers } = result.value;
    // The rate limit has learned how long to wait. Where the response does not say, the call is not sent again.
    return httpStatus === 429 && decodeRetryAfter(headers, Date.now()) !== null ? 0 : null;
  }
  if (result.error === PROXY_UNAUTHENTICATED) return null;
  const { kind } = result.error;
  if (kind === 'not-connected' && attempt < MAX_CONNECT_ATTEMPTS) return FIRST_CONNECT_RETRY_MS * 2 ** (attempt - 1);
  return kind === 'stale' && method === 'GET' && attempt === 1 ? 0 : null;
}

const notBegun = (error: BackendError) => err<CallFailure>({ kind: 'not-begun', error });
