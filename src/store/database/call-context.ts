import type { DatabaseConnection } from 'kysely';
import type { Fence } from '../../core/base/fence.ts';
import { MAX_DATABASE_WAIT_MS } from '../../core/base/limits.ts';
import type { Applicant, NotBegun } from '../../core/base/semaphore.ts';
import { type Caller, timeLeft } from '../../core/callers/caller.ts';
import type { Trace } from '../../core/tracing.ts';
import type { DatabaseFailure, SqlDialect } from './dialect.ts';

/** Fair share, deadline and cancellation of one call. */
export interface CallContext {
  /** The key that the connections of the call count against. Reads and writes of one token have a key each. */
  readonly fairnessKey: string;
  /** `performance.now()` after which no statement is started, and at which running ones are ended. */
  readonly deadline: number;
  /** True once the client has disconnected. */
  readonly isGone: () => boolean;
  readonly kind: 'read' | 'write';
  /** Ends the right of a write to be committed. */
  readonly fence?: Fence | undefined;
  /** The ID of the request that causes the call. Absent for none. */
  readonly requestId?: string | undefined;
  /** Absent or null where nothing is traced. */
  readonly trace?: Trace | null | undefined;
}

const neverGone = (): boolean => false;

export function callContextOf(caller: Caller, kind: CallContext['kind']): CallContext {
  const { apiToken, client, deadline, isGone = neverGone, request, trace, fence } = caller;
  const { id: requestId } = request;
  const subject = client?.ok ? client.value.subject : null;
  return { fairnessKey: `${kind} ${subject ?? ''} ${apiToken ?? ''}`, deadline, isGone, kind, requestId, trace, fence };
}

type AbortReason = 'CLIENT_GONE' | 'FENCED_OFF' | 'OUT_OF_TIME' | 'STORE_BUSY';

/**
 * Thrown when no time, connection or client is left. Nothing was sent to the database, or the transaction was rolled
 * back.
 */
export class CallAbortedError extends Error {
  readonly code: AbortReason;

  constructor(code: AbortReason) {
    super(code);
    this.code = code;
  }
}

/** Throws a `CallAbortedError` when another statement would be in vain. */
export function throwIfAborted({ deadline, isGone }: Pick<CallContext, 'deadline' | 'isGone'>, neededMs = 0): void {
  if (isGone()) throw new CallAbortedError('CLIENT_GONE');
  if (timeLeft({ deadline }) <= neededMs) throw new CallAbortedError('OUT_OF_TIME');
}

/** The failure that an error of a call stands for; null when the error is a bug. */
export const databaseFailureOf = (dialect: SqlDialect, error: unknown): DatabaseFailure | null =>
  error instanceof CallAbortedError ? { kind: 'aborted', code: error.code } : dialect.failureOf(error);

/** The call as one of those that wait for a slot. */
export const applicantOf = ({ fairnessKey, deadline, isGone }: CallContext): Applicant => ({
  key: fairnessKey,
  deadline: Math.min(performance.now() + MAX_DATABASE_WAIT_MS, deadline),
  isGone,
});

/** Why work that got no slot was not begun, as the code of a failure. */
export const abortReasonOf = ({ reason }: NotBegun): AbortReason => (reason === 'gone' ? 'CLIENT_GONE' : 'STORE_BUSY');

/** A connection that keeps the deadline of the call that uses it. */
export interface BoundConnection extends DatabaseConnection {
  bind(callContext: CallContext): void;
}
