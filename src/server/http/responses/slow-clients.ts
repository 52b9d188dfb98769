import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { LATE_HEAD_MS, MIN_PROGRESS_BYTES, PROGRESS_WINDOW_MS, UNREAD_ANSWER_MS } from '../../../core/base/limits.ts';
import { SMALL_BYTES } from '../memory.ts';

/** In each window a client has to send, or to read, so many bytes, or the rest. */
const DEFAULT_LIMITS = { checkMs: 1_000, windowMs: PROGRESS_WINDOW_MS, windowBytes: MIN_PROGRESS_BYTES };

/** The code of Node's own error of a request that takes too long, which is answered with 408. */
const TIMED_OUT = 'ERR_HTTP_REQUEST_TIMEOUT';

type Phase = 'body' | 'answer';

interface Connection {
  /** The responses that are pending or being sent, in the order of their requests. */
  readonly responses: Set<ServerResponse>;
  /** The bytes that had been sent or read when the present window began; null while the client has nothing to do. */
  window: { readonly phase: Phase; readonly since: number; readonly bytes: number } | null;
  /** The bytes that had been sent before the newest request. */
  sent: number;
  /** `performance.now()` until when the next request has to come; infinite before the first, of which Node takes care. */
  idleUntil: number;
}

export type Connections = ReadonlyMap<Duplex, Connection>;

/** Null while the client has nothing to do. A body that nobody reads yet makes no progress. */
function phaseOf(response: ServerResponse): Phase | null {
  if (response.headersSent) return 'answer';
  return response.req.readableFlowing && !response.req.complete ? 'body' : null;
}

/**
 * Tracks the connections of a server, and closes those whose clients send a body or read an answer too slowly: each holds
 * bytes in memory. The timeouts of Node count a client that sends or reads a byte now and then as active, also where it sends
 * line feeds between two requests.
 */
export function watchConnections(server: Server, limits = DEFAULT_LIMITS): Connections {
  const connections = trackConnections(server);
  const nextWindow = (response: ServerResponse, { window }: Connection, now: number) => {
    const phase = phaseOf(response);
    const { socket } = response.req;
    const bytes = phase === 'body' ? socket.bytesRead : socket.bytesWritten - socket.writableLength;
    if (phase === null || window?.phase !== phase) return phase && { phase, since: now, bytes };
    if (now - window.since < limits.windowMs) return window;
    if (bytes - window.bytes >= limits.windowBytes) return { phase, since: now, bytes };
    if (phase === 'answer') reset(socket);
    else server.emit('clientError', Object.assign(new Error('The body came too slowly.'), { code: TIMED_OUT }), socket);
    return null;
  };
  const timer = setInterval(() => {
    const now = performance.now();
    for (const [socket, connection] of connections) {
      const [response] = connection.responses;
      connection.window = response === undefined ? null : nextWindow(response, connection, now);
      if (response === undefined && now > connection.idleUntil) reset(socket);
    }
  }, limits.checkMs).unref();
  server.once('close', () => clearInterval(timer));
  // After a mere close of an idle connection, the system would go on for hours to send an answer that nobody reads.
  server.on('timeout', reset);
  return connections;
}

/** Closes a connection without what is left to send. One in memory, as of a host's Fetch requests, has nothing to reset. */
function reset(socket: Duplex): void {
  if (socket instanceof Socket) socket.resetAndDestroy();
  else socket.destroy();
}

function trackConnections(server: Server): Connections {
  const connections = new Map<Duplex, Connection>();
  // One function for all requests, instead of a closure for each.
  const forget = function (this: ServerResponse): void {
    const { socket } = this.req;
    const connection = connections.get(socket);
    if (connection === undefined) return;
    const { responses, sent } = connection;
    responses.delete(this);
    connection.window = null;
    // Nobody but the system sees how much of a large answer is read.
    const mayBeUnread = responses.size === 0 && socket.bytesWritten - sent > SMALL_BYTES;
    if (mayBeUnread && socket instanceof Socket) socket.setTimeout(UNREAD_ANSWER_MS);
    const idleMs = mayBeUnread ? UNREAD_ANSWER_MS : server.keepAliveTimeout || Number.POSITIVE_INFINITY;
    connection.idleUntil = performance.now() + idleMs + LATE_HEAD_MS;
  };
  server.prependListener('connection', (socket: Socket) => {
    connections.set(socket, { responses: new Set(), window: null, sent: 0, idleUntil: Number.POSITIVE_INFINITY });
    socket.once('close', () => connections.delete(socket));
  });
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(socket);
    if (connection === undefined) return;
    connection.responses.add(response);
    connection.sent = socket.bytesWritten;
    response.on('close', forget);
  });
  return connections;
}
