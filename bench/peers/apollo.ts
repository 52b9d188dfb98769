import { type AugmentedRequest, type DataSourceConfig, RESTDataSource } from '@apollo/datasource-rest';
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import type DataLoader from 'dataloader';
import { GraphQLError } from 'graphql';
import { createDataLoaders, type DataLoaders } from './reads/batches.ts';
import { READ_RESOLVERS } from './reads/resolvers.ts';
import { createServiceReads, type Get, type ServiceReads } from './reads/service-reads.ts';
import { type BulkArguments, bulkUpdateArticles, type GroupArguments, updateReaderGroup } from './resolvers.ts';
import { type Envelope, type Put, payloadOf } from './service.ts';
import { port, typeDefs, upstreamUrl } from './settings.ts';

// Apollo Server on its standalone server, with the REST data source that its documentation recommends, and DataLoader.

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

  readonly read: Get = async <T>(path: string) => payloadOf<T>(await this.get(path));

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

interface Context {
  readonly put: Put;
  readonly reads: ServiceReads;
  readonly loaders: DataLoaders;
}

/** Resolves a field with one of the data loaders of the request. */
const loadBy =
  <T>(loaderOf: (loaders: DataLoaders) => DataLoader<T, unknown>) =>
  (parent: T, _args: unknown, { loaders }: Context) =>
    loaderOf(loaders).load(parent);

const server = new ApolloServer<Context>({
  typeDefs,
  resolvers: {
    ...READ_RESOLVERS,
    Article: {
      category: loadBy((loaders) => loaders.categoryOfArticle),
      projectVersion: loadBy((loaders) => loaders.versionOfArticle),
    },
    CategoryScope: {
      category: loadBy((loaders) => loaders.categoryOfScope),
      projectVersion: loadBy((loaders) => loaders.versionOfCategoryScope),
    },
    LanguageScope: {
      language: loadBy((loaders) => loaders.language),
      projectVersion: loadBy((loaders) => loaders.versionOfLanguageScope),
    },
    VersionAccessScope: { projectVersions: loadBy((loaders) => loaders.versionsOfScope) },
    ReaderGroup: { readers: loadBy((loaders) => loaders.readers) },
    Mutation: {
      bulkUpdateArticles: (_root: unknown, args: BulkArguments, { put }: Context) => bulkUpdateArticles(args, put),
      updateReaderGroup: (_root: unknown, args: GroupArguments, { put }: Context) => updateReaderGroup(args, put),
    },
  },
});

await startStandaloneServer(server, {
  listen: { port, host: '127.0.0.1' },
  context: async ({ req }) => {
    const service = new Service(String(req.headers['api_token'] ?? ''), { cache: server.cache });
    const reads = createServiceReads(service.read);
    return { put: service.send, reads, loaders: createDataLoaders(reads) };
  },
});
