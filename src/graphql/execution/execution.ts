import { SpanKind, type Tracer } from '@opentelemetry/api';
import {
  type DocumentNode,
  type ExecutionResult,
  type GraphQLError,
  getOperationAST,
  type OperationDefinitionNode,
} from 'graphql';
import type { Log } from '../../core/base/log.ts';
import type { Caller } from '../../core/callers/caller.ts';
import type { RequestedOperation, RequestRecord } from '../../core/callers/request-record.ts';
import { failSpan, startSpan } from '../../core/tracing.ts';
import type { IdempotencyKeys } from '../../core/writes/idempotency-keys.ts';
import { keyedWrites } from '../../core/writes/pipeline.ts';
import { Context, type ContextOptions } from '../schema/context.ts';
import { createScheduler } from './cooperative-scheduler.ts';
import type { VariableValues } from './executor/execution-context.ts';
import { createBoundedErrors, createWriteEffects, toGraphQLError } from './operation-errors.ts';
import type { PreparedDocuments } from './prepared-documents.ts';

interface OperationArgs {
  readonly document: DocumentNode;
  readonly operationName?: string | null | undefined;
  readonly variableValues?: VariableValues | null | undefined;
  readonly caller: Caller;
}

type ExecuteOperation = (args: OperationArgs) => ExecutionResult | Promise<ExecutionResult>;

/** The number of characters that are kept of the name of an operation, which may be as long as a document. */
const MAX_NAME = 100;

const requestedOperation = (
  { operation, name }: OperationDefinitionNode,
  { tokens }: RequestRecord,
): RequestedOperation => ({
  type: operation,
  name: name && !tokens.areIn(name.value) ? name.value.slice(0, MAX_NAME) : null,
});

/**
 * Starts the span of an operation. Its name is the type alone, since clients name operations as they like. Returns the
 * function that ends it. An operation with errors has failed, also where other fields of it have data.
 */
function startOperationSpan(tracer: Tracer, request: RequestRecord, { type, name }: RequestedOperation) {
  const attributes = () => ({
    'graphql.operation.type': type,
    ...(name !== null && { 'graphql.operation.name': name }),
  });
  const span = startSpan(tracer, request, { name: type, kind: SpanKind.INTERNAL, attributes });
  request.operationSpan = span;
  return ({ errors: [first] = [] }: ExecutionResult): void => {
    request.operationSpan = null;
    if (span && first) failSpan(span, String(first.extensions['code'] ?? 'unknown'));
    span?.end();
  };
}

interface ExecutionOptions extends Omit<ContextOptions, 'caller' | 'answerLimits' | 'keyedWrites'> {
  readonly keys: IdempotencyKeys;
  readonly documents: PreparedDocuments;
  /** True when clients may read the schema. Otherwise errors make no suggestions either. */
  readonly introspection: boolean;
  readonly log: Log;
  /** Null or absent where nothing is traced. */
  readonly tracer?: Tracer | null;
}

/** GraphQL, from the text of a document to the result, for the fast path and for Yoga. */
export interface Execution extends Pick<PreparedDocuments, 'findDocument' | 'parse' | 'validate'> {
  /** Masks and bounds the errors of a request that is not executed. */
  requestErrors(errors: readonly GraphQLError[], caller: Caller): readonly GraphQLError[];
  /** Executes an operation of a valid document. Never throws or rejects: an unexpected error is one of the result. */
  readonly execute: ExecuteOperation;
}

export function createExecution(options: ExecutionOptions): Execution {
  const { documents, introspection, log } = options;
  const bounds = createBoundedErrors({ log, suggestions: introspection });
  return {
    findDocument: documents.findDocument,
    parse: documents.parse,
    validate: documents.validate,
    requestErrors: (errors, { request: { id } }) => bounds.requestErrors(errors, id),
    execute: createExecute(options, bounds),
  };
}

function createExecute(
  { documents: { executor, costs, answerLimits }, backend, jobs, keys, limits, tracer = null }: ExecutionOptions,
  bounds: ReturnType<typeof createBoundedErrors>,
): ExecuteOperation {
  const startTask = createScheduler();
  const keyed = keyedWrites(backend, keys);
  return ({ document, operationName, variableValues, caller }) => {
    const operation = getOperationAST(document, operationName);
    const contextValue = new Context({ backend, keyedWrites: keyed, jobs, limits, answerLimits, caller });
    const { budget } = contextValue;
    const writeEffects = operation?.operation === 'mutation' ? createWriteEffects(contextValue) : null;
    const { request } = caller;
    if (operation) request.operation = requestedOperation(operation, request);
    const endSpan = tracer && request.operation && startOperationSpan(tracer, request, request.operation);
    const task = startTask();
    const withFinishedErrors = ({ data, errors = [] }: ExecutionResult): ExecutionResult => {
      const finished = bounds[data === undefined ? 'requestErrors' : 'fieldErrors'](errors, request.id);
      // Errors of a mutation say whether its write may have taken effect.
      if (writeEffects) for (const error of finished) writeEffects.describeIn(error);
      return data === undefined ? { errors: finished } : { data, errors: finished };
    };
    const finish = (result: ExecutionResult): ExecutionResult => {
      const finished = result.errors === undefined ? result : withFinishedErrors(result);
      endSpan?.(finished);
      return finished;
    };
    const fail = (error: unknown) => finish({ errors: [toGraphQLError(error)] });
    try {
      // An untrusted caller is refused at each field and does not learn the limits.
      const isCostChecked = backend.authenticate(caller).ok;
      const result = executor.execute({
        document,
        operationName,
        variableValues,
        contextValue,
        budget,
        task,
        checkOperation: (plan, variables) => (isCostChecked ? costs.check(plan, variables) : null),
        beginMutationField: (field, args) => {
          writeEffects?.beginField(field.responseKey);
          // A write whose outcome would not fit into the answer must not begin.
          if (isCostChecked) budget.requireFields(costs.outcomeFieldsOf(field, args));
        },
      });
      return result instanceof Promise ? result.then(finish).catch(fail) : finish(result);
    } catch (error) {
      return fail(error);
    }
  };
}
