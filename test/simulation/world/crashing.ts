import { StateUnavailable } from '../../../src/state/state-unavailable.ts';
import type { SeededRandom } from './random.ts';
import type { VirtualTime } from './virtual-time.ts';

/** Stands for the process of a gateway. After its end nothing that it waits for ever comes. */
export class SimulatedProcess {
  isAlive = true;

  /** The value while the process lives, else a promise that never settles. */
  async whileAlive<T>(value: T): Promise<T> {
    return this.isAlive ? value : new Promise<never>(() => {});
  }
}

export interface DiskFaults {
  /** Probabilities of one operation to fail before or after its commit, and to take seconds. */
  readonly failBefore: number;
  readonly failAfter: number;
  readonly slow: number;
}

interface LedgerAccessOptions {
  readonly process: SimulatedProcess;
  readonly time: VirtualTime;
  readonly random: SeededRandom;
  readonly faults: () => DiskFaults;
  readonly isReachable: () => boolean;
}

/**
 * The ledger as one process reaches it. Every operation takes time before and after its commit; in each the process may
 * end, and the operation may fail.
 */
export function accessLedger<T extends object>(ledger: T, options: LedgerAccessOptions): T {
  const { process, time, random } = options;
  const pause = async (isSlow: boolean) => {
    await time.sleep(isSlow ? random.between(500, 5_000) : random.between(0, 20));
    await process.whileAlive(null);
    if (!options.isReachable()) throw new StateUnavailable('The state cannot be reached.');
  };
  const around = async (operate: () => unknown, isClaim: boolean): Promise<unknown> => {
    const { failBefore, failAfter, slow } = options.faults();
    await pause(random.chance(slow));
    if (random.chance(failBefore)) throw new StateUnavailable('The disk is full.');
    const result = await operate();
    await pause(false);
    if (!isClaim && random.chance(failAfter)) throw new StateUnavailable('The connection to the database was lost.');
    return result;
  };
  return new Proxy(ledger, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (name === 'close') return async () => {};
      if (typeof member !== 'function' || name === 'onChange') return member;
      return (...args: unknown[]) => around(() => Reflect.apply(member, target, args), name === 'claim');
    },
  });
}
