import './articles/article-links.ts';
import './articles/article-lists.ts';
import './articles/article-slugs.ts';
import './articles/article-previews.ts';
import './articles/bulk-updates.ts';
import './jobs/job-changes.ts';
import './jobs/job-results.ts';
import './jobs/job-submissions.ts';
import './relay/node-queries.ts';
import './rate-limit.ts';
import './reader-groups/reader-group-member-previews.ts';
import './reader-groups/reader-group-members.ts';
import './reader-groups/reader-group-previews.ts';
import './reader-groups/reader-group-updates.ts';
import './reader-groups/readers.ts';
import './scalars.ts';
import { GraphQLObjectType, GraphQLSchema, printSchema } from 'graphql';
import { lazily } from '../base/lazily.ts';
import { builder } from './builder.ts';
import { createSubgraphFields } from './federation/subgraph-fields.ts';
import { printFederationSdl } from './federation/subgraph-sdl.ts';
import { SCHEMA_DESCRIPTION } from './schema-description.ts';

builder.queryType({
  description:
    'All reads. A read that fails is null beside an entry in `errors`; an object that does not exist is null without one.',
});

builder.mutationType({
  description:
    'All writes, and their previews, which write nothing. The mutations of one document run one after another, in the order of the document, and each answers with a union of its possible outcomes.',
});

/** The schema of clients. Pothos has no option for the description. */
export const createSchema = (): GraphQLSchema =>
  new GraphQLSchema({ ...builder.toSchema().toConfig(), description: SCHEMA_DESCRIPTION });

/** The schema in SDL, with `@oneOf` and `@deprecated`, which the introspection queries of common clients leave out. */
export const printSchemaSdl = (): string => `${printSchema(createSchema())}\n`;

/** The subgraph of Federation 2 that a gateway is. */
interface Subgraph {
  /** The schema that is executed: that of clients, and what the router of a federated graph asks for. */
  readonly schema: GraphQLSchema;
  /** The SDL, printed when it is first asked for, which it is of few gateways. */
  readonly sdl: () => string;
}

export function createSubgraph(): Subgraph {
  const clientSchema = createSchema();
  const sdl = lazily(() => printFederationSdl(clientSchema));
  const { query, types, ...config } = clientSchema.toConfig();
  const queryConfig = query?.toConfig();
  const fields = { ...queryConfig?.fields, ...createSubgraphFields(clientSchema, sdl) };
  const schema = new GraphQLSchema({
    ...config,
    query: new GraphQLObjectType({ name: 'Query', ...queryConfig, fields }),
    types: types.filter((type) => type !== query),
  });
  return { schema, sdl };
}
