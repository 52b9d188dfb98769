import type { DatabaseConnection } from 'kysely';
import type { Lease } from '../../core/base/lease.ts';
import type { NotBegun, Waiter } from '../../core/base/semaphore.ts';
import { type Caller, timeLeft } from '../../core/callers/caller.ts';
import type { Trace } from '../../core/tracing.ts';
import type { DatabaseFailure, SqlDialect } from './dialect.ts';

/** The fairness, the deadline and the cancellation of one call. */
export interface CallContext {
  /** The key by which connections are counted and given in turn. Reads and writes of one token have a key each. */
  readonly fairnessKey: string;
  /** `performance.now()` after which no statement is started, and at which running ones are ended. */
  readonly deadline: number;
  /** True once the client has disconnected. */
  readonly isGone: () => boolean;
  readonly kind: 'read' | 'write';
  /** Ends the right of a write to be committed. */
  readonly lease?: Lease | undefined;
  /** The ID of the request that causes the call. Absent for none. */
  readonly requestId?: string | undefined;
  /** Absent or null where nothing is traced. */
  readonly trace?: Trace | null | undefined;
}

const neverGone = (): boolean => false;

export function callContextOf(caller: Caller, kind: CallContext['kind']): CallContext {
  const { apiToken, client, deadline, isGone = neverGone, request, trace, lease } = caller;
  const { id: requestId } = request;
  const subject = client?.ok ? client.value.subject : null;
  return { fairnessKey: `${kind} ${subject ?? ''} ${apiToken ?? ''}`, deadline, isGone, kind, requestId, trace, lease };
}

type AbortReason = 'CLIENT_GONE' | 'FENCED_OFF' | 'OUT_OF_TIME' | 'STORE_BUSY';

/** Thrown when the call has no time, connection or client left. Nothing was sent, or the transaction was rolled back. */
export class CallAbortedError extends Error {
  readonly code: AbortReason;

  constructor(code: AbortReason) {
    super(code);
    this.code = code;
  }
}

/** Throws a `CallAbortedError` where the call has too little time left for another statement, or its client is gone. */
export function throwIfAborted({ deadline, isGone }: Pick<CallContext, 'deadline' | 'isGone'>, neededMs = 0): void {
  if (isGone()) throw new CallAbortedError('CLIENT_GONE');
  if (timeLeft({ deadline }) <= neededMs) throw new CallAbortedError('OUT_OF_TIME');
}

/** The failure that an error of a call means; null when the error is a bug. */
export const databaseFailureOf = (dialect: SqlDialect, error: unknown): DatabaseFailure | null =>
  error instanceof CallAbortedError ? { kind: 'aborted', code: error.code } : dialect.failureOf(error);

/** A call waits for its turn as long as its request has time. */
export const waiterOf = ({ fairnessKey, deadline, isGone }: CallContext): Waiter => ({
  key: fairnessKey,
  deadline,
  isGone,
});

/** The code of the failure of a call that got no slot. */
export const abortReasonOf = ({ reason }: NotBegun): AbortReason => (reason === 'gone' ? 'CLIENT_GONE' : 'STORE_BUSY');

/** A connection that ends statements at the deadline of its call. */
export interface BoundConnection extends DatabaseConnection {
  bind(callContext: CallContext): void;
}
