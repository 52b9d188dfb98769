import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** An answer that is still awaited, or on its way. */
export interface Answer {
  readonly socket: Socket;
  readonly response: ServerResponse;
  /** What its connection had taken before it, in bytes. */
  readonly takenBefore: number;
}

/** The answers of a server that have not come to their end, those that began first in front. */
export function trackAnswers(server: Server): ReadonlyMap<ServerResponse, Answer> {
  const answers = new Map<ServerResponse, Answer>();
  // One function for all of them: each of a million requests would make its own.
  const forget = function (this: ServerResponse): void {
    answers.delete(this);
  };
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    answers.set(response, { socket, response, takenBefore: takenBy(socket) });
    response.on('close', forget);
  });
  return answers;
}

/** Bytes that have left for the client so far. */
export const takenBy = ({ bytesWritten, writableLength }: Socket): number => bytesWritten - writableLength;
