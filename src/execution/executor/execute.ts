import {
  type DocumentNode,
  type ExecutionResult,
  executeSync,
  type GraphQLSchema,
  getOperationAST,
  locatedError,
} from 'graphql';
import { executeMutation, executeQuery, type ResultMap } from './execute-fields.ts';
import type { ExecutionEnvironment, VariableValues } from './execution-args.ts';
import { ExecutionContext, type OperationPlan } from './execution-context.ts';
import { PreparedSchema } from './prepare.ts';
import { isPromise } from './promises.ts';

/** The arguments of `execute` of graphql-js, and those that it ignores. */
export interface ExecutionArgs extends ExecutionEnvironment {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operationName?: string | null | undefined;
  readonly variableValues?: VariableValues | null | undefined;
  /** Filled by `execute`. Whoever calls it for a schema again passes the same object. */
  readonly preparedSchemas: WeakMap<GraphQLSchema, PreparedSchema>;
}

/**
 * Executes an operation of a valid document as graphql-js does, except that it charges a budget for what it produces
 * and yields to other requests. It never throws or rejects. A query that exceeds the budget has no data and only the
 * error of the budget; a mutation keeps the data of the root fields that were complete.
 */
export function execute(args: ExecutionArgs): ExecutionResult | Promise<ExecutionResult> {
  const { schema, document, operationName } = args;
  const operation = getOperationAST(document, operationName);
  const prepared = operation && prepareSchema(args).prepareOperation(document, operation);
  // No operation can be executed; graphql-js reports why.
  if (!prepared) return executeSync({ schema, document, operationName });
  const { coerced: variableValues, errors } = prepared.coerceVariableValues(args.variableValues ?? {});
  if (!variableValues) return { errors };
  const { contextValue, budget, task, beginMutationField } = args;
  const options = { variableValues, contextValue, budget, task, beginMutationField };
  const plan = prepared.planFor(variableValues);
  return executeOperation(plan, new ExecutionContext(plan, options));
}

function prepareSchema({ schema, preparedSchemas }: ExecutionArgs): PreparedSchema {
  const known = preparedSchemas.get(schema);
  if (known) return known;
  const prepared = new PreparedSchema(schema);
  preparedSchemas.set(schema, prepared);
  return prepared;
}

function executeOperation(
  { operation, rootType, rootSelection }: OperationPlan,
  exeContext: ExecutionContext,
): ExecutionResult | Promise<ExecutionResult> {
  const { budget, errors } = exeContext;
  const toResult = (data: ResultMap | null): ExecutionResult =>
    errors.all.length === 0 ? { data } : { errors: errors.all, data };
  const toErrorResult = (error: unknown): ExecutionResult => {
    if (budget.exceededError && error === budget.exceededError) return { errors: [budget.exceededError] };
    errors.addAtRoot(locatedError(error, undefined));
    return toResult(null);
  };
  try {
    const fields = rootSelection.fieldPlansFor(rootType);
    const executeFields = operation.operation === 'mutation' ? executeMutation : executeQuery;
    const data = executeFields(exeContext, fields);
    return isPromise(data) ? data.then(toResult, toErrorResult) : toResult(data);
  } catch (error) {
    return toErrorResult(error);
  }
}
