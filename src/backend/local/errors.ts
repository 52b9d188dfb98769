import type { Log } from '../../base/log.ts';
import { type CallContext, databaseFailureOf } from '../../database/call-context.ts';
import type { DatabaseFailure } from '../../database/dialect.ts';
import { type BackendError, unavailable } from '../../domain/errors.ts';
import type { StoreDatabase } from './tables/store-database.ts';

interface Store {
  readonly database: StoreDatabase;
  readonly log: Log;
  readonly callContext: CallContext | null;
}

/** Maps what a read threw to an error that may go away by itself. Rethrows everything else, which is a bug. */
export function toReadError(store: Store, error: unknown): BackendError {
  const failure = databaseFailureOf(store.database.dialect, error);
  if (failure === null) throw error;
  if (failure.kind === 'aborted') return storeBusyError(store, failure);
  store.log('error', 'The store cannot be read.', { code: failure.code, ...requestIdIn(store) });
  return unavailable('The store cannot be read.');
}

/** The store works, and had no time or no connection for the call. Calls of disconnected clients are not logged. */
export function storeBusyError(store: Omit<Store, 'database'>, { code }: DatabaseFailure): BackendError {
  if (code !== 'CLIENT_GONE') store.log('warn', 'The store has no time for a call.', { code, ...requestIdIn(store) });
  return unavailable('The store has no time for this now; nothing was changed.');
}

/** The field of a log line that names the request of a call; none without a request. */
export const requestIdIn = ({ callContext }: Pick<Store, 'callContext'>): { readonly requestId?: string } =>
  callContext?.request ? { requestId: callContext.request.id } : {};
