import type { InterfaceRef, ObjectRef } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import type { Page } from '../../core/backend.ts';
import { DEFAULT_PAGE_SIZE, MAX_OPAQUE_LENGTH, MAX_PAGE_SIZE } from '../../core/base/limits.ts';
import type { Edge, PageRequest } from '../../core/base/pages.ts';
import { withThousands } from '../../core/base/text.ts';
import { builder, type SchemaTypes } from './builder.ts';
import { invalidArgumentError, openRead } from './graphql-errors.ts';
import { selectsAnyField } from './selected-fields.ts';

type ItemRef<T> = ObjectRef<SchemaTypes, T> | InterfaceRef<SchemaTypes, T>;

/** The arguments of a paginated list. */
export const pageArgsUpTo = (maxSize: number) =>
  builder.args((t) => ({
    first: t.int({
      description: `The largest number of items to read, from 1 to ${withThousands(maxSize)}; ${DEFAULT_PAGE_SIZE} when left out or null.`,
    }),
    after: t.string({
      description:
        'The `endCursor` of the page before, or the `cursor` of one of its edges, after which the page begins; the first page when left out or null.',
    }),
  }));

/** The arguments of most paginated lists. */
export const pageArgs = pageArgsUpTo(MAX_PAGE_SIZE);

interface PageArgs {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
}

/** Throws when an argument is invalid, rather than silently reading a page of another size. */
export function toPageRequest({ first, after }: PageArgs, maxSize = MAX_PAGE_SIZE): PageRequest {
  const limit = first ?? DEFAULT_PAGE_SIZE;
  if (limit < 1 || limit > maxSize) {
    throw invalidArgumentError(['first'], `first must be from 1 to ${maxSize}; it is ${limit}.`);
  }
  if (after != null && after.length > MAX_OPAQUE_LENGTH) {
    throw invalidArgumentError(['after'], 'after must be a cursor of an earlier page of this list.');
  }
  return { limit, after: after ?? null };
}

const FIELDS_BEYOND_ITEMS: ReadonlySet<string> = new Set(['hasNextPage', 'totalCount']);

const FIELDS_TO_PAGE_INFO: ReadonlySet<string> = new Set(['pageInfo']);

/** True where a query selects the items of a page, and neither `hasNextPage` nor `totalCount`. */
export const selectsItemsOnly = (info: GraphQLResolveInfo): boolean =>
  !selectsAnyField(info, FIELDS_BEYOND_ITEMS, FIELDS_TO_PAGE_INFO);

/** A page in the form that the types of connections need. */
class Connection<T> {
  readonly edges: readonly Edge<T>[];
  readonly totalCount: Page<T>['totalCount'];
  readonly #page: Page<T>;

  constructor(page: Page<T>) {
    this.edges = page.edges;
    this.totalCount = page.totalCount;
    this.#page = page;
  }

  /** A getter, since most queries select no cursor, and a cursor is computed when it is read. */
  get pageInfo() {
    const { edges, hasNextPage, hasPreviousPage } = this.#page;
    return {
      hasNextPage,
      hasPreviousPage,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    };
  }
}

export const connectionOf = <T>(page: Page<T>) => new Connection(page);

/** Creates the Relay connection of a type, with `nodes` and `totalCount` in addition to the standard fields. */
export const createConnectionType = <T>(name: string, node: ItemRef<T>, plural: string) =>
  builder.connectionObject<ItemRef<T>, Connection<T>>(
    {
      type: node,
      name: `${name}Connection`,
      description: `A page of ${plural}.`,
      edgesField: { description: `The ${plural} of the page, each with its cursor, in the order of the list.` },
      fields: (t) => ({
        nodes: t.field({
          type: [node],
          description: `The ${plural} of the page, in the order of the list.`,
          resolve: ({ edges }) => edges.map((entry) => entry.node),
        }),
        totalCount: t.int({
          nullable: true,
          description: `The number of ${plural} in all pages together; null when the service has no total.`,
          resolve: ({ totalCount }) => totalCount && openRead(totalCount()),
        }),
      }),
    },
    {
      description: `One of the ${plural} of a page, with its cursor.`,
      nodeField: { description: `The item: one of the ${plural}.` },
    },
  );
