import { type RequestListener, Server, type ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { err, ok, type Result } from '../../domain/result.ts';
import { trackAnswers } from '../../http/responses/in-flight-responses.ts';
import { dropSlowReaders } from '../../http/responses/slow-readers.ts';

/** Whole request headers, in bytes; larger: 431. */
const MAX_HEADER_BYTES = 16_384;
/** A client that sends its headers, or its body, more slowly than this is dropped, at most a check later. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 15_000;
const CHECK_MS = 1_000;
/** How long a connection may wait for its next request. */
const KEEP_ALIVE_MS = 5_000;

/** How long, once the server stops, an idle connection may bring one last request. */
const IDLE_MS = 500;

/** A server that no slow client can hold. `answerMs` is the longest that an answer may take to begin. */
export function createHttpServer(handle: RequestListener, answerMs: number): GatewayServer {
  const server = new GatewayServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    handle,
  );
  // Nothing moves on a connection while an answer is awaited.
  server.timeout = answerMs + REQUEST_TIMEOUT_MS;
  dropSlowReaders(server, server.answers);
  return server;
}

/**
 * A server that takes leave of its clients. Node's own would promise to keep a connection and then close it, at once where
 * it is idle: a write sent in that moment is lost, and its client can't know that it never arrived.
 */
export class GatewayServer extends Server {
  readonly answers = trackAnswers(this);

  /** Every answer from now on ends its connection, and says so. Calls back when there is no connection left. */
  stopListening(done: () => void): void {
    this.prependListener('request', (_request, response) => endWithAnswer(response));
    for (const { response } of this.answers) endWithAnswer(response);
    // Where an answer has begun already, its connection ends rather than wait for a next request.
    this.keepAliveTimeout = 1;
    this.keepAliveTimeoutBuffer = 0;
    // That of `node:http` would close the idle connections too.
    NetServer.prototype.close.call(this, done);
  }
}

function endWithAnswer(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Listens, and tells the port that was taken where 0 was asked for. */
export function listen(server: Server, { host, port }: Address): Promise<Result<Address, string>> {
  return new Promise((resolve) => {
    const refuse = (error: NodeJS.ErrnoException) => resolve(err(explain(error, { host, port })));
    server.once('error', refuse);
    server.listen({ host, port }, () => {
      server.off('error', refuse);
      const address = server.address();
      resolve(ok({ host, port: typeof address === 'object' && address !== null ? address.port : port }));
    });
  });
}

function explain(error: NodeJS.ErrnoException, { host, port }: Address): string {
  if (error.code === 'EADDRINUSE') {
    return `port ${port} of ${host} is in use: stop what listens there, or set PORT (0 takes a free one)`;
  }
  return `cannot listen on port ${port} of ${host}: ${error.message}`;
}

/**
 * Takes no new connections, lets the calls in flight finish, and ends what is still open after `graceMs`. Tells whether
 * all of them finished.
 */
export function stopServer(server: GatewayServer, graceMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    let finished = true;
    // After what has come meanwhile was read: a connection is idle only then.
    const closeIdle = () => setImmediate(() => server.closeIdleConnections());
    const leave = setTimeout(closeIdle, Math.min(IDLE_MS, graceMs));
    const cut = setTimeout(() => {
      finished = false;
      server.closeAllConnections();
    }, graceMs);
    server.stopListening(() => {
      clearTimeout(leave);
      clearTimeout(cut);
      resolve(finished);
    });
  });
}
