import { type AugmentedRequest, type DataSourceConfig, RESTDataSource } from '@apollo/datasource-rest';
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { GraphQLError } from 'graphql';
import { type BulkArguments, bulkUpdateArticles, type GroupArguments, updateReaderGroup } from './resolvers.ts';
import type { Envelope, Put } from './service.ts';
import { port, typeDefs, upstreamUrl } from './settings.ts';

// Apollo Server on its standalone server, with the REST data source that its documentation recommends.

class Service extends RESTDataSource {
  override baseURL = upstreamUrl;
  readonly #token: string;

  constructor(token: string, options: DataSourceConfig) {
    super(options);
    this.#token = token;
  }

  override willSendRequest(_path: string, request: AugmentedRequest): void {
    request.headers['api_token'] = this.#token;
  }

  readonly send: Put = async (path, body) => {
    try {
      return { status: 200, envelope: await this.put<Envelope>(path, { body }) };
    } catch (error) {
      const errorResponse: unknown = error instanceof GraphQLError ? error.extensions['response'] : null;
      if (isErrorResponse(errorResponse)) return { status: errorResponse.status, envelope: errorResponse.body ?? {} };
      throw error;
    }
  };
}

/** True for the response that the data source attaches to the error for a status other than 2xx. */
const isErrorResponse = (response: unknown): response is { status: number; body?: Envelope } =>
  typeof response === 'object' && response !== null && 'status' in response;

const server = new ApolloServer<{ put: Put }>({
  typeDefs,
  resolvers: {
    Query: { ready: () => true },
    Mutation: {
      bulkUpdateArticles: (_root: unknown, args: BulkArguments, { put }: { put: Put }) => bulkUpdateArticles(args, put),
      updateReaderGroup: (_root: unknown, args: GroupArguments, { put }: { put: Put }) => updateReaderGroup(args, put),
    },
  },
});

await startStandaloneServer(server, {
  listen: { port, host: '127.0.0.1' },
  context: async ({ req }) => ({
    put: new Service(String(req.headers['api_token'] ?? ''), { cache: server.cache }).send,
  }),
});
