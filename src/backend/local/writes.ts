import { type BackendError, outcomeUnknown, unavailable } from '../../domain/errors.ts';
import type { Log } from '../../domain/log.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import type { Database } from './database.ts';

/** A store that can be written, and where it is told when it can't. */
export interface Writable {
  readonly database: Database;
  readonly log: Log;
  /** Whether the last write failed: until one succeeds, the store is not ready. */
  readonly lastWrite: { failed: boolean };
}

/**
 * Runs `work` in one transaction. Nothing else reaches the store between its begin and its end, and an answer means that
 * what was written outlasts a crash. A store that can't be written is a failure; everything else that is thrown is a bug.
 */
export async function write<T>(
  { database, log, lastWrite }: Writable,
  work: (within: Database) => Promise<T>,
): Promise<Result<T, BackendError>> {
  let committing = false;
  try {
    const value = await database.db.transaction().execute(async (db) => {
      const written = await work({ ...database, db });
      committing = true;
      return written;
    });
    lastWrite.failed = false;
    return ok(value);
  } catch (error) {
    const failure = database.engine.writeFailure(error);
    if (failure === null) throw error;
    lastWrite.failed = true;
    const { kind, code } = failure;
    log('error', 'The store cannot be written.', { code, committing });
    if (kind === 'uncertain' && committing) return err(outcomeUnknown('the store failed while it was written.'));
    return err(unavailable('The store cannot be written.'));
  }
}
