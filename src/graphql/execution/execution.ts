import { setImmediate as nextTick } from 'node:timers/promises';
import { type Span, SpanKind, type Tracer } from '@opentelemetry/api';
import {
  type DocumentNode,
  type ExecutionResult,
  type GraphQLError,
  getOperationAST,
  type OperationDefinitionNode,
} from 'graphql';
import type { Log } from '../../core/base/log.ts';
import type { Caller } from '../../core/callers/caller.ts';
import type { HiddenTokens } from '../../core/callers/hidden-tokens.ts';
import type { RequestedOperation } from '../../core/callers/request-report.ts';
import { failSpan, startSpan } from '../../core/tracing.ts';
import { Context, type ContextOptions } from '../schema/context.ts';
import type { OperationTask, VariableValues } from './executor/execution-context.ts';
import {
  type BoundedErrors,
  createBoundedErrors,
  createWriteEffects,
  toGraphQLError,
  type WriteEffects,
} from './operation-errors.ts';
import type { PreparedDocuments } from './prepared-documents.ts';

interface OperationArgs {
  readonly document: DocumentNode;
  readonly operationName?: string | null | undefined;
  /** The operation of this name, where it was found already. */
  readonly operation?: OperationDefinitionNode | undefined;
  readonly variableValues?: VariableValues | null | undefined;
  readonly caller: Caller;
}

type ExecuteOperation = (args: OperationArgs) => Promise<ExecutionResult>;

/** The number of characters that are kept of the name of an operation, which may be as long as a document. */
const MAX_NAME = 100;

const requestedOperation = (
  { operation, name }: OperationDefinitionNode,
  tokens: HiddenTokens,
): RequestedOperation => ({
  type: operation,
  name: name && !tokens.areIn(name.value) ? name.value.slice(0, MAX_NAME) : null,
});

/** Starts the span of an operation. Its name is the type alone, since clients name operations as they like. */
function startOperationSpan(tracer: Tracer, { trace }: Caller, { type, name }: RequestedOperation): Span | null {
  const attributes = () => ({
    'graphql.operation.type': type,
    ...(name !== null && { 'graphql.operation.name': name }),
  });
  return startSpan(tracer, trace, { name: type, kind: SpanKind.INTERNAL, attributes });
}

/** An operation with errors has failed, even where other fields of it have data. */
function endOperationSpan(span: Span, { errors: [first] = [] }: ExecutionResult): void {
  if (first) failSpan(span, String(first.extensions['code'] ?? 'unknown'));
  span.end();
}

/** The caller as the steps of an operation get it, and the span of the operation; null where it is not recorded. */
function beginOperation(caller: Caller, definition: OperationDefinitionNode | null | undefined, tracer: Tracer | null) {
  if (!definition) return { caller, span: null };
  const { request, trace } = caller;
  const operation = requestedOperation(definition, request.tokens);
  request.report.add({ kind: 'operation', operation });
  const span = tracer && startOperationSpan(tracer, caller, operation);
  const within = trace && span ? { ...trace, span } : trace;
  return { caller: { ...caller, operationType: operation.type, trace: within }, span };
}

interface ExecutionOptions extends Omit<ContextOptions, 'caller' | 'answerLimits'> {
  readonly documents: PreparedDocuments;
  /** True when clients may read the schema. Otherwise errors make no suggestions either. */
  readonly introspection: boolean;
  readonly log: Log;
  /** Null or absent where nothing is traced. */
  readonly tracer?: Tracer | null;
}

/** GraphQL, from the text of a document to the result, for the fast path and for Yoga. */
export interface Execution extends Pick<PreparedDocuments, 'findDocument' | 'parse' | 'validate'> {
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
  { documents: { executor, costs, answerLimits }, backend, jobs, limits, tracer = null }: ExecutionOptions,
  bounds: BoundedErrors,
): ExecuteOperation {
  const startTask = createScheduler();
  return async ({ document, operationName, operation: found, variableValues, caller: asking }) => {
    const operation = found ?? getOperationAST(document, operationName);
    const { caller, span } = beginOperation(asking, operation, tracer);
    const contextValue = new Context({ backend, jobs, limits, answerLimits, caller });
    const { budget } = contextValue;
    const writeEffects = operation?.operation === 'mutation' ? createWriteEffects(contextValue) : null;
    let result: ExecutionResult;
    try {
      // An untrusted caller is refused at each field and does not learn the limits.
      const isCostChecked = backend.authenticate(caller).ok;
      result = await executor.execute({
        document,
        operationName,
        operation,
        variableValues,
        contextValue,
        budget,
        task: startTask(),
        checkOperation: isCostChecked ? costs.check : null,
        beginMutationField: (field, args) => {
          writeEffects?.beginField(field.responseKey);
          // A write whose outcome would not fit into the answer must not begin.
          if (isCostChecked) budget.requireFields(costs.outcomeFieldsOf(field, args));
        },
      });
    } catch (error) {
      result = { errors: [toGraphQLError(error)] };
    }
    if (result.errors !== undefined) result = withBoundedErrors(result, { bounds, caller, writeEffects });
    if (span !== null) endOperationSpan(span, result);
    return result;
  };
}

