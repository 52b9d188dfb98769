import { setImmediate as nextTick } from 'node:timers/promises';
import type { OperationTask } from './executor/execution-context.ts';

/** A unit is a field or a list item, which takes up to 1 µs: long work yields after some milliseconds. */
const UNITS_PER_TICK = 10_000;

/** An operation that has used more ticks than this is long. */
const MAX_SHORT_TICKS = 5;

/** Below this, an operation ends too soon for a yield to help others. */
const MIN_UNITS_TO_YIELD = 200;

/**
 * Makes long operations yield to other requests. All operations of a process share one scheduler and its units per
 * tick, so that a hundred of them block the event loop no longer than one does. Short operations continue in order of
 * arrival. Long ones complete one after another, the oldest first: at the same pace, each would hold a nearly complete
 * response in memory. Ticks alternate between short and long operations when there are both.
 *
 * ```ts
 * const task = scheduler.forOperation();
 * task.charge(100);
 * if (task.shouldYield) await task.yieldToOthers();
 * ```
 */
export class CooperativeScheduler {
  readonly #unitsPerTick: number;
  readonly #short: (() => void)[] = [];
  /** The oldest first. */
  readonly #long: ScheduledTask[] = [];
  #operations = 0;
  #units = 0;
  #isRunning = false;
  #isForLong = false;

  constructor(unitsPerTick = UNITS_PER_TICK) {
    this.#unitsPerTick = unitsPerTick;
  }

  forOperation(): OperationTask {
    return new ScheduledTask(this, {
      age: this.#operations++,
      smallUnits: Math.min(MIN_UNITS_TO_YIELD, this.#unitsPerTick),
    });
  }

  charge(units: number): void {
    this.#units += units;
  }

  get shouldYield(): boolean {
    return this.#units >= this.#unitsPerTick;
  }

  enqueue(task: ScheduledTask): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (task.used <= MAX_SHORT_TICKS * this.#unitsPerTick) this.#short.push(resolve);
    else {
      if (task.waiters.length === 0) this.#addLong(task);
      task.waiters.push(resolve);
    }
    if (!this.#isRunning) void this.#run();
    return promise;
  }

  #addLong(task: ScheduledTask): void {
    this.#long.splice(this.#long.findLastIndex(({ age }) => age < task.age) + 1, 0, task);
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#short.length + this.#long.length > 0) {
      await nextTick();
      this.#units = 0;
      this.#isForLong = !this.#isForLong;
      while (!this.shouldYield) {
        const resume = this.#isForLong
          ? (this.#nextLong() ?? this.#short.shift())
          : (this.#short.shift() ?? this.#nextLong());
        if (resume === undefined) break;
        resume();
        // The resumed operation runs in a microtask before this function continues.
        await undefined;
      }
    }
    this.#isRunning = false;
  }

  #nextLong(): (() => void) | undefined {
    const [oldest] = this.#long;
    const resume = oldest?.waiters.shift();
    if (oldest?.waiters.length === 0) this.#long.shift();
    return resume;
  }
}

class ScheduledTask implements OperationTask {
  readonly age: number;
  readonly waiters: (() => void)[] = [];
  readonly #scheduler: CooperativeScheduler;
  readonly #smallUnits: number;
  used = 0;

  constructor(
    scheduler: CooperativeScheduler,
    { age, smallUnits }: { readonly age: number; readonly smallUnits: number },
  ) {
    this.#scheduler = scheduler;
    this.age = age;
    this.#smallUnits = smallUnits;
  }

  charge(units: number): void {
    this.used += units;
    this.#scheduler.charge(units);
  }

  get shouldYield(): boolean {
    return this.used >= this.#smallUnits && this.#scheduler.shouldYield;
  }

  yieldToOthers(): Promise<void> {
    return this.#scheduler.enqueue(this);
  }
}
