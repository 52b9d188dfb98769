/** There is one event loop, and so one line. */
let last: Promise<void> = Promise.resolve();

/**
 * Resolves when it is the turn of another step with a large body: of a request, or of an answer of the service. They go
 * one in each turn of the event loop: a hundred that come together would else keep it from everybody else for as long as
 * all of them take.
 */
export function turnOfLargeStep(): Promise<void> {
  last = last.then(turnOfEventLoop);
  return last;
}

const turnOfEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
