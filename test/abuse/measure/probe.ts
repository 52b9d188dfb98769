/*
 * Preloaded into a gateway (`node --import`), which knows nothing of it. Looks a thousand times a second at the CPU time
 * of the thread that runs the event loop. A timer runs between two iterations of the loop, so what was spent between two
 * of its runs is what one iteration has held, and at most a millisecond more. CPU time, because a busy machine takes none
 * of it away, as it does of wall time.
 */

/** What the thread and the process have spent since the last reset, in milliseconds. */
export interface Spent {
  /** The most CPU time of the thread in one iteration of the event loop. */
  readonly holdMs: number;
  /** CPU time of the whole process, its garbage collector's threads included. */
  readonly cpuMs: number;
}

const EACH_MS = 1;

let last = threadTime();
let longest = 0;
let before = process.cpuUsage();

function threadTime(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

function look(): void {
  const now = threadTime();
  longest = Math.max(longest, now - last);
  last = now;
}

setInterval(look, EACH_MS).unref();

process.on('message', (message) => {
  look();
  if (message === 'spent') {
    const { user, system } = process.cpuUsage(before);
    const spent: Spent = { holdMs: longest / 1_000, cpuMs: (user + system) / 1_000 };
    process.send?.(spent);
    return;
  }
  longest = 0;
  before = process.cpuUsage();
  process.send?.('reset');
});

// Nobody is left to end it.
process.on('disconnect', () => process.exit());
