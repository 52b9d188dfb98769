import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

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
export const bytesFlushed = ({ bytesWritten, writableLength }: Socket): number => bytesWritten - writableLength;
