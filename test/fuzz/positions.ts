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

/** A position of a value: an argument of a root field, or an input field or list item within it. */
export interface InputPosition {
  readonly operation: 'query' | 'mutation';
  readonly field: string;
  /** The path from the argument. */
  readonly path: Path;
}

/** The members of the representation of an entity, of which the schema says nothing. */
const REPRESENTATION = ['__typename', 'articleId', 'languageCode', 'id'];

/** Every position of every root field. New fields of the schema are found without being named here. */
export function positionsOf(schema: GraphQLSchema): readonly InputPosition[] {
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
  if (!isInputObjectType(bare))
    return [path, ...(`${bare}` === '_Any' ? REPRESENTATION.map((name) => [...path, name]) : [])];
  const fields = Object.values(bare.getFields());
  return [path, ...fields.flatMap((field) => pathsOf(field.type, [...path, field.name]))];
}

/** Valid arguments, except for the value at the position. */
export const argumentsWith = ({ field, path }: InputPosition, value: unknown): object => ({
  ...Object(replaceAt(argumentsOf(field), path, value)),
});

function replaceAt(base: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  if (typeof key === 'number') return [replaceAt(Array.isArray(base) ? base[key] : undefined, rest, value)];
  const members = Object.entries(base ?? {});
  // A member of a `@oneOf` replaces the others.
  if (members.some(([name]) => SCOPES.has(name))) return { [key]: replaceAt(SCOPES.get(key), rest, value) };
  const inside = members.find(([name]) => name === key)?.[1];
  return { ...Object(base), [key]: replaceAt(inside, rest, value) };
}
