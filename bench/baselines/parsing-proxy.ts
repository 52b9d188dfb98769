import { Agent, createServer, type IncomingMessage, request as send } from 'node:http';
import { readBytes, rewriteJson } from './bodies.ts';

// A proxy on node:http that parses and writes both bodies: the lower bound of the cost of a gateway that does so.

const upstreamUrl = process.env['UPSTREAM_URL'] ?? '';
const agent = new Agent({ keepAlive: true });

const rewritten = async (message: IncomingMessage): Promise<Buffer> => rewriteJson(await readBytes(message));

createServer(async (request, response) => {
  const { method, headers, url = '/' } = request;
  const body = await rewritten(request);
  const options = { method, agent, headers: { ...headers, 'content-length': body.length } };
  const forwarded = send(new URL(url, upstreamUrl), options, async (answer) => {
    const answerBody = await rewritten(answer);
    response.writeHead(answer.statusCode ?? 502, {
      'content-type': 'application/json',
      'content-length': answerBody.length,
    });
    response.end(answerBody);
  });
  forwarded.on('error', () => response.destroy());
  forwarded.end(body);
}).listen(Number(process.env['PORT']), '127.0.0.1');
