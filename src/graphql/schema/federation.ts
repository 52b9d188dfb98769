import type { GraphQLResolveInfo } from 'graphql';
import { MAX_REPRESENTATIONS } from '../../core/base/limits.ts';
import { withThousands } from '../../core/base/text.ts';
import { ArticleType } from './articles/articles.ts';
import { CategoryType } from './articles/categories.ts';
import { ProjectVersionType } from './articles/project-versions.ts';
import { builder } from './builder.ts';
import { authorizeRead, type Context } from './context.ts';
import { invalidArgumentError } from './graphql-errors.ts';
import { findNodeByParts } from './node-queries.ts';
import { decodeGlobalId, type GlobalId, type NodeTypeName, type NodeValue, nodeTypeName } from './nodes.ts';
import { ReaderGroupType } from './reader-groups/reader-groups.ts';
import { ReaderType } from './reader-groups/readers.ts';

/**
 * The types that other subgraphs may refer to and extend, with the fields of the service's own key. The global ID is the
 * other key of each type, and its first parts are the values of these fields.
 */
export const ENTITY_KEYS = {
  Article: ['articleId', 'languageCode'],
  Category: ['categoryId', 'languageCode'],
  ProjectVersion: ['projectVersionId'],
  Reader: ['readerId'],
  ReaderGroup: ['groupId'],
} as const satisfies Partial<Record<NodeTypeName, readonly string[]>>;

const isEntityTypeName = (name: string | null): name is keyof typeof ENTITY_KEYS =>
  name !== null && Object.hasOwn(ENTITY_KEYS, name);

/** Returns an ID, which is a text that is not empty, as in the arguments of other reads; null for any other value. */
function keyFieldOf(representation: unknown, field: string): string | null {
  if (typeof representation !== 'object' || representation === null || !Object.hasOwn(representation, field))
    return null;
  const value: unknown = Reflect.get(representation, field);
  return typeof value === 'string' && value !== '' ? value : null;
}

export function readRepresentation(representation: unknown): GlobalId | null {
  const typeName = keyFieldOf(representation, '__typename');
  if (!isEntityTypeName(typeName)) return null;
  const id = keyFieldOf(representation, 'id');
  if (id !== null) {
    const decoded = decodeGlobalId(id);
    return decoded?.typeName === typeName ? decoded : null;
  }
  const parts = ENTITY_KEYS[typeName].map((field) => keyFieldOf(representation, field));
  return parts.every((part) => part !== null) ? { typeName, parts } : null;
}

const KEYS = Object.entries(ENTITY_KEYS).map(([name, fields]) => `${name} (id, or ${fields.join(' and ')})`);

/** Finds the entity that a representation names. Rejects with the index of a representation that names no entity. */
async function findEntity(
  context: Context,
  { representation, index }: { readonly representation: unknown; readonly index: number },
  info: GraphQLResolveInfo,
): Promise<NodeValue | null> {
  const named = readRepresentation(representation);
  const found = named ? findNodeByParts(context, named, info) : undefined;
  if (found !== undefined) return found;
  const place = `representations.${index}`;
  const message = `${place} must have the __typename of an entity and one of its keys, as texts: ${KEYS.join(', ')}.`;
  throw invalidArgumentError(place.split('.'), message);
}

builder.scalarType('_Any', {
  description: 'The representation of an entity: an object of `__typename` and the fields of one of its keys.',
  serialize: (value) => value,
  parseValue: (value) => value,
});

const EntityType = builder.unionType('_Entity', {
  description: 'A type to which other subgraphs may add fields.',
  types: [ArticleType, CategoryType, ProjectVersionType, ReaderType, ReaderGroupType],
  resolveType: nodeTypeName,
});

builder.queryFields((t) => ({
  _entities: t.field({
    type: t.listRef(EntityType, { nullable: true }),
    description: `The entities that representations name by their keys, in the order of the representations; null in the place of one that does not exist. An invalid representation is an error in its place.`,
    args: {
      representations: t.arg({
        type: ['_Any'],
        required: true,
        description: `At most ${withThousands(MAX_REPRESENTATIONS)} representations in one request.`,
      }),
    },
    resolve: async (...[_root, { representations }, context, info]) => {
      authorizeRead(context);
      context.entities += representations.length;
      if (context.entities > MAX_REPRESENTATIONS) throw tooManyEntities(context.entities);
      const found = representations.map((representation, index) =>
        findEntity(context, { representation, index }, info),
      );
      return (await Promise.allSettled(found)).map((one) => (one.status === 'fulfilled' ? one.value : one.reason));
    },
  }),
}));

const tooManyEntities = (count: number) =>
  invalidArgumentError(
    ['representations'],
    `representations must be at most ${MAX_REPRESENTATIONS} in one request; there are ${count}.`,
  );
