import { setTimeout } from 'node:timers/promises';

/** The longest delay before a retry, in milliseconds. Only the first write of the queue retries. */
export const MAX_RETRY_DELAY_MS = 20;

/** How long a writer on another connection is waited for as a rule, in milliseconds. It may be one of this process. */
export const BUSY_TIMEOUT_MS = 5_000;

/**
 * Runs writes one after another, in their order but for those that are urgent. While another process writes, the first of
 * them retries, and does not block reads between two attempts.
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
  /** True for a write that goes before all others that wait. */
  readonly isUrgent?: boolean;
  readonly isBusy: (value: T) => boolean;
  /** The longest wait for another process, in milliseconds. */
  readonly timeoutMs: number;
}

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
      // The next write has its turn from now on, so that none comes between.
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
