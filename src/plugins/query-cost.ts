import { type FragmentDefinitionNode, GraphQLError, getOperationAST, getVariableValues, Kind } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { FAILURE_TRAITS } from '../schema/failures.ts';
import { costOfQuery, type QueryCost } from '../schema/query-cost.ts';

/**
 * Refuses a query that could cost more calls to the service than one query may (`MAX_UPSTREAM_CALLS`), before the first
 * of them. The sum needs the variables, so it is made where they are known: at execution.
 */
export function useQueryCost(maxUpstreamCalls: number): Plugin {
  return {
    onExecute: ({ args, setResultAndStopExecution }) => {
      const operation = getOperationAST(args.document, args.operationName);
      if (operation?.operation !== 'query') return;
      const fragments = new Map<string, FragmentDefinitionNode>();
      for (const definition of args.document.definitions) {
        if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
      }
      const { coerced } = getVariableValues(
        args.schema,
        operation.variableDefinitions ?? [],
        args.variableValues ?? {},
      );
      // Variables that do not fit are for execution to refuse.
      if (!coerced) return;
      const cost = costOfQuery({ schema: args.schema, operation, fragments, variables: coerced });
      if (cost.total <= maxUpstreamCalls) return;
      setResultAndStopExecution({ errors: [refusal(explain(cost, maxUpstreamCalls))] });
    },
  };
}

/** Nothing was executed, so there is no data: 400, or 200 where the client reads `application/json` only. */
const refusal = (message: string): GraphQLError =>
  new GraphQLError(message, {
    extensions: { ...FAILURE_TRAITS['query-too-costly'], http: { spec: true, status: 400 } },
  });

function explain({ total, parts }: QueryCost, limit: number): string {
  const listed = parts.slice(0, 10).map(([field, calls]) => `${field} ${calls}`);
  return `The query may cost ${total} calls to the service; ${limit} are allowed. It costs: ${listed.join(', ')}. Ask for fewer items, or for less of each.`;
}
