import { setImmediate as nextTick } from 'node:timers/promises';

/** Fields and list items, which take about 1 µs each: long work gives way after some milliseconds. */
const UNITS_PER_TICK = 4_000;

/** An operation that has used more ticks than this is long. */
const TICKS_OF_SHORT = 5;

/** An operation that has done less than this gives way to nobody: it is over before that would matter. */
const SMALL_UNITS = 200;

/** One operation's use of the event loop, from its first field until its answer is written. */
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
  readonly #short = new Waiters();
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
    return new Turns(this, { age: this.#operations++, smallUnits: Math.min(SMALL_UNITS, this.#unitsPerTick) });
  }

  charge(units: number): void {
    this.#units += units;
  }

  get isDue(): boolean {
    return this.#units >= this.#unitsPerTick;
  }

  wait(turns: Turns): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (turns.used <= TICKS_OF_SHORT * this.#unitsPerTick) this.#short.add(resolve);
    else {
      if (turns.waiters.isEmpty) this.#addLong(turns);
      turns.waiters.add(resolve);
    }
    if (!this.#isRunning) void this.#run();
    return promise;
  }

  #addLong(turns: Turns): void {
    this.#long.splice(this.#long.findLastIndex(({ age }) => age < turns.age) + 1, 0, turns);
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (!this.#short.isEmpty || this.#long.length > 0) {
      await nextTick();
      this.#units = 0;
      this.#isForLong = !this.#isForLong;
      while (!this.isDue) {
        const goOn = this.#isForLong
          ? (this.#nextLong() ?? this.#short.next())
          : (this.#short.next() ?? this.#nextLong());
        if (goOn === undefined) break;
        goOn();
        // The part that waited goes on in a microtask of its own, before this one.
        await undefined;
      }
    }
    this.#isRunning = false;
  }

  #nextLong(): (() => void) | undefined {
    const [oldest] = this.#long;
    const goOn = oldest?.waiters.next();
    if (oldest?.waiters.isEmpty) this.#long.shift();
    return goOn;
  }
}

class Turns implements OperationTurns {
  readonly age: number;
  readonly waiters = new Waiters();
  readonly #eventLoop: EventLoopYield;
  readonly #smallUnits: number;
  used = 0;

  constructor(eventLoop: EventLoopYield, { age, smallUnits }: { readonly age: number; readonly smallUnits: number }) {
    this.#eventLoop = eventLoop;
    this.age = age;
    this.#smallUnits = smallUnits;
  }

  charge(units: number): void {
    this.used += units;
    this.#eventLoop.charge(units);
  }

  get isDue(): boolean {
    return this.used >= this.#smallUnits && this.#eventLoop.isDue;
  }

  yielded(): Promise<void> {
    return this.#eventLoop.wait(this);
  }
}

/** A queue. To take the first of an array of a hundred thousand would move all others. */
class Waiters {
  readonly #all: (() => void)[] = [];
  #next = 0;

  get isEmpty(): boolean {
    return this.#all.length === 0;
  }

  add(waiter: () => void): void {
    this.#all.push(waiter);
  }

  next(): (() => void) | undefined {
    const waiter = this.#all[this.#next++];
    if (this.#next >= this.#all.length) {
      this.#all.length = 0;
      this.#next = 0;
    }
    return waiter;
  }
}
