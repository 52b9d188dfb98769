import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

// A server on node:http that parses each body and sends a constant: the lower bound of the cost of W5. The outcome in it
// is what the first request of the load generator, a mutation, expects.

const RESPONSE = JSON.stringify({ data: { __typename: 'Query', first: 'ArticleUpdated' } });

createServer(async (request, response) => {
  JSON.parse(await text(request));
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(RESPONSE),
  });
  response.end(RESPONSE);
}).listen(Number(process.env['PORT']), '127.0.0.1');
