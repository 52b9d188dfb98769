import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../context.ts';
import { invalidArgumentError } from '../errors/graphql-errors.ts';
import { decodeGlobalId } from '../relay/global-ids.ts';
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

/** The most entities of one request. A router sends all that it needs of a list together. */
export const MAX_REPRESENTATIONS = 1_000;

type EntityTypeName = keyof typeof ENTITY_KEYS;

export const isEntityTypeName = (name: unknown): name is EntityTypeName =>
  typeof name === 'string' && Object.hasOwn(ENTITY_KEYS, name);

/** As in the arguments of other reads, an ID is a text that is not empty. */
function keyFieldOf(representation: object, field: string): string | null {
  const value: unknown = Object.hasOwn(representation, field) ? Reflect.get(representation, field) : null;
  return typeof value === 'string' && value !== '' ? value : null;
}

interface EntityRequest {
  readonly context: Context;
  readonly info: GraphQLResolveInfo;
  /** The place of the representation in the argument. */
  readonly index: number;
}

/** Finds the entity that a representation names by one of its keys. Rejects where the representation is invalid. */
export async function findEntity(representation: unknown, request: EntityRequest): Promise<NodeValue | null> {
  const path = ['representations', `${request.index}`];
  if (typeof representation !== 'object' || representation === null)
    throw invalidArgumentError(path, `${path.join('.')} must be an object.`);
  const typeName = keyFieldOf(representation, '__typename');
  if (!isEntityTypeName(typeName)) {
    const known = Object.keys(ENTITY_KEYS).join(', ');
    throw invalidArgumentError([...path, '__typename'], `${path.join('.')}.__typename must be one of ${known}.`);
  }
  const parts = globalIdPartsOf(representation, typeName, path) ?? ownKeyOf(representation, typeName);
  if (parts !== null) return findNodeByParts(typeName, parts, request);
  const ownKey = ENTITY_KEYS[typeName].join(' and ');
  throw invalidArgumentError(path, `${path.join('.')} needs a key of ${typeName}: id, or ${ownKey}, as texts.`);
}

/** The parts of the global ID; null when the representation has none. Throws when it is one of something else. */
function globalIdPartsOf(representation: object, typeName: EntityTypeName, path: readonly string[]) {
  const id = keyFieldOf(representation, 'id');
  if (id === null) return null;
  const decoded = decodeGlobalId(id);
  if (decoded?.typeName === typeName) return decoded.parts;
  throw invalidArgumentError([...path, 'id'], `${path.join('.')}.id is no global ID of the type ${typeName}.`);
}

function ownKeyOf(representation: object, typeName: EntityTypeName): readonly string[] | null {
  const values = ENTITY_KEYS[typeName].map((field) => keyFieldOf(representation, field));
  return values.every((value) => value !== null) ? values : null;
}
