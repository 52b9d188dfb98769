import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { portOf } from './ports.ts';

/** A request as it was received, with its whole body. */
export interface Received {
  readonly method: string;
  /** The target with its query, as it was sent. */
  readonly url: string;
  readonly headers: Readonly<IncomingMessage['headers']>;
  /** All header names, as they were sent. */
  readonly headerNames: readonly string[];
  /** The parsed JSON of the body; undefined when there was none. */
  readonly body: unknown;
}

/** The response of the service to one request, after its body was received. */
export type Behaviour = (response: ServerResponse, request: Received) => void | Promise<void>;

/** A service on a real port with scripted behaviour. */
export interface FaultyService {
  readonly url: string;
  readonly received: readonly Received[];
  readonly connections: () => number;
  /**
   * Sets the behaviours of a route such as `PUT /v2/…`, one for each request; the last one is repeated. The query is
   * ignored. A route without a behaviour gets a 404 without a body.
   */
  on(route: string, ...behaviours: readonly Behaviour[]): void;
  /** Sets the behaviour of all routes without one of their own. */
  onAny(behaviour: Behaviour): void;
  /** The requests of one route, without their query. */
  receivedOn(route: string): readonly Received[];
  /** Clears the received requests, and the behaviours of the route. */
  forget(route: string): void;
  /** Ends every connection, and waits until the other end has closed it. */
  closeConnections(): Promise<void>;
  close(): Promise<void>;
}

export async function openFaultyService(): Promise<FaultyService> {
  const received: Received[] = [];
  const script = new Map<string, Behaviour[]>();
  const sockets = new Set<Socket>();
  let connections = 0;
  let fallback: Behaviour = status(404);
  const server = createServer(async (message, response) => {
    const request = await receive(message);
    if (request === null) return;
    received.push(request);
    const behaviours = script.get(routeOf(request)) ?? [];
    const behaviour = behaviours.length > 1 ? behaviours.shift() : behaviours[0];
    await (behaviour ?? fallback)(response, request);
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
      fallback = behaviour;
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

/** Null where the client has ended in the middle of its request. */
async function receive(message: IncomingMessage): Promise<Received | null> {
  const text = await readText(message).catch(() => null);
  if (text === null) return null;
  const headerNames = message.rawHeaders.filter((_, index) => index % 2 === 0);
  const { method = '', url = '', headers } = message;
  return { method, url, headers, headerNames, body: text === '' ? undefined : JSON.parse(text) };
}

export const json =
  (httpStatus: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Behaviour =>
  (response) => {
    response.writeHead(httpStatus, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };

/** The one shape of every answer of the service: see docs/service.md, "Response envelope". */
export const envelope = (data: unknown, more: object = {}) => ({
  data,
  success: true,
  errors: [],
  warnings: [],
  information: [],
  extension_data: null,
  ...more,
});

/** Responds with a status, and with a body that is not JSON or with none. */
export const status =
  (httpStatus: number, body = '', headers: Readonly<Record<string, string>> = {}): Behaviour =>
  (response) => {
    response.writeHead(httpStatus, headers).end(body);
  };

/** Responds as the service at this URL does to the same request, and ends the connection where that one ends. */
export const forwardedTo =
  (url: string): Behaviour =>
  async (response, { method, url: target, headers, body }) => {
    const { api_token } = headers;
    const sent = new Headers({ 'content-type': 'application/json', ...(api_token && { api_token: `${api_token}` }) });
    const answer = await fetch(url + target, {
      method,
      headers: sent,
      body: body === undefined ? null : JSON.stringify(body),
    }).catch(() => null);
    const text = await answer?.text().catch(() => null);
    if (!answer || typeof text !== 'string') return void response.destroy();
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  };

/** Receives the request and never responds. */
export const hang = (): Behaviour => () => {};

/** Responds to every request as `behaviour` does, but not before `release` was called. */
export function held(behaviour: Behaviour): { readonly behaviour: Behaviour; readonly release: () => void } {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  return {
    release,
    behaviour: async (...exchange) => {
      await released;
      await behaviour(...exchange);
    },
  };
}

/** Receives the request and resets the connection. */
export const reset = (): Behaviour => (response) => {
  response.socket?.resetAndDestroy();
};

/** Begins a response and cuts the connection within the body. */
export const cutWithin =
  (httpStatus: number, body: string): Behaviour =>
  async (response) => {
    response.writeHead(httpStatus, { 'content-type': 'application/json', 'content-length': `${body.length + 10}` });
    await new Promise<void>((resolve) => response.write(body, () => resolve()));
    response.socket?.destroy();
  };

/** Sends a byte every 20 ms until the client ends the connection. */
export const drip = (): Behaviour => async (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  while (!response.destroyed) {
    response.write(' ');
    await sleep(20);
  }
};

/** Sends as fast as the client reads, until it ends the connection. */
export const endless = (): Behaviour => (response) => {
  const chunk = Buffer.alloc(1024 * 1024, ' ');
  response.writeHead(200, { 'content-type': 'application/json' });
  const pump = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', pump);
  pump();
};

/** A small compressed response of `unpackedBytes` bytes of white space and `{}`. */
export const gzipBomb = (unpackedBytes: number): Behaviour => {
  const packed = gzipSync(Buffer.concat([Buffer.alloc(unpackedBytes, ' '), Buffer.from('{}')]));
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(packed);
  };
};
