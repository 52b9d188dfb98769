import { type FieldNode, type GraphQLField, getArgumentValues, isNonNullType, Kind } from 'graphql';
import type { ArgumentValues, CoerceArgumentValues } from './execution-context.ts';

/**
 * Looks up the arguments of a field once when all of them are variables or left out, as they nearly always are.
 * graphql-js coerces all others.
 */
export function createArgumentCoercion(
  definition: GraphQLField<unknown, unknown>,
  node: FieldNode,
): CoerceArgumentValues {
  if (definition.args.length === 0) return coerceNoArguments;
  const coerceWithGraphqlJs: CoerceArgumentValues = (variables) => getArgumentValues(definition, node, variables);
  const variableNames = new Map<string, string>();
  for (const { name, value } of node.arguments ?? []) {
    if (value.kind !== Kind.VARIABLE) return coerceWithGraphqlJs;
    variableNames.set(name.value, value.name.value);
  }
  const argumentDefinitions = definition.args.map(({ name, type, defaultValue }) => ({
    name,
    variable: variableNames.get(name),
    isRequired: isNonNullType(type),
    defaultValue,
  }));
  return (variables) => {
    const values: ArgumentValues = {};
    for (const { name, variable, isRequired, defaultValue } of argumentDefinitions) {
      const variableValue = variable === undefined ? undefined : variables[variable];
      const value = variableValue === undefined ? defaultValue : variableValue;
      // graphql-js throws the error.
      if (value == null && isRequired) return coerceWithGraphqlJs(variables);
      if (value !== undefined) values[name] = value;
    }
    return values;
  };
}

const NO_ARGUMENTS: ArgumentValues = Object.freeze({});

const coerceNoArguments: CoerceArgumentValues = () => NO_ARGUMENTS;
