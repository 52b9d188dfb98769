import fastify from 'fastify';
import mercurius from 'mercurius';
import { type BulkArguments, bulkUpdateArticles, type GroupArguments, updateReaderGroup } from './resolvers.ts';
import type { Put } from './service.ts';
import { MAX_BODY_BYTES, port, typeDefs, upstreamUrl } from './settings.ts';
import { createUndiciPut } from './undici-put.ts';

// Mercurius with graphql-jit from the first request on, and undici.

declare module 'mercurius' {
  interface MercuriusContext {
    put: Put;
  }
}

const putAs = createUndiciPut(upstreamUrl);
const app = fastify({ logger: false, bodyLimit: MAX_BODY_BYTES });

app.register(mercurius, {
  schema: typeDefs,
  resolvers: {
    Query: { ready: () => true },
    Mutation: {
      bulkUpdateArticles: (_root, args: BulkArguments, { put }) => bulkUpdateArticles(args, put),
      updateReaderGroup: (_root, args: GroupArguments, { put }) => updateReaderGroup(args, put),
    },
  },
  jit: 1,
  context: (request) => ({ put: putAs(String(request.headers['api_token'] ?? '')) }),
});

await app.listen({ port, host: '127.0.0.1' });
