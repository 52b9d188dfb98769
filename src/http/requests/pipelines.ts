import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTick } from 'node:timers/promises';
import { MAX_PIPELINED_REQUESTS } from '../../base/limits.ts';

interface Pipeline {
  /** The response to the newest request; null once that has ended, since it would hold the whole request. */
  last: ServerResponse | null;
  pending: number;
}

/**
 * Delays each pipelined request until the response to the previous request of its connection is sent. node:http emits
 * all requests of one read at once: 30,000 small ones, which are 900 kB, would hold the event loop for 1.5 s.
 */
export class RequestPipelines {
  readonly #pipelines = new WeakMap<Socket, Pipeline>();

  /** True for the first request of its connection. */
  isFirst({ socket }: IncomingMessage): boolean {
    return !this.#pipelines.has(socket);
  }

  /** Null when no request is pending before this one. Resolves to false when the connection is closed. */
  waitForPrevious({ socket }: IncomingMessage, response: ServerResponse): Promise<boolean> | null {
    const pipeline = this.#pipelines.get(socket);
    if (pipeline === undefined) {
      this.#pipelines.set(socket, { last: response, pending: 0 });
      return null;
    }
    const previous = pipeline.last;
    pipeline.last = response;
    return previous === null || previous.closed ? null : this.#wait(pipeline, previous, socket);
  }

  /** Forgets a response that has ended. */
  end({ socket }: IncomingMessage, response: ServerResponse): void {
    const pipeline = this.#pipelines.get(socket);
    if (pipeline?.last === response) pipeline.last = null;
  }

  async #wait(pipeline: Pipeline, previous: ServerResponse, socket: Socket): Promise<boolean> {
    if (pipeline.pending >= MAX_PIPELINED_REQUESTS) socket.destroy();
    if (socket.destroyed) return false;
    pipeline.pending += 1;
    // Every response of a closed connection emits `close`, also one that is pending.
    await new Promise((resolve) => previous.once('close', resolve));
    await nextTick();
    pipeline.pending -= 1;
    return !socket.destroyed;
  }
}
