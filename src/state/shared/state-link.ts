import { setTimeout as sleep } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { withinTime } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { databaseFailureOf } from '../../database/call-context.ts';
import type { DatabaseFailure } from '../../database/dialect.ts';
import type { ServingDatabase } from '../../database/open-database.ts';
import { StateUnavailable } from '../state-unavailable.ts';
import type { StateDatabase } from '../tables/state-database.ts';
import type { StateTables } from '../tables/tables.ts';

/** The database of the shared state, and its time as an expression. */
export interface LinkedState extends StateDatabase {
  readonly clock: RawBuilder<number>;
}

type LinkedWork<T> = (state: LinkedState) => Promise<T>;

export interface StateLinkOptions {
  readonly database: ServingDatabase<StateTables>;
  readonly log: Log;
  /** The milliseconds since 1970 by the clock of the server. */
  readonly clock: RawBuilder<number>;
  /** The longest time of one method, in milliseconds. */
  readonly timeoutMs: number;
}

interface FailedAttempt {
  readonly failure: DatabaseFailure;
  readonly cause: unknown;
}

/** The longest pause before a transaction that met another one is tried again, in milliseconds. */
const RETRY_DELAY_MS = 20;

/** A failure after which the effect is not known: it had none, or all of it, or will have it. */
const TIMEOUT: DatabaseFailure = { kind: 'uncertain', code: 'TIMEOUT' };

/** An error that no code stands for, such as that of a table that is gone. The gateway goes on without the state. */
const UNEXPECTED: DatabaseFailure = { kind: 'uncertain', code: 'UNEXPECTED' };

/**
 * The way to the shared state. After a failure, everything fails at once until a probe was answered: calls do not wait
 * one after another for a server that is gone.
 */
export class StateLink {
  readonly #options: StateLinkOptions;
  #problem: string | null = null;
  #isClosed = false;

  constructor(options: StateLinkOptions) {
    this.#options = options;
  }

  get database(): ServingDatabase<StateTables> {
    return this.#options.database;
  }

  get problem(): string | null {
    return this.#problem;
  }

  /** Runs one statement. */
  async read<T>(work: LinkedWork<T>): Promise<T> {
    this.throwIfDown();
    return this.#run('read', work);
  }

  /** Runs `work` in a transaction, and again where another one was in its way. */
  async write<T>(work: LinkedWork<T>): Promise<T> {
    this.throwIfDown();
    return this.#run('write', work);
  }

  /** Runs also after a failure. */
  probe<T>(kind: 'read' | 'write', work: LinkedWork<T>): Promise<T> {
    return this.#run(kind, work);
  }

  throwIfDown(): void {
    if (this.#isClosed) throw new StateUnavailable('The shared state is closed.');
    if (this.#problem !== null) throw new StateUnavailable(this.#problem);
  }

  recover(): void {
    if (this.#problem === null) return;
    this.#problem = null;
    this.#options.log('info', 'the shared state is available again');
  }

  /** Everything fails from now on, until `recover`. */
  fail({ kind, code }: DatabaseFailure, cause: unknown): LinkFailure {
    const problem = `The shared state cannot be read or written (${code}).`;
    if (this.#problem === null && !this.#isClosed) {
      this.#options.log('error', 'the shared state is unavailable', {
        code,
        ...(code === UNEXPECTED.code && { error: cause }),
      });
    }
    this.#problem = problem;
    return new LinkFailure(problem, { cause, mayHaveHappened: kind === 'uncertain' });
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return this.database.close();
  }

  /** Ends in time whatever the database does. A transaction that goes on afterwards may still have its effect. */
  async #run<T>(kind: 'read' | 'write', work: LinkedWork<T>): Promise<T> {
    const first = await withinTime(this.#attempt(kind, work), this.#options.timeoutMs);
    if (first === null) throw this.fail(TIMEOUT, null);
    if (first.ok) return first.value;
    throw this.fail(first.error.failure, first.error.cause);
  }

  async #attempt<T>(kind: 'read' | 'write', work: LinkedWork<T>): Promise<Result<T, FailedAttempt>> {
    const { database, timeoutMs } = this.#options;
    const deadline = performance.now() + timeoutMs;
    // The pool bounds and orders those who wait for a connection.
    const { db, dialect, statements } = database.forReadiness({
      ...{ fairnessKey: '', request: null, isGone: () => false },
      ...{ kind, deadline },
    });
    for (;;) {
      try {
        if (kind === 'read') return ok(await work(this.#stateOf({ db, dialect, statements })));
        return ok(await db.transaction().execute((inner) => work(this.#stateOf({ db: inner, dialect, statements }))));
      } catch (error) {
        const failure = databaseFailureOf(dialect, error) ?? UNEXPECTED;
        if (failure.kind !== 'conflict' || performance.now() >= deadline) return err({ failure, cause: error });
        await sleep(Math.random() * RETRY_DELAY_MS);
      }
    }
  }

  #stateOf({ dialect, ...database }: StateDatabase): LinkedState {
    return { ...database, dialect, clock: this.#options.clock };
  }
}

/** The milliseconds since 1970 by the clock of the state. */
export async function readClock({ db, clock }: LinkedState): Promise<number> {
  const { rows } = await sql<{ now: number }>`select ${clock} as now`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('The clock of the state gave no time.');
  return row.now;
}

/** A method of the shared state that failed with the database. */
export class LinkFailure extends StateUnavailable {
  /** False where it surely had no effect. */
  readonly mayHaveHappened: boolean;

  constructor(message: string, { cause, mayHaveHappened }: { cause: unknown; mayHaveHappened: boolean }) {
    super(message, { cause });
    this.mayHaveHappened = mayHaveHappened;
  }
}
