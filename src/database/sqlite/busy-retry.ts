import { setImmediate, setTimeout } from 'node:timers/promises';
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';

/** How long statements wait, all together, for a process that keeps even readers out, in milliseconds. */
const PATIENCE_MS = 5_000;
const PAUSE_MS = 20;

/** SQLite runs on the event loop: behind so many milliseconds of statements of a transaction, everybody else has a turn. */
const TURN_MS = 20;

/** Takes the write lock at once. */
export const BEGIN_WRITING = 'begin immediate';

export interface Patience {
  /** Whether an error says that another process has the database. */
  readonly isBusy: (error: unknown) => boolean;
  readonly isTransaction: () => boolean;
}

/**
 * A connection that tries again what found the database busy, and leaves the process free meanwhile; SQLite's own way of
 * waiting does not. Readers meet that only where a process recovers the file or locks it for itself alone. What belongs to
 * a transaction is not tried again here, nor its beginning: that is waited for where it keeps no reader from the connection.
 */
export class PatientConnection implements DatabaseConnection {
  readonly #connection: DatabaseConnection;
  readonly #patience: Patience;
  /** `performance.now()`: once that is long ago, nobody waits any more. */
  #busySince: number | null = null;
  /** Milliseconds of statements of this transaction since the event loop last had a turn because of them. */
  #spentMs = 0;

  constructor(connection: DatabaseConnection, patience: Patience) {
    this.#connection = connection;
    this.#patience = patience;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const began = performance.now();
    try {
      return await this.#execute<R>(query);
    } finally {
      await this.#giveWay(performance.now() - began);
    }
  }

  /**
   * The transaction keeps the connection meanwhile, so that nobody comes between its statements. Reads that follow each other
   * in one request give no way: a write between them would show them two moments.
   */
  async #giveWay(tookMs: number): Promise<void> {
    this.#spentMs = this.#patience.isTransaction() ? this.#spentMs + tookMs : 0;
    if (this.#spentMs < TURN_MS) return;
    await setImmediate();
    this.#spentMs = 0;
  }

  async #execute<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    for (;;) {
      try {
        const result = await this.#connection.executeQuery<R>(query);
        this.#busySince = null;
        return result;
      } catch (error) {
        const { isBusy, isTransaction } = this.#patience;
        if (!isBusy(error) || isTransaction() || query.sql === BEGIN_WRITING) throw error;
        this.#busySince ??= performance.now();
        if (performance.now() - this.#busySince >= PATIENCE_MS) throw error;
        await setTimeout(Math.random() * PAUSE_MS);
      }
    }
  }

  streamQuery(): never {
    throw new Error('The store streams no query.');
  }
}
