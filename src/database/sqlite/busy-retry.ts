import { setImmediate, setTimeout } from 'node:timers/promises';
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';

/** How long statements wait, all together, for a process that locks out even readers, in milliseconds. */
const BUSY_TIMEOUT_MS = 5_000;
const MAX_RETRY_DELAY_MS = 20;

/** SQLite runs on the event loop: after so many milliseconds of statements, other work runs. */
const MAX_BLOCKING_MS = 20;

/** Takes the write lock at once. */
export const BEGIN_IMMEDIATE = 'begin immediate';

interface BusyRetryOptions {
  /** True when an error means that another process has locked the database. */
  readonly isBusy: (error: unknown) => boolean;
  readonly isTransaction: () => boolean;
}

/**
 * Retries reads that find the database locked, without blocking the process as SQLite's own timeout would. Reads find
 * it locked only while a process recovers the file or takes an exclusive lock. Statements of a transaction, `begin`
 * included, are not retried here: the write queue of the store waits for the lock without keeping the connection from
 * readers.
 */
export class BusyRetryConnection implements DatabaseConnection {
  readonly #connection: DatabaseConnection;
  readonly #options: BusyRetryOptions;
  /** `performance.now()` of the first failure in a row. After `BUSY_TIMEOUT_MS` nothing is retried. */
  #busySince: number | null = null;
  /** Milliseconds of statements since the last of them yielded to the event loop. */
  #blockedMs = 0;

  constructor(connection: DatabaseConnection, options: BusyRetryOptions) {
    this.#connection = connection;
    this.#options = options;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const startedAt = performance.now();
    try {
      return await this.#execute<R>(query);
    } finally {
      await this.#yieldToEventLoop(performance.now() - startedAt);
    }
  }

  /**
   * A transaction keeps the connection meanwhile, so that no other statement runs between its own. Between two reads of
   * one request, a write may run: what belongs together is read by one statement.
   */
  async #yieldToEventLoop(tookMs: number): Promise<void> {
    this.#blockedMs += tookMs;
    if (this.#blockedMs < MAX_BLOCKING_MS) return;
    await setImmediate();
    this.#blockedMs = 0;
  }

  async #execute<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    for (;;) {
      try {
        const result = await this.#connection.executeQuery<R>(query);
        this.#busySince = null;
        return result;
      } catch (error) {
        const { isBusy, isTransaction } = this.#options;
        if (!isBusy(error) || isTransaction() || query.sql === BEGIN_IMMEDIATE) throw error;
        this.#busySince ??= performance.now();
        if (performance.now() - this.#busySince >= BUSY_TIMEOUT_MS) throw error;
        await setTimeout(Math.random() * MAX_RETRY_DELAY_MS);
      }
    }
  }

  streamQuery(): never {
    throw new Error('The store streams no query.');
  }
}
