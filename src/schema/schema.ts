import './articles/article-links.ts';
import './articles/article-lists.ts';
import './articles/article-previews.ts';
import './articles/bulk-updates.ts';
import './relay/node-queries.ts';
import './rate-limit.ts';
import './reader-groups/reader-group-member-previews.ts';
import './reader-groups/reader-group-members.ts';
import './reader-groups/reader-group-previews.ts';
import './reader-groups/reader-group-updates.ts';
import './reader-groups/readers.ts';
import './scalars.ts';
import { type GraphQLSchema, printSchema } from 'graphql';
import { builder } from './builder.ts';

builder.queryType({ description: 'What can be read. A read that fails is null, with an error at its place.' });

builder.mutationType({
  description:
    'What can be written. One after another, in the order of the document; each answers with a union of what can become of it.',
});

export const createSchema = (): GraphQLSchema => builder.toSchema();

/** The schema in SDL, with `@oneOf` and `@deprecated`, which the introspection queries of common clients leave out. */
export const printSchemaSdl = (): string => `${printSchema(createSchema())}\n`;