interface ErrorOptions {
  readonly bounds: BoundedErrors;
  readonly caller: Caller;
  /** Null unless the operation is a mutation, whose errors say whether its write may have taken effect. */
  readonly writeEffects: WriteEffects | null;
}

function withBoundedErrors(
  { data, errors = [] }: ExecutionResult,
  { bounds, caller: { request }, writeEffects }: ErrorOptions,
): ExecutionResult {
  const bounded = bounds[data === undefined ? 'requestErrors' : 'fieldErrors'](errors, request.id);
  if (writeEffects) for (const error of bounded) writeEffects.describeIn(error);
  return data === undefined ? { errors: bounded } : { data, errors: bounded };
}

/** A unit is a field or a list item, which takes up to 1 µs: long work yields after some milliseconds. */
const UNITS_PER_TICK = 10_000;

/** An operation that has used more ticks than this is long. */
const MAX_SHORT_TICKS = 5;

/** An operation with fewer units left ends too soon for a yield to help others. */
const MIN_UNITS_TO_YIELD = 200;

/** The parts of a long operation that wait to go on. */
interface LongTask {
  readonly age: number;
  readonly waiters: (() => void)[];
}

/**
 * Makes long operations yield to other requests. All operations of a process share one scheduler and its units per
 * tick, so that a hundred of them block the event loop no longer than one does. Short operations continue in order of
 * arrival. Long ones complete one after another, the oldest first: at the same pace, each would hold a nearly complete
 * response in memory. Ticks alternate between short and long operations when there are both.
 *
 * ```ts
 * const task = startTask();
 * task.charge(100);
 * if (task.shouldYield()) await task.yieldToOthers();
 * ```
 *
 * @internal Exported for tests.
 */
export function createScheduler(unitsPerTick = UNITS_PER_TICK): () => OperationTask {
  const minUnitsToYield = Math.min(MIN_UNITS_TO_YIELD, unitsPerTick);
  const short: (() => void)[] = [];
  /** The oldest first. */
  const long: LongTask[] = [];
  let operations = 0;
  let units = 0;
  let isRunning = false;

  const nextLong = (): (() => void) | undefined => {
    const [oldest] = long;
    const resume = oldest?.waiters.shift();
    if (oldest?.waiters.length === 0) long.shift();
    return resume;
  };

  const run = async (): Promise<void> => {
    for (let isForLong = true; short.length + long.length > 0; isForLong = !isForLong) {
      await nextTick();
      units = 0;
      while (units < unitsPerTick) {
        const resume = isForLong ? (nextLong() ?? short.shift()) : (short.shift() ?? nextLong());
        if (resume === undefined) break;
        resume();
        // The resumed operation runs in a microtask before this function continues.
        await undefined;
      }
    }
    isRunning = false;
  };

  return () => {
    const task: LongTask = { age: operations++, waiters: [] };
    let used = 0;
    return {
      charge: (charged) => {
        used += charged;
        units += charged;
      },
      shouldYield: () => used >= minUnitsToYield && units >= unitsPerTick,
      yieldToOthers: () => {
        const { promise, resolve } = Promise.withResolvers<void>();
        if (used <= MAX_SHORT_TICKS * unitsPerTick) short.push(resolve);
        else {
          if (task.waiters.length === 0) long.splice(long.findLastIndex(({ age }) => age < task.age) + 1, 0, task);
          task.waiters.push(resolve);
        }
        if (!isRunning) void run();
        isRunning = true;
        return promise;
      },
    };
  };
}
