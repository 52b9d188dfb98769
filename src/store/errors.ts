import type { Log } from '../core/base/log.ts';
import { type BackendError, outcomeUnknown, unavailable } from '../core/errors.ts';
import type { CallContext } from './database/call-context.ts';
import type { DatabaseFailure } from './database/dialect.ts';

interface FailedCall {
  readonly log: Log;
  readonly callContext: CallContext | null;
  readonly failure: DatabaseFailure;
  /** True when only the commit of a write was left. Absent for a read. */
  readonly committing?: boolean;
}

/** Logs a failure, and maps it to an error that may go away by itself. Calls of disconnected clients are not logged. */
export function toStoreError({ log, callContext, failure: { kind, code }, committing }: FailedCall): BackendError {
  const requestId = callContext?.requestId === undefined ? {} : { requestId: callContext.requestId };
  if (kind === 'aborted') {
    if (code !== 'CLIENT_GONE') log('warn', 'The store has no time for a call.', { code, ...requestId });
    return unavailable('The store has no time for this now; nothing was changed.');
  }
  const message = committing === undefined ? 'The store cannot be read.' : 'The store cannot be written.';
  log('error', message, { code, ...(committing !== undefined && { committing }), ...requestId });
  if (kind === 'uncertain' && committing) return outcomeUnknown('the store failed while it was written.');
  return unavailable(message);
}
