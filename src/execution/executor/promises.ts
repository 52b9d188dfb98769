/** Whatever can be waited for. */
export const isPromise = <T>(value: T | PromiseLike<T>): value is Promise<T> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';

/** Stands for those who would hear of a failure that no longer matters: Node ends a process that hears of none. */
export const UNHEARD = (): void => {};
