import type { Log } from '../../core/base/log.ts';
import { err } from '../../core/base/result.ts';
import { type Call, type CallStep, isTrusted, timeoutOf } from './call.ts';
import { CIRCUIT_OPEN, CONNECT_TIMED_OUT, RESPONSE_TOO_LARGE, type RequestResult, TIMED_OUT } from './service-call.ts';
import type { TokenState } from './token-states.ts';

type HealthSignal =
  | 'answered'
  /** The call failed, possibly because of its own request. */
  | 'failed'
  /** No connection was made, whatever the call requested. */
  | 'unreachable'
  /** The call ended for a reason that says nothing about the service. */
  | 'unclear';

/** The health that a result shows. `wasCutShort`: the caller's deadline left the call less time than `timeoutMs`. */
function healthSignalOf(result: RequestResult, wasCutShort: boolean): HealthSignal {
  if (result.ok) return result.value.httpStatus >= 500 ? 'failed' : 'answered';
  const { error } = result;
  if (error === RESPONSE_TOO_LARGE) return 'answered';
  const isTimeout = error === TIMED_OUT || error === CONNECT_TIMED_OUT;
  if (error.kind === 'stale' || error.kind === 'not-begun' || (wasCutShort && isTimeout)) return 'unclear';
  return error.kind === 'not-connected' ? 'unreachable' : 'failed';
}

/**
 * Protects a failing service from calls, and callers from waiting for it. After several failures in a row, each token
 * may send one call at a time as a probe, and other calls are rejected. The first response closes the breaker, so a
 * recovered service is used at once. Where the calls of one token alone fail although it can connect, the breaker opens for
 * that token only, since the service may just be slow for what these request. Failing writes reject no reads.
 */
interface CircuitBreaker {
  readonly rejectEarly: CallStep;
  /** Rejects calls, and records the results of those that it sends. */
  readonly guard: CallStep;
  /** `performance.now()` of the last failure; null where the breaker is not open for all tokens. */
  failingSince(): number | null;
}

/** Fewer failures in a row may be chance. Each further one may be a write whose outcome stays unknown. */
const FAILURE_THRESHOLD = 5;

export function createCircuitBreaker(log: Log, timeoutMs: number): CircuitBreaker {
  const streak = new FailureStreak();
  // Failing writes do not reject reads. Failing reads also reject writes, whose outcomes would be lost.
  const isOpenFor = ({ operation: { kind } }: Call, { hasReadFailed }: { readonly hasReadFailed: boolean }) =>
    kind === 'write' || hasReadFailed;
  const isOpen = (call: Call) =>
    (call.token.failures >= FAILURE_THRESHOLD && isOpenFor(call, call.token)) ||
    (streak.count >= FAILURE_THRESHOLD && streak.isServiceFault && isOpenFor(call, streak));
  const isRejecting = (call: Call) => call.token.isProbing && isOpen(call);

  const onFailure = (call: Call, signal: 'failed' | 'unreachable') => {
    const { token } = call;
    const { kind } = call.operation;
    token.failures += 1;
    token.hasReadFailed ||= kind === 'read';
    // Anybody can make failing calls with an unverified token, so these do not count for others.
    if (!isTrusted(call) && signal === 'failed') return;
    streak.add(token, signal);
    streak.hasReadFailed ||= kind === 'read';
    if (streak.count === FAILURE_THRESHOLD)
      log('warn', 'the service fails: one call at a time tries it', { failures: FAILURE_THRESHOLD });
  };
  const onSuccess = (token: TokenState) => {
    if (streak.count >= FAILURE_THRESHOLD) log('info', 'the service answers again');
    token.failures = 0;
    token.hasReadFailed = false;
    streak.clear();
  };

  return {
    rejectEarly: (call, next) => (isRejecting(call) ? Promise.resolve(err(CIRCUIT_OPEN)) : next(call)),
    async guard(call, next) {
      const { token } = call;
      if (isRejecting(call)) return err(CIRCUIT_OPEN);
      const isProbe = isOpen(call);
      if (isProbe) token.isProbing = true;
      const wasCutShort = timeoutOf(call, timeoutMs) < timeoutMs;
      try {
        const result = await next(call);
        const signal = healthSignalOf(result, wasCutShort);
        // The result of a call that was in flight when the breaker opened is ignored, and must not end the probe.
        const isIgnored = !isProbe && isOpen(call);
        if (signal === 'answered' && !isIgnored) onSuccess(token);
        else if (signal !== 'answered' && signal !== 'unclear' && !isIgnored) onFailure(call, signal);
        return result;
      } finally {
        if (isProbe) token.isProbing = false;
      }
    },
    failingSince: () => (streak.count >= FAILURE_THRESHOLD ? streak.lastAt : null),
  };
}

class FailureStreak {
  count = 0;
  lastAt = 0;
  #soleToken: TokenState | null = null;
  /** True where the failures can't all be caused by the requests of one token. */
  isServiceFault = false;
  hasReadFailed = false;

  add(token: TokenState, signal: 'failed' | 'unreachable'): void {
    if (this.count > 0 && this.#soleToken !== token) this.isServiceFault = true;
    if (signal === 'unreachable') this.isServiceFault = true;
    this.#soleToken = token;
    this.count += 1;
    this.lastAt = performance.now();
  }

  clear(): void {
    this.count = 0;
    this.isServiceFault = false;
    this.hasReadFailed = false;
  }
}
