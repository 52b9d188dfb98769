import { Agent, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import got from 'got';
import { readBytes, rewriteJson } from './bodies.ts';

// A gateway on node:http that sends each body on by got: the lower bound of the cost of a gateway whose calls are got's.
// It promises for a call what kb-gateway does: no write is sent twice, and none waits longer than the timeout. With
// REWRITE_BODIES=true it parses and writes both bodies, as each gateway that speaks GraphQL must; else they are unread.

const upstreamUrl = process.env['UPSTREAM_URL'] ?? '';

const passOn = process.env['REWRITE_BODIES'] === 'true' ? rewriteJson : (body: Buffer) => body;

const http = got.extend({
  agent: { http: new Agent({ keepAlive: true }) },
  retry: { limit: 0 },
  timeout: { request: 10_000 },
  followRedirect: false,
  throwHttpErrors: false,
  decompress: false,
  headers: { accept: 'application/json', 'accept-encoding': 'gzip', 'user-agent': 'kb-gateway' },
});

async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { url = '/', headers } = request;
  const body = passOn(await readBytes(request));
  const put = http.stream.put(`${upstreamUrl}${url}`, {
    headers: {
      api_token: headers['api_token'],
      'content-type': 'application/json',
      'content-length': `${body.length}`,
    },
  });
  put.end(body);
  const answer = passOn(await readBytes(put));
  response.writeHead(put.response?.statusCode ?? 502, {
    'content-type': 'application/json',
    'content-length': answer.length,
  });
  response.end(answer);
}

createServer((request, response) => {
  forward(request, response).catch(() => response.destroy());
}).listen(Number(process.env['PORT']), '127.0.0.1');
