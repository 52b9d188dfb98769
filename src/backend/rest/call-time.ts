/** With less time than this left no read is begun: it could only be cut off. */
export const LEAST_READ_MS = 50;

/** With less time than this left no write is begun, however quick the calls before it were. */
export const LEAST_WRITE_MS = 1_000;

/** The number of a token's last calls that tell how long the next may take. */
const REMEMBERED_CALLS = 20;

/** A call is remembered no longer than this: where one took more time than any request has, writes go on after it. */
const REMEMBERED_MS = 60_000;

/** How long the last calls of one API token took. */
export class CallTimes {
  readonly #calls: { readonly endedAt: number; readonly ms: number }[] = [];
  #next = 0;

  note(ms: number): void {
    this.#calls[this.#next] = { endedAt: performance.now(), ms };
    this.#next = (this.#next + 1) % REMEMBERED_CALLS;
  }

  /** Milliseconds that must be left of a request for a call of it to begin. */
  leastFor(method: 'GET' | 'PUT'): number {
    if (method === 'GET') return LEAST_READ_MS;
    const since = performance.now() - REMEMBERED_MS;
    return this.#calls.reduce((most, { endedAt, ms }) => (endedAt < since ? most : Math.max(most, ms)), LEAST_WRITE_MS);
  }
}
