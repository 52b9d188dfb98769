import { AsyncLocalStorage } from 'node:async_hooks';
import type { SeededRandom } from './random.ts';
import { type Timer, TimerHeap } from './timer-heap.ts';

/** The time at which each simulation begins. */
const EPOCH_MS = Date.UTC(2026, 0, 1);

/** A turn of the real event loop, in which Node also frees what is not used any more. */
const realImmediate = globalThis.setImmediate;
const turnEnded = () => new Promise<void>((resolve) => realImmediate(resolve));

/** Ends the microtasks: no code that is simulated waits for a later tick, which costs less than a turn. */
const microtasksEnded = () => new Promise<void>((resolve) => process.nextTick(resolve));

/** A process in virtual time: all that it waits for reaches it only while it runs, and its clocks are its own. */
export interface TimedProcess {
  /**
   * The virtual time at which it runs again, in the past while it runs, and null once it has ended. Called each time that
   * something reaches it.
   */
  resumesAt(): number | null;
  /** The time that its monotonic clock has missed, since its machine slept. */
  readonly sleptMs: number;
  /** The difference of its wall clock to the time of the simulation. */
  readonly wallOffsetMs: number;
}

/** The process whose code runs, if any. Promises and timers keep it. */
const currentProcess = new AsyncLocalStorage<TimedProcess | undefined>();

/** Runs the code of a process. */
export const runInProcess = <T>(process: TimedProcess, run: () => T): T => currentProcess.run(process, run);

/** Runs the code of the world outside of all processes. */
export const runOutside = <T>(run: () => T): T => currentProcess.run(undefined, run);

/**
 * Time that passes only while nothing else is to be done, so that a run depends on its seed alone. While it is installed
 * it stands for the timers and clocks of the process.
 */
export class VirtualTime {
  readonly #random: SeededRandom;
  readonly #timers = new TimerHeap();
  /** Takes the listeners of sleeps from their signals: Node keeps a signal of `AbortSignal.any` for as long as it has one. */
  readonly #listeners = new Set<() => void>();
  #now = 0;
  /** Timers that have run. */
  steps = 0;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  /** Milliseconds since the start of the simulation. */
  get now(): number {
    return this.#now;
  }

  get epochNow(): number {
    return EPOCH_MS + this.#now;
  }

  /**
   * Runs the callback once, after so many milliseconds, or when the process that asked for it runs again. The result takes
   * that back.
   */
  schedule(delayMs: number, run: () => void): () => void {
    const process = currentProcess.getStore();
    let timer: Timer;
    const add = (at: number) => {
      timer = { at, tie: this.#random.next(), run: reach };
      this.#timers.add(timer);
    };
    const reach = () => {
      const resumesAt = process === undefined ? this.#now : process.resumesAt();
      if (resumesAt === null) return;
      if (resumesAt > this.#now) add(resumesAt);
      else currentProcess.run(process, run);
    };
    // As for Node, no timer is shorter than a millisecond: a shorter one might not let time pass at all.
    add(this.#now + (delayMs > 0 ? Math.max(1, delayMs) : 0));
    return () => this.#timers.remove(timer);
  }

  sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        cancel();
        removeListener();
        reject(signal?.reason);
      };
      const removeListener = () => {
        signal?.removeEventListener('abort', onAbort);
        this.#listeners.delete(removeListener);
      };
      const cancel = this.schedule(delayMs, () => {
        removeListener();
        resolve();
      });
      if (signal?.aborted) return onAbort();
      signal?.addEventListener('abort', onAbort);
      this.#listeners.add(removeListener);
    });
  }

  /** Lets time pass until the condition holds. False when nothing is left to run, or after so many steps. */
  async run(isDone: () => boolean, maxSteps: number): Promise<boolean> {
    const end = this.steps + maxSteps;
    await turnEnded();
    for (;;) {
      await microtasksEnded();
      if (isDone()) return true;
      const next = this.#timers.takeFirst();
      if (next === undefined || this.steps >= end) return false;
      this.steps += 1;
      this.#now = Math.max(this.#now, next.at);
      next.run();
    }
  }

  /** Replaces the timers and clocks of this process. The result puts them back, and forgets what still sleeps. */
  install(): () => void {
    const real = pickGlobals();
    const { performance } = globalThis;
    const realNow = performance.now;
    Object.assign(globalThis, this.#globals());
    performance.now = () => this.#now - (currentProcess.getStore()?.sleptMs ?? 0);
    activeTime = this;
    return () => {
      Object.assign(globalThis, real);
      performance.now = realNow;
      activeTime = null;
      for (const removeListener of this.#listeners) removeListener();
    };
  }

  #globals() {
    const epochNow = () => this.epochNow + (currentProcess.getStore()?.wallOffsetMs ?? 0);
    const RealDate = pickGlobals().Date;
    class VirtualDate extends RealDate {
      constructor(...args: [] | [number | string]) {
        super(args[0] ?? epochNow());
      }

      static override now(): number {
        return epochNow();
      }
    }
    const start = (delayMs: number, run: () => void) => new TimerHandle(this.schedule(delayMs, run));
    const stop = (handle: unknown) => {
      if (handle instanceof TimerHandle) handle.cancel();
    };
    return {
      Date: VirtualDate,
      setTimeout: (run: (...args: unknown[]) => void, delayMs = 0, ...args: unknown[]) =>
        start(delayMs, () => run(...args)),
      setImmediate: (run: (...args: unknown[]) => void, ...args: unknown[]) => start(0, () => run(...args)),
      setInterval: (run: () => void, delayMs = 1) => {
        const handle = new TimerHandle(() => {});
        const repeat = () => {
          handle.cancel = this.schedule(delayMs, () => {
            repeat();
            run();
          });
        };
        repeat();
        return handle;
      },
      clearTimeout: stop,
      clearImmediate: stop,
      clearInterval: stop,
    };
  }
}

const pickGlobals = () => ({
  Date: globalThis.Date,
  setTimeout: globalThis.setTimeout,
  setImmediate: globalThis.setImmediate,
  setInterval: globalThis.setInterval,
  clearTimeout: globalThis.clearTimeout,
  clearImmediate: globalThis.clearImmediate,
  clearInterval: globalThis.clearInterval,
});

/** The installed time, for the modules that replace those of Node. */
let activeTime: VirtualTime | null = null;

export function installedTime(): VirtualTime {
  if (activeTime === null) throw new Error('No virtual time is installed.');
  return activeTime;
}

class TimerHandle {
  cancel: () => void;

  constructor(cancel: () => void) {
    this.cancel = cancel;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }
}
