import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
} from 'graphql';

/**
 * Whether coercion surely takes a value for a type. It says no where that is not plain to see, of an item that stands for
 * a list of one, say; never yes to what coercion refuses.
 */
export function fits(type: GraphQLInputType, value: unknown): boolean {
  if (isNonNullType(type)) return value != null && fits(type.ofType, value);
  if (value == null) return true;
  if (isListType(type)) return Array.isArray(value) && value.every((item) => fits(type.ofType, item));
  if (isInputObjectType(type)) return isObject(value) && fitsObject(type, value);
  if (isEnumType(type)) return typeof value === 'string' && type.getValue(value) !== undefined;
  try {
    return type.parseValue(value) !== undefined;
  } catch {
    return false;
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function fitsObject(type: GraphQLInputObjectType, value: Readonly<Record<string, unknown>>): boolean {
  const fields = type.getFields();
  let given = 0;
  for (const name in fields) {
    const field = fields[name];
    if (!field) continue;
    const part = value[name];
    if (part === undefined ? isRequiredInputField(field) : !fits(field.type, part)) return false;
    if (part !== undefined) given += 1;
    if (type.isOneOf && part === null) return false;
  }
  return given === Object.keys(value).length && (!type.isOneOf || given === 1);
}
