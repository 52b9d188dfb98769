import { setImmediate as nextTick } from 'node:timers/promises';

/** Fields and list items, which take about 1 µs each: long work gives way after some milliseconds. */
const UNITS_PER_TICK = 4_000;

/** What has used more than so many ticks is long. */
const TICKS_OF_SHORT = 5;

/** What one operation needs of the event loop, from its first field until its answer is written. */
export interface OperationTurns {
  charge(units: number): void;
  /** True once so much was done since the last tick, by whichever operation, that others should be let in. */
  readonly isDue: boolean;
  /** Resolves in a later tick. */
  yielded(): Promise<void>;
}

/**
 * Lets long operations give way to other requests. All operations of a process share one: what they do between two ticks of
 * the event loop is counted together, so that a hundred of them hold it no longer than one does. Short ones go on in the
 * order in which they came. Long ones are finished one after another, the oldest first: done all at the same pace, each
 * would hold an answer that is nearly complete. The ticks are for short and for long ones in turn, as long as there are both.
 *
 * ```ts
 * const turns = eventLoop.forOperation();
 * if (turns.isDue) await turns.yielded();
 * ```
 */
export class EventLoopYield {
  readonly #unitsPerTick: number;
  readonly #short: (() => void)[] = [];
  /** By age. */
  readonly #long: Turns[] = [];
  #operations = 0;
  #units = 0;
  #isRunning = false;
  #isForLong = false;

  constructor(unitsPerTick = UNITS_PER_TICK) {
    this.#unitsPerTick = unitsPerTick;
  }

  forOperation(): OperationTurns {
    return new Turns(this, this.#operations++);
  }

  charge(units: number): void {
    this.#units += units;
  }

  get isDue(): boolean {
    return this.#units >= this.#unitsPerTick;
  }

  wait(turns: Turns): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (turns.used <= TICKS_OF_SHORT * this.#unitsPerTick) this.#short.push(resolve);
    else {
      if (turns.waiters.length === 0) this.#addLong(turns);
      turns.waiters.push(resolve);
    }
    if (!this.#isRunning) void this.#run();
    return promise;
  }

  #addLong(turns: Turns): void {
    this.#long.splice(this.#long.findLastIndex(({ age }) => age < turns.age) + 1, 0, turns);
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#short.length > 0 || this.#long.length > 0) {
      await nextTick();
      this.#units = 0;
      this.#isForLong = !this.#isForLong;
      while (!this.isDue) {
        const goOn = this.#isForLong
          ? (this.#nextLong() ?? this.#short.shift())
          : (this.#short.shift() ?? this.#nextLong());
        if (goOn === undefined) break;
        goOn();
        // What waited goes on in a microtask of its own, before this one.
        await undefined;
      }
    }
    this.#isRunning = false;
  }

  #nextLong(): (() => void) | undefined {
    const [oldest] = this.#long;
    const goOn = oldest?.waiters.shift();
    if (oldest?.waiters.length === 0) this.#long.shift();
    return goOn;
  }
}

class Turns implements OperationTurns {
  readonly age: number;
  readonly waiters: (() => void)[] = [];
  readonly #eventLoop: EventLoopYield;
  used = 0;

  constructor(eventLoop: EventLoopYield, age: number) {
    this.#eventLoop = eventLoop;
    this.age = age;
  }

  charge(units: number): void {
    this.used += units;
    this.#eventLoop.charge(units);
  }

  get isDue(): boolean {
    return this.#eventLoop.isDue;
  }

  yielded(): Promise<void> {
    return this.#eventLoop.wait(this);
  }
}
