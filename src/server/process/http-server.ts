import { once } from 'node:events';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  BODY_TIMEOUT_MS,
  HEADERS_TIMEOUT_MS,
  MAX_CONNECTIONS,
  MAX_PENDING_CONNECTIONS,
  PROGRESS_WINDOW_MS,
} from '../../core/base/limits.ts';
import type { Log } from '../../core/base/log.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { createHttpRequestFacts, requestIdOf } from '../http/requests/request-facts.ts';
import { sendText } from '../http/responses/send-response.ts';
import { type Connections, watchConnections } from '../http/responses/slow-clients.ts';

/** An import would read all exports, one of which loads undici: a sixth of the CPU time of a start over the store, and 8 MB. */
const http = process.getBuiltinModule('node:http');

/** Milliseconds between two checks for slow clients. */
const CONNECTION_CHECK_MS = 1_000;

/** The fraction of the grace period in which each idle connection may have a last request. */
const IDLE_GRACE = 1 / 20;

interface HttpServerOptions {
  /** The longest time until a response begins, in milliseconds. */
  readonly maxResponseMs: number;
  readonly keepAliveMs: number;
  readonly maxHeaderBytes: number;
  readonly log: Log;
}

/** Creates a server that slow clients can't exhaust. */
export function createHttpServer(handle: RequestListener, options: HttpServerOptions): GatewayServer {
  const { maxResponseMs, keepAliveMs, maxHeaderBytes, log } = options;
  const server = new GatewayServer(
    {
      // Unlike this, Node's own --max-http-header-size would also bound the answers that the gateway reads.
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: BODY_TIMEOUT_MS,
      connectionsCheckingInterval: CONNECTION_CHECK_MS,
      keepAliveTimeout: keepAliveMs,
      // The request guards refuse such a request with an ID.
      requireHostHeader: false,
    },
    handle,
  );
  // The timeout also covers the time in which a response is pending.
  server.timeout = maxResponseMs + PROGRESS_WINDOW_MS;
  server.maxConnections = MAX_CONNECTIONS;
  answerUnreadableRequests(server, { maxHeaderBytes, log });
  // Unknown expectations are ignored, since node:http would answer 417 without an ID.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  return server;
}

/**
 * A server that announces the end of a connection in its last response. Node's own server closes idle connections at
 * once, so that a write sent at that moment is lost, and its client can't know that it did not arrive.
 */
export class GatewayServer extends http.Server {
  readonly clientConnections: Connections = watchConnections(this);

  /** The responses that are pending or being sent. */
  countInFlight(): number {
    return this.clientConnections.values().reduce((sum, { responses }) => sum + responses.size, 0);
  }

  /** Makes every later response close its connection. Calls back after the last connection has ended. */
  stopListening(onClosed: () => void): void {
    this.prependListener('request', (_request, response) => closeAfterResponse(response));
    for (const { responses } of this.clientConnections.values()) responses.forEach(closeAfterResponse);
    // A connection whose response has begun is closed after it, without waiting for another request.
    this.keepAliveTimeout = 1;
    this.keepAliveTimeoutBuffer = 0;
    // `close` of node:http would also close idle connections.
    NetServer.prototype.close.call(this, onClosed);
  }
}

