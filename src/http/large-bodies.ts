import { setImmediate as turnOfEventLoop } from 'node:timers/promises';

/** There is one event loop, and so one line. */
let last: Promise<void> = Promise.resolve();

/**
 * Resolves when it is the turn of another step with a large body. They go one in each turn of the event loop: a hundred that
 * come together would else keep it from everybody else for as long as all of them take.
 */
export function turnOfLargeBody(): Promise<void> {
  last = last.then(() => turnOfEventLoop());
  return last;
}
