import {
  type DocumentNode,
  type ExecutionResult,
  executeSync,
  type GraphQLObjectType,
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

/** Data that is created once for a schema, and once for each operation. An operation is forgotten with its document. */
class PreparedSchema {
  readonly schema: GraphQLSchema;
  readonly completeValueOf = createCompleteValueOf();
  readonly coerceInputValueOf = createCoerceInputValueOf();
  readonly #operations = new WeakMap<OperationDefinitionNode, PreparedOperation>();

  constructor(schema: GraphQLSchema) {
    this.schema = schema;
  }

  /** Null when the schema has no root type for the operation. */
  prepareOperation(document: DocumentNode, operation: OperationDefinitionNode): PreparedOperation | null {
    const known = this.#operations.get(operation);
    if (known) return known;
    const rootType = this.schema.getRootType(operation.operation);
    if (!rootType) return null;
    const prepared = new PreparedOperation(this, { document, operation, rootType });
    this.#operations.set(operation, prepared);
    return prepared;
  }
}

interface OperationOptions {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly rootType: GraphQLObjectType;
}

class PreparedOperation {
  readonly coerceVariableValues: CoerceVariableValues;
  readonly #createPlan: (conditions: VariableValues) => OperationPlan;
  readonly #conditionNames: ReadonlySet<string>;
  #conditions: VariableValues = {};
  #plan: OperationPlan | null = null;

  constructor({ schema, completeValueOf, coerceInputValueOf }: PreparedSchema, options: OperationOptions) {
    const { document, operation, rootType } = options;
    const fragments = fragmentsOf(document);
    this.coerceVariableValues = createCoerceVariableValues(schema, operation, coerceInputValueOf);
    this.#conditionNames = conditionNamesOf(document);
    this.#createPlan = (conditions) => {
      const source = { schema, fragments, conditions, completeValueOf };
      const rootSelection = new SelectionPlan(source, [operation.selectionSet]);
      return { schema, fragments, operation, rootType, rootSelection };
    };
  }

  /** Keeps the last plan. It is valid as long as the variables in `@skip` and `@include` have the same values. */
  planFor(variables: VariableValues): OperationPlan {
    if (this.#plan && this.#hasConditionsOf(variables)) return this.#plan;
    // Only the conditions are kept: other variables may be large.
    const conditions = Object.entries(variables).filter(([name]) => this.#conditionNames.has(name));
    this.#conditions = Object.fromEntries(conditions);
    this.#plan = this.#createPlan(this.#conditions);
    return this.#plan;
  }

  #hasConditionsOf(variables: VariableValues): boolean {
    for (const name of this.#conditionNames) if (this.#conditions[name] !== variables[name]) return false;
    return true;
  }
}

/** The names of all variables in directives. */
function conditionNamesOf(document: DocumentNode): ReadonlySet<string> {
  const names = new Set<string>();
  visit(document, {
    Directive: ({ arguments: args = [] }) => {
      for (const { value } of args) if (value.kind === Kind.VARIABLE) names.add(value.name.value);
    },
  });
  return names;
}

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
