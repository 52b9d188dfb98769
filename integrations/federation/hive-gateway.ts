import { createServer } from 'node:http';
import { createGatewayRuntime } from '@graphql-hive/gateway';

// Hive Gateway over a composed supergraph: node hive-gateway.ts PORT SUPERGRAPH_FILE
const [port = '4002', supergraph = 'supergraph.graphql'] = process.argv.slice(2);

const gateway = createGatewayRuntime({
  supergraph,
  logging: 'error',
  // The client's JWT goes to the knowledge base, and to no other subgraph.
  propagateHeaders: {
    fromClientToSubgraphs: ({ request, subgraphName }) =>
      subgraphName === 'knowledge' ? { authorization: request.headers.get('authorization') } : {},
  },
});

createServer(gateway).listen(Number(port), '127.0.0.1');
process.once('SIGTERM', () => process.exit());
