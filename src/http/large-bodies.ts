import { setImmediate as turnOfEventLoop } from 'node:timers/promises';

/** A list of some 250 items, which takes about a millisecond of CPU time. */
export const LARGE_BYTES = 64 * 1024;

/** There is one event loop, and so one line. */
let last: Promise<void> = Promise.resolve();

/**
 * Resolves when it is the turn of another large body. They go one in each turn of the event loop: a hundred that come
 * together would else keep it from everybody else for as long as all of them take.
 */
export function turnOfLargeBody(): Promise<void> {
  last = last.then(() => turnOfEventLoop());
  return last;
}
