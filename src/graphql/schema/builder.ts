import SchemaBuilder from '@pothos/core';
import { GraphQLError } from 'graphql';
import type { Context } from './context.ts';

/** The builder to which each file of this folder adds its types. Output fields are non-null by default. */
export const builder = new SchemaBuilder<{
  Context: Context;
  DefaultFieldNullability: false;
  Scalars: {
    ID: { Input: string; Output: string };
    DateTime: { Input: Date; Output: Date };
    JSON: { Input: never; Output: unknown };
    _Any: { Input: unknown; Output: never };
  };
}>({ defaultFieldNullability: false });

export type SchemaTypes = (typeof builder)['$inferSchemaTypes'];

/** The values of an enum that has those of a type of core, each with its description. */
export type EnumValues<Value extends string> = Readonly<Record<Value, { readonly description: string }>>;

const rejectInput = (name: string) => (): never => {
  throw new GraphQLError(`${name} is only ever an output.`);
};

const RFC_3339 = /^(?<date>\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/iu;

function parseDateTime(input: unknown): Date {
  const { date } = (typeof input === 'string' && RFC_3339.exec(input)?.groups) || {};
  const moment = new Date(date === undefined ? Number.NaN : String(input).toUpperCase());
  // A day that its month does not have would become one of the next month.
  const isDay = date !== undefined && new Date(`${date}T00:00:00Z`).toJSON()?.startsWith(date) === true;
  if (isDay && /^\d/u.test(moment.toJSON() ?? '')) return moment;
  // Not a GraphQLError: graphql-js then adds the value and its place.
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
