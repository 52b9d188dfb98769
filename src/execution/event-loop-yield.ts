import { setImmediate as nextTick } from 'node:timers/promises';

/** Fields and list items, which take about 1 µs each: long work gives way after some milliseconds. */
const UNITS_PER_TICK = 4_000;

/** An execution that has done less than this gives way to nobody: it is over before it would matter. */
const SMALL_UNITS = 200;

/**
 * Lets long executions give way to other requests. All executions of a process share one: what they do between two ticks of
 * the event loop is counted together, so that a hundred of them hold it no longer than one does. Those that wait take turns.
 *
 * ```ts
 * const share = eventLoop.share();
 * share.charge(1_000);
 * if (share.isDue) await share.yielded();
 * ```
 */
export class EventLoopYield {
  readonly #unitsPerTick: number;
  readonly #waiting: EventLoopShare[] = [];
  #units = 0;
  #isRunning = false;

  constructor(unitsPerTick = UNITS_PER_TICK) {
    this.#unitsPerTick = unitsPerTick;
  }

  /** Opens the share of one execution. */
  share(): EventLoopShare {
    return new EventLoopShare(this, Math.min(SMALL_UNITS, this.#unitsPerTick));
  }

  charge(units: number): void {
    this.#units += units;
  }

  /** True once so much was done since the last tick that others should be let in. */
  get isDue(): boolean {
    return this.#units >= this.#unitsPerTick;
  }

  /** Makes the share go on in a later tick. */
  enter(share: EventLoopShare): void {
    this.#waiting.push(share);
    if (!this.#isRunning) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      await nextTick();
      this.#units = 0;
      while (!this.isDue) {
        const share = this.#waiting.shift();
        if (!share) break;
        if (await share.goOn()) this.#waiting.push(share);
      }
    }
    this.#isRunning = false;
  }
}

/** The parts of one execution that wait go on in the order in which they came. */
export class EventLoopShare {
  readonly #eventLoop: EventLoopYield;
  readonly #smallUnits: number;
  readonly #waiters: (() => void)[] = [];
  #units = 0;
  /** True while it stands among those that wait, or goes on. */
  #isEntered = false;

  constructor(eventLoop: EventLoopYield, smallUnits: number) {
    this.#eventLoop = eventLoop;
    this.#smallUnits = smallUnits;
  }

  charge(units: number): void {
    this.#units += units;
    this.#eventLoop.charge(units);
  }

  get isDue(): boolean {
    return this.#units >= this.#smallUnits && this.#eventLoop.isDue;
  }

  /** Resolves in a later tick, when others that wait have had their turn. */
  yielded(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiters.push(resolve);
    if (!this.#isEntered) {
      this.#isEntered = true;
      this.#eventLoop.enter(this);
    }
    return promise;
  }

  /** Lets as many parts go on as there is room for in this tick, and at least one. True where others still wait. */
  async goOn(): Promise<boolean> {
    const waiters = this.#waiters;
    let next = 0;
    while (next < waiters.length && (next === 0 || !this.#eventLoop.isDue)) {
      waiters[next++]?.();
      // The part that waited goes on in a microtask of its own, before this one.
      await undefined;
    }
    waiters.splice(0, next);
    this.#isEntered = waiters.length > 0;
    return this.#isEntered;
  }
}
