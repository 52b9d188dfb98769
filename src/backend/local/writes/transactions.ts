import { setTimeout } from 'node:timers/promises';
import { assertWanted, type CallTerms, failureOf } from '../../../database/call-context.ts';
import type { Failure } from '../../../database/dialect.ts';
import { type BackendError, outcomeUnknown, unavailable } from '../../../domain/errors.ts';
import type { Log } from '../../../domain/log.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { notBegun } from '../errors.ts';
import type { Database } from '../tables/store-database.ts';
import type { KeyedMutex } from './keyed-mutex.ts';
import type { WriterLine } from './write-queue.ts';

/** A store that can be written, and where it is told when it can't. */
export interface Writable {
  readonly database: Database;
  readonly log: Log;
  /** Whether the last write failed: until one succeeds, the store is not ready. */
  readonly lastWrite: { failed: boolean };
  /** Where all writes stand, if the engine has one writer at a time. */
  readonly line: WriterLine;
  /** Where writes of one row stand, if the engine has many writers. */
  readonly rows: KeyedMutex;
  /** What the call that writes keeps to; null where no caller has asked for it. */
  readonly terms: CallTerms | null;
}

/** A write that other transactions undo is made again so often, after a pause up to so long and then twice that. */
const REPEATS = 4;
const PAUSE_MS = 20;

/** How long a write waits for a writer in another process, in milliseconds, where one writes at a time. */
const PATIENCE_MS = 5_000;

/** A write is begun only while so much time is left of the call, in milliseconds. */
const LEAST_MS = 1_000;

export interface WriteOptions {
  /** The row that the write is about, where it is a single one. */
  readonly row?: string;
  readonly patienceMs?: number;
}

/**
 * Runs `work` in one transaction, and again where another transaction undid it. An answer means that what was written
 * outlasts a crash. A store that can't be written is a failure; everything else that is thrown is a bug.
 */
export async function write<T>(
  store: Writable,
  work: Work<T>,
  options: WriteOptions = {},
): Promise<Result<T, BackendError>> {
  const { lastWrite, log } = store;
  const attempt = await attemptInTurn(store, work, options);
  if (!attempt.ok && attempt.error.failure.kind === 'not-begun') return err(notBegun(store, attempt.error.failure));
  lastWrite.failed = !attempt.ok;
  if (attempt.ok) return attempt;
  const { failure, committing } = attempt.error;
  log('error', 'The store cannot be written.', { code: failure.code, committing });
  if (failure.kind === 'uncertain' && committing) return err(outcomeUnknown('the store failed while it was written.'));
  return err(unavailable('The store cannot be written.'));
}

type Work<T> = (within: Database) => Promise<T>;

type Attempt<T> = Result<T, FailedAttempt>;

interface FailedAttempt {
  readonly failure: Failure;
  /** Whether all was written by then, and only the commit was left. */
  readonly committing: boolean;
}

function attemptInTurn<T>(store: Writable, work: Work<T>, options: WriteOptions): Promise<Attempt<T>> {
  const { database, line, rows, terms } = store;
  const { row, patienceMs: ms = PATIENCE_MS } = options;
  if (database.engine.hasOneWriter) {
    return line.untilLetIn(() => attemptOnce(store, work), { isBusy: isOf('busy'), ms });
  }
  if (row === undefined || terms === null) return attemptRepeatedly(store, work);
  return rows
    .runExclusive(row, terms, () => attemptRepeatedly(store, work))
    .catch((error: unknown) => {
      const failure = failureOf(database.engine, error);
      if (failure === null) throw error;
      return err({ failure, committing: false });
    });
}

async function attemptRepeatedly<T>(store: Writable, work: Work<T>): Promise<Attempt<T>> {
  let attempt = await attemptOnce(store, work);
  for (let repeat = 0; repeat < REPEATS && isOf('conflict')(attempt); repeat += 1) {
    await setTimeout(Math.random() * PAUSE_MS * 2 ** repeat);
    attempt = await attemptOnce(store, work);
  }
  return attempt;
}

async function attemptOnce<T>({ database, terms }: Writable, work: Work<T>): Promise<Attempt<T>> {
  let committing = false;
  try {
    if (terms !== null) assertWanted(terms, LEAST_MS);
    const value = await database.db.transaction().execute(async (db) => {
      const written = await work({ ...database, db });
      committing = true;
      return written;
    });
    return ok(value);
  } catch (error) {
    const failure = failureOf(database.engine, error);
    if (failure === null) throw error;
    return err({ failure, committing });
  }
}

const isOf =
  (kind: Failure['kind']) =>
  (attempt: Attempt<unknown>): boolean =>
    !attempt.ok && attempt.error.failure.kind === kind;
