import { setImmediate as nextTick } from 'node:timers/promises';
import type { OperationTask } from './executor/execution-context.ts';

/** A unit is a field or a list item, which takes up to 1 µs: long work yields after some milliseconds. */
const UNITS_PER_TICK = 10_000;

/** An operation that has used more ticks than this is long. */
const MAX_SHORT_TICKS = 5;

/** An operation with fewer units left ends too soon for a yield to help others. */
const MIN_UNITS_TO_YIELD = 200;

/** The parts of a long operation that wait to go on. */
interface LongTask {
  readonly age: number;
  readonly waiters: (() => void)[];
}

/**
 * Makes long operations yield to other requests. All operations of a process share one scheduler and its units per
 * tick, so that a hundred of them block the event loop no longer than one does. Short operations continue in order of
 * arrival. Long ones complete one after another, the oldest first: at the same pace, each would hold a nearly complete
 * response in memory. Ticks alternate between short and long operations when there are both.
 *
 * ```ts
 * const task = startTask();
 * task.charge(100);
 * if (task.shouldYield()) await task.yieldToOthers();
 * ```
 */
export function createScheduler(unitsPerTick = UNITS_PER_TICK): () => OperationTask {
  const minUnitsToYield = Math.min(MIN_UNITS_TO_YIELD, unitsPerTick);
  const short: (() => void)[] = [];
  /** The oldest first. */
  const long: LongTask[] = [];
  let operations = 0;
  let units = 0;
  let isRunning = false;

  const nextLong = (): (() => void) | undefined => {
    const [oldest] = long;
    const resume = oldest?.waiters.shift();
    if (oldest?.waiters.length === 0) long.shift();
    return resume;
  };

  const run = async (): Promise<void> => {
    for (let isForLong = true; short.length + long.length > 0; isForLong = !isForLong) {
      await nextTick();
      units = 0;
      while (units < unitsPerTick) {
        const resume = isForLong ? (nextLong() ?? short.shift()) : (short.shift() ?? nextLong());
        if (resume === undefined) break;
        resume();
        // The resumed operation runs in a microtask before this function continues.
        await undefined;
      }
    }
    isRunning = false;
  };

  return () => {
    const task: LongTask = { age: operations++, waiters: [] };
    let used = 0;
    return {
      charge: (charged) => {
        used += charged;
        units += charged;
      },
      shouldYield: () => used >= minUnitsToYield && units >= unitsPerTick,
      yieldToOthers: () => {
        const { promise, resolve } = Promise.withResolvers<void>();
        if (used <= MAX_SHORT_TICKS * unitsPerTick) short.push(resolve);
        else {
          if (task.waiters.length === 0) long.splice(long.findLastIndex(({ age }) => age < task.age) + 1, 0, task);
          task.waiters.push(resolve);
        }
        if (!isRunning) void run();
        isRunning = true;
        return promise;
      },
    };
  };
}
