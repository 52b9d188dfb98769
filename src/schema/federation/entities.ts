import type { GraphQLError, GraphQLResolveInfo } from 'graphql';
import type { Context } from '../context.ts';
import { invalidArgumentError } from '../errors/graphql-errors.ts';
import { decodeGlobalId, type GlobalId } from '../relay/global-ids.ts';
import { findNodeByParts } from '../relay/node-finders.ts';
import type { NodeTypeName, NodeValue } from '../relay/nodes.ts';

/**
 * The types that other subgraphs may refer to and extend, with the fields of the service's own key. These are the first
 * parts of the global ID, which is the other key of each.
 */
export const ENTITY_KEYS = {
  Article: ['articleId', 'languageCode'],
  Category: ['categoryId', 'languageCode'],
  ProjectVersion: ['projectVersionId'],
  Reader: ['readerId'],
  ReaderGroup: ['groupId'],
} as const satisfies Partial<Record<NodeTypeName, readonly string[]>>;

type EntityTypeName = keyof typeof ENTITY_KEYS;

export const isEntityTypeName = (name: unknown): name is EntityTypeName =>
  typeof name === 'string' && Object.hasOwn(ENTITY_KEYS, name);

interface EntityId extends GlobalId {
  readonly typeName: EntityTypeName;
}

/** As in the arguments of other reads, an ID is a text that is not empty. */
function keyFieldOf(representation: unknown, field: string): string | null {
  if (typeof representation !== 'object' || representation === null || !Object.hasOwn(representation, field))
    return null;
  const value: unknown = Reflect.get(representation, field);
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Reads the key of a representation as the parts of a global ID. Null when it is invalid. */
export function readRepresentation(representation: unknown): EntityId | null {
  const typeName = keyFieldOf(representation, '__typename');
  if (!isEntityTypeName(typeName)) return null;
  const id = keyFieldOf(representation, 'id');
  if (id !== null) {
    const decoded = decodeGlobalId(id);
    return decoded?.typeName === typeName ? { typeName, parts: decoded.parts } : null;
  }
  const parts = ENTITY_KEYS[typeName].map((field) => keyFieldOf(representation, field));
  return parts.every((part) => part !== null) ? { typeName, parts } : null;
}

interface EntityRequest {
  readonly context: Context;
  readonly info: GraphQLResolveInfo;
  /** The place of the representation in the argument. */
  readonly index: number;
}

/** Finds the entity that a representation names. Rejects where the representation is invalid. */
export async function findEntity(representation: unknown, request: EntityRequest): Promise<NodeValue | null> {
  const named = readRepresentation(representation);
  const found = named && findNodeByParts(named.typeName, named.parts, request);
  if (found === null) throw invalidRepresentation(representation, `${request.index}`);
  return found;
}

function invalidRepresentation(representation: unknown, index: string): GraphQLError {
  const path = ['representations', index];
  const name = path.join('.');
  const typeName = keyFieldOf(representation, '__typename');
  if (!isEntityTypeName(typeName)) {
    const known = Object.keys(ENTITY_KEYS).join(', ');
    return invalidArgumentError([...path, '__typename'], `${name}.__typename must be one of ${known}.`);
  }
  if (keyFieldOf(representation, 'id') !== null)
    return invalidArgumentError([...path, 'id'], `${name}.id is no global ID of the type ${typeName}.`);
  const ownKey = ENTITY_KEYS[typeName].join(' and ');
  return invalidArgumentError(path, `${name} needs a key of ${typeName}: id, or ${ownKey}, as texts.`);
}
