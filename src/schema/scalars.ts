import { GraphQLError } from 'graphql';
import { builder } from './builder.ts';

const rejectInput = (name: string) => (): never => {
  throw new GraphQLError(`${name} is only ever an output.`);
};

builder.scalarType('DateTime', {
  description:
    'A point in time in UTC, with milliseconds, as RFC 3339 writes it. Example: `"2026-01-31T12:00:00.000Z"`.',
  specifiedByURL: 'https://scalars.graphql.org/andimarek/date-time.html',
  serialize: (moment) => moment.toISOString(),
  parseValue: rejectInput('DateTime'),
});

builder.scalarType('JSON', {
  description:
    'Any JSON value, which the gateway passes on as it is: an object, a list, a text, a number, a boolean or null. Example: `{ "items": [1, "two", null] }`.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  serialize: (value) => value,
  parseValue: rejectInput('JSON'),
});
