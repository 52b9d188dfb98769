import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  NoSchemaIntrospectionCustomRule,
  specifiedRules,
} from 'graphql';
import type { Backend } from '../backend/backend.ts';
import type { Caller } from '../domain/callers/caller.ts';
import type { QueryLimits } from '../domain/limits.ts';
import { Context, type SchemaLimits } from '../schema/context.ts';
import type { ResponseBudget } from '../schema/response-budget.ts';
import { type BoundedErrors, createBoundedErrors } from './bounded-errors.ts';
import { CooperativeScheduler } from './cooperative-scheduler.ts';
import { type CostLimits, createCostCheck } from './cost/cost-limit.ts';
import { createDocuments, type Documents } from './documents/documents.ts';
import { type ExecutionArgs, execute } from './executor/execute.ts';
import type { OperationTask, VariableValues } from './executor/execution-args.ts';
import { writeJsonInSteps } from './json-writer.ts';

export interface ExecutionOptions {
  readonly schema: GraphQLSchema;
  readonly backend: Backend;
  readonly limits: QueryLimits & CostLimits & SchemaLimits & { readonly queryCacheBytes: number };
  /** True when clients may read the schema. Otherwise errors make no suggestions either. */
  readonly introspection: boolean;
  /** Hides the details of unexpected errors. */
  readonly maskError: (error: unknown) => GraphQLError;
}

interface OperationArgs {
  readonly document: DocumentNode;
  readonly operationName?: string | null | undefined;
  readonly variableValues?: VariableValues | null | undefined;
  readonly caller: Caller;
}

/** GraphQL, from the text of a document to the result, for the fast path and for Yoga. */
export interface Execution extends Documents {
  readonly errors: BoundedErrors;
  execute(args: OperationArgs): ExecutionResult | Promise<ExecutionResult>;
  /** Writes a large result of `execute` as JSON and yields to other requests meanwhile. Null for all other results. */
  writeLarge(result: ExecutionResult): Promise<Buffer<ArrayBuffer>> | null;
}

export function createExecution(options: ExecutionOptions): Execution {
  const { schema, limits, introspection } = options;
  const errors = createBoundedErrors({ suggestions: introspection });
  const rules = introspection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
  const documents = createDocuments({ schema, limits, rules, cacheBytes: limits.queryCacheBytes });
  const largeResults: LargeResults = new WeakMap();
  return {
    parse: documents.parse,
    validate: (document) => errors.requestErrors(documents.validate(document)),
    errors,
    execute: createExecute(options, errors, largeResults),
    writeLarge: (result) => {
      const task = largeResults.get(result);
      return task ? writeJsonInSteps(result, task) : null;
    },
  };
}

type LargeResults = WeakMap<ExecutionResult, OperationTask>;

function createExecute(
  { schema, backend, limits, maskError }: ExecutionOptions,
  errors: BoundedErrors,
  largeResults: LargeResults,
): Execution['execute'] {
  const checkCost = createCostCheck(schema, limits);
  const preparedSchemas: ExecutionArgs['preparedSchemas'] = new WeakMap();
  const scheduler = new CooperativeScheduler();
  const finishResult = (result: ExecutionResult, budget: ResponseBudget, task: OperationTask): ExecutionResult => {
    const bounded = boundResult(errors, result, maskError);
    if (bounded.data && budget.isLargeResponse) largeResults.set(bounded, task);
    return bounded;
  };
  return ({ document, operationName, variableValues, caller }) => {
    const operation = getOperationAST(document, operationName);
    // An untrusted caller is refused at each field and does not learn the limits.
    const isCostChecked = operation && backend.authenticate(caller).ok;
    const costError = isCostChecked ? checkCost(document, operation, variableValues ?? {}) : null;
    if (costError) return { errors: errors.requestErrors([costError]) };
    const contextValue = new Context({ backend, limits, caller });
    const { budget } = contextValue;
    const task = scheduler.forOperation();
    const beginMutationField = () => createExceededFieldError(contextValue);
    const environment = { contextValue, budget, task, beginMutationField, preparedSchemas };
    const result = execute({ schema, document, operationName, variableValues, ...environment });
    return result instanceof Promise
      ? result.then((settled) => finishResult(settled, budget, task))
      : finishResult(result, budget, task);
  };
}

function boundResult(
  bounds: BoundedErrors,
  result: ExecutionResult,
  maskError: ExecutionOptions['maskError'],
): ExecutionResult {
  const { data, errors } = result;
  if (errors === undefined) return result;
  const masked = errors.map(maskError);
  return data === undefined ? { errors: bounds.requestErrors(masked) } : { data, errors: bounds.fieldErrors(masked) };
}

/** Creates the error of a root field of a mutation that exceeds the budget: it tells what became of its writes. */
function createExceededFieldError(context: Context): (exceededError: GraphQLError) => GraphQLError {
  const { writes } = context;
  return ({ message, extensions }) => {
    const mayHaveApplied = context.writes > writes;
    return new GraphQLError(mayHaveApplied ? message : `Nothing was written. ${message}`, {
      extensions: { ...extensions, mayHaveApplied },
    });
  };
}
