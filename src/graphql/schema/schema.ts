import './article-update-job-reverts.ts';
import './article-update-jobs.ts';
import './articles/bulk-updates.ts';
import './articles/categories.ts';
import './articles/creations.ts';
import './articles/project-versions.ts';
import './articles/publications.ts';
import './caller.ts';
import './rate-limit.ts';
import './reader-groups/reader-group-updates.ts';
import './reader-groups/reader-groups.ts';
import './team-accounts.ts';
import { GraphQLObjectType, GraphQLSchema, isAbstractType, parse, print, printSchema, visit } from 'graphql';
import { lazily } from '../../core/base/lazily.ts';
import { REQUEST_ERRORS } from '../../core/request-errors.ts';
import { builder } from './builder.ts';
import { ENTITY_KEYS } from './federation.ts';

builder.queryType({
  description:
    'All reads. A read that fails is null beside an entry in `errors`; an object that does not exist is null without one.',
});

builder.mutationType({
  description:
    'All writes, and their previews, which write nothing. The mutations of one document run one after another, in the order of the document, and each answers with a union of its possible outcomes.',
});

const ServiceType = builder.objectRef<object>('_Service').implement({
  description: 'What a router has to know of this subgraph.',
  fields: (t) => ({
    sdl: t.string({
      nullable: true,
      description: 'The schema with the directives of Federation, as `/schema.graphql?federation` has it.',
      resolve: () => printSubgraphSdl(),
    }),
  }),
});

builder.queryField('_service', (t) =>
  t.field({
    type: ServiceType,
    description: 'This subgraph. It needs no token, as introspection does not, and is refused where that is off.',
    resolve: () => ({}),
  }),
);

const requestErrors = Object.entries(REQUEST_ERRORS).map(([code, meaning]) => `- \`${code}\`: ${meaning}`);

/** The description of the schema, which holds for every request. GraphiQL shows it first. */
const SCHEMA_DESCRIPTION = `
The articles, categories and reader groups of a knowledge base. Every write has a typed outcome.

## Headers

\`X-Api-Token\` holds the API token; \`api_token\` and \`Authorization: Bearer …\` are read, too. A gateway that authenticates its clients expects their JWT in \`Authorization: Bearer …\`. The schema can be read without a token.

A request is POST with \`Content-Type: application/json\`. A query may be sent by GET, with a header that holds the token or with \`graphql-require-preflight: 1\`. The header \`Retry-After\` of an answer gives the seconds to wait after a rate limit.

## Errors of mutations

A mutation answers a union: its payload or preview, or a type that implements \`MutationError\`. Each mutation of a document has an outcome of its own, in the order of the document. A mutation is null only beside an entry in \`errors\` that has its path.

Select \`... on MutationError { message code retryable mayHaveApplied }\` in every mutation. Read \`message\` and \`retryable\` before you switch on \`__typename\`, and use them in the default case: it is the case of members that a later release adds.

## Errors of queries

A query that fails is null beside an entry in \`errors\`, whose \`extensions.code\` is a value of the enum \`ErrorCode\` and whose \`extensions.retryable\` is true when sending the very same request again may help. What does not exist is null without an entry.

## Entries in \`errors\`

Every entry has \`extensions.code\`, and \`extensions.requestId\`, the ID of the request: it stands in the header \`x-request-id\` of the answer and in the log of the gateway, too. A client may choose it by sending that header. An entry whose \`path\` begins with a mutation has \`extensions.mayHaveApplied\`, too: true when the write of this mutation may have taken effect. Read the objects before you write them again. For an object that a payload reads back, such as \`readerGroup\`, it is true: the write was answered, and only the read after it failed.

An answer without \`data\` is that of a request that was refused as a whole: nothing was written, unless \`extensions.mayHaveApplied\` is true. Its codes are values of \`ErrorCode\` and these:

${requestErrors.join('\n')}

## Changes of the schema

Minor releases add fields, optional arguments, enum values, union members and types that implement an interface: have a default for what is not known yet. What is going to be removed is marked \`@deprecated\` first, and removed in a major release.
`.trim();

