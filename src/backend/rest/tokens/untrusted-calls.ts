import { type Caller, timeLeft } from '../../../domain/callers/caller.ts';
import { networkOf } from '../../../domain/callers/network.ts';
import { strangersPart } from '../../../domain/callers/quota.ts';
import { type Entry, Gate } from '../rate-limit/semaphore.ts';
import type { TokenState } from './token-states.ts';

/**
 * Lets in the calls with tokens that the service has not accepted: few at one time, and fewer from one network. What
 * comes behind this is shared by all tokens (connections, places to wait in, what is remembered), and strangers have no
 * more of any of it than this lets in.
 */
export interface Newcomers {
  /** Null where the call was not made, since others of its network, or too many, wait already or took all the time. */
  run<T>(caller: Caller, token: TokenState, call: () => Promise<T>): Promise<T | null>;
}

export interface NewcomersOptions {
  /** Calls of all tokens that may be on their way, and that may wait. */
  readonly slots: number;
  readonly waiting: number;
}

export function createNewcomers({ slots, waiting }: NewcomersOptions): Newcomers {
  const [onTheirWay, inLine] = [strangersPart(slots), strangersPart(waiting)];
  const share = { slots: onTheirWay.each, waiting: inLine.each };
  const gate = new Gate({ slots: onTheirWay.all, waiting: inLine.all, share });
  return {
    async run(caller, token, call) {
      const holder = { name: networkOf(caller.address), isStranger: false };
      const entry = gate.enter(timeLeft(caller), holder);
      const end = await entryOrAcceptance(entry, token);
      if (end === 'accepted') {
        // Who is known waits for no stranger: what was the place of this call is left when its turn comes.
        void entry.then((late) => late === 'entered' && gate.leave(holder));
        return call();
      }
      if (end !== 'entered') return null;
      try {
        return await call();
      } finally {
        gate.leave(holder);
      }
    },
  };
}

function entryOrAcceptance(entry: Promise<Entry>, token: TokenState): Promise<Entry | 'accepted'> {
  return new Promise((resolve) => {
    const takeBack = token.whenAccepted(() => resolve('accepted'));
    void entry.then((end) => {
      takeBack();
      resolve(end);
    });
  });
}
