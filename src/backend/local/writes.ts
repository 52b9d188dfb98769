import { setTimeout } from 'node:timers/promises';
import { type BackendError, outcomeUnknown, unavailable } from '../../domain/errors.ts';
import type { Log } from '../../domain/log.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import type { Database } from './database.ts';
import type { Failure } from './engine.ts';

/** A store that can be written, and where it is told when it can't. */
export interface Writable {
  readonly database: Database;
  readonly log: Log;
  /** Whether the last write failed: until one succeeds, the store is not ready. */
  readonly lastWrite: { failed: boolean };
}

/** A write that other transactions undo is made again so often, after a pause up to so long and then twice that. */
const REPEATS = 4;
const PAUSE_MS = 20;

/**
 * Runs `work` in one transaction, and again where another transaction undid it. An answer means that what was written
 * outlasts a crash. A store that can't be written is a failure; everything else that is thrown is a bug.
 */
export async function write<T>(
  { database, log, lastWrite }: Writable,
  work: (within: Database) => Promise<T>,
): Promise<Result<T, BackendError>> {
  let attempt = await attemptOnce(database, work);
  for (let repeat = 0; repeat < REPEATS && isConflict(attempt); repeat += 1) {
    await setTimeout(Math.random() * PAUSE_MS * 2 ** repeat);
    attempt = await attemptOnce(database, work);
  }
  lastWrite.failed = !attempt.ok;
  if (attempt.ok) return attempt;
  const { failure, committing } = attempt.error;
  log('error', 'The store cannot be written.', { code: failure.code, committing });
  if (failure.kind === 'uncertain' && committing) return err(outcomeUnknown('the store failed while it was written.'));
  return err(unavailable('The store cannot be written.'));
}

interface FailedAttempt {
  readonly failure: Failure;
  /** Whether all was written by then, and only the commit was left. */
  readonly committing: boolean;
}

async function attemptOnce<T>(
  database: Database,
  work: (within: Database) => Promise<T>,
): Promise<Result<T, FailedAttempt>> {
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

const isConflict = (attempt: Result<unknown, FailedAttempt>): boolean =>
  !attempt.ok && attempt.error.failure.kind === 'conflict';
