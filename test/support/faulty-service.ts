import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

/** A request as it arrived, to the last byte. */
export interface Received {
  readonly method: string;
  /** With its query, as it was on the wire. */
  readonly url: string;
  readonly headers: Readonly<IncomingMessage['headers']>;
  /** Every header name as it was on the wire. */
  readonly headerNames: readonly string[];
  /** The JSON of the body; undefined where it had none. */
  readonly body: unknown;
}

/** How the service behaves towards one request, once it has all of it. */
export type Behaviour = (response: ServerResponse, request: Received) => void | Promise<void>;

/** A service that misbehaves as it is told, over real connections. */
export interface FaultyService {
  readonly url: string;
  readonly received: readonly Received[];
  readonly connections: () => number;
  /**
   * What to do with `PUT /v2/…`, request after request, the last of them again and again. The query is not looked at;
   * what nothing was said about gets a bare 404.
   */
  on(route: string, ...behaviours: readonly Behaviour[]): void;
  /** What to do with every request of which nothing else was said. */
  onAny(behaviour: Behaviour): void;
  /** The requests of one route, without their query. */
  receivedOn(route: string): readonly Received[];
  /** Forgets what it has received, and what was said about the route. */
  forget(route: string): void;
  /** Ends every connection, and waits until its other end has seen that. */
  closeConnections(): Promise<void>;
  close(): Promise<void>;
}

export async function openFaultyService(): Promise<FaultyService> {
  const received: Received[] = [];
  const script = new Map<string, Behaviour[]>();
  const sockets = new Set<Socket>();
  let connections = 0;
  let otherwise: Behaviour = status(404);
  const server = createServer(async (message, response) => {
    const request = await receive(message);
    received.push(request);
    const behaviours = script.get(routeOf(request)) ?? [];
    const behaviour = behaviours.length > 1 ? behaviours.shift() : behaviours[0];
    await (behaviour ?? otherwise)(response, request);
  });
  server.on('connection', (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    received,
    connections: () => connections,
    on(route, ...behaviours) {
      script.set(route, [...behaviours]);
    },
    onAny(behaviour) {
      otherwise = behaviour;
    },
    receivedOn: (route) => received.filter((request) => routeOf(request) === route),
    forget(route) {
      received.length = 0;
      script.delete(route);
    },
    async closeConnections() {
      const open = [...sockets];
      const closed = open.map((socket) => once(socket, 'close'));
      for (const socket of open) socket.end();
      await Promise.all(closed);
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

const routeOf = ({ method, url }: Received): string => `${method} ${url.split('?')[0]}`;

export const portOf = (address: AddressInfo | string | null): number =>
  typeof address === 'object' && address !== null ? address.port : 0;

async function receive(message: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const headerNames = message.rawHeaders.filter((_, index) => index % 2 === 0);
  const { method = '', url = '', headers } = message;
  return { method, url, headers, headerNames, body: text === '' ? undefined : JSON.parse(text) };
}

export const json =
  (httpStatus: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Behaviour =>
  (response) => {
    response.writeHead(httpStatus, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };

/** A status, with a body that is no JSON or with none. */
export const status =
  (httpStatus: number, body = '', headers: Readonly<Record<string, string>> = {}): Behaviour =>
  (response) => {
    response.writeHead(httpStatus, headers).end(body);
  };

/** Takes the request, and never answers. */
export const hang = (): Behaviour => () => {};

/** Takes the request, and resets the connection. */
export const reset = (): Behaviour => (response) => {
  response.socket?.resetAndDestroy();
};

/** Begins to answer, and cuts the connection within the body. */
export const cutWithin =
  (httpStatus: number, body: string): Behaviour =>
  async (response) => {
    response.writeHead(httpStatus, { 'content-type': 'application/json', 'content-length': `${body.length + 10}` });
    await new Promise<void>((resolve) => response.write(body, () => resolve()));
    response.socket?.destroy();
  };

/** Answers a byte now and then, for as long as anyone listens. */
export const drip = (): Behaviour => async (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  while (!response.destroyed) {
    response.write(' ');
    await sleep(20);
  }
};

/** Answers as fast as it is read, for as long as anyone reads. */
export const endless = (): Behaviour => (response) => {
  const chunk = Buffer.alloc(1024 * 1024, ' ');
  response.writeHead(200, { 'content-type': 'application/json' });
  const pump = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', pump);
  pump();
};

/** A small answer that unpacks to so many bytes of white space with `{}` behind. */
export const gzipBomb = (unpackedBytes: number): Behaviour => {
  const packed = gzipSync(Buffer.concat([Buffer.alloc(unpackedBytes, ' '), Buffer.from('{}')]));
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(packed);
  };
};
