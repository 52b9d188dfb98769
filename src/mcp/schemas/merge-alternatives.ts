import type { JsonSchema } from './json-schemas.ts';

/**
 * Makes one schema of an object type and of those that have the same properties and others besides, which are optional
 * then: so all errors of a mutation become one alternative.
 */
export function mergeAlternatives(schemas: readonly JsonSchema[]): readonly JsonSchema[] {
  const merged: JsonSchema[] = [];
  for (const schema of schemas.toSorted((one, other) => sizeOf(one) - sizeOf(other))) {
    const index = merged.findIndex((base) => extendsBase(schema, base));
    const base = merged[index];
    if (base === undefined) merged.push(schema);
    else merged[index] = mergeInto(base, schema);
  }
  return merged;
}

const sizeOf = ({ properties = {} }: JsonSchema): number => Object.keys(properties).length;

/** The property that names the type. It differs between any two types. */
const TYPENAME = '__typename';

/** True where the schema has all that the base requires, besides the name, and means the same by the same names. */
function extendsBase({ properties = {} }: JsonSchema, { properties: base = {}, required = [] }: JsonSchema): boolean {
  const others = required.filter((name) => name !== TYPENAME);
  return (
    others.length > 0 &&
    others.every((name) => name in properties) &&
    Object.keys(properties).every(
      (name) => name === TYPENAME || !(name in base) || JSON.stringify(properties[name]) === JSON.stringify(base[name]),
    )
  );
}

function mergeInto(base: JsonSchema, { properties = {} }: JsonSchema): JsonSchema {
  const typenames = [base.properties?.[TYPENAME], properties[TYPENAME]].flatMap(namesOf);
  const typename = typenames.length === 0 ? {} : { [TYPENAME]: { type: 'string', enum: typenames } };
  return { ...base, properties: { ...base.properties, ...properties, ...typename } };
}

const namesOf = (typename: JsonSchema | undefined): readonly unknown[] => {
  const names = typename?.['enum'];
  return Array.isArray(names) ? names : [];
};
