import fastify from 'fastify';
import mercurius from 'mercurius';
import { BATCHES } from './reads/batches.ts';
import { READ_RESOLVERS } from './reads/resolvers.ts';
import { createServiceReads, type ServiceReads } from './reads/service-reads.ts';
import { type BulkArguments, bulkUpdateArticles, type GroupArguments, updateReaderGroup } from './resolvers.ts';
import type { Put } from './service.ts';
import { MAX_BODY_BYTES, port, typeDefs, upstreamUrl } from './settings.ts';
import { createUndiciGet } from './undici-get.ts';
import { createUndiciPut } from './undici-put.ts';

// Mercurius with graphql-jit from the first request on, its loaders, and undici.

declare module 'mercurius' {
  interface MercuriusContext {
    put: Put;
    reads: ServiceReads;
  }
}

const putAs = createUndiciPut(upstreamUrl);
const getAs = createUndiciGet(upstreamUrl);
const app = fastify({ logger: false, bodyLimit: MAX_BODY_BYTES });

app.register(mercurius, {
  schema: typeDefs,
  resolvers: {
    ...READ_RESOLVERS,
    Mutation: {
      bulkUpdateArticles: (_root, args: BulkArguments, { put }) => bulkUpdateArticles(args, put),
      updateReaderGroup: (_root, args: GroupArguments, { put }) => updateReaderGroup(args, put),
    },
  },
  loaders: BATCHES,
  jit: 1,
  context: (request) => {
    const token = String(request.headers['api_token'] ?? '');
    return { put: putAs(token), reads: createServiceReads(getAs(token)) };
  },
});

await app.listen({ port, host: '127.0.0.1' });
