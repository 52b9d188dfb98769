/** True for any thenable. */
export const isPromise = <T>(value: T | PromiseLike<T>): value is Promise<T> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';

/** A handler for rejections that no longer matter: an unhandled one ends the process. */
export const ignoreRejection = (): void => {};
