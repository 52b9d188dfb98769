import { createServer, type RequestListener, type Server } from 'node:http';
import { err, ok, type Result } from '../domain/result.ts';
import { dropSlowReaders } from '../http/slow-readers.ts';

/** Whole request headers, in bytes; larger: 431. */
const MAX_HEADER_BYTES = 16_384;
/** A client that sends its headers, or its body, more slowly than this is dropped, at most a check later. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 15_000;
const CHECK_MS = 1_000;
/** How long a connection may wait for its next request. */
const KEEP_ALIVE_MS = 5_000;

/** A server that no slow client can hold. `answerMs` is the longest that an answer may take to begin. */
export function createHttpServer(handle: RequestListener, answerMs: number): Server {
  const server = createServer(
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
  dropSlowReaders(server);
  return server;
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
export function stopServer(server: Server, graceMs: number): Promise<boolean> {
  // A connection ends with the call that it carries, rather than wait for a next one.
  server.keepAliveTimeout = 1;
  server.keepAliveTimeoutBuffer = 0;
  return new Promise((resolve) => {
    let finished = true;
    const cut = setTimeout(() => {
      finished = false;
      server.closeAllConnections();
    }, graceMs);
    server.close(() => {
      clearTimeout(cut);
      resolve(finished);
    });
  });
}
