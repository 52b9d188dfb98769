import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { parentPort } from 'node:worker_threads';

let connections = 0;
const server = createServer(async (request, response) => {
  const body = await buffer(request);
  const sha256 = createHash('sha256').update(body).digest('hex');
  const padding = 'x'.repeat(body.toString().length % 1_000);
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ bytes: body.length, sha256, padding }));
});
server.on('connection', () => {
  connections += 1;
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') parentPort?.postMessage(address?.port);
});
parentPort?.on('message', () => parentPort?.postMessage(connections));
