import { type FieldNode, type GraphQLField, getArgumentValues, isNonNullType, Kind } from 'graphql';

type Arguments = { [name: string]: unknown };

/** The arguments of a field as an operation states it, with its variables. Throws a GraphQLError where they do not fit. */
export type FieldArguments = (variables: Readonly<Record<string, unknown>>) => Arguments;

/**
 * As graphql-js has them, which looks each of them up anew every time. Those that are variables or not given, as nearly all
 * are, are looked up here once.
 */
export function fieldArguments(definition: GraphQLField<unknown, unknown>, node: FieldNode): FieldArguments {
  if (definition.args.length === 0) return none;
  const ofGraphqlJs: FieldArguments = (variables) => getArgumentValues(definition, node, variables);
  const names = new Map<string, string>();
  for (const { name, value } of node.arguments ?? []) {
    if (value.kind !== Kind.VARIABLE) return ofGraphqlJs;
    names.set(name.value, value.name.value);
  }
  const known = definition.args.map(({ name, type, defaultValue }) => ({
    name,
    variable: names.get(name),
    isRequired: isNonNullType(type),
    defaultValue,
  }));
  return (variables) => {
    const values: Arguments = {};
    for (const { name, variable, isRequired, defaultValue } of known) {
      const given = variable === undefined ? undefined : variables[variable];
      const value = given === undefined ? defaultValue : given;
      // That something is wrong, and what, graphql-js says.
      if (value == null && isRequired) return ofGraphqlJs(variables);
      if (value !== undefined) values[name] = value;
    }
    return values;
  };
}

const NO_ARGUMENTS: Arguments = Object.freeze({});

const none: FieldArguments = () => NO_ARGUMENTS;
