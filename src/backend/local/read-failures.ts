import { type BackendError, unavailable } from '../../domain/errors.ts';
import type { Writable } from './writes.ts';

/** A read that the engine could not answer may well be answered later. Everything else that is thrown is a bug. */
export function readFailure({ database, log }: Pick<Writable, 'database' | 'log'>, error: unknown): BackendError {
  const failure = database.engine.failure(error);
  if (failure === null) throw error;
  log('error', 'The store cannot be read.', { code: failure.code });
  return unavailable('The store cannot be read.');
}
