import { Agent, createServer, request as send } from 'node:http';

// A proxy on node:http that passes bodies on without reading them: the lower bound of the cost of a gateway.

const upstreamUrl = process.env['UPSTREAM_URL'] ?? '';
const agent = new Agent({ keepAlive: true });

createServer((request, response) => {
  const { method, headers, url = '/' } = request;
  const forwarded = send(new URL(url, upstreamUrl), { method, headers, agent }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  forwarded.on('error', () => response.destroy());
  request.pipe(forwarded);
}).listen(Number(process.env['PORT']), '127.0.0.1');
