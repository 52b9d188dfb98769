import { type Span, SpanKind, type Tracer } from '@opentelemetry/api';
import { type ExecutionResult, getOperationAST } from 'graphql';
import { failSpan, startSpan } from '../domain/tracing.ts';
import { type ExecuteOperation, requestedOperation } from './requested-operation.ts';

/** Executes each operation in a span. Its name is the type alone, since clients name operations as they like. */
export function traceOperations(execute: ExecuteOperation, tracer: Tracer): ExecuteOperation {
  return (args) => {
    const { request } = args.caller;
    const operation = getOperationAST(args.document, args.operationName);
    if (!operation) return execute(args);
    const { type, name } = requestedOperation(operation, request);
    const attributes = () => ({
      'graphql.operation.type': type,
      ...(name !== null && { 'graphql.operation.name': name }),
    });
    const span = startSpan(tracer, request, { name: type, kind: SpanKind.INTERNAL, attributes });
    if (span === null) return execute(args);
    request.operationSpan = span;
    const end = (result: ExecutionResult): ExecutionResult => {
      request.operationSpan = null;
      endSpan(span, result);
      return result;
    };
    const result = execute(args);
    return result instanceof Promise ? result.then(end) : end(result);
  };
}

/** An operation with errors has failed, even where other fields of it have data. */
function endSpan(span: Span, { errors = [] }: ExecutionResult): void {
  const [first] = errors;
  if (first) failSpan(span, String(first.extensions['code'] ?? 'unknown'));
  span.end();
}