function closeAfterResponse(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** Starts to listen. Resolves to the address with the real port when `port` is 0. `setting` is the one of the port. */
export async function listen(
  server: Server,
  { host, port }: ListenAddress,
  setting = 'PORT',
): Promise<Result<ListenAddress, string>> {
  // Without a host, Node listens on ::, or on 0.0.0.0 where the machine has no IPv6.
  server.listen({ ...(host !== '::' && { host }), port, backlog: MAX_PENDING_CONNECTIONS });
  try {
    await once(server, 'listening');
  } catch (error) {
    // Ends the timers of the server.
    server.close();
    return err(listenErrorMessage(error, { host, port, setting }));
  }
  const address = server.address();
  return ok({ host, port: typeof address === 'object' && address !== null ? address.port : port });
}

function listenErrorMessage(
  error: unknown,
  { host, port, setting }: ListenAddress & { readonly setting: string },
): string {
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
    return `port ${port} of ${host} is in use: stop what listens there, or set ${setting} (0 takes a free one)`;
  return `cannot listen on port ${port} of ${host}: ${error instanceof Error ? error.message : error}`;
}

/**
 * Accepts no new connections, lets in-flight requests finish, and closes the other connections after `graceMs`.
 * Resolves to false when it had to close any.
 */
export function stopServer(server: GatewayServer, graceMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    let allFinished = true;
    // Requests that have arrived are read in this tick first, so that their connections are not idle.
    const closeIdle = () => setImmediate(() => server.closeIdleConnections());
    const idleTimer = setTimeout(closeIdle, IDLE_GRACE * graceMs);
    const graceTimer = setTimeout(() => {
      allFinished = false;
      server.closeAllConnections();
    }, graceMs);
    server.stopListening(() => {
      clearTimeout(idleTimer);
      clearTimeout(graceTimer);
      resolve(allFinished);
    });
  });
}

/** The status lines of requests that node:http cannot read, by the code of its error. */
const STATUS_LINES: ReadonlyMap<string, string> = new Map([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', '413 Payload Too Large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
]);
const BAD_REQUEST = '400 Bad Request';
const TOO_LARGE_HEADERS = 431;

/**
 * Answers input that node:http can't parse as node:http itself does, with an ID that is also in the log, and closes the
 * connection. After a complete request there is no such answer, since it would be taken for the answer to that request:
 * the connection is closed after its own response, which may be the outcome of a write.
 */
function answerUnreadableRequests(
  server: GatewayServer,
  { maxHeaderBytes, log }: Pick<HttpServerOptions, 'maxHeaderBytes' | 'log'>,
): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const responses = [...(server.clientConnections.get(socket)?.responses ?? [])];
    const lastComplete = responses.findLast(({ req }) => req.complete);
    if (socket.writable && lastComplete !== undefined) {
      // Nothing more is read, so there is no second error.
      socket.pause();
      closeAfterResponse(lastComplete);
      lastComplete.once('close', () => socket.end(() => socket.destroy()));
      return;
    }
    const [pending] = responses;
    if (socket.writable && pending?.headersSent !== true) {
      const requestId = (pending && requestIdOf(pending.req)) ?? crypto.randomUUID();
      const statusLine = STATUS_LINES.get(error.code ?? '') ?? BAD_REQUEST;
      const status = Number.parseInt(statusLine, 10);
      const setting = status === TOO_LARGE_HEADERS ? 'MAX_HEADER_BYTES' : undefined;
      const message = `The headers of a request may have ${maxHeaderBytes} bytes together, which MAX_HEADER_BYTES sets.`;
      socket.write(rawAnswer(statusLine, requestId, setting && message));
      log('info', 'a request could not be read', { status, code: error.code, setting, requestId });
    }
    // With an error, the other end of a connection in memory would lose the answer.
    socket.destroy();
  });
}

function rawAnswer(statusLine: string, requestId: string, message: string | undefined): string {
  const head = [`HTTP/1.1 ${statusLine}`, 'Connection: close', `x-request-id: ${requestId}`];
  const body = message && JSON.stringify({ errors: [{ message, extensions: { code: 'BAD_REQUEST', requestId } }] });
  if (body) head.push('content-type: application/json; charset=utf-8', `content-length: ${body.length}`);
  return `${head.join('\r\n')}\r\n\r\n${body ?? ''}`;
}

/** Answers a request to a gateway that does not serve. */
export function sendUnavailable(request: IncomingMessage, response: ServerResponse, message: string): void {
  const facts = createHttpRequestFacts(request, response);
  const extensions = { code: 'UNAVAILABLE', requestId: facts.id };
  const body = JSON.stringify({ errors: [{ message, extensions }] });
  sendText({ response, facts }, { status: 503, headers: { 'content-type': 'application/json; charset=utf-8' }, body });
}
