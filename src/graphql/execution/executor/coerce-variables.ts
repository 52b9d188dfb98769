import {
  coerceInputValue,
  GraphQLError,
  GraphQLID,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLLeafType,
  type GraphQLList,
  type GraphQLSchema,
  GraphQLString,
  getVariableValues,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  type OperationDefinitionNode,
  typeFromAST,
  type VariableDefinitionNode,
  valueFromAST,
} from 'graphql';
import { isObject, type JsonObject } from '../../../core/base/json.ts';
import { memoize } from '../../../core/base/lazily.ts';
import { MAX_ERROR_BYTES, MAX_ERRORS } from '../../../core/base/limits.ts';
import { shorten } from '../../../core/base/text.ts';
import type { VariableValues } from './execution-context.ts';

/**
 * Coerces a value to an input type. Returns the value itself when coercion does not change it, and NOT_COERCED when the
 * value is invalid or needs more than this (a single item given for a list, for example): graphql-js then decides.
 */
type CoerceInputValue = (value: unknown) => unknown;

type CoerceInputValueOf = (type: GraphQLInputType) => CoerceInputValue;

const NOT_COERCED = Symbol('not coerced');

/** Input coercion of the specification for valid values, created once for each type of a schema. */
export function createCoerceInputValueOf(): CoerceInputValueOf {
  const coerceInputValueOf: CoerceInputValueOf = memoize((type) => {
    const coerce = coerceByKind(isNonNullType(type) ? type.ofType : type, coerceInputValueOf);
    return isNonNullType(type)
      ? (value) => (value == null ? NOT_COERCED : coerce(value))
      : (value) => (value == null ? null : coerce(value));
  });
  return coerceInputValueOf;
}

/** Coerces non-null values. */
function coerceByKind(
  type: GraphQLLeafType | GraphQLInputObjectType | GraphQLList<GraphQLInputType>,
  coerceInputValueOf: CoerceInputValueOf,
): CoerceInputValue {
  if (isListType(type)) return coerceListValue(coerceInputValueOf(type.ofType));
  return isInputObjectType(type) ? coerceInputObject(type, coerceInputValueOf) : coerceLeafValue(type);
}

/** Characters. Numbers and names of enum values are shorter, and graphql-js works long on a wrong text for its error. */
const LONG_TEXT = 1_000;

const coerceLeafValue =
  (type: GraphQLLeafType): CoerceInputValue =>
  (value) => {
    if (typeof value === 'string' && value.length > LONG_TEXT && type !== GraphQLString && type !== GraphQLID)
      return NOT_COERCED;
    try {
      const coerced: unknown = type.parseValue(value);
      return coerced === undefined ? NOT_COERCED : coerced;
    } catch {
      return NOT_COERCED;
    }
  };

const coerceListValue =
  (coerce: CoerceInputValue): CoerceInputValue =>
  (items) => {
    if (!Array.isArray(items)) return NOT_COERCED;
    let changed: unknown[] | null = null;
    for (let index = 0; index < items.length; index++) {
      const item = coerce(items[index]);
      if (item === NOT_COERCED) return NOT_COERCED;
      if (item === items[index]) continue;
      changed ??= [...items];
      changed[index] = item;
    }
    return changed ?? items;
  };

interface InputFields {
  readonly coercions: ReadonlyMap<string, CoerceInputValue>;
  readonly required: readonly string[];
  readonly defaults: readonly (readonly [name: string, value: unknown])[];
}

function inputFieldsOf(type: GraphQLInputObjectType, coerceInputValueOf: CoerceInputValueOf): InputFields {
  const fields = Object.values(type.getFields());
  return {
    coercions: new Map(fields.map((field) => [field.name, coerceInputValueOf(field.type)])),
    required: fields.filter(isRequiredInputField).map(({ name }) => name),
    defaults: fields.flatMap(({ name, defaultValue }) => (defaultValue === undefined ? [] : [[name, defaultValue]])),
  };
}

function coerceInputObject(type: GraphQLInputObjectType, coerceInputValueOf: CoerceInputValueOf): CoerceInputValue {
  // Created on first use, since an input type may contain itself.
  let inputFields: InputFields | null = null;
  return (value) => {
    if (!isObject(value)) return NOT_COERCED;
    inputFields ??= inputFieldsOf(type, coerceInputValueOf);
    return type.isOneOf && !hasExactlyOneField(value) ? NOT_COERCED : coerceInputFields(inputFields, value);
  };
}

function hasExactlyOneField(value: JsonObject): boolean {
  const values = Object.values(value);
  return values.length === 1 && values[0] != null;
}

