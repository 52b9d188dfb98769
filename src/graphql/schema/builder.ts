import SchemaBuilder, { type ObjectFieldBuilder } from '@pothos/core';
import RelayPlugin from '@pothos/plugin-relay';
import { GraphQLError } from 'graphql';
import type { Page } from '../../core/backend.ts';
import type { Context } from './context.ts';
import { globalIdOf, isNode, type NodeValue, nodeTypeName } from './nodes.ts';

const GLOBAL_ID =
  'The global ID of the object: an opaque text that stays the same as long as the object exists, for `node` and for the caches of clients. Mutations take the own ID of the service instead, such as `articleId`.';

/** The builder to which each file of this folder adds its types. Output fields are non-null by default. */
export const builder = new SchemaBuilder<{
  Context: Context;
  DefaultFieldNullability: false;
  DefaultEdgesNullability: false;
  DefaultNodeNullability: false;
  Connection: Pick<Page<unknown>, 'totalCount'>;
  Scalars: {
    ID: { Input: string; Output: string };
    DateTime: { Input: Date; Output: Date };
    JSON: { Input: never; Output: unknown };
    _Any: { Input: unknown; Output: never };
  };
}>({
  defaultFieldNullability: false,
  plugins: [RelayPlugin],
  relay: {
    nodeTypeOptions: {
      description: 'An object with a global ID, by which the queries `node` and `nodes` read it again.',
      resolveType: (value) => (isNode(value) ? nodeTypeName(value) : undefined),
    },
    idFieldOptions: { description: GLOBAL_ID },
    // The plugin would decode the IDs before the caller is authorized, and its error names no path of an invalid one.
    nodeQueryOptions: false,
    nodesQueryOptions: false,
    edgesFieldOptions: { nullable: false },
    nodeFieldOptions: { nullable: false },
    cursorFieldOptions: { description: 'An opaque text: as `after` it reads the page that begins after this item.' },
    pageInfoFieldOptions: { description: 'The position of the page in the list.' },
    pageInfoTypeOptions: { description: 'The position of a page in its list.' },
    hasNextPageFieldOptions: {
      description: 'True when the list has items after this page: read them with `endCursor` as `after`.',
    },
    hasPreviousPageFieldOptions: { description: 'True when the list has items before this page.' },
    startCursorFieldOptions: {
      description: 'The cursor of the first item of the page; null when the page is empty.',
    },
    endCursorFieldOptions: {
      description:
        'The cursor of the last item of the page, which is the `after` of the next page; null when the page is empty.',
    },
  },
});

export type SchemaTypes = (typeof builder)['$inferSchemaTypes'];

/** The interface of objects with a global ID. A type that implements it declares its field `id` by `globalId`. */
export const NodeInterface = builder.nodeInterfaceRef();

/**
 * The field `id` of a node. `builder.node` of the plugin would add one that gives a promise for each object, which takes
 * 0.8 µs for each: see docs/decisions/0055-libraries-as-meant.md, "Pothos".
 */
export const globalId = (t: ObjectFieldBuilder<SchemaTypes, NodeValue>, description = GLOBAL_ID) =>
  t.id({ description, resolve: globalIdOf });

/** The values of an enum for a type of core, each with its description. The compiler reports a value that is missing. */
export type EnumValues<Value extends string> = Readonly<Record<Value, { readonly description: string }>>;

const rejectInput = (name: string) => (): never => {
  throw new GraphQLError(`${name} is only ever an output.`);
};

const RFC_3339 = /^(?<date>\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/iu;

function parseDateTime(input: unknown): Date {
  const { date } = (typeof input === 'string' && RFC_3339.exec(input)?.groups) || {};
  const moment = new Date(date === undefined ? Number.NaN : String(input).toUpperCase());
  // JavaScript takes a day that the month does not have as a day of the next month.
  const isDay = date !== undefined && new Date(`${date}T00:00:00Z`).toJSON()?.startsWith(date) === true;
  if (isDay && /^\d/u.test(moment.toJSON() ?? '')) return moment;
  // graphql-js adds the value and its path to an error that is no GraphQLError.
  throw new TypeError('DateTime must be a time in RFC 3339, such as "2026-01-31T12:00:00Z".');
}

builder.scalarType('DateTime', {
  description:
    'A point in time as RFC 3339 writes it. Answers are in UTC, with milliseconds; arguments may have any offset. Example: `"2026-01-31T12:00:00.000Z"`.',
  specifiedByURL: 'https://scalars.graphql.org/andimarek/date-time.html',
  serialize: (moment) => moment.toISOString(),
  parseValue: parseDateTime,
});

builder.scalarType('JSON', {
  description:
    'Any JSON value, which the gateway passes on as it is: an object, a list, a text, a number, a boolean or null. Example: `{ "items": [1, "two", null] }`.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  serialize: (value) => value,
  parseValue: rejectInput('JSON'),
});
