import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** An answer that is still awaited, or on its way. */
export interface Answer {
  readonly socket: Socket;
  readonly response: ServerResponse;
  /** What its connection had taken before it, in bytes. */
  readonly takenBefore: number;
  /** Answers are numbered as they begin. */
  readonly number: number;
}

/**
 * The answers of a server that have not come to their end, those that began first in front. They are kept with their
 * connections: in one Map for all of them, each request would change it, and the tables that a Map leaves behind as it
 * changes keep what stood in them for long, which took a fifth of the time of small requests.
 */
export function trackAnswers(server: Server): Iterable<Answer> {
  const connections = new Map<Socket, Answer[]>();
  let count = 0;
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
    connections.get(socket)?.push({ socket, response, takenBefore: takenBy(socket), number: count++ });
    response.on('close', forget);
  });
  return {
    *[Symbol.iterator]() {
      yield* [...connections.values()].flat().sort((one, other) => one.number - other.number);
    },
  };
}

/** Bytes that have left for the client so far. */
export const takenBy = ({ bytesWritten, writableLength }: Socket): number => bytesWritten - writableLength;