function coerceInputFields(inputFields: InputFields, value: JsonObject): unknown {
  let changed: Record<string, unknown> | null = null;
  for (const name in value) {
    const fieldValue = value[name];
    const coerce = inputFields.coercions.get(name);
    const coerced = coerce === undefined || fieldValue === undefined ? NOT_COERCED : coerce(fieldValue);
    if (coerced === NOT_COERCED) return NOT_COERCED;
    if (coerced === fieldValue) continue;
    changed ??= { ...value };
    changed[name] = coerced;
  }
  for (const name of inputFields.required) if (value[name] === undefined) return NOT_COERCED;
  for (const [name, defaultValue] of inputFields.defaults) {
    if (Object.hasOwn(value, name)) continue;
    changed ??= { ...value };
    changed[name] = defaultValue;
  }
  return changed ?? value;
}

/**
 * The errors about the values of variables. graphql-js quotes each invalid value whole in up to 50 errors, which took up
 * to 15 s. These name the path of the value.
 */
function errorsOfVariables(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  values: VariableValues,
): readonly GraphQLError[] {
  const errors: GraphQLError[] = [];
  let quotedLength = 0;
  for (const definition of definitions) {
    const name = definition.variable.name.value;
    const type = typeFromAST(schema, definition.type);
    if (!isInputType(type) || !Object.hasOwn(values, name)) continue;
    const report = (path: readonly (string | number)[], _value: unknown, { message }: GraphQLError) => {
      const at = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
      errors.push(
        new GraphQLError(`Variable "$${name}" got an invalid value at "${name}${at}"; ${message}`, {
          nodes: definition,
        }),
      );
      // graphql-js quotes an object with all its members.
      quotedLength += message.length;
      if (errors.length >= MAX_ERRORS || quotedLength >= MAX_ERROR_BYTES) throw STOP_COERCION;
    };
    try {
      coerceInputValue(truncateTexts(values[name]), type, report);
    } catch (thrown) {
      if (thrown === STOP_COERCION) break;
      throw thrown;
    }
  }
  return errors;
}

/** Thrown to end a coercion, which has no other way to stop. */
const STOP_COERCION = Symbol('stop coercion');

/** Characters of a text in an error. */
const MAX_QUOTED_LENGTH = 500;

/**
 * Cuts long texts, and long names, for which graphql-js looks for similar ones. This hides no error: a text is valid at any
 * length, a value of another type stays invalid, and no field has such a name.
 */
function truncateTexts(value: unknown): unknown {
  if (typeof value === 'string') return shorten(value, MAX_QUOTED_LENGTH);
  if (Array.isArray(value)) return value.map(truncateTexts);
  if (!isObject(value)) return value;
  const short: Record<string, unknown> = Object.create(null);
  // The entries of an object with thousands of members would take twice the time of its keys.
  for (const name of Object.keys(value)) short[String(truncateTexts(name))] = truncateTexts(value[name]);
  return short;
}

/** CoerceVariableValues of the specification for one operation. */
export type CoerceVariableValues = (values: VariableValues) => ReturnType<typeof getVariableValues>;

export const createCoerceVariableValues = (
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  coerceInputValueOf: CoerceInputValueOf,
): CoerceVariableValues => {
  const { variableDefinitions = [] } = operation;
  const tryCoerce = createTryCoerceVariables(schema, operation, coerceInputValueOf);
  return (values) => {
    const valid = tryCoerce(values);
    if (valid) return { coerced: valid };
    const valueErrors = errorsOfVariables(schema, variableDefinitions, values);
    if (valueErrors.length > 0) return { errors: valueErrors };
    // A required variable is missing, or coercion changes a value, such as a single item that is given for a list.
    const options = { maxErrors: MAX_ERRORS };
    const { errors, coerced } = getVariableValues(schema, variableDefinitions, values, options);
    // Without a prototype, since a variable may have the name of an inherited member.
    return errors ? { errors } : { coerced: Object.assign(Object.create(null), coerced) };
  };
};

/**
 * Coerces valid variables; returns null when graphql-js has to decide. Values that coercion does not change are not
 * copied: graphql-js takes ten times as long for one article, and thirty times for a hundred.
 * @internal Exported for tests.
 */
export function createTryCoerceVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  coerceInputValueOf: CoerceInputValueOf,
): (values: VariableValues) => Record<string, unknown> | null {
  const definitions = variableDefinitions.map(({ variable, type: typeNode, defaultValue }) => {
    const type = typeFromAST(schema, typeNode);
    return {
      name: variable.name.value,
      coerce: isInputType(type) ? coerceInputValueOf(type) : () => NOT_COERCED,
      isRequired: isNonNullType(type),
      defaultValue: isInputType(type) && defaultValue ? valueFromAST(defaultValue, type) : undefined,
    };
  });
  return (values) => {
    const coerced: Record<string, unknown> = Object.create(null);
    for (const { name, coerce, isRequired, defaultValue } of definitions) {
      const value = Object.hasOwn(values, name) ? coerce(values[name]) : defaultValue;
      if (value === NOT_COERCED || (value == null && isRequired)) return null;
      if (value !== undefined) coerced[name] = value;
    }
    return coerced;
  };
}
