import { readFileSync } from 'node:fs';
import {
  ApolloGateway,
  type GraphQLDataSourceProcessOptions,
  IntrospectAndCompose,
  RemoteGraphQLDataSource,
} from '@apollo/gateway';
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';

// Apollo's router library, over a composed supergraph, or composing it itself:
// node apollo-gateway.ts PORT SUPERGRAPH_FILE
// node apollo-gateway.ts PORT NAME=URL NAME=URL
const [port = '4003', ...sources] = process.argv.slice(2);

interface ClientContext {
  readonly authorization?: string | undefined;
}

/** Passes the client's JWT on. */
class KnowledgeDataSource extends RemoteGraphQLDataSource<ClientContext> {
  override willSendRequest({ request, context }: GraphQLDataSourceProcessOptions<ClientContext>) {
    const { authorization } = context;
    if (authorization !== undefined) request.http?.headers.set('authorization', authorization);
  }
}

function toSubgraph(source: string) {
  const separator = source.indexOf('=');
  return { name: source.slice(0, separator), url: source.slice(separator + 1) };
}

const [file = 'supergraph.graphql'] = sources;

const gateway = new ApolloGateway({
  supergraphSdl: file.includes('=')
    ? new IntrospectAndCompose({ subgraphs: sources.map(toSubgraph) })
    : readFileSync(file, 'utf8'),
  // The JWT goes to the knowledge base, and to no other subgraph.
  buildService: ({ name, url = '' }) =>
    name === 'knowledge' ? new KnowledgeDataSource({ url }) : new RemoteGraphQLDataSource({ url }),
});

await startStandaloneServer(new ApolloServer<ClientContext>({ gateway, includeStacktraceInErrorResponses: false }), {
  listen: { host: '127.0.0.1', port: Number(port) },
  context: async ({ req }) => ({ authorization: req.headers.authorization }),
});
