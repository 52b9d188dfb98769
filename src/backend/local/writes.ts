import { setTimeout } from 'node:timers/promises';
import { type BackendError, outcomeUnknown, unavailable } from '../../domain/errors.ts';
import type { Log } from '../../domain/log.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import type { Database } from './database.ts';
import type { Failure } from './engine.ts';
import type { WriterLine } from './writer-line.ts';

/** A store that can be written, and where it is told when it can't. */
export interface Writable {
  readonly database: Database;
  readonly log: Log;
  /** Whether the last write failed: until one succeeds, the store is not ready. */
  readonly lastWrite: { failed: boolean };
  /** Where all writes stand, if the engine has one writer at a time. */
  readonly line: WriterLine;
}

/** A write that other transactions undo is made again so often, after a pause up to so long and then twice that. */
const REPEATS = 4;
const PAUSE_MS = 20;

/** How long a write waits for a writer in another process, in milliseconds, where one writes at a time. */
const PATIENCE_MS = 5_000;

/**
 * Runs `work` in one transaction, and again where another transaction undid it. An answer means that what was written
 * outlasts a crash. A store that can't be written is a failure; everything else that is thrown is a bug.
 */
export async function write<T>(
  { database, log, lastWrite, line }: Writable,
  work: (within: Database) => Promise<T>,
  patienceMs = PATIENCE_MS,
): Promise<Result<T, BackendError>> {
  const attempt = await (database.engine.hasOneWriter
    ? line.untilLetIn(() => attemptOnce(database, work), { isBusy: isOf('busy'), ms: patienceMs })
    : attemptRepeatedly(database, work));
  lastWrite.failed = !attempt.ok;
  if (attempt.ok) return attempt;
  const { failure, committing } = attempt.error;
  log('error', 'The store cannot be written.', { code: failure.code, committing });
  if (failure.kind === 'uncertain' && committing) return err(outcomeUnknown('the store failed while it was written.'));
  return err(unavailable('The store cannot be written.'));
}

type Attempt<T> = Result<T, FailedAttempt>;

interface FailedAttempt {
  readonly failure: Failure;
  /** Whether all was written by then, and only the commit was left. */
  readonly committing: boolean;
}

async function attemptRepeatedly<T>(database: Database, work: (within: Database) => Promise<T>): Promise<Attempt<T>> {
  let attempt = await attemptOnce(database, work);
  for (let repeat = 0; repeat < REPEATS && isOf('conflict')(attempt); repeat += 1) {
    await setTimeout(Math.random() * PAUSE_MS * 2 ** repeat);
    attempt = await attemptOnce(database, work);
  }
  return attempt;
}

async function attemptOnce<T>(database: Database, work: (within: Database) => Promise<T>): Promise<Attempt<T>> {
  let committing = false;
  try {
    const value = await database.db.transaction().execute(async (db) => {
      const written = await work({ ...database, db });
      committing = true;
      return written;
    });
    return ok(value);
  } catch (error) {
    const failure = database.engine.failure(error);
    if (failure === null) throw error;
    return err({ failure, committing });
  }
}

const isOf =
  (kind: Failure['kind']) =>
  (attempt: Attempt<unknown>): boolean =>
    !attempt.ok && attempt.error.failure.kind === kind;
