import {
  type DocumentNode,
  type ExecutionResult,
  executeSync,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  locatedError,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import { type CoerceVariableValues, createCoerceInputValueOf, createCoerceVariableValues } from './coerce-variables.ts';
import { fragmentsOf, SelectionPlan } from './collect-fields.ts';
import { createCompleteValueOf } from './complete-value.ts';
import { executeMutation, executeQuery, isPromise, type ResultMap } from './execute-fields.ts';
import {
  ExecutionContext,
  type ExecutionEnvironment,
  type OperationPlan,
  type VariableValues,
} from './execution-context.ts';

interface ExecutionArgs extends ExecutionEnvironment {
  readonly document: DocumentNode;
  readonly operationName?: string | null | undefined;
  readonly variableValues?: VariableValues | null | undefined;
}

/**
 * Creates what executes the operations of valid documents as graphql-js does, except that it charges a budget for what
 * it produces and yields to other requests. It never throws or rejects. A query that exceeds the budget has no data and
 * only the error of the budget; a mutation keeps the data of the root fields that were complete.
 */
export function createExecutor(schema: GraphQLSchema) {
  const prepareOperation = createPrepareOperation(schema);
  return (args: ExecutionArgs): ExecutionResult | Promise<ExecutionResult> => {
    const { document, operationName, variableValues: given } = args;
    const operation = getOperationAST(document, operationName);
    const prepared = operation && prepareOperation(document, operation);
    // No operation can be executed; graphql-js reports why.
    if (!prepared) return executeSync({ schema, document, operationName });
    const { coerced: variableValues, errors } = prepared.coerceVariableValues(given ?? {});
    if (!variableValues) return { errors };
    const { contextValue, budget, task, beginMutationField } = args;
    const options = { variableValues, contextValue, budget, task, beginMutationField };
    const plan = prepared.planFor(variableValues);
    return executeOperation(plan, new ExecutionContext(plan, options));
  };
}

interface PreparedOperation {
  readonly coerceVariableValues: CoerceVariableValues;
  readonly planFor: (variables: VariableValues) => OperationPlan;
}

/** Prepares each operation once. It is forgotten with its document. The result is null without a root type for it. */
function createPrepareOperation(schema: GraphQLSchema) {
  const completeValueOf = createCompleteValueOf();
  const coerceInputValueOf = createCoerceInputValueOf();
  const operations = new WeakMap<OperationDefinitionNode, PreparedOperation>();
  return (document: DocumentNode, operation: OperationDefinitionNode): PreparedOperation | null => {
    const known = operations.get(operation);
    if (known) return known;
    const rootType = schema.getRootType(operation.operation);
    if (!rootType) return null;
    const fragments = fragmentsOf(document);
    const prepared = {
      coerceVariableValues: createCoerceVariableValues(schema, operation, coerceInputValueOf),
      planFor: keepingLastPlan(conditionNamesOf(document), (conditions) => {
        const source = { schema, fragments, conditions, completeValueOf };
        const rootSelection = new SelectionPlan(source, [operation.selectionSet]);
        return { schema, fragments, operation, rootType, rootSelection };
      }),
    };
    operations.set(operation, prepared);
    return prepared;
  };
}

/** Keeps the last plan. It is valid as long as the variables in `@skip` and `@include` have the same values. */
function keepingLastPlan(
  conditionNames: readonly string[],
  createPlan: (conditions: VariableValues) => OperationPlan,
): PreparedOperation['planFor'] {
  let conditions: VariableValues = {};
  let plan: OperationPlan | null = null;
  return (variables) => {
    if (plan && conditionNames.every((name) => conditions[name] === variables[name])) return plan;
    // Only the conditions are kept: other variables may be large.
    const given = conditionNames.filter((name) => Object.hasOwn(variables, name));
    conditions = Object.fromEntries(given.map((name) => [name, variables[name]]));
    plan = createPlan(conditions);
    return plan;
  };
}

/** The names of all variables in directives. */
function conditionNamesOf(document: DocumentNode): readonly string[] {
  const names: string[] = [];
  visit(document, {
    Directive: ({ arguments: args = [] }) => {
      for (const { value } of args) if (value.kind === Kind.VARIABLE) names.push(value.name.value);
    },
  });
  return names;
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