const TWO_GRAPHQLS =
  'the packages of kb-gateway got another graphql than kb-gateway: set "overrides": { "kb-gateway": { "graphql": "^16.15.0" } } in your package.json';

/** Creates the schema that is executed: the schema of clients, with the fields that the router of a federated graph asks for. */
export function createSubgraph(): GraphQLSchema {
  const schema = builder.toSchema();
  // npm gives Pothos the graphql of the host's package.json, where its version is another.
  if (!(schema instanceof GraphQLSchema)) throw new Error(TWO_GRAPHQLS);
  schema.description = SCHEMA_DESCRIPTION;
  return schema;
}

/** Federation reserves names that begin with an underscore. Clients never get these types and fields. */
const isOfRouters = (name: string): boolean => /^_(?!_)/u.test(name);

/** Creates the schema of clients. */
export function createSchema(): GraphQLSchema {
  const config = createSubgraph().toConfig();
  const { fields = {}, ...queryConfig } = config.query?.toConfig() ?? {};
  const ofClients = Object.entries(fields).filter(([name]) => !isOfRouters(name));
  const query = new GraphQLObjectType({ name: 'Query', ...queryConfig, fields: Object.fromEntries(ofClients) });
  const types = config.types.filter(({ name }) => !isOfRouters(name));
  return new GraphQLSchema({ ...config, query, types: types.map((type) => (type === config.query ? query : type)) });
}

/** The schema in SDL, with `@oneOf` and `@deprecated`, which the introspection queries of common clients leave out. */
export const printSchemaSdl = (): string => `${printSchema(createSchema())}\n`;

/**
 * The names of the object types of each interface and union, both in alphabetical order, as JSON. Caches such as the
 * one of Apollo Client take it as `possibleTypes`, to match fragments on interfaces and unions.
 */
export function printPossibleTypes(): string {
  const schema = createSchema();
  const entries = Object.values(schema.getTypeMap())
    .filter(isAbstractType)
    .map((type) => {
      const names = schema.getPossibleTypes(type).map(({ name }) => name);
      return [type.name, names.sort()] as const;
    });
  const sorted = entries.sort(([name], [other]) => (name < other ? -1 : 1));
  return `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`;
}

/** Every subgraph with global IDs has these queries, and each can answer them for its own IDs only. */
const QUERIES_OF_OTHERS: ReadonlySet<string> = new Set(['node', 'nodes']);

/**
 * The directives of Federation by the definition that they are added to. Version 2.0 is the oldest with all of them; a
 * supergraph may be composed by tools that know no later one.
 */
const DIRECTIVES: ReadonlyMap<string, string> = new Map([
  ['schema', '@link(url: "https://specs.apollo.dev/federation/v2.0", import: ["@key", "@shareable"])'],
  ['type PageInfo', '@shareable'],
  ...Object.entries(ENTITY_KEYS).map(
    ([name, fields]) => [`type ${name}`, `@key(fields: "id") @key(fields: "${fields.join(' ')}")`] as const,
  ),
]);

/** Apollo's composition knows `@oneOf` only where the subgraph defines it. The Guild's keeps it either way. */
const ONE_OF = 'directive @oneOf on INPUT_OBJECT';

/** Prints the schema of clients as that of a subgraph of Federation 2, once. */
export const printSubgraphSdl = lazily(() => {
  const sdl = printSchemaSdl().replaceAll(/^(schema|type \w+)(.*) \{$/gmu, (line, name: string, rest: string) => {
    const directives = DIRECTIVES.get(name);
    return directives === undefined ? line : `${name}${rest} ${directives} {`;
  });
  const document = visit(parse(`${sdl}${ONE_OF}`, { noLocation: true }), {
    ObjectTypeDefinition: ({ name, fields = [], ...type }) =>
      name.value === 'Query'
        ? { ...type, name, fields: fields.filter((field) => !QUERIES_OF_OTHERS.has(field.name.value)) }
        : undefined,
  });
  return `${print(document)}\n`;
});
