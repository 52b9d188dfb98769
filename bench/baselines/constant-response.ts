import { createServer } from 'node:http';
import { readBytes } from './bodies.ts';

// A server on node:http that parses each body and sends a constant: the lower bound of the cost of W5. The outcome in it
// is what the first request of the load generator, a mutation, expects.

const RESPONSE = JSON.stringify({ data: { __typename: 'Query', first: 'ArticleUpdated' } });
const HEAD = ['content-type', 'application/json; charset=utf-8', 'content-length', `${Buffer.byteLength(RESPONSE)}`];

createServer(async (request, response) => {
  JSON.parse((await readBytes(request)).toString());
  response.writeHead(200, HEAD).end(RESPONSE);
}).listen(Number(process.env['PORT']), '127.0.0.1');
