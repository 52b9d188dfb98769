import { createServer } from 'node:http';
import { buildSchema } from 'graphql';
import { createHandler } from 'graphql-http/lib/use/http';
import { type BulkArguments, bulkUpdateArticles, type GroupArguments, updateReaderGroup } from './resolvers.ts';
import type { Put } from './service.ts';
import { port, typeDefs, upstreamUrl } from './settings.ts';
import { createUndiciPut } from './undici-put.ts';

// The reference server of GraphQL over HTTP on bare node:http, graphql-js, and undici.

type Context = Record<PropertyKey, unknown> & { readonly put: Put };

const putAs = createUndiciPut(upstreamUrl);

const handler = createHandler<Context>({
  schema: buildSchema(typeDefs),
  rootValue: {
    bulkUpdateArticles: (args: BulkArguments, { put }: Context) => bulkUpdateArticles(args, put),
    updateReaderGroup: (args: GroupArguments, { put }: Context) => updateReaderGroup(args, put),
  },
  context: (request) => ({ put: putAs(String(request.raw.headers['api_token'] ?? '')) }),
});

createServer((request, response) => {
  void handler(request, response);
}).listen(port, '127.0.0.1');
