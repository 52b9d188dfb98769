import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { READ_WINDOW_BYTES, READ_WINDOW_MS } from '../../base/limits.ts';

/**
 * The minimum progress of clients: in each window, `windowBytes` or the rest of the response. A poor mobile connection
 * reads 32 kB per second. A client that reads nothing is dropped after two windows, since the first one fills the sockets.
 */
const DEFAULT_LIMITS = { checkMs: 1_000, windowMs: READ_WINDOW_MS, windowBytes: READ_WINDOW_BYTES };

/**
 * Closes connections whose clients read their responses too slowly: each holds a response in memory, and `MemoryBudget`
 * bounds their sum. The timeouts of Node do not cover this, since they count a client that sends as alive.
 */
export function dropSlowReaders(server: Server, inFlight: Iterable<InFlightResponse>, limits = DEFAULT_LIMITS): void {
  const timer = setInterval(() => {
    for (const entry of inFlight) if (entry.response.headersSent && isStalled(entry, limits)) entry.socket.destroy();
  }, limits.checkMs).unref();
  server.once('close', () => clearInterval(timer));
}

/** True at the end of a window in which the client has read too little. Begins the next window. */
function isStalled(entry: InFlightResponse, { windowMs, windowBytes }: typeof DEFAULT_LIMITS): boolean {
  const now = performance.now();
  const { bytesWritten, writableLength } = entry.socket;
  const flushed = bytesWritten - writableLength;
  const { window } = entry;
  if (window !== null && now - window.since < windowMs) return false;
  entry.window = { since: now, flushed };
  return window !== null && flushed - window.flushed < windowBytes;
}

/** A response that is pending or being sent. */
export interface InFlightResponse {
  readonly socket: Socket;
  readonly response: ServerResponse;
  /** The beginning of the present window, and the bytes that were sent to the client until then; null before the first. */
  window: { readonly since: number; readonly flushed: number } | null;
}

export interface InFlightResponses extends Iterable<InFlightResponse> {
  /** Those of one connection. */
  of(socket: Duplex): readonly InFlightResponse[];
  count(): number;
}

/**
 * Tracks the unfinished responses of a server, in no order. They are kept per connection: a single Map of all responses
 * would change with each request, and the garbage of its rehashing took a fifth of the time of small requests.
 */
export function trackInFlightResponses(server: Server): InFlightResponses {
  const responsesByConnection = new Map<Duplex, InFlightResponse[]>();
  // One function for all requests, instead of a closure for each.
  const forget = function (this: ServerResponse): void {
    const responses = responsesByConnection.get(this.req.socket) ?? [];
    const index = responses.findIndex(({ response }) => response === this);
    if (index !== -1) responses.splice(index, 1);
  };
  server.prependListener('connection', (socket: Socket) => {
    responsesByConnection.set(socket, []);
    socket.once('close', () => responsesByConnection.delete(socket));
  });
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    responsesByConnection.get(socket)?.push({ socket, response, window: null });
    response.on('close', forget);
  });
  return {
    of: (socket) => responsesByConnection.get(socket) ?? [],
    count: () => responsesByConnection.values().reduce((sum, responses) => sum + responses.length, 0),
    *[Symbol.iterator]() {
      for (const responses of responsesByConnection.values()) yield* responses;
    },
  };
}
