import { setImmediate as nextTick } from 'node:timers/promises';

/** Fields and list items, which take about 1 µs each: long work gives way after some milliseconds. */
const UNITS_PER_TICK = 4_000;

/**
 * Lets long executions give way to other requests. All executions of a process share one: what they do between two ticks of
 * the event loop is counted together, so that a hundred of them hold it no longer than one does. Those that wait go on in
 * the order in which they came.
 *
 * ```ts
 * if (eventLoop.isDue) await eventLoop.yielded();
 * ```
 */
export class EventLoopYield {
  readonly #unitsPerTick: number;
  #waiters: (() => void)[] = [];
  #units = 0;
  #isRunning = false;

  constructor(unitsPerTick = UNITS_PER_TICK) {
    this.#unitsPerTick = unitsPerTick;
  }

  charge(units: number): void {
    this.#units += units;
  }

  /** True once so much was done since the last tick that others should be let in. */
  get isDue(): boolean {
    return this.#units >= this.#unitsPerTick;
  }

  /** Resolves in a later tick, when those that wait already have gone on. */
  yielded(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiters.push(resolve);
    if (!this.#isRunning) void this.#run();
    return promise;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiters.length > 0) {
      await nextTick();
      this.#units = 0;
      let next = 0;
      while (next < this.#waiters.length && !this.isDue) {
        this.#waiters[next++]?.();
        // What waited goes on in a microtask of its own, before this one.
        await undefined;
      }
      this.#waiters.splice(0, next);
    }
    this.#isRunning = false;
  }
}
