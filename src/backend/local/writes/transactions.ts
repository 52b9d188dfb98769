import { setTimeout } from 'node:timers/promises';
import type { Log } from '../../../base/log.ts';
import { err, ok, type Result } from '../../../base/result.ts';
import type { KeyedMutex } from '../../../base/semaphore.ts';
import {
  applicantOf,
  begunOrThrow,
  CallAbortedError,
  type CallContext,
  databaseFailureOf,
  throwIfAborted,
} from '../../../database/call-context.ts';
import type { DatabaseFailure } from '../../../database/dialect.ts';
import type { WriteQueue } from '../../../database/write-queue.ts';
import { type BackendError, outcomeUnknown, unavailable } from '../../../domain/errors.ts';
import { requestIdIn, storeBusyError } from '../errors.ts';
import type { StoreDatabase } from '../tables/store-database.ts';

/** The store as its writes use it. */
export interface WritableStore {
  readonly database: StoreDatabase;
  readonly log: Log;
  /** True after a failed write: until one succeeds, the store is not ready. */
  readonly lastWrite: { failed: boolean };
  /** Orders all writes when the dialect has one writer at a time. */
  readonly writeQueue: WriteQueue;
  /** Orders the writes of each row when the dialect has many writers. */
  readonly rowMutex: KeyedMutex;
  /** Null when no call started the write. */
  readonly callContext: CallContext | null;
}

/** Retries after a conflict. The longest delay, in milliseconds, doubles with each of them. */
const MAX_RETRIES = 4;
const FIRST_RETRY_DELAY_MS = 20;

/**
 * How long a write waits for a writer in another process, in milliseconds, when the dialect has one writer at a time.
 */
const BUSY_TIMEOUT_MS = 5_000;

/** A write begins only while its call has so much time left, in milliseconds. */
const MIN_TIME_LEFT_MS = 1_000;

interface TransactionOptions {
  /** The ID of the row that the write changes; absent when it changes several. */
  readonly row?: string;
  readonly busyTimeoutMs?: number;
}

/**
 * Runs `work` in one transaction, and again after a conflict with another one. Changes of a successful write survive a
 * crash. Failures of the database are results; everything that is thrown is a bug.
 */
export async function runInTransaction<T>(
  store: WritableStore,
  work: TransactionWork<T>,
  options: TransactionOptions = {},
): Promise<Result<T, BackendError>> {
  const { lastWrite, log } = store;
  const attempt = await attemptExclusively(store, work, options);
  if (!attempt.ok && attempt.error.failure.kind === 'aborted') {
    return err(storeBusyError(store, attempt.error.failure));
  }
  lastWrite.failed = !attempt.ok;
  if (attempt.ok) return attempt;
  const { failure, committing } = attempt.error;
  log('error', 'The store cannot be written.', { code: failure.code, committing, ...requestIdIn(store) });
  if (failure.kind === 'uncertain' && committing) return err(outcomeUnknown('the store failed while it was written.'));
  return err(unavailable('The store cannot be written.'));
}

type TransactionWork<T> = (transaction: StoreDatabase) => Promise<T>;

type Attempt<T> = Result<T, FailedAttempt>;

interface FailedAttempt {
  readonly failure: DatabaseFailure;
  /** True when only the commit was left. */
  readonly committing: boolean;
}

function attemptExclusively<T>(
  store: WritableStore,
  work: TransactionWork<T>,
  options: TransactionOptions,
): Promise<Attempt<T>> {
  const { database, writeQueue, rowMutex, callContext } = store;
  const { row, busyTimeoutMs: timeoutMs = BUSY_TIMEOUT_MS } = options;
  if (database.dialect.hasOneWriter) {
    return writeQueue.retryWhileBusy(() => attemptOnce(store, work), { isBusy: failedWith('busy'), timeoutMs });
  }
  if (row === undefined || callContext === null) return attemptWithRetries(store, work);
  return rowMutex
    .run(row, applicantOf(callContext), () => attemptWithRetries(store, work))
    .then(begunOrThrow)
    .catch((error: unknown) => {
      const failure = databaseFailureOf(database.dialect, error);
      if (failure === null) throw error;
      return err({ failure, committing: false });
    });
}

async function attemptWithRetries<T>(store: WritableStore, work: TransactionWork<T>): Promise<Attempt<T>> {
  let attempt = await attemptOnce(store, work);
  for (let retry = 0; retry < MAX_RETRIES && failedWith('conflict')(attempt); retry += 1) {
    await setTimeout(Math.random() * FIRST_RETRY_DELAY_MS * 2 ** retry);
    attempt = await attemptOnce(store, work);
  }
  return attempt;
}

async function attemptOnce<T>({ database, callContext }: WritableStore, work: TransactionWork<T>): Promise<Attempt<T>> {
  let committing = false;
  try {
    if (callContext !== null) throwIfAborted(callContext, MIN_TIME_LEFT_MS);
    const value = await database.db.transaction().execute(async (db) => {
      const written = await work({ ...database, db });
      if (callContext?.fence?.isLate()) throw new CallAbortedError('FENCED_OFF');
      committing = true;
      return written;
    });
    return ok(value);
  } catch (error) {
    const failure = databaseFailureOf(database.dialect, error);
    if (failure === null) throw error;
    return err({ failure, committing });
  }
}

const failedWith =
  (kind: DatabaseFailure['kind']) =>
  (attempt: Attempt<unknown>): boolean =>
    !attempt.ok && attempt.error.failure.kind === kind;
