import { GraphQLError } from 'graphql';
import { builder } from './builder.ts';

const rejectInput = (name: string) => (): never => {
  throw new GraphQLError(`${name} is only ever an output.`);
};

builder.scalarType('DateTime', {
  description: 'A moment in UTC as RFC 3339 writes it, with milliseconds: `2026-01-31T12:00:00.000Z`.',
  specifiedByURL: 'https://scalars.graphql.org/andimarek/date-time.html',
  serialize: (moment) => moment.toISOString(),
  parseValue: rejectInput('DateTime'),
});

builder.scalarType('JSON', {
  description: 'A JSON value as the service sent it, its members not interpreted.',
  serialize: (value) => value,
  parseValue: rejectInput('JSON'),
});
