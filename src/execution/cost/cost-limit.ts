import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  valueFromASTUntyped,
} from 'graphql';
import { ERROR_TRAITS } from '../../schema/errors/graphql-errors.ts';
import { fragmentsOf } from '../documents/fragments.ts';
import type { VariableValues } from '../executor/execution-args.ts';
import { estimateOutcomeSize, type PlannedWrite, planWrites } from './outcome-size.ts';
import { estimateQueryCost, hasVariableCost, keepCostlyFields, type QueryCost } from './query-cost.ts';
import { type PlannedField, planOperation } from './query-plan.ts';

export interface CostLimits {
  /** Calls to the service by one query (`MAX_UPSTREAM_CALLS`). Writes are not counted. */
  readonly maxUpstreamCalls: number;
  /** Fields and list items of writes and their outcomes (`MAX_ANSWER_FIELDS`). Reads are counted during execution. */
  readonly maxAnswerFields: number;
}

/** Rejects operations that may cost too much, before the first call. */
export interface CostChecks {
  /** Returns null when an operation may be executed with these variables. */
  check(document: DocumentNode, operation: OperationDefinitionNode, variables: VariableValues): GraphQLError | null;
  /**
   * Works out all of the cost that does not depend on the variables, for a document that is kept. Returns an error when
   * the operation costs too much whatever its variables are.
   */
  prepare(document: DocumentNode, operation: OperationDefinitionNode): GraphQLError | null;
}

/**
 * The cost depends on the variables, so it is computed for each execution. The plan of an operation does not; it is
 * created once and forgotten with the document.
 */
export function createCostChecks(schema: GraphQLSchema, limits: CostLimits): CostChecks {
  const plans = new WeakMap<OperationDefinitionNode, CostPlan>();
  /** Accepted operations whose cost is the same for all variables. */
  const affordableOperations = new WeakSet<OperationDefinitionNode>();
  const createPlan = (document: DocumentNode, operation: OperationDefinitionNode): CostPlan => {
    const fields = planOperation({ schema, operation, fragments: fragmentsOf(document) });
    return operation.operation === 'query' ? { fields } : { writes: planWrites(fields) };
  };
  return {
    check: (document, operation, given) => {
      if (affordableOperations.has(operation)) return null;
      const plan = plans.get(operation) ?? createPlan(document, operation);
      plans.set(operation, plan);
      const variables = uncoercedVariables(operation, given);
      const error = variables && costOrArgumentError(plan, variables, limits);
      if (!error && !operation.variableDefinitions?.length) affordableOperations.add(operation);
      return error;
    },
    prepare: (document, operation) => {
      const plan = simplifyPlan(createPlan(document, operation));
      plans.set(operation, plan);
      if (dependsOnVariables(plan)) return null;
      const error = costOrArgumentError(plan, {}, limits);
      if (!error) affordableOperations.add(operation);
      return error;
    },
  };
}

/** A query is limited by its calls, a mutation by the size of its outcome. */
type CostPlan = { readonly fields: readonly PlannedField[] } | { readonly writes: readonly PlannedWrite[] };

const simplifyPlan = (plan: CostPlan): CostPlan =>
  'fields' in plan ? { fields: keepCostlyFields(plan.fields) } : plan;

const dependsOnVariables = (plan: CostPlan): boolean =>
  'fields' in plan ? plan.fields.some(hasVariableCost) : plan.writes.some(({ usesVariables }) => usesVariables);

function costOrArgumentError(plan: CostPlan, variables: VariableValues, limits: CostLimits): GraphQLError | null {
  try {
    return 'fields' in plan
      ? callCostError(estimateQueryCost(plan.fields, variables), limits.maxUpstreamCalls)
      : outcomeSizeError(estimateOutcomeSize(plan.writes, variables), limits.maxAnswerFields);
  } catch (error) {
    // An invalid argument. The cost is unknown then, so the whole operation is rejected.
    if (error instanceof GraphQLError) return error;
    throw error;
  }
}

function callCostError({ total, parts }: QueryCost, allowed: number): GraphQLError | null {
  if (total <= allowed) return null;
  const listed = parts.slice(0, 10).map(([field, calls]) => `${field} ${calls}`);
  return createCostError(
    `The query may cost ${total} calls to the service; ${allowed} are allowed. It costs: ${listed.join(', ')}. ${ADVICE}`,
  );
}

/** Writes whose outcomes would not fit into the response must not begin. */
function outcomeSizeError(size: number, allowed: number): GraphQLError | null {
  if (size <= allowed) return null;
  return createCostError(
    `The input and its outcomes may have ${size} fields and list items; ${allowed} are allowed. ${ADVICE}`,
  );
}

const ADVICE = 'Ask for fewer items, or for less of each.';

/** The error of an operation without data. */
const createCostError = (message: string): GraphQLError =>
  new GraphQLError(message, { extensions: ERROR_TRAITS['query-too-costly'] });

/**
 * The variables with their defaults, otherwise not coerced: the cost depends only on sizes. Null when a required
 * variable is missing; execution rejects that.
 */
function uncoercedVariables(
  { variableDefinitions = [] }: OperationDefinitionNode,
  given: VariableValues,
): VariableValues | null {
  const values: Record<string, unknown> = Object.create(null);
  for (const { variable, type, defaultValue } of variableDefinitions) {
    const name = variable.name.value;
    const value = Object.hasOwn(given, name) ? given[name] : defaultValue && valueFromASTUntyped(defaultValue);
    if (value == null && type.kind === Kind.NON_NULL_TYPE) return null;
    if (value !== undefined) values[name] = value;
  }
  return values;
}
