import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTick } from 'node:timers/promises';
import { MAX_BEGINNINGS, MAX_PIPELINED_REQUESTS, MAX_REQUESTS } from '../../base/limits.ts';

/**
 * Bounds the requests under way. They begin in the order in which they came, few in one turn of the event loop, so that new
 * connections and health checks are served between them.
 */
export class Admission {
  #underWay = 0;
  #begun = 0;
  readonly #waiting: (() => void)[] = [];

  get isFull(): boolean {
    return this.#underWay >= MAX_REQUESTS;
  }

  /** So many wait without an error, even where the event loop is behind: it is for a while in each burst after a start. */
  get isHalfFull(): boolean {
    return this.#underWay >= MAX_REQUESTS / 2;
  }

  /** Counts the request until `leave` is called. Null where it begins at once; the promise is that of one that waits. */
  enter(): Promise<void> | null {
    this.#underWay += 1;
    if (this.#waiting.length === 0 && this.#begun < MAX_BEGINNINGS) {
      this.#countBeginning();
      return null;
    }
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  leave(): void {
    this.#underWay -= 1;
  }

  #countBeginning(): void {
    if (this.#begun === 0) setImmediate(this.#beginNext);
    this.#begun += 1;
  }

  readonly #beginNext = (): void => {
    this.#begun = 0;
    for (const begin of this.#waiting.splice(0, MAX_BEGINNINGS)) {
      this.#countBeginning();
      begin();
    }
  };
}

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
