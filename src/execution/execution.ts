import { type Span, SpanKind, type Tracer } from '@opentelemetry/api';
import {
  type DocumentNode,
  type ExecutionResult,
  type GraphQLError,
  getOperationAST,
  type OperationDefinitionNode,
} from 'graphql';
import { keyedWrites } from '../backend/writes/pipeline.ts';
import type { Caller } from '../domain/callers/caller.ts';
import type { RequestedOperation, RequestRecord } from '../domain/callers/request-record.ts';
import { failSpan, startSpan } from '../domain/tracing.ts';
import type { IdempotencyKeys } from '../jobs/idempotency-keys.ts';
import { Context, type ContextOptions } from '../schema/context.ts';
import { CooperativeScheduler } from './cooperative-scheduler.ts';
import { type ExecutionArgs, execute } from './executor/execute.ts';
import type { OperationTask, VariableValues } from './executor/execution-context.ts';
import { writeJsonInSteps } from './json-writer.ts';
import { type BoundedErrors, createBoundedErrors, WriteEffects } from './operation-errors.ts';
import type { PreparedDocuments } from './prepared-documents.ts';

interface OperationArgs {
  readonly document: DocumentNode;
  readonly operationName?: string | null | undefined;
  readonly variableValues?: VariableValues | null | undefined;
  readonly caller: Caller;
}

type ExecuteOperation = (args: OperationArgs) => ExecutionResult | Promise<ExecutionResult>;

/** Characters of the name of an operation, which may be as long as a document. */
const MAX_NAME = 100;

const requestedOperation = (
  { operation, name }: OperationDefinitionNode,
  { tokens }: RequestRecord,
): RequestedOperation => ({
  type: operation,
  name: name && !tokens.areIn(name.value) ? name.value.slice(0, MAX_NAME) : null,
});

/** Executes each operation in a span. Its name is the type alone, since clients name operations as they like. */
function traceOperations(execute: ExecuteOperation, tracer: Tracer): ExecuteOperation {
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

interface ExecutionOptions extends Omit<ContextOptions, 'caller' | 'answerLimits' | 'keyedWrites'> {
  readonly keys: IdempotencyKeys;
  readonly documents: PreparedDocuments;
  /** True when clients may read the schema. Otherwise errors make no suggestions either. */
  readonly introspection: boolean;
  readonly maskError: MaskError;
  /** Null where nothing is traced. */
  readonly tracer: Tracer | null;
}

/** Hides the details of unexpected errors. */
export type MaskError = (error: unknown, requestId: string) => GraphQLError;

/** GraphQL, from the text of a document to the result, for the fast path and for Yoga. */
export interface Execution extends Pick<PreparedDocuments, 'findDocument' | 'parse' | 'validate'> {
  /** Masks and bounds the errors of a request that is not executed. */
  requestErrors(errors: readonly GraphQLError[], caller: Caller): readonly GraphQLError[];
  /** Executes an operation of a valid document. Never throws or rejects: an unexpected error is one of the result. */
  readonly execute: ExecuteOperation;
  /** Writes a large result of `execute` as JSON and yields to other requests meanwhile. Null for all other results. */
  writeLarge(result: ExecutionResult): Promise<Buffer<ArrayBuffer>> | null;
}

export function createExecution(options: ExecutionOptions): Execution {
  const { documents, introspection, maskError, tracer } = options;
  const errors = createBoundedErrors({ suggestions: introspection });
  const largeResults: LargeResults = new WeakMap();
  const execution = createExecute(options, errors, largeResults);
  return {
    findDocument: documents.findDocument,
    parse: documents.parse,
    validate: documents.validate,
    requestErrors: (rejected, { request: { id } }) =>
      errors.requestErrors(
        rejected.map((error) => maskError(error, id)),
        id,
      ),
    execute: tracer === null ? execution : traceOperations(execution, tracer),
    writeLarge: (result) => {
      const task = largeResults.get(result);
      return task ? writeJsonInSteps(result, task) : null;
    },
  };
}

type LargeResults = WeakMap<ExecutionResult, OperationTask>;

function createExecute(
  { documents: { schema, costs, answerLimits }, maskError, backend, jobs, keys, limits }: ExecutionOptions,
  bounds: BoundedErrors,
  largeResults: LargeResults,
): ExecuteOperation {
  const preparedSchemas: ExecutionArgs['preparedSchemas'] = new WeakMap();
  const scheduler = new CooperativeScheduler();
  const keyed = keyedWrites(backend, keys);
  return ({ document, operationName, variableValues, caller }) => {
    const operation = getOperationAST(document, operationName);
    const contextValue = new Context({ backend, keyedWrites: keyed, jobs, limits, answerLimits, caller });
    const { budget } = contextValue;
    const writeEffects = new WriteEffects(contextValue);
    const { request } = caller;
    if (operation) request.operation = requestedOperation(operation, request);
    const errorFinishing = {
      bounds,
      maskError,
      requestId: request.id,
      writeEffects: operation?.operation === 'mutation' ? writeEffects : null,
    };
    const task = scheduler.forOperation();
    const finish = (result: ExecutionResult): ExecutionResult => {
      const finished = finishErrors(result, errorFinishing);
      if (finished.data && budget.isLargeResponse) largeResults.set(finished, task);
      return finished;
    };
    const fail = (error: unknown) => finish({ errors: [maskError(error, request.id)] });
    try {
      // An untrusted caller is refused at each field and does not learn the limits.
      const isCostChecked = operation && backend.authenticate(caller).ok;
      const costError = isCostChecked ? costs.check(document, operation, variableValues ?? {}) : null;
      if (costError) return finish({ errors: [costError] });
      const beginMutationField = (responseKey: string) => writeEffects.beginField(responseKey);
      const environment = { contextValue, budget, task, beginMutationField, preparedSchemas };
      const result = execute({ schema, document, operationName, variableValues, ...environment });
      return result instanceof Promise ? result.then(finish).catch(fail) : finish(result);
    } catch (error) {
      return fail(error);
    }
  };
}

interface ErrorFinishing {
  readonly bounds: BoundedErrors;
  readonly maskError: MaskError;
  readonly requestId: string;
  /** Null outside a mutation. */
  readonly writeEffects: WriteEffects | null;
}

/** Masks and bounds the errors of a result. Those of a mutation tell whether its write may have taken effect. */
function finishErrors(result: ExecutionResult, finishing: ErrorFinishing): ExecutionResult {
  const { bounds, maskError, requestId, writeEffects } = finishing;
  const { data, errors } = result;
  if (errors === undefined) return result;
  const masked = errors.map((error) => maskError(error, requestId));
  const bounded = data === undefined ? bounds.requestErrors(masked, requestId) : bounds.fieldErrors(masked, requestId);
  if (writeEffects) for (const error of bounded) writeEffects.describeIn(error);
  return data === undefined ? { errors: bounded } : { data, errors: bounded };
}
