import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { BODY_WINDOW_BYTES, BODY_WINDOW_MS, READ_WINDOW_BYTES, READ_WINDOW_MS } from '../../base/limits.ts';

/** The progress that a client has to make: in each window so many bytes, or the rest. */
interface MinimumProgress {
  readonly windowMs: number;
  readonly windowBytes: number;
}

const DEFAULT_LIMITS = {
  checkMs: 1_000,
  body: { windowMs: BODY_WINDOW_MS, windowBytes: BODY_WINDOW_BYTES },
  answer: { windowMs: READ_WINDOW_MS, windowBytes: READ_WINDOW_BYTES },
};

/** The code of Node's own error of a request that takes too long, which is answered with 408. */
const TIMED_OUT = 'ERR_HTTP_REQUEST_TIMEOUT';

/**
 * Closes connections whose clients send a body or read an answer too slowly: each holds bytes in memory. The timeouts of
 * Node count a client that sends or reads a byte now and then as alive.
 */
export function dropSlowClients(server: Server, inFlight: Iterable<InFlightResponse>, limits = DEFAULT_LIMITS): void {
  const timer = setInterval(() => {
    for (const entry of inFlight) {
      const { socket } = entry;
      const phase = phaseOf(entry);
      if (phase === 'handling') entry.window = null;
      else if (!isStalled(entry, phase, limits[phase])) continue;
      else if (phase === 'answer') socket.resetAndDestroy();
      else
        server.emit('clientError', Object.assign(new Error('The body came too slowly.'), { code: TIMED_OUT }), socket);
    }
  }, limits.checkMs).unref();
  server.once('close', () => clearInterval(timer));
}

/** A body that nobody reads yet makes no progress. */
function phaseOf({ response }: InFlightResponse): 'body' | 'handling' | 'answer' {
  if (response.headersSent) return 'answer';
  return response.req.readableFlowing && !response.req.complete ? 'body' : 'handling';
}

/** True at the end of a window in which the client has made too little progress. Begins the next window. */
function isStalled(
  entry: InFlightResponse,
  phase: 'body' | 'answer',
  { windowMs, windowBytes }: MinimumProgress,
): boolean {
  const now = performance.now();
  const { bytesRead, bytesWritten, writableLength } = entry.socket;
  const bytes = phase === 'body' ? bytesRead : bytesWritten - writableLength;
  const { window } = entry;
  if (window !== null && now - window.since < windowMs) return false;
  entry.window = { since: now, bytes };
  return window !== null && bytes - window.bytes < windowBytes;
}

/** A response that is pending or being sent. */
export interface InFlightResponse {
  readonly socket: Socket;
  readonly response: ServerResponse;
  /** The beginning of the present window, and the bytes that were received or sent until then; null before the first. */
  window: { readonly since: number; readonly bytes: number } | null;
}

/** A connection with its unfinished responses, in the order of their requests. */
interface Connection {
  readonly responses: InFlightResponse[];
  /** The bytes of the last answer, and those of the connection until its end. */
  answerBytes: number;
  sentBytes: number;
}

export interface InFlightResponses extends Iterable<InFlightResponse> {
  /** Those of one connection. */
  of(socket: Duplex): readonly InFlightResponse[];
  count(): number;
}

/**
 * Tracks the unfinished responses of a server, in no order. They are kept per connection: a single Map of all responses
 * would change with each request, and the garbage of its rehashing took a fifth of the time of small requests.
 *
 * Idle connections end here, too, by a reset: the system would go on to send an answer that nobody reads for hours. A client
 * has the time that the last answer takes at the slowest rate that is allowed.
 */
export function trackInFlightResponses(server: Server): InFlightResponses {
  const connections = new Map<Duplex, Connection>();
  // One function for all requests, instead of a closure for each.
  const forget = function (this: ServerResponse): void {
    const { socket } = this.req;
    const connection = connections.get(socket);
    if (connection === undefined) return;
    const index = connection.responses.findIndex(({ response }) => response === this);
    if (index !== -1) connection.responses.splice(index, 1);
    connection.answerBytes = socket.bytesWritten - connection.sentBytes;
    connection.sentBytes = socket.bytesWritten;
  };
  server.prependListener('connection', (socket: Socket) => {
    connections.set(socket, { responses: [], answerBytes: 0, sentBytes: 0 });
    socket.once('close', () => connections.delete(socket));
  });
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    connections.get(socket)?.responses.push({ socket, response, window: null });
    response.on('close', forget);
  });
  server.on('timeout', (socket: Socket) => {
    const connection = connections.get(socket);
    const readMs = ((connection?.answerBytes ?? 0) * READ_WINDOW_MS) / READ_WINDOW_BYTES - server.keepAliveTimeout;
    if (connection?.responses.length === 0 && readMs > 0) {
      connection.answerBytes = 0;
      socket.setTimeout(readMs);
    } else socket.resetAndDestroy();
  });
  return {
    of: (socket) => connections.get(socket)?.responses ?? [],
    count: () => connections.values().reduce((sum, { responses }) => sum + responses.length, 0),
    *[Symbol.iterator]() {
      for (const { responses } of connections.values()) yield* responses;
    },
  };
}
