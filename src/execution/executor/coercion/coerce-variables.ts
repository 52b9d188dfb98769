import {
  type GraphQLError,
  type GraphQLSchema,
  getVariableValues,
  isInputType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
  valueFromAST,
} from 'graphql';
import type { VariableValues } from '../execution-args.ts';
import { type CoerceInputValue, type CoerceInputValueOf, NOT_COERCED } from './coerce-input.ts';
import { largeVariableErrors, MAX_VARIABLE_ERRORS } from './large-variables.ts';

type CoercedVariables =
  | { readonly coerced: VariableValues; readonly errors?: never }
  | { readonly coerced?: never; readonly errors: readonly GraphQLError[] };

/** CoerceVariableValues of the specification for one operation. */
export type CoerceVariableValues = (values: VariableValues) => CoercedVariables;

interface VariableDefinition {
  readonly name: string;
  readonly coerce: CoerceInputValue;
  readonly isRequired: boolean;
  readonly defaultValue: unknown;
}

export const createCoerceVariableValues = (
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  coerceInputValueOf: CoerceInputValueOf,
): CoerceVariableValues => {
  const tryCoerce = createTryCoerceVariables(schema, operation, coerceInputValueOf);
  return (values) => {
    const coerced = tryCoerce(values);
    if (coerced) return { coerced };
    const errors = largeVariableErrors(schema, operation, values);
    return errors.length > 0 ? { errors } : coerceWithGraphqlJs(schema, operation, values);
  };
};

/**
 * Coerces valid variables; returns null when graphql-js has to decide. Values that coercion does not change are not
 * copied, so that a list of a thousand articles takes a quarter of the time of graphql-js.
 * @internal Exported for tests.
 */
export function createTryCoerceVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  coerceInputValueOf: CoerceInputValueOf,
): (values: VariableValues) => VariableValues | null {
  const definitions: VariableDefinition[] = [];
  for (const { variable, type: typeNode, defaultValue } of variableDefinitions) {
    const type = typeFromAST(schema, typeNode);
    if (!isInputType(type)) return () => null;
    definitions.push({
      name: variable.name.value,
      coerce: coerceInputValueOf(type),
      isRequired: isNonNullType(type),
      defaultValue: defaultValue && valueFromAST(defaultValue, type),
    });
  }
  return (values) => coerceDefinedVariables(definitions, values);
}

function coerceDefinedVariables(
  definitions: readonly VariableDefinition[],
  values: VariableValues,
): VariableValues | null {
  const coerced: Record<string, unknown> = Object.create(null);
  for (const { name, coerce, isRequired, defaultValue } of definitions) {
    const value = Object.hasOwn(values, name) ? coerce(values[name]) : defaultValue;
    if (value === NOT_COERCED || (value == null && isRequired)) return null;
    if (value !== undefined) coerced[name] = value;
  }
  return coerced;
}

function coerceWithGraphqlJs(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  values: VariableValues,
): CoercedVariables {
  const { errors, coerced } = getVariableValues(schema, variableDefinitions, values, {
    maxErrors: MAX_VARIABLE_ERRORS,
  });
  // Without a prototype, since a variable may have the name of an inherited member.
  return errors ? { errors } : { coerced: Object.assign(Object.create(null), coerced) };
}
