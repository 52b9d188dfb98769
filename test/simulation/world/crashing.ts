import { StateUnavailable } from '../../../src/core/state-unavailable.ts';
import type { SeededRandom } from './random.ts';
import { runInProcess, runOutside, type TimedProcess, type VirtualTime } from './virtual-time.ts';

/** The probabilities of disturbances, each time that something reaches a process, and before each request that it sends. */
export interface ProcessFaults {
  readonly stop: number;
  readonly cutOff: number;
  readonly setClock: number;
  readonly beforeRequest: number;
}

interface ProcessOptions {
  readonly time: VirtualTime;
  readonly random: SeededRandom;
  readonly faults: () => ProcessFaults;
  readonly onStop: () => void;
}

/**
 * Stands for the process of a gateway. After its end nothing that it waits for ever comes. While it is stopped, or its
 * machine sleeps, all that comes waits.
 */
export class SimulatedProcess implements TimedProcess {
  isAlive = true;
  /** The ledger can't be reached before this time. */
  cutOffUntil = 0;
  sleptMs = 0;
  wallOffsetMs = 0;
  readonly #options: ProcessOptions;
  #resumesAt = 0;
  /** Milliseconds that the current stop takes off the monotonic clock. */
  #asleepMs = 0;

  constructor(options: ProcessOptions) {
    this.#options = options;
  }

  /** Where something reaches the process, it may be stopped, cut off or have its clock set right before. */
  resumesAt(): number | null {
    const { time, random, faults } = this.#options;
    if (!this.isAlive) return null;
    if (this.#resumesAt > time.now) return this.#resumesAt;
    this.sleptMs += this.#asleepMs;
    this.#asleepMs = 0;
    const { stop, cutOff, setClock } = faults();
    if (random.chance(cutOff)) this.cutOffUntil = time.now + random.between(1_000, 40_000);
    if (random.chance(setClock)) this.wallOffsetMs += random.between(-3_600_000, 3_600_000);
    // A process that was stopped goes on for a moment at least.
    if (this.#resumesAt < time.now && random.chance(stop)) this.#stopFor(random.between(500, 40_000));
    return this.#resumesAt;
  }

  /** Ends once a connection is there for a request. Until then the process may be stopped or cut off for long. */
  async connect(): Promise<void> {
    const { time, random, faults } = this.#options;
    const { beforeRequest } = faults();
    await runOutside(() => time.sleep(random.between(0, random.chance(beforeRequest) ? 9_000 : 300)));
    if (random.chance(beforeRequest)) this.cutOffUntil = time.now + random.between(5_000, 40_000);
    if (random.chance(beforeRequest) && this.isAlive) this.#stopFor(random.between(5_000, 40_000));
    await this.whileAlive(null);
  }

  #stopFor(ms: number): void {
    const { time, random, onStop } = this.#options;
    onStop();
    this.#resumesAt = time.now + ms;
    // The monotonic clock stands still while the machine sleeps.
    if (random.chance(0.3)) this.#asleepMs = ms;
  }

  /** The value once the process runs; never where it has ended. */
  async whileAlive<T>(value: T): Promise<T> {
    await this.run(() => this.#options.time.sleep(0));
    return value;
  }

  /** Runs its code. */
  run<T>(code: () => T): T {
    return runInProcess(this, code);
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
}

/**
 * The ledger as one process reaches it. Every operation takes time before and after its commit; in each the process may
 * end, and the operation may fail.
 */
export function accessLedger<T extends object>(ledger: T, options: LedgerAccessOptions): T {
  const { process, time, random } = options;
  const travel = async (isSlow: boolean) => {
    await time.sleep(isSlow ? random.between(500, 5_000) : random.between(0, 20));
    if (time.now < process.cutOffUntil) throw new StateUnavailable('The state cannot be reached.');
  };
  // A statement that was sent is carried out also where its process stops meanwhile.
  const carryOut = async (operate: () => unknown, isClaim: boolean): Promise<unknown> => {
    const { failBefore, failAfter, slow } = options.faults();
    await travel(random.chance(slow));
    if (!process.isAlive) return null;
    if (random.chance(failBefore)) throw new StateUnavailable('The disk is full.');
    const result = await operate();
    await travel(false);
    if (!isClaim && random.chance(failAfter)) throw new StateUnavailable('The connection to the database was lost.');
    return result;
  };
  const around = async (operate: () => unknown, isClaim: boolean): Promise<unknown> => {
    await process.whileAlive(null);
    try {
      return await runOutside(() => carryOut(operate, isClaim));
    } finally {
      await process.whileAlive(null);
    }
  };
  return new Proxy(ledger, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (name === 'close') return async () => {};
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => around(() => Reflect.apply(member, target, args), name === 'claim');
    },
  });
}
