import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { portOf } from '../../support/ports.ts';
import { createAnswers } from './service-answers.ts';

/* A service in a thread of its own that responds at once, with large bodies, and accepts one token. */

/** Nearly as long as a call may take by default. */
const SLOW_MS = 9_000;

const answers = createAnswers();

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => answer(request, response, Buffer.concat(chunks).toString()));
});

function answer(request: IncomingMessage, response: ServerResponse, body: string): void {
  const token = request.headers['api_token'];
  if (token !== workerData.token) {
    // Some tokens take long to be rejected.
    setTimeout(() => response.writeHead(401).end(), `${token}`.startsWith('slow') ? SLOW_MS : 0);
    return;
  }
  const { method = '', url = '' } = request;
  const { status, bytes, hangs } = answers({ method, url, body });
  const send = () => response.writeHead(status, { 'content-type': 'application/json' }).end(bytes);
  if (hangs) setTimeout(send, SLOW_MS);
  else send();
}

server.listen(0, '127.0.0.1', () => parentPort?.postMessage(portOf(server.address())));
