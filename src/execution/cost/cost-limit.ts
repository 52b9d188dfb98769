import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  valueFromASTUntyped,
} from 'graphql';
import { FAILURE_TRAITS } from '../../schema/errors/graphql-errors.ts';
import { fragmentsOf } from '../documents/fragments.ts';
import { sizeOfOutcomes } from './outcome-size.ts';
import { costOfQuery, type QueryCost } from './query-cost.ts';
import { type PlannedField, planQuery } from './query-plan.ts';

export interface CostLimits {
  /** Calls to the service that one query may cost (`MAX_UPSTREAM_CALLS`). Writes are not counted. */
  readonly maxUpstreamCalls: number;
  /** Fields and list items that writes and their outcomes may come to (`MAX_ANSWER_FIELDS`). Reads are counted as they are made. */
  readonly maxAnswerFields: number;
}

type Values = Readonly<Record<string, unknown>>;

/** Null where an operation with these variables may run. */
export type CostLimit = (
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Values,
) => GraphQLError | null;

/**
 * Refuses what could cost more than one request may, before the first call. The sums need the variables, so they are
 * made where those are known: at execution, also of a document that is long validated. What does not depend on them is
 * made once for an operation, and forgotten with its document.
 */
export function createCostLimit(schema: GraphQLSchema, limits: CostLimits): CostLimit {
  const plans = new WeakMap<OperationDefinitionNode, readonly PlannedField[]>();
  /** Operations without variables that may run. */
  const passed = new WeakSet<OperationDefinitionNode>();
  return (document, operation, given) => {
    if (passed.has(operation)) return null;
    const plan = plans.get(operation) ?? planQuery({ schema, operation, fragments: fragmentsOf(document) });
    plans.set(operation, plan);
    const variables = variablesOf(operation, given);
    const error = variables && errorOf({ operation, plan, variables }, limits);
    if (!error && !operation.variableDefinitions?.length) passed.add(operation);
    return error;
  };
}

interface CostedOperation {
  readonly operation: OperationDefinitionNode;
  readonly plan: readonly PlannedField[];
  readonly variables: Values;
}

function errorOf(costed: CostedOperation, limits: CostLimits): GraphQLError | null {
  try {
    return tooCostly(costed, limits);
  } catch (error) {
    // An argument that does not fit. Where one hid the others, what they cost would not be known.
    if (error instanceof GraphQLError) return error;
    throw error;
  }
}

function tooCostly({ operation, plan, variables }: CostedOperation, { maxUpstreamCalls, maxAnswerFields }: CostLimits) {
  return operation.operation === 'query'
    ? tooManyCalls(costOfQuery(plan, variables), maxUpstreamCalls)
    : tooManyOutcomes(sizeOfOutcomes(plan, variables), maxAnswerFields);
}

function tooManyCalls({ total, parts }: QueryCost, allowed: number): GraphQLError | null {
  if (total <= allowed) return null;
  const listed = parts.slice(0, 10).map(([field, calls]) => `${field} ${calls}`);
  return refusal(
    `The query may cost ${total} calls to the service; ${allowed} are allowed. It costs: ${listed.join(', ')}. ${ADVICE}`,
  );
}

/** A write whose outcomes would not fit into its answer must not begin: nobody would learn of them. */
function tooManyOutcomes(size: number, allowed: number): GraphQLError | null {
  if (size <= allowed) return null;
  return refusal(
    `The input and its outcomes may have ${size} fields and list items; ${allowed} are allowed. ${ADVICE}`,
  );
}

const ADVICE = 'Ask for fewer items, or for less of each.';

/** Nothing was executed, so there is no data: 400, or 200 where the client reads `application/json` only. */
const refusal = (message: string): GraphQLError =>
  new GraphQLError(message, {
    extensions: { ...FAILURE_TRAITS['query-too-costly'], http: { spec: true, status: 400 } },
  });

/**
 * The variables as they came, without the coercion that execution makes of them: sizes are all that is asked of them
 * here. Null where one is missing that must be there: execution refuses that.
 */
function variablesOf({ variableDefinitions = [] }: OperationDefinitionNode, given: Values): Values | null {
  const values: Record<string, unknown> = Object.create(null);
  for (const { variable, type, defaultValue } of variableDefinitions) {
    const name = variable.name.value;
    const value = Object.hasOwn(given, name) ? given[name] : defaultValue && valueFromASTUntyped(defaultValue);
    if (value == null && type.kind === Kind.NON_NULL_TYPE) return null;
    if (value !== undefined) values[name] = value;
  }
  return values;
}
