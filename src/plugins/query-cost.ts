import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  valueFromASTUntyped,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Context } from '../schema/context.ts';
import { FAILURE_TRAITS } from '../schema/failures.ts';
import { type CostedOperation, costOfQuery } from '../schema/query-cost.ts';

export interface QueryCostLimits {
  /** Calls to the service that one query may cost (`MAX_UPSTREAM_CALLS`). Writes are not counted. */
  readonly maxUpstreamCalls: number;
  /** Fields that the answer to one request may have (`MAX_ANSWER_FIELDS`). */
  readonly maxAnswerFields: number;
}

type Values = Readonly<Record<string, unknown>>;

/**
 * Refuses what could cost more than one request may, before the first call. The sums need the variables, so they are
 * made where those are known: at execution, also of a document that is long validated.
 */
export function useQueryCost(limits: QueryCostLimits): Plugin<Context> {
  return {
    onExecute: ({ args, setResultAndStopExecution }) => {
      // A stranger is refused at each field, and is not told what others may ask for.
      const { backend, caller } = args.contextValue;
      if (!backend.authenticate(caller).ok) return;
      const operation = getOperationAST(args.document, args.operationName);
      const variables = operation && variablesOf(operation, args.variableValues ?? {});
      if (!variables) return;
      const error = tooCostly(
        { schema: args.schema, operation, fragments: fragmentsOf(args.document), variables },
        limits,
      );
      if (error) setResultAndStopExecution({ errors: [error] });
    },
  };
}

function tooCostly(costed: CostedOperation, { maxUpstreamCalls, maxAnswerFields }: QueryCostLimits) {
  try {
    const { total, parts, fields } = costOfQuery(costed);
    if (costed.operation.operation === 'query' && total > maxUpstreamCalls) {
      const listed = parts.slice(0, 10).map(([field, calls]) => `${field} ${calls}`);
      return refusal(
        `The query may cost ${total} calls to the service; ${maxUpstreamCalls} are allowed. It costs: ${listed.join(', ')}. ${ADVICE}`,
      );
    }
    if (fields <= maxAnswerFields) return null;
    return refusal(`The answer may have ${fields} fields; ${maxAnswerFields} are allowed. ${ADVICE}`);
  } catch (error) {
    // An argument that does not fit. Where one hid the others, what they cost would not be known.
    if (error instanceof GraphQLError) return error;
    throw error;
  }
}

const ADVICE = 'Ask for fewer items, or for less of each.';

/** Nothing was executed, so there is no data: 400, or 200 where the client reads `application/json` only. */
const refusal = (message: string): GraphQLError =>
  new GraphQLError(message, {
    extensions: { ...FAILURE_TRAITS['query-too-costly'], http: { spec: true, status: 400 } },
  });

function fragmentsOf({ definitions }: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  return fragments;
}

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
