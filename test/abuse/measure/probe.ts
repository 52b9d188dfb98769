/*
 * Preloaded into a gateway by `node --import`; the gateway is unaware of it. Reads the CPU time of the thread that runs
 * the event loop a thousand times a second. A timer runs between two iterations of the loop, so the CPU time between
 * two of its runs is that of one iteration, plus a millisecond at most. CPU time is used because, unlike wall time, it
 * does not depend on the load of the machine.
 */

/** The CPU time of the thread and of the process since the last reset, in milliseconds. */
export interface Spent {
  /** The most CPU time of the thread in one iteration of the event loop. */
  readonly holdMs: number;
  /** The CPU time of the whole process, including the threads of the garbage collector. */
  readonly cpuMs: number;
}

const INTERVAL_MS = 1;

let last = threadTime();
let longest = 0;
let before = process.cpuUsage();

function threadTime(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

function sample(): void {
  const now = threadTime();
  longest = Math.max(longest, now - last);
  last = now;
}

setInterval(sample, INTERVAL_MS).unref();

process.on('message', (message) => {
  sample();
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

// The parent process has ended.
process.on('disconnect', () => process.exit());
