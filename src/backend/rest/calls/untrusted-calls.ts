import { networkOf } from '../../../base/network.ts';
import { type NotBegun, Semaphore, untrustedQuotaOf } from '../../../base/semaphore.ts';
import type { Caller } from '../../../domain/callers/caller.ts';
import type { TokenState } from './token-states.ts';

/**
 * Lets in few untrusted calls at a time, and fewer from one network. Connections, queues and remembered tokens are
 * shared by all callers, and untrusted callers take no more of them than this lets in.
 */
export interface UntrustedCallLimiter {
  run<T extends object>(caller: Caller, token: TokenState, call: () => Promise<T>): Promise<T | NotBegun>;
  /** The number of calls that wait. */
  waitingCalls(): number;
}

interface UntrustedCallLimiterOptions {
  /** The most calls, trusted or not, that may be in flight, and that may wait. */
  readonly slots: number;
  readonly maxWaiting: number;
}

export function createUntrustedCallLimiter({ slots, maxWaiting }: UntrustedCallLimiterOptions): UntrustedCallLimiter {
  const semaphore = new Semaphore({ slots: untrustedQuotaOf(slots), waiting: untrustedQuotaOf(maxWaiting) });
  return {
    waitingCalls: () => semaphore.waiting,
    run<T extends object>({ address, deadline }: Caller, token: TokenState, call: () => Promise<T>) {
      return new Promise<T | NotBegun>((resolve, reject) => {
        let isAccepted = false;
        // A call whose token has become accepted waits no longer, and needs no slot when it gets one.
        const stopListening = token.onceAccepted(() => {
          isAccepted = true;
          call().then(resolve, reject);
        });
        const start = async () => {
          stopListening();
          return isAccepted ? null : call();
        };
        semaphore.run({ key: networkOf(address), deadline }, start).then((result) => {
          stopListening();
          if (result !== null && !isAccepted) resolve(result);
        }, reject);
      });
    },
  };
}
