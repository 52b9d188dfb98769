/**
 * Gives each step with a large body a tick of the event loop of its own. A hundred such steps in one tick would block
 * every other request until the last of them is done. A process has one event loop and so one queue, in which the
 * bodies of requests and the responses of the service wait together. Responses come first: they end calls whose values
 * take memory until then, and there are never more of them than calls.
 */
export class TickQueue {
  readonly #responses: (() => void)[] = [];
  readonly #requests: (() => void)[] = [];
  #isRunning = false;

  /** Resolves in a tick of its own, after all earlier calls of its kind. */
  nextTick(kind: 'request' | 'response' = 'request'): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    (kind === 'response' ? this.#responses : this.#requests).push(resolve);
    if (!this.#isRunning) this.#scheduleNext();
    return promise;
  }

  #scheduleNext(): void {
    this.#isRunning = true;
    setImmediate(() => {
      const resolve = this.#responses.shift() ?? this.#requests.shift();
      this.#isRunning = this.#responses.length + this.#requests.length > 0;
      if (this.#isRunning) this.#scheduleNext();
      resolve?.();
    });
  }
}
