import { setTimeout } from 'node:timers/promises';

/** The longest delay before a retry, in milliseconds. Only the first write of the queue retries. */
const MAX_RETRY_DELAY_MS = 20;

/**
 * Runs writes one after another. While another process writes, the first of them retries, and does not block reads
 * between two attempts.
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
  readonly isBusy: (value: T) => boolean;
  /** The longest wait for another process, in milliseconds. */
  readonly timeoutMs: number;
}

export function createWriteQueue(): WriteQueue {
  let last: Promise<unknown> = Promise.resolve();
  /** `performance.now()` of the first busy attempt in a row. Later writes count their waiting time from it too. */
  let busySince: number | null = null;
  let pendingCount = 0;

  const runExclusive = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
  return {
    runExclusive,
    async retryWhileBusy(work, { isBusy, timeoutMs }) {
      const enqueuedAt = performance.now();
      pendingCount += 1;
      const attempts = runExclusive(async () => {
        for (;;) {
          const value = await work();
          const now = performance.now();
          busySince = isBusy(value) ? (busySince ?? now) : null;
          if (busySince === null || now - Math.max(busySince, enqueuedAt) >= timeoutMs) return value;
          await setTimeout(Math.random() * MAX_RETRY_DELAY_MS);
        }
      });
      return attempts.finally(() => {
        pendingCount -= 1;
      });
    },
    isBlocked: () => busySince !== null && pendingCount > 0,
  };
}
