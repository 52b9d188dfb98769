import type { ObjectRef } from '@pothos/core';
import { DEFAULT_PAGE_SIZE, type Edge, MAX_PAGE_SIZE, type Page, type PageRequest } from '../../domain/pages.ts';
import { builder } from '../builder.ts';
import { invalidArgumentError } from '../errors/graphql-errors.ts';
import { MAX_OPAQUE_LENGTH } from './global-ids.ts';
import type { NodeValue } from './nodes.ts';

type NodeRef = ObjectRef<(typeof builder)['$inferSchemaTypes'], NodeValue>;

/** The arguments of every paginated list. */
export const pageArgs = builder.args((t) => ({
  first: t.int({
    description: `How many to read at most, from 1 to ${MAX_PAGE_SIZE}; ${DEFAULT_PAGE_SIZE} where it is left out.`,
  }),
  after: t.string({ description: 'A cursor of an earlier page; the page begins behind it.' }),
}));

interface PageArgs {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
}

/** Throws when an argument is invalid, rather than silently reading a page of another size. */
export function toPageRequest({ first, after }: PageArgs): PageRequest {
  const limit = first ?? DEFAULT_PAGE_SIZE;
  if (limit < 1 || limit > MAX_PAGE_SIZE) {
    throw invalidArgumentError(['first'], `first must be from 1 to ${MAX_PAGE_SIZE}; it is ${limit}.`);
  }
  if (after != null && after.length > MAX_OPAQUE_LENGTH) {
    throw invalidArgumentError(['after'], 'after must be a cursor of an earlier page of this list.');
  }
  return { limit, after: after ?? null };
}

const PageInfo = builder.objectRef<Page<unknown>>('PageInfo').implement({
  description: 'Where a page stands in its list.',
  fields: (t) => ({
    hasNextPage: t.exposeBoolean('hasNextPage', { description: 'Whether there is more behind this page.' }),
    hasPreviousPage: t.exposeBoolean('hasPreviousPage', {
      description: 'Whether there is something before this page.',
    }),
    startCursor: t.string({
      nullable: true,
      description: 'The cursor of the first edge; null where the page is empty.',
      resolve: ({ edges }) => edges[0]?.cursor ?? null,
    }),
    endCursor: t.string({
      nullable: true,
      description: 'The cursor of the last edge, to ask for the next page with; null where the page is empty.',
      resolve: ({ edges }) => edges.at(-1)?.cursor ?? null,
    }),
  }),
});

/** Creates the Relay connection of a type, with `nodes` and `totalCount` in addition to the standard fields. */
export function createConnectionType(name: string, node: NodeRef, plural: string) {
  const edge = builder.objectRef<Edge<NodeValue>>(`${name}Edge`).implement({
    description: `One of the ${plural} in a page, with its cursor.`,
    fields: (t) => ({
      cursor: t.exposeString('cursor', { description: 'Opaque; give it as `after` to read on from here.' }),
      node: t.expose('node', { type: node, description: 'What stands here.' }),
    }),
  });
  return builder.objectRef<Page<NodeValue>>(`${name}Connection`).implement({
    description: `A page of ${plural}.`,
    fields: (t) => ({
      edges: t.expose('edges', { type: [edge], description: 'The page, with a cursor for each.' }),
      nodes: t.field({
        type: [node],
        description: 'The page without cursors.',
        resolve: ({ edges }) => edges.map((entry) => entry.node),
      }),
      pageInfo: t.field({ type: PageInfo, description: 'Where the page stands in the list.', resolve: (page) => page }),
      totalCount: t.int({
        nullable: true,
        description: 'How many there are in all pages together; null where the service has no total.',
        resolve: ({ totalCount }) => totalCount?.() ?? null,
      }),
    }),
  });
}
