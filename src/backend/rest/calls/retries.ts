import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_PAUSED_CALLS } from '../../../base/limits.ts';
import { err } from '../../../base/result.ts';
import { decodeRetryAfter } from '../../../v2/rate-limit.ts';
import { type Call, type CallStep, latestStartOf } from './call.ts';
import {
  type CallFailure,
  deadlineExceeded,
  PROXY_UNAUTHENTICATED,
  type RequestResult,
  type ServiceCall,
} from './service-call.ts';

/** How an attempt has ended. `limited`: the service refused it for its rate limit, and named the time to wait. */
type Ending = CallFailure['kind'] | 'answered' | 'limited' | 'refused-by-proxy';

interface RetryRule {
  /** The most attempts. */
  readonly attempts: Readonly<Record<ServiceCall['kind'], number>>;
  /** Milliseconds before the next one. */
  readonly pauseMs: (attempt: number) => number;
}

/** The pause after the first refused connection. Each next pause is twice as long. */
const FIRST_CONNECT_RETRY_MS = 100;

const atOnce = () => 0;

const NEVER: RetryRule = { attempts: { read: 1, write: 1 }, pauseMs: atOnce };

/** A write is sent again only where the service has surely not applied it. */
const RETRY_RULES: Readonly<Record<Ending, RetryRule>> = {
  answered: NEVER,
  // The waiting room knows for how long the budget is closed.
  limited: { attempts: { read: Number.POSITIVE_INFINITY, write: Number.POSITIVE_INFINITY }, pauseMs: atOnce },
  'not-begun': NEVER,
  'not-connected': {
    attempts: { read: 3, write: 3 },
    pauseMs: (attempt) => FIRST_CONNECT_RETRY_MS * 2 ** (attempt - 1),
  },
  'refused-by-proxy': NEVER,
  stale: { attempts: { read: 2, write: 1 }, pauseMs: atOnce },
  unknown: NEVER,
};

/** Sends the call, and again as the rules say while time is left. Each attempt goes through the whole pipeline. */
export function createRetries(): CallStep {
  let pausedCalls = 0;

  /** False, without a pause, where the call could not begin after it or where too many pause already. */
  const tryPause = async (call: Call, pauseMs: number) => {
    if (pauseMs >= latestStartOf(call) - performance.now() || pausedCalls >= MAX_PAUSED_CALLS) return false;
    pausedCalls += 1;
    await sleep(pauseMs);
    pausedCalls -= 1;
    return true;
  };

  return async (call, next) => {
    let result: RequestResult = err(deadlineExceeded(call.caller));
    for (let attempt = 1; performance.now() <= latestStartOf(call); attempt += 1) {
      const latest = await next(attempt === 1 ? call : { ...call, attempt });
      // The attempt before tells more than that the budget allows no other.
      if (attempt > 1 && isKeptBack(latest, call)) return result;
      result = latest;
      const { attempts, pauseMs } = RETRY_RULES[endingOf(latest)];
      if (attempt >= attempts[call.operation.kind] || !(await tryPause(call, pauseMs(attempt)))) break;
    }
    return result;
  };
}

const isKeptBack = (result: RequestResult, { caller }: Call): boolean =>
  !result.ok &&
  result.error.kind === 'not-begun' &&
  (result.error.error.kind === 'rate-limited' || caller.doesNotWait === true);

function endingOf(result: RequestResult): Ending {
  if (!result.ok) return result.error === PROXY_UNAUTHENTICATED ? 'refused-by-proxy' : result.error.kind;
  const { httpStatus, headers } = result.value;
  return httpStatus === 429 && decodeRetryAfter(headers, Date.now()) !== null ? 'limited' : 'answered';
}
