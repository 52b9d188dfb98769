import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** An answer that is still awaited, or on its way. */
export interface Answer {
  readonly socket: Socket;
  readonly response: ServerResponse;
}

/**
 * The answers of a server that have not come to their end, in no order. They are kept with their
 * connections: in one Map for all of them, each request would change it, and the tables that a Map leaves behind as it
 * changes keep what stood in them for long, which took a fifth of the time of small requests.
 */
export function trackAnswers(server: Server): Iterable<Answer> {
  const connections = new Map<Socket, Answer[]>();
  // One function for all of them: each of a million requests would make its own.
  const forget = function (this: ServerResponse): void {
    const answers = connections.get(this.req.socket) ?? [];
    const index = answers.findIndex(({ response }) => response === this);
    if (index !== -1) answers.splice(index, 1);
  };
  server.prependListener('connection', (socket: Socket) => {
    connections.set(socket, []);
    socket.once('close', () => connections.delete(socket));
  });
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    connections.get(socket)?.push({ socket, response });
    response.on('close', forget);
  });
  return {
    *[Symbol.iterator]() {
      for (const answers of connections.values()) yield* answers;
    },
  };
}

/** Bytes that have left for the client so far. */
export const takenBy = ({ bytesWritten, writableLength }: Socket): number => bytesWritten - writableLength;
