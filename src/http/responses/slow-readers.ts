import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { READ_WINDOW_BYTES, READ_WINDOW_MS } from '../../base/limits.ts';

/** The minimum progress of clients that read responses. */
interface ProgressLimits {
  readonly checkMs: number;
  /** In each window a client reads at least `windowBytes`, or the rest of the response. */
  readonly windowMs: number;
  readonly windowBytes: number;
}

/**
 * A poor mobile connection reads 32 kB per second. A client that reads nothing is dropped after two windows, since the
 * first one fills the sockets.
 */
const DEFAULT_LIMITS: ProgressLimits = {
  checkMs: 1_000,
  windowMs: READ_WINDOW_MS,
  windowBytes: READ_WINDOW_BYTES,
};

/** The beginning of a window, and the bytes flushed until then. */
interface ProgressWindow {
  readonly since: number;
  readonly flushed: number;
}

/**
 * Closes connections whose clients read their responses too slowly: each holds a response in memory, and `MemoryBudget`
 * bounds their sum. The timeouts of Node do not cover this, since they count a client that sends as alive.
 */
export function dropSlowReaders(
  server: Server,
  inFlight: Iterable<InFlightResponse>,
  limits: ProgressLimits = DEFAULT_LIMITS,
): void {
  const windows = new WeakMap<InFlightResponse, ProgressWindow>();
  const timer = setInterval(() => dropStalledConnections(inFlight, windows, limits), limits.checkMs).unref();
  server.once('close', () => clearInterval(timer));
}

function dropStalledConnections(
  inFlight: Iterable<InFlightResponse>,
  windows: WeakMap<InFlightResponse, ProgressWindow>,
  limits: ProgressLimits,
): void {
  const now = performance.now();
  for (const inFlightResponse of inFlight) {
    const { socket, response } = inFlightResponse;
    if (!response.headersSent) continue;
    const flushed = bytesFlushed(socket);
    const window = windows.get(inFlightResponse) ?? { since: now, flushed };
    const isOver = now - window.since >= limits.windowMs;
    const isStalled = isOver && flushed - window.flushed < limits.windowBytes;
    windows.set(inFlightResponse, isOver ? { since: now, flushed } : window);
    if (isStalled) socket.destroy();
  }
}

/** A response that is pending or being sent. */
export interface InFlightResponse {
  readonly socket: Socket;
  readonly response: ServerResponse;
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
    responsesByConnection.get(socket)?.push({ socket, response });
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

/** Bytes that were sent to the client so far. */
const bytesFlushed = ({ bytesWritten, writableLength }: Socket): number => bytesWritten - writableLength;
