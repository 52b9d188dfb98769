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
import { estimateOutcomeSize } from './outcome-size.ts';
import { estimateQueryCost, type QueryCost } from './query-cost.ts';
import { type PlannedField, planOperation } from './query-plan.ts';

export interface CostLimits {
  /** Calls to the service by one query (`MAX_UPSTREAM_CALLS`). Writes are not counted. */
  readonly maxUpstreamCalls: number;
  /** Fields and list items of writes and their outcomes (`MAX_ANSWER_FIELDS`). Reads are counted during execution. */
  readonly maxAnswerFields: number;
}

/** Returns null when an operation may be executed with these variables. */
export type CostCheck = (
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: VariableValues,
) => GraphQLError | null;

/**
 * Rejects operations that may cost too much, before the first call. The cost depends on the variables, so it is
 * computed for each execution. The plan of an operation does not; it is created once and forgotten with the document.
 */
export function createCostCheck(schema: GraphQLSchema, limits: CostLimits): CostCheck {
  const plans = new WeakMap<OperationDefinitionNode, readonly PlannedField[]>();
  /** Accepted operations without variables. */
  const affordableOperations = new WeakSet<OperationDefinitionNode>();
  return (document, operation, given) => {
    if (affordableOperations.has(operation)) return null;
    const plan = plans.get(operation) ?? planOperation({ schema, operation, fragments: fragmentsOf(document) });
    plans.set(operation, plan);
    const variables = uncoercedVariables(operation, given);
    const error = variables && costOrArgumentError({ operation, plan, variables }, limits);
    if (!error && !operation.variableDefinitions?.length) affordableOperations.add(operation);
    return error;
  };
}

interface CostedOperation {
  readonly operation: OperationDefinitionNode;
  readonly plan: readonly PlannedField[];
  readonly variables: VariableValues;
}

function costOrArgumentError(costed: CostedOperation, limits: CostLimits): GraphQLError | null {
  try {
    return exceededCostError(costed, limits);
  } catch (error) {
    // An invalid argument. The cost is unknown then, so the whole operation is rejected.
    if (error instanceof GraphQLError) return error;
    throw error;
  }
}

function exceededCostError(
  { operation, plan, variables }: CostedOperation,
  { maxUpstreamCalls, maxAnswerFields }: CostLimits,
) {
  return operation.operation === 'query'
    ? callCostError(estimateQueryCost(plan, variables), maxUpstreamCalls)
    : outcomeSizeError(estimateOutcomeSize(plan, variables), maxAnswerFields);
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
