import {
  GraphQLID,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLLeafType,
  GraphQLString,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
} from 'graphql';
import { memoize } from '../memoize.ts';

/**
 * Coerces a value to an input type. Returns the value itself when coercion does not change it, and NOT_COERCED when the
 * value is invalid or needs more than this (a single item given for a list, for example): graphql-js then decides.
 */
export type CoerceInputValue = (value: unknown) => unknown;

export type CoerceInputValueOf = (type: GraphQLInputType) => CoerceInputValue;

export const NOT_COERCED = Symbol('not coerced');

/** Input coercion of the specification for valid values, created once for each type of a schema. */
export function createCoerceInputValueOf(): CoerceInputValueOf {
  const coerceInputValueOf: CoerceInputValueOf = memoize((type) =>
    isNonNullType(type)
      ? coerceNonNullValue(coerceByKind(type.ofType, coerceInputValueOf))
      : coerceNullableValue(coerceByKind(type, coerceInputValueOf)),
  );
  return coerceInputValueOf;
}

const coerceNonNullValue =
  (coerce: CoerceInputValue): CoerceInputValue =>
  (value) =>
    value == null ? NOT_COERCED : coerce(value);

const coerceNullableValue =
  (coerce: CoerceInputValue): CoerceInputValue =>
  (value) =>
    value == null ? null : coerce(value);

/** Coerces non-null values. */
function coerceByKind(type: GraphQLInputType, coerceInputValueOf: CoerceInputValueOf): CoerceInputValue {
  if (isListType(type)) return coerceListValue(coerceInputValueOf(type.ofType));
  if (isInputObjectType(type)) return coerceInputObject(type, coerceInputValueOf);
  if (isNonNullType(type)) return coerceByKind(type.ofType, coerceInputValueOf);
  return coerceLeafValue(type);
}

/** Characters. Numbers and names of enum values are shorter, and graphql-js quotes a wrong text whole in its error. */
const MAX_LEAF_LENGTH = 1_000;

const coerceLeafValue =
  (type: GraphQLLeafType): CoerceInputValue =>
  (value) => {
    if (typeof value === 'string' && value.length > MAX_LEAF_LENGTH && !isTextType(type)) return NOT_COERCED;
    try {
      const coerced: unknown = type.parseValue(value);
      return coerced === undefined ? NOT_COERCED : coerced;
    } catch {
      return NOT_COERCED;
    }
  };

const isTextType = ({ name }: GraphQLLeafType): boolean => name === GraphQLString.name || name === GraphQLID.name;

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

type InputObject = Readonly<Record<string, unknown>>;

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
    if (!isObjectValue(value)) return NOT_COERCED;
    inputFields ??= inputFieldsOf(type, coerceInputValueOf);
    return type.isOneOf && !hasExactlyOneField(value) ? NOT_COERCED : coerceInputFields(inputFields, value);
  };
}

function hasExactlyOneField(value: InputObject): boolean {
  const values = Object.values(value);
  return values.length === 1 && values[0] != null;
}

function coerceInputFields(inputFields: InputFields, value: InputObject): unknown {
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

/** True for values with members: neither null nor a list. */
export const isObjectValue = (value: unknown): value is InputObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
