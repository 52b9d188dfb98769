import {
  coerceInputValue,
  GraphQLError,
  type GraphQLSchema,
  isInputType,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql';
import type { VariableValues } from '../execution-args.ts';
import { isObjectValue } from './coerce-input.ts';

/** Values and characters. */
const LARGE_WEIGHT = 10_000;

export const MAX_VARIABLE_ERRORS = 20;

/**
 * The errors of large variables; none for small ones. graphql-js quotes each invalid value whole in up to 50 errors,
 * which took up to 15 s. These errors name only the path of the value.
 */
export const largeVariableErrors = (
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  values: VariableValues,
): readonly GraphQLError[] => (weightOf(values) < LARGE_WEIGHT ? [] : coercionErrorsOf(schema, operation, values));

/** Counts values and characters, up to about the limit. */
function weightOf(value: unknown, limit = LARGE_WEIGHT): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  let weight = 1;
  for (const [key, part] of Object.entries(value)) {
    weight += key.length + weightOf(part, limit - weight);
    if (weight >= limit) break;
  }
  return weight;
}

function coercionErrorsOf(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  values: VariableValues,
): readonly GraphQLError[] {
  const errors: GraphQLError[] = [];
  let quotedLength = 0;
  for (const definition of operation.variableDefinitions ?? []) {
    const name = definition.variable.name.value;
    const type = typeFromAST(schema, definition.type);
    if (!isInputType(type) || !Object.hasOwn(values, name)) continue;
    const report = (path: readonly (string | number)[], _value: unknown, { message }: GraphQLError) => {
      const at = path.length > 0 ? ` at "${[name, ...path].join('.')}"` : '';
      errors.push(new GraphQLError(`Variable "$${name}" got an invalid value${at}; ${message}`, { nodes: definition }));
      // graphql-js quotes an object with all its members.
      quotedLength += message.length;
      if (errors.length >= MAX_VARIABLE_ERRORS || quotedLength >= LARGE_WEIGHT) throw STOP_COERCION;
    };
    try {
      // The last argument hides suggestions: finding one for a name of 10 MB takes half a second.
      coerceInputValue(truncateTexts(values[name]), type, report, true);
    } catch (thrown) {
      if (thrown === STOP_COERCION) break;
      throw thrown;
    }
  }
  return errors;
}

/** Characters of a text in an error. */
const MAX_QUOTED_LENGTH = 500;

/**
 * Cuts long texts in a value. This hides no error: a text is valid at any length, and a value of another type stays
 * invalid. Returns the value itself when no text is too long.
 */
function truncateTexts(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > MAX_QUOTED_LENGTH ? `${value.slice(0, MAX_QUOTED_LENGTH).toWellFormed()}…` : value;
  if (Array.isArray(value)) {
    const items = value.map(truncateTexts);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isObjectValue(value)) return value;
  let changed: Record<string, unknown> | null = null;
  // The entries of an object with thousands of members would take twice the time of its keys.
  for (const name of Object.keys(value)) {
    const member = value[name];
    const short = truncateTexts(member);
    if (short === member) continue;
    changed ??= { ...value };
    changed[name] = short;
  }
  return changed ?? value;
}

/** Thrown to end a coercion, which has no other way to stop. */
const STOP_COERCION = Symbol('stop coercion');
