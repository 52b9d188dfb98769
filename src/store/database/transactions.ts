import { setTimeout } from 'node:timers/promises';
import { err, ok, type Result } from '../../core/base/result.ts';
import { CallAbortedError, type CallContext, databaseFailureOf, throwIfAborted } from './call-context.ts';
import type { Database, DatabaseFailure, SqlDialect } from './dialect.ts';
import { BUSY_TIMEOUT_MS, type WriteQueue } from './write-queue.ts';

/** A failure of the database. Nothing was changed, unless it is uncertain. */
interface FailedTransaction {
  readonly failure: DatabaseFailure;
  /** True when only the commit was left, so that an uncertain failure may have come after it. */
  readonly committing: boolean;
  readonly cause: unknown;
}

export type TransactionResult<T> = Result<T, FailedTransaction>;

export interface StatementOptions<Tables> {
  /** The database, bound to the call where there is one. */
  readonly database: Database<Tables>;
  /** The deadline, the client and the fence of the call; null when no call started this. */
  readonly callContext: Pick<CallContext, 'deadline' | 'isGone' | 'fence'> | null;
}

export interface TransactionOptions<Tables> extends StatementOptions<Tables> {
  /** Orders all writes when the dialect has one writer at a time. Absent where it has many. */
  readonly writeQueue?: WriteQueue;
  /** True where the work has the same effect once and twice. Only then does it run again, once, after an uncertain failure. */
  readonly isRepeatable?: boolean;
  /** Nothing begins unless the call has so much time left, in milliseconds. */
  readonly minTimeLeftMs?: number;
  /** How long a writer in another process is waited for, in milliseconds, when the dialect has one writer at a time. */
  readonly busyTimeoutMs?: number;
  /** True for a write that goes before all others that wait. */
  readonly isUrgent?: boolean;
}

/** How often work runs again after a conflict, as long as its call has time. */
const MAX_CONFLICT_RETRIES = 4;

/** The longest delay before the first retry, in milliseconds. It doubles with each of them. */
const FIRST_RETRY_DELAY_MS = 20;

/**
 * Runs `work` in one transaction: the only way to write to a database that serves callers. The fence is asked right before
 * the commit. Failures of the database are results, and everything that is thrown is a bug.
 *
 * @example
 * const renamed = await runTransaction({ database, writeQueue, callContext }, async ({ db }) => {
 *   await db.updateTable('readers').set({ last_name: 'Lovelace' }).where('id', '=', 'r1').execute();
 *   return 'r1';
 * });
 * if (!renamed.ok) return err(unavailable(`The reader was not renamed: ${renamed.error.failure.code}.`));
 */
export function runTransaction<Tables, T>(
  options: TransactionOptions<Tables>,
  work: (transaction: Database<Tables>) => Promise<T>,
): Promise<TransactionResult<T>> {
  const { database, callContext, writeQueue, minTimeLeftMs } = options;
  const attemptOnce: Attempt<T> = (onCommitting) => {
    if (callContext !== null) throwIfAborted(callContext, minTimeLeftMs);
    return database.db.transaction().execute(async (db) => {
      const written = await work({ ...database, db });
      if (callContext?.fence?.isLate()) throw new CallAbortedError('FENCED_OFF');
      onCommitting();
      return written;
    });
  };
  const attempt = () => attemptWithRetries(options, attemptOnce);
  if (writeQueue === undefined || !database.dialect.hasOneWriter) return attempt();
  return writeQueue.retryWhileBusy(attempt, {
    isBusy: (result) => !result.ok && result.error.failure.kind === 'busy',
    timeoutMs: options.busyTimeoutMs ?? BUSY_TIMEOUT_MS,
    isUrgent: options.isUrgent ?? false,
  });
}

/** Runs `work`, which only reads, without a transaction: what belongs together is read by one statement. */
export const runStatements = <Tables, T>(
  options: StatementOptions<Tables>,
  work: (database: Database<Tables>) => Promise<T>,
): Promise<TransactionResult<T>> =>
  attemptWithRetries({ ...options, isRepeatable: true }, () => work(options.database));

/**
 * Runs `work`, which reads, in one transaction, so that all that it reads is of one state. It runs once: what it has read
 * may be on its way to somebody already.
 */
export const runSnapshot = <Tables, T>(
  database: Database<Tables>,
  work: (snapshot: Database<Tables>) => Promise<T>,
): Promise<TransactionResult<T>> =>
  toResult(database.dialect, () =>
    database.db
      .transaction()
      .setAccessMode('read only')
      .execute((db) => work({ ...database, db })),
  );

/** One attempt. Throws what the database throws. */
type Attempt<T> = (onCommitting: () => void) => Promise<T>;

async function attemptWithRetries<Tables, T>(
  { database: { dialect }, callContext, isRepeatable = false }: TransactionOptions<Tables>,
  attemptOnce: Attempt<T>,
): Promise<TransactionResult<T>> {
  for (let retry = 0; ; retry += 1) {
    const result = await toResult(dialect, attemptOnce);
    if (result.ok) return result;
    const { kind } = result.error.failure;
    const maxRetries = kind === 'conflict' ? MAX_CONFLICT_RETRIES : Number(kind === 'uncertain' && isRepeatable);
    if (retry >= maxRetries || (callContext !== null && performance.now() >= callContext.deadline)) return result;
    await setTimeout(Math.random() * FIRST_RETRY_DELAY_MS * 2 ** retry);
  }
}

async function toResult<T>(dialect: SqlDialect, attemptOnce: Attempt<T>): Promise<TransactionResult<T>> {
  let committing = false;
  try {
    return ok(
      await attemptOnce(() => {
        committing = true;
      }),
    );
  } catch (cause) {
    const failure = databaseFailureOf(dialect, cause);
    if (failure === null) throw cause;
    return err({ failure, committing, cause });
  }
}
