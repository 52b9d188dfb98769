import DataLoader from 'dataloader';
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

/** How the shared state is opened, and where failures are reported. */
export interface StateLinkOptions {
  /** Opens a database that has a clock. It is called until it succeeds. */
  readonly open: () => Promise<ServingDatabase<StateTables>>;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** The failure where nothing is known of the effect of a call. */
const TIMEOUT: DatabaseFailure = { kind: 'uncertain', code: 'TIMEOUT' };

/** After an unexpected error is logged, further ones are only counted for so many milliseconds. */
const LOG_PAUSE_MS = 10_000;

/**
 * The connection to the shared state. After a failure of the database, all calls fail at once until a probe has succeeded, so
 * that they do not wait one after another. An unexpected error, such as that of a missing table, fails its own call alone.
 */
export class StateLink {
  readonly #options: StateLinkOptions;
  #database: ServingDatabase<StateTables> | null = null;
  #problem: string | null = 'The shared state is not open yet.';
  /** True once a failure was logged. */
  #hasFailed = false;
  #isClosed = false;
  #unexpectedErrors = 0;
  /** `performance.now()` from which on unexpected errors are logged again. */
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

  /** The reason why the state can't be used; null while it can. */
  get problem(): string | null {
    return this.#problem;
  }

  /** The state, for statements without a time limit. */
  get state(): LinkedState {
    return toLinked(this.#opened);
  }

  get #opened(): ServingDatabase<StateTables> {
    this.throwIfDown();
    if (this.#database === null) throw new StateUnavailable('The shared state is not open.');
    return this.#database;
  }

  /** Runs `work` without a transaction. */
  async read<T>(work: LinkedWork<T>): Promise<T> {
    return this.#run(this.#opened, 'read', work);
  }

  /**
   * Reads the values of keys that meet by one statement. A key that comes after a statement was sent goes by the next one,
   * which sees what was committed until then.
   */
  batchReads<K, V>(read: (state: LinkedState, keys: readonly K[]) => Promise<readonly V[]>): (key: K) => Promise<V> {
    let running: Promise<unknown> = Promise.resolve();
    const send = (keys: readonly K[]) => {
      const values = this.read((state) => read(state, keys));
      running = values.catch(() => {});
      return values;
    };
    const loader = new DataLoader(send, { cache: false, batchScheduleFn: (sendBatch) => void running.then(sendBatch) });
    return (key) => loader.load(key);
  }

  /** Runs `work` in a transaction, and again after a conflict. */
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

  /** Throws `StateUnavailable` while the state can't be used. */
  throwIfDown(): void {
    this.#throwIfClosed();
    if (this.#problem !== null) throw new StateUnavailable(this.#problem);
  }

  /** Makes all calls fail from now on, until a probe has succeeded. */
  fail(code: string, cause: unknown): StateUnavailable {
    const isNew = this.#problem === null || !this.#hasFailed;
    if (isNew && !this.#isClosed) this.#options.log('error', 'the shared state is unavailable', { code });
    this.#hasFailed = true;
    this.#problem = `The shared state cannot be read or written (${code}).`;
    return new StateUnavailable(this.#problem, { cause });
  }

  /** The error of one call alone. */
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

  /** Closes the database, and fails all calls from now on. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#database?.close();
  }

  /** Ends in time whatever the database does. A transaction may still have its effect after that. */
  async #run<T>(database: ServingDatabase<StateTables>, kind: CallContext['kind'], work: LinkedWork<T>): Promise<T> {
    const callContext = stateCall(kind, STATE_TIMEOUT_MS);
    // The pool bounds and orders the waiters for a connection.
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
