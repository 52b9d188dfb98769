import { createServer, type IncomingMessage, request as sendRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { portOf } from './ports.ts';

/** What the proxy does with the connection of a CONNECT. */
export type TunnelBehaviour = (socket: Socket, target: { readonly host: string; readonly port: number }) => void;

/** A proxy for requests to other hosts, on a real port. It tunnels https and forwards http. */
export interface ForwardProxy {
  readonly url: string;
  /** The heads of all requests for tunnels. */
  readonly tunnels: readonly Pick<IncomingMessage, 'url' | 'headers'>[];
  /** The heads of all other requests. */
  readonly forwarded: readonly Pick<IncomingMessage, 'url' | 'headers'>[];
  /** Replaces what the proxy does with tunnels. */
  onTunnel(behaviour: TunnelBehaviour): void;
  /** The open connections to the proxy. */
  connections(): number;
  close(): Promise<void>;
}

export const openTunnel: TunnelBehaviour = (socket, { host, port }) => {
  const upstream = connect(port, host, () => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    socket.pipe(upstream).pipe(socket);
  });
  upstream.on('error', () => socket.destroy());
  socket.on('error', () => upstream.destroy()).on('close', () => upstream.destroy());
};

export async function openForwardProxy(): Promise<ForwardProxy> {
  const tunnels: IncomingMessage[] = [];
  const forwarded: IncomingMessage[] = [];
  const sockets = new Set<Socket>();
  let behaviour = openTunnel;
  const server = createServer((message, response) => {
    forwarded.push(message);
    const { method, url = '', headers } = message;
    const onward = sendRequest(url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.writeHead(502).end());
    message.pipe(onward);
  });
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
    url: `http://127.0.0.1:${portOf(server.address())}`,
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
