import {
  type DocumentNode,
  type ExecutionResult,
  executeSync,
  type GraphQLSchema,
  Kind,
  locatedError,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import { type CoerceVariableValues, createCoerceInputValueOf, createCoerceVariableValues } from './coerce-variables.ts';
import { createSelection, fragmentsOf } from './collect-fields.ts';
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
  /** The operation of this name; null where the document has none. */
  readonly operation: OperationDefinitionNode | null | undefined;
  readonly variableValues?: VariableValues | null | undefined;
}

export interface Executor {
  /**
   * Executes an operation of a valid document as graphql-js does, except that it charges a budget for what it produces
   * and yields to other requests. It never throws or rejects. A query that exceeds the budget has no data and only the
   * error of the budget; a mutation keeps the data of the root fields that were complete.
   */
  execute(args: ExecutionArgs): ExecutionResult | Promise<ExecutionResult>;
  /** The plan of every execution of the operation; null where it depends on the variables. */
  fixedPlanOf(document: DocumentNode, operation: OperationDefinitionNode): OperationPlan | null;
}

export function createExecutor(schema: GraphQLSchema): Executor {
  const prepareOperation = createPrepareOperation(schema);
  return {
    execute: (args) => {
      const { document, operationName, operation, variableValues: given } = args;
      const prepared = operation && prepareOperation(document, operation);
      // No operation can be executed; graphql-js reports why.
      if (!prepared) return executeSync({ schema, document, operationName });
      const { coerced: variableValues, errors } = prepared.coerceVariableValues(given ?? {});
      if (!variableValues) return { errors };
      const plan = prepared.planFor(variableValues);
      return executeOperation(new ExecutionContext({ plan, variableValues, environment: args }));
    },
    fixedPlanOf: (document, operation) => {
      const prepared = prepareOperation(document, operation);
      return prepared === null || prepared.conditionNames.length > 0 ? null : prepared.planFor({});
    },
  };
}

interface PreparedOperation {
  readonly coerceVariableValues: CoerceVariableValues;
  /** The names of the variables in `@skip` and `@include`, on which the plan depends. */
  readonly conditionNames: readonly string[];
  readonly planFor: (variables: VariableValues) => OperationPlan;
}

/** Prepares each operation once, for as long as its document is kept. Returns null where the schema has no root type for it. */
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
    const conditionNames = conditionNamesOf(document);
    /** Only the conditions of the last plan are kept: other variables may be large. */
    let conditions: VariableValues = {};
    let plan: OperationPlan | null = null;
    const prepared: PreparedOperation = {
      coerceVariableValues: createCoerceVariableValues(schema, operation, coerceInputValueOf),
      conditionNames,
      planFor: (variables) => {
        if (plan && conditionNames.every((name) => conditions[name] === variables[name])) return plan;
        const given = conditionNames.filter((name) => Object.hasOwn(variables, name));
        conditions = Object.fromEntries(given.map((name) => [name, variables[name]]));
        const source = { schema, fragments, conditions, completeValueOf };
        plan = {
          schema,
          fragments,
          operation,
          rootType,
          rootSelection: createSelection(source, [operation.selectionSet]),
        };
        return plan;
      },
    };
    operations.set(operation, prepared);
    return prepared;
  };
}

function conditionNamesOf(document: DocumentNode): readonly string[] {
  const names: string[] = [];
  visit(document, {
    Directive: ({ arguments: args = [] }) => {
      for (const { value } of args) if (value.kind === Kind.VARIABLE) names.push(value.name.value);
    },
  });
  return names;
}

function executeOperation(exeContext: ExecutionContext): ExecutionResult | Promise<ExecutionResult> {
  const { budget, errors, plan, variableValues, environment } = exeContext;
  const toResult = (data: ResultMap | null): ExecutionResult =>
    errors.all.length === 0 ? { data } : { errors: errors.all, data };
  const toErrorResult = (error: unknown): ExecutionResult => {
    if (budget.exceededError && error === budget.exceededError) return { errors: [budget.exceededError] };
    errors.addAtRoot(locatedError(error, undefined));
    return toResult(null);
  };
  try {
    const refusal = environment.checkOperation?.(plan, variableValues);
    if (refusal) return { errors: [refusal] };
    const fields = plan.rootSelection(plan.rootType);
    const executeFields = plan.operation.operation === 'mutation' ? executeMutation : executeQuery;
    const data = executeFields(exeContext, fields);
    return isPromise(data) ? data.then(toResult, toErrorResult) : toResult(data);
  } catch (error) {
    return toErrorResult(error);
  }
}
