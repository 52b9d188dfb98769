import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { MAX_PIPELINED_REQUESTS } from '../../../core/base/limits.ts';

interface Connection {
  /** The response to the newest request; null once that has ended, since it would hold the whole request. */
  last: ServerResponse | null;
  waiting: number;
}

/**
 * Keeps pipelined requests in their order, which Node emits together and of which HTTP lets only reads run at one time
 * (RFC 9112, section 9.3.2). A connection with too many is closed.
 */
export class ConnectionOrder {
  readonly #connections = new WeakMap<Socket, Connection>();

  /** Resolves to false where the connection was closed before the request's turn. */
  async waitForPrevious({ socket }: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const connection = this.#connections.get(socket) ?? { last: null, waiting: 0 };
    this.#connections.set(socket, connection);
    const previous = connection.last;
    connection.last = response;
    if (previous === null || previous.closed) return true;
    if (connection.waiting >= MAX_PIPELINED_REQUESTS) socket.destroy();
    connection.waiting += 1;
    // Every response of a closed connection emits `close`, also one that is pending.
    if (!socket.destroyed) await new Promise((resolve) => previous.once('close', resolve));
    connection.waiting -= 1;
    return !socket.destroyed;
  }

  /** Must be called once a response is closed. */
  end({ socket }: IncomingMessage, response: ServerResponse): void {
    const connection = this.#connections.get(socket);
    if (connection?.last === response) connection.last = null;
  }
}
