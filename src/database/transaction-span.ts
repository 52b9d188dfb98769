import { type Span, SpanKind, type Tracer } from '@opentelemetry/api';
import { startSpan } from '../domain/tracing.ts';
import type { CallContext } from './call-context.ts';
import type { SqlDialect } from './dialect.ts';

/** Starts the span of a statement or a transaction, with its wait for a connection; null where it is not recorded. */
export function startTransactionSpan(
  tracer: Tracer | null,
  { request, kind }: CallContext,
  { systemName }: SqlDialect,
): Span | null {
  if (request === null) return null;
  const attributes = () => ({ 'db.system.name': systemName, 'db.operation.name': OPERATIONS[kind] });
  return startSpan(tracer, request, { name: OPERATIONS[kind], kind: SpanKind.CLIENT, attributes });
}

/** A call that reads sends one statement at a time, one that writes a transaction. */
const OPERATIONS = { read: 'SELECT', write: 'TRANSACTION' } as const;
