import { type Span, SpanKind, type Tracer } from '@opentelemetry/api';
import type { ConnectionProvider, DatabaseConnection } from 'kysely';
import { MAX_DATABASE_WAIT_MS } from '../base/limits.ts';
import type { Semaphore } from '../base/semaphore.ts';
import { runInSpan, startSpan } from '../domain/tracing.ts';
import { applicantOf, begunOrThrow, CallAbortedError, type CallContext, throwIfAborted } from './call-context.ts';
import type { SqlDialect } from './dialect.ts';

/** A connection that keeps the deadline of the call that uses it. */
export interface BoundConnection extends DatabaseConnection {
  bind(callContext: CallContext): void;
}

const isBound = (connection: DatabaseConnection): connection is BoundConnection => 'bind' in connection;

interface CallConnectionOptions {
  /** The pool of connections. */
  readonly source: ConnectionProvider;
  readonly callContext: CallContext;
  /** Null for calls that do not wait for a slot. */
  readonly semaphore: Semaphore | null;
  readonly dialect: SqlDialect;
  /** Null where nothing is traced. */
  readonly tracer: Tracer | null;
}

/** Gives a call a connection for each of its statements or transactions, in fair turns. */
export const createCallConnectionProvider = (options: CallConnectionOptions): ConnectionProvider => ({
  provideConnection: async (consumer) => {
    const { callContext, semaphore } = options;
    throwIfAborted(callContext);
    const use = () => useConnection(options, consumer);
    const span = startTransactionSpan(options);
    const run = semaphore ? async () => begunOrThrow(await semaphore.run(applicantOf(callContext), use)) : use;
    return span === null ? run() : runInSpan(span, run);
  },
});

async function useConnection<T>(
  { source, callContext }: CallConnectionOptions,
  consumer: (connection: DatabaseConnection) => Promise<T>,
): Promise<T> {
  const msLeft = callContext.deadline - performance.now();
  const signal = msLeft < MAX_DATABASE_WAIT_MS ? AbortSignal.timeout(Math.ceil(Math.max(0, msLeft))) : null;
  let isConnected = false;
  try {
    return await source.provideConnection(
      (connection) => {
        isConnected = true;
        if (isBound(connection)) connection.bind(callContext);
        return consumer(connection);
      },
      signal ? { signal } : {},
    );
  } catch (error) {
    throw signal?.aborted && !isConnected ? new CallAbortedError('OUT_OF_TIME') : error;
  }
}

/** A call that reads sends one statement at a time, one that writes a transaction. */
const OPERATIONS = { read: 'SELECT', write: 'TRANSACTION' } as const;

/** The span of a statement or a transaction, with its wait for a connection; null where it is not recorded. */
function startTransactionSpan({ tracer, dialect, callContext: { request, kind } }: CallConnectionOptions): Span | null {
  if (request === null) return null;
  const attributes = () => ({ 'db.system.name': dialect.systemName, 'db.operation.name': OPERATIONS[kind] });
  return startSpan(tracer, request, { name: OPERATIONS[kind], kind: SpanKind.CLIENT, attributes });
}
