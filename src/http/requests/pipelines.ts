import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTick } from 'node:timers/promises';

/** Requests of one connection that may wait behind each other. Clients that send ahead at all do so with ten or so. */
const MOST_WAITING = 100;

interface Line {
  /** The answer to the request that came last. */
  last: ServerResponse;
  waiting: number;
}

/**
 * Of requests that come on a connection before the one in front of them is answered, each waits for that answer. Node hands
 * over all that it reads at once, and 30,000 small ones, which are 900 kB, would hold the event loop for 1.5 s.
 */
export class Pipelines {
  readonly #lines = new WeakMap<Socket, Line>();

  /** Null where nothing is in front of the request. False where it is not to be answered: its connection is at an end. */
  turnOf({ socket }: IncomingMessage, response: ServerResponse): Promise<boolean> | null {
    const line = this.#lines.get(socket);
    if (line === undefined) {
      this.#lines.set(socket, { last: response, waiting: 0 });
      return null;
    }
    const before = line.last;
    line.last = response;
    return before.closed ? null : this.#wait(line, before, socket);
  }

  async #wait(line: Line, before: ServerResponse, socket: Socket): Promise<boolean> {
    if (line.waiting >= MOST_WAITING) socket.destroy();
    if (socket.destroyed) return false;
    line.waiting += 1;
    // It comes to all answers of a connection that ends, also to those whose turn has not come.
    await new Promise((resolve) => before.once('close', resolve));
    await nextTick();
    line.waiting -= 1;
    return !socket.destroyed;
  }
}
