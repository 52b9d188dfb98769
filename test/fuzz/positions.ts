import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
  isInputObjectType,
  isListType,
} from 'graphql';
import { argumentsOf, SCOPES } from './bases.ts';

export type Path = readonly (string | number)[];

/** Where a value can stand: an argument of a root field, or an input field or a list item somewhere within it. */
export interface Place {
  readonly operation: 'query' | 'mutation';
  readonly field: string;
  /** From the argument on. */
  readonly path: Path;
}

/** Every place of every root field. What the schema gains is found here without being named. */
export function placesOf(schema: GraphQLSchema): readonly Place[] {
  const roots = [
    ['query', schema.getQueryType()],
    ['mutation', schema.getMutationType()],
  ] as const;
  return roots.flatMap(([operation, type]) =>
    Object.values(type?.getFields() ?? {}).flatMap((field) =>
      pathsOfField(field).map((path) => ({ operation, field: field.name, path })),
    ),
  );
}

const pathsOfField = (field: GraphQLField<unknown, unknown>): readonly Path[] =>
  field.args.flatMap((arg) => pathsOf(arg.type, [arg.name]));

function pathsOf(type: GraphQLInputType, path: Path): readonly Path[] {
  const bare = getNullableType(type);
  if (isListType(bare)) return [path, ...pathsOf(bare.ofType, [...path, 0])];
  if (!isInputObjectType(bare)) return [path];
  const fields = Object.values(bare.getFields());
  return [path, ...fields.flatMap((field) => pathsOf(field.type, [...path, field.name]))];
}

/** Arguments that are right but for the value at the place. */
export const argumentsWith = ({ field, path }: Place, value: unknown): object => ({
  ...Object(replaceAt(argumentsOf(field), path, value)),
});

function replaceAt(base: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  if (typeof key === 'number') return [replaceAt(Array.isArray(base) ? base[key] : undefined, rest, value)];
  const members = Object.entries(base ?? {});
  // A branch of a `@oneOf` takes the place of the others.
  if (members.some(([name]) => SCOPES.has(name))) return { [key]: replaceAt(SCOPES.get(key), rest, value) };
  const inside = members.find(([name]) => name === key)?.[1];
  return { ...Object(base), [key]: replaceAt(inside, rest, value) };
}
