/** Whatever can be waited for. */
export const isPromise = <T>(value: T | PromiseLike<T>): value is Promise<T> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
