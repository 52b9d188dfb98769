import { createServer, type IncomingMessage, type RequestListener, request as sendRequest } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import { portOf } from './ports.ts';
import { identityOf } from './tls-front.ts';

/** What the proxy does with the connection of a CONNECT. */
export type TunnelBehaviour = (socket: Socket, target: { readonly host: string; readonly port: number }) => void;

/** A proxy for requests to other hosts, on a real port. It tunnels https and forwards http. Kb.test is this machine. */
export interface ForwardProxy {
  readonly url: string;
  /** The heads of all requests for tunnels. */
  readonly tunnels: readonly Pick<IncomingMessage, 'url' | 'headers'>[];
  /** The heads of all other requests. */
  readonly forwarded: readonly Pick<IncomingMessage, 'method' | 'url' | 'headers'>[];
  /** Replaces what the proxy does with tunnels. */
  onTunnel(behaviour: TunnelBehaviour): void;
  /** The open connections to the proxy. */
  connections(): number;
  close(): Promise<void>;
}

const addressOfHost = (host: string): string => (host === 'kb.test' ? '127.0.0.1' : host);

export const openTunnel: TunnelBehaviour = (socket, { host, port }) => {
  const upstream = connect(port, addressOfHost(host), () => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    socket.pipe(upstream).pipe(socket);
  });
  upstream.on('error', () => socket.destroy());
  socket.on('error', () => upstream.destroy()).on('close', () => upstream.destroy());
};

/** One with a certificate speaks TLS, and its URL has the name localhost. */
export async function openForwardProxy(certificate?: string): Promise<ForwardProxy> {
  const tunnels: IncomingMessage[] = [];
  const forwarded: IncomingMessage[] = [];
  const sockets = new Set<Socket>();
  let behaviour = openTunnel;
  const forward: RequestListener = (message, response) => {
    forwarded.push(message);
    const { method, url = '', headers } = message;
    const hostname = addressOfHost(new URL(url).hostname);
    const onward = sendRequest(url, { hostname, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.writeHead(502).end());
    message.pipe(onward);
  };
  const server = certificate ? createTlsServer(identityOf(certificate), forward) : createServer(forward);
  server.on('connection', (socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('connect', (message: IncomingMessage, socket: Socket) => {
    tunnels.push(message);
    const { hostname: host, port } = new URL(`http://${message.url}`);
    behaviour(socket, { host, port: Number(port) });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `${certificate ? 'https://localhost' : 'http://127.0.0.1'}:${portOf(server.address())}`,
    tunnels,
    forwarded,
    onTunnel: (replacement) => {
      behaviour = replacement;
    },
    connections: () => sockets.size,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
