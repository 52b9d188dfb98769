import { type RawBuilder, sql } from 'kysely';
import { withinTime } from '../../../core/base/clock.ts';
import { lazily } from '../../../core/base/lazily.ts';
import type { Log } from '../../../core/base/log.ts';
import type { Metrics } from '../../../core/metrics.ts';
import { STATE_TIMEOUT_MS } from '../../../core/shared-state.ts';
import { StateUnavailable } from '../../../core/state-unavailable.ts';
import type { CallContext } from '../../../store/database/call-context.ts';
import type { Database, DatabaseFailure } from '../../../store/database/dialect.ts';
import type { ServingDatabase } from '../../../store/database/open-database.ts';
import { runStatements, runTransaction, type TransactionResult } from '../../../store/database/transactions.ts';
import { firstRow, stateCall } from '../state-access.ts';
import type { StateTables } from '../tables.ts';

/** The database of the shared state, and its time as an expression: the milliseconds since 1970 by the clock of the server. */
export interface LinkedState extends Database<StateTables> {
  readonly clock: RawBuilder<number>;
}

type LinkedWork<T> = (state: LinkedState) => Promise<T>;

export interface StateLinkOptions {
  /** Called until it succeeds. The database has a clock. */
  readonly open: () => Promise<ServingDatabase<StateTables>>;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** A failure after which the effect is not known: it had none, or all of it, or will have it. */
const TIMEOUT: DatabaseFailure = { kind: 'uncertain', code: 'TIMEOUT' };

/** Further unexpected errors are counted, and not logged, for so many milliseconds. */
const LOG_PAUSE_MS = 10_000;

/**
 * The way to the shared state. After a failure of the database, everything fails at once until a probe was answered: calls do
 * not wait one after another for a server that is gone. An unexpected error, such as that of a table that is gone, fails its
 * own call alone.
 */
export class StateLink {
  readonly #options: StateLinkOptions;
  #database: ServingDatabase<StateTables> | null = null;
  #problem: string | null = 'The shared state is not open yet.';
  /** True once a failure was logged. */
  #hasFailed = false;
  #isClosed = false;
  #unexpectedErrors = 0;
  /** `performance.now()`. */
  #logsFrom = 0;

  readonly #open = lazily(async () => {
    const database = await this.#options.open();
    if (this.#isClosed) await database.close();
    this.#throwIfClosed();
    this.#database = database;
    return database;
  });

  constructor(options: StateLinkOptions) {
    this.#options = options;
    options.metrics.observe('sharedStateUp', () => (this.#problem === null ? 1 : 0));
    options.metrics.observe('sharedStateErrors', () => this.#unexpectedErrors);
  }

  /** Null while the state can be used. */
  get problem(): string | null {
    return this.#problem;
  }

  /** The state without a bound of time. */
  get state(): LinkedState {
    return toLinked(this.#opened);
  }

  get #opened(): ServingDatabase<StateTables> {
    this.throwIfDown();
    if (this.#database === null) throw new StateUnavailable('The shared state is not open.');
    return this.#database;
  }

  /** Runs one statement. */
  async read<T>(work: LinkedWork<T>): Promise<T> {
    return this.#run(this.#opened, 'read', work);
  }

  /** Runs `work` in a transaction, and again where another one was in its way. */
  async write<T>(work: LinkedWork<T>): Promise<T> {
    return this.#run(this.#opened, 'write', work);
  }

  /**
   * Opens the database unless it is open, and asks whether a state that has failed can be used again. Throws with a message
   * for people where it can't be opened.
   */
  async probe(): Promise<void> {
    if (this.#problem === null) return;
    await this.#run(await this.#open(), 'read', readClock);
    if (this.#hasFailed) this.#options.log('info', 'the shared state is available again');
    this.#problem = null;
  }

  #throwIfClosed(): void {
    if (this.#isClosed) throw new StateUnavailable('The shared state is closed.');
  }

  throwIfDown(): void {
    this.#throwIfClosed();
    if (this.#problem !== null) throw new StateUnavailable(this.#problem);
  }

  /** Everything fails from now on, until a probe was answered. */
  fail(code: number | string, cause: unknown): StateUnavailable {
    const isNew = this.#problem === null || !this.#hasFailed;
    if (isNew && !this.#isClosed) this.#options.log('error', 'the shared state is unavailable', { code });
    this.#hasFailed = true;
    this.#problem = `The shared state cannot be read or written (${code}).`;
    return new StateUnavailable(this.#problem, { cause });
  }

  /** Fails one call alone. */
  failOnce(error: unknown): StateUnavailable {
    if (error instanceof StateUnavailable) return error;
    this.#unexpectedErrors += 1;
    const now = performance.now();
    if (now >= this.#logsFrom) {
      this.#logsFrom = now + LOG_PAUSE_MS;
      this.#options.log('error', 'a call of the shared state has failed unexpectedly', { error });
    }
    return new StateUnavailable('A call of the shared state has failed unexpectedly.', { cause: error });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#database?.close();
  }

  /** Ends in time whatever the database does. A transaction that goes on afterwards may still have its effect. */
  async #run<T>(database: ServingDatabase<StateTables>, kind: CallContext['kind'], work: LinkedWork<T>): Promise<T> {
    const callContext = stateCall(kind, STATE_TIMEOUT_MS);
    // The pool bounds and orders those who wait for a connection.
    const options = { database: database.forReadiness(callContext), callContext };
    const run = kind === 'read' ? runStatements<StateTables, T> : runTransaction<StateTables, T>;
    const running = run(options, (bound) => work(toLinked(bound)));
    let result: TransactionResult<T> | null;
    try {
      result = await withinTime(running, STATE_TIMEOUT_MS);
    } catch (error) {
      throw this.failOnce(error);
    }
    if (result?.ok) return result.value;
    const { failure, cause } = result === null ? { failure: TIMEOUT, cause: null } : result.error;
    throw this.fail(failure.code, cause);
  }
}

function toLinked(database: Database<StateTables>): LinkedState {
  const { clock } = database.dialect;
  if (clock === null) throw new Error('Gateways share no state in a database without a clock.');
  return { ...database, clock };
}

/** The milliseconds since 1970 by the clock of the state. */
export async function readClock({ db, clock }: LinkedState): Promise<number> {
  const row = await firstRow({ db }, sql<{ now: number }>`select ${clock} as now`);
  if (row === null) throw new Error('The clock of the state gave no time.');
  return row.now;
}
