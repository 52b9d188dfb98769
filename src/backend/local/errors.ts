import { failureOf } from '../../database/call-context.ts';
import type { Failure } from '../../database/dialect.ts';
import { type BackendError, unavailable } from '../../domain/errors.ts';
import type { Writable } from './writes/transactions.ts';

type Store = Pick<Writable, 'database' | 'log'>;

/** A read that the engine could not answer may well be answered later. Everything else that is thrown is a bug. */
export function readFailure(store: Store, error: unknown): BackendError {
  const failure = failureOf(store.database.engine, error);
  if (failure === null) throw error;
  if (failure.kind === 'not-begun') return notBegun(store, failure);
  store.log('error', 'The store cannot be read.', { code: failure.code });
  return unavailable('The store cannot be read.');
}

/** The store is well, and had no time or no connection for the call. A client that has left is nobody's concern. */
export function notBegun({ log }: Pick<Store, 'log'>, { code }: Failure): BackendError {
  if (code !== 'CLIENT_GONE') log('warn', 'The store has no time for a call.', { code });
  return unavailable('The store has no time for this now; nothing was changed.');
}
