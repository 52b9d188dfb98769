import type { Log } from '../../../base/log.ts';
import { err } from '../../../base/result.ts';
import { type Call, type CallStep, timeoutOf } from './call.ts';
import { CIRCUIT_OPEN, CONNECT_TIMED_OUT, RESPONSE_TOO_LARGE, type RequestResult, TIMED_OUT } from './service-call.ts';
import { CallSource } from './token-states.ts';

/**
 * True where the service answered, and null where the call ended for a reason of its own. `wasCutShort`: the caller's deadline
 * left the call less time than `timeoutMs`.
 */
function wasHealthy(result: RequestResult, wasCutShort: boolean): boolean | null {
  if (result.ok) return result.value.httpStatus < 500;
  const { error } = result;
  if (error === RESPONSE_TOO_LARGE) return true;
  const isTimeout = error === TIMED_OUT || error === CONNECT_TIMED_OUT;
  return error.kind === 'stale' || error.kind === 'not-begun' || (wasCutShort && isTimeout) ? null : false;
}

/**
 * Spares a failing service, and its callers the wait. After several failures in a row a source may send one call at a time as
 * a probe, and its other calls are rejected. The first response closes the breaker, so a recovered service is used at once.
 * Each source has a breaker of its own, since the service may just be slow for what one of them requests. Writes that fail
 * reject no reads.
 */
interface CircuitBreaker {
  /** Rejects calls before they wait for anything. */
  readonly rejectEarly: CallStep;
  /** Rejects calls, and learns from those that it sends. */
  readonly guard: CallStep;
  /** `performance.now()` of the last failure; null where few calls with accepted tokens have failed in a row. */
  failingSince(): number | null;
}

/** Fewer failures in a row may be chance. Each further one may be a write whose outcome stays unknown. */
const FAILURE_THRESHOLD = 5;

export function createCircuitBreaker(log: Log, timeoutMs: number): CircuitBreaker {
  const strangers = new CallSource();
  /** The failures in a row of all other sources, and `performance.now()` of the last. */
  let [failures, lastFailureAt] = [0, 0];
  const sourceOf = ({ caller, token }: Call) => (caller.request.share.isStranger ? strangers : token.source);
  // A write that always fails says nothing about reads. Reads that fail say enough of writes, whose outcomes would be lost.
  const isOpen = ({ operation: { kind } }: Call, source: CallSource) =>
    source.failures >= FAILURE_THRESHOLD && (kind === 'write' || source.hasReadFailed);
  const isRejecting = (call: Call, source: CallSource) => source.isProbing && isOpen(call, source);

  const onFailure = ({ operation: { kind } }: Call, source: CallSource) => {
    source.failures += 1;
    source.hasReadFailed ||= kind === 'read';
    // Strangers can make calls that fail, which says nothing about the calls of others.
    if (source === strangers) return;
    failures += 1;
    lastFailureAt = performance.now();
    if (failures === FAILURE_THRESHOLD)
      log('warn', 'the service fails: one call at a time tries it', { failures: FAILURE_THRESHOLD });
  };
  const onSuccess = (source: CallSource) => {
    if (failures >= FAILURE_THRESHOLD) log('info', 'the service answers again');
    source.failures = 0;
    source.hasReadFailed = false;
    failures = 0;
  };

  return {
    rejectEarly: (call, next) => (isRejecting(call, sourceOf(call)) ? Promise.resolve(err(CIRCUIT_OPEN)) : next(call)),
    async guard(call, next) {
      const source = sourceOf(call);
      if (isRejecting(call, source)) return err(CIRCUIT_OPEN);
      const isProbe = isOpen(call, source);
      if (isProbe) source.isProbing = true;
      const wasCutShort = timeoutOf(call, timeoutMs) < timeoutMs;
      try {
        const result = await next(call);
        // A call that was in flight when the breaker opened says nothing new, and must not end the probe.
        const isHealthy = !isProbe && isOpen(call, source) ? null : wasHealthy(result, wasCutShort);
        if (isHealthy === true) onSuccess(source);
        else if (isHealthy === false) onFailure(call, source);
        return result;
      } finally {
        if (isProbe) source.isProbing = false;
      }
    },
    failingSince: () => (failures >= FAILURE_THRESHOLD ? lastFailureAt : null),
  };
}
