import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTick } from 'node:timers/promises';
import { MAX_PIPELINED_REQUESTS } from '../../../core/base/limits.ts';

interface Connection {
  /** The response to the newest request; null once that has ended, since it would hold the whole request. */
  last: ServerResponse | null;
  waiting: number;
}

/** Keeps the requests of one connection in their order. Node emits all that it has read at once, which may be thousands. */
export class ConnectionOrder {
  readonly #connections = new WeakMap<Socket, Connection>();

  /** Null where no earlier request of the connection is pending. Resolves to false where the connection is closed. */
  waitForPrevious({ socket }: IncomingMessage, response: ServerResponse): Promise<boolean> | null {
    const connection = this.#connections.get(socket);
    if (connection === undefined) {
      this.#connections.set(socket, { last: response, waiting: 0 });
      return null;
    }
    const previous = connection.last;
    connection.last = response;
    return previous === null || previous.closed ? null : this.#wait(connection, previous, socket);
  }

  /** Must be called once the response has ended or its connection is closed. */
  end({ socket }: IncomingMessage, response: ServerResponse): void {
    const connection = this.#connections.get(socket);
    if (connection?.last === response) connection.last = null;
  }

  async #wait(connection: Connection, previous: ServerResponse, socket: Socket): Promise<boolean> {
    if (connection.waiting >= MAX_PIPELINED_REQUESTS) socket.destroy();
    if (socket.destroyed) return false;
    connection.waiting += 1;
    // Every response of a closed connection emits `close`, also one that is pending.
    await new Promise((resolve) => previous.once('close', resolve));
    await nextTick();
    connection.waiting -= 1;
    return !socket.destroyed;
  }
}
