import type { z } from 'zod';
import { closestName } from '../base/spelling.ts';
import { knowledgeBaseJsonSchema } from './json-schema.ts';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** The problem of a member that the format does not have at this path, with a suggestion. */
export function unknownMemberProblem(path: readonly PropertyKey[], member: string): string {
  const known = membersAt(path);
  const meant = closestName(member, known);
  return `is not known here: ${meant === null ? `the members are ${known.join(', ')}` : `did you mean "${meant}"?`}`;
}

/** The names of the members of an object, found by its path in the JSON Schema. */
function membersAt(path: readonly PropertyKey[]): readonly string[] {
  const found = path.reduce<readonly JsonSchema[]>(
    (schemas, key) => schemas.flatMap((schema) => childrenAt(schema, key)).flatMap(alternativesOf),
    [knowledgeBaseJsonSchema()],
  );
  return [...new Set(found.flatMap(({ properties = {} }) => Object.keys(properties)))];
}

function childrenAt({ items, properties }: JsonSchema, key: PropertyKey): readonly JsonSchema[] {
  const child = typeof key === 'number' ? items : properties?.[String(key)];
  return typeof child === 'object' && !Array.isArray(child) ? [child] : [];
}

/** A scope has a schema for each access level, and what may be null has one for null. */
function alternativesOf(schema: JsonSchema): readonly JsonSchema[] {
  const alternatives = schema.oneOf ?? schema.anyOf;
  return alternatives?.flatMap(alternativesOf) ?? [schema];
}
