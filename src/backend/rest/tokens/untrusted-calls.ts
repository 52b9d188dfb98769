import { networkOf } from '../../../base/network.ts';
import { type AcquireResult, type NotAcquired, Semaphore, untrustedQuotaOf } from '../../../base/semaphore.ts';
import { type Caller, timeLeft } from '../../../domain/callers/caller.ts';
import type { TokenState } from '../calls/token-states.ts';

/**
 * Lets in few untrusted calls at a time, and fewer from one network. Connections, queues and remembered tokens are
 * shared by all callers, and untrusted callers take no more of them than this lets in.
 */
export interface UntrustedCallLimiter {
  /** `full`, `timed-out`: the call was not made. */
  run<T extends object>(caller: Caller, token: TokenState, call: () => Promise<T>): Promise<T | NotAcquired>;
  /** The number of calls that wait. */
  waitingCalls(): number;
}

interface UntrustedCallLimiterOptions {
  /** The most calls, trusted or not, that may be in flight, and that may wait. */
  readonly slots: number;
  readonly maxWaiting: number;
}

export function createUntrustedCallLimiter({ slots, maxWaiting }: UntrustedCallLimiterOptions): UntrustedCallLimiter {
  const [inFlightQuota, waitingQuota] = [untrustedQuotaOf(slots), untrustedQuotaOf(maxWaiting)];
  const perKey = { slots: inFlightQuota.perKey, maxWaiting: waitingQuota.perKey };
  const semaphore = new Semaphore({ slots: inFlightQuota.total, maxWaiting: waitingQuota.total, perKey });
  return {
    waitingCalls: () => semaphore.waiting,
    async run(caller, token, call) {
      const acquirer = { key: networkOf(caller.address), isLowPriority: false };
      const acquisition = semaphore.acquire(timeLeft(caller), acquirer);
      const outcome = await acquiredOrAccepted(acquisition, token);
      if (outcome === 'accepted') {
        // A call whose token has become accepted waits no longer, and returns its slot when it gets one.
        void acquisition.then((lateResult) => lateResult === 'acquired' && semaphore.release(acquirer));
        return call();
      }
      if (outcome !== 'acquired') return outcome;
      try {
        return await call();
      } finally {
        semaphore.release(acquirer);
      }
    },
  };
}

function acquiredOrAccepted(
  acquisition: Promise<AcquireResult>,
  token: TokenState,
): Promise<AcquireResult | 'accepted'> {
  return new Promise((resolve) => {
    const stopListening = token.onceAccepted(() => resolve('accepted'));
    void acquisition.then((result) => {
      stopListening();
      resolve(result);
    });
  });
}
