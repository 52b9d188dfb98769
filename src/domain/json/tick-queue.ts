/**
 * Gives each step with a large body a tick of the event loop of its own. A hundred such steps in one tick would block
 * every other request until the last of them is done. A process has one event loop and so one queue, in which the
 * bodies of requests and the responses of the service wait together.
 */
export class TickQueue {
  #last: Promise<void> = Promise.resolve();

  /** Resolves in a tick of its own, after all earlier calls. */
  nextTick(): Promise<void> {
    this.#last = this.#last.then(() => new Promise((resolve) => setImmediate(resolve)));
    return this.#last;
  }
}
