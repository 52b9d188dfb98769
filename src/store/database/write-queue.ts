import { setTimeout } from 'node:timers/promises';

/** The longest delay before a retry, in milliseconds. Only the first write of the queue retries. */
export const MAX_RETRY_DELAY_MS = 20;

/** The usual longest wait for a writer on another connection, in milliseconds. That may be one of this process. */
export const BUSY_TIMEOUT_MS = 5_000;

/**
 * Runs writes one after another: urgent ones first, the others in their order. While another process writes, the first
 * of them retries, and reads are not blocked between two attempts.
 */
export interface WriteQueue {
  /** Runs `work` after all earlier writes have ended. */
  runExclusive<T>(work: () => Promise<T>): Promise<T>;
  /** Does the same, and runs `work` again while the database is busy and the timeout has not passed. */
  retryWhileBusy<T>(work: () => Promise<T>, options: RetryWhileBusyOptions<T>): Promise<T>;
  /** True while a write waits for another process. */
  isBlocked(): boolean;
}

interface RetryWhileBusyOptions<T> {
  /** True for a write that overtakes all waiting ones. */
  readonly isUrgent?: boolean;
  readonly isBusy: (value: T) => boolean;
  /** The longest wait for another process, in milliseconds. */
  readonly timeoutMs: number;
}

/** Creates a queue for the writes of one database. */
export function createWriteQueue(): WriteQueue {
  const waiting: (() => void)[] = [];
  let isRunning = false;
  /** `performance.now()` of the first busy attempt in a row. Later writes count their waiting time from it too. */
  let busySince: number | null = null;

  const enqueue = (isUrgent: boolean): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (isUrgent) waiting.unshift(resolve);
    else waiting.push(resolve);
    return promise;
  };

  const run = async <T>(work: () => Promise<T>, isUrgent: boolean): Promise<T> => {
    if (isRunning) await enqueue(isUrgent);
    isRunning = true;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // The next write starts at once, so that no other comes in between.
      if (next === undefined) isRunning = false;
      else next();
    }
  };
  return {
    runExclusive: (work) => run(work, false),
    async retryWhileBusy(work, { isBusy, timeoutMs, isUrgent = false }) {
      const enqueuedAt = performance.now();
      return run(async () => {
        for (;;) {
          const value = await work();
          const now = performance.now();
          busySince = isBusy(value) ? (busySince ?? now) : null;
          if (busySince === null || now - Math.max(busySince, enqueuedAt) >= timeoutMs) return value;
          await setTimeout(Math.random() * MAX_RETRY_DELAY_MS);
        }
      }, isUrgent);
    },
    isBlocked: () => busySince !== null && isRunning,
  };
}
