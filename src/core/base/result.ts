/** A value or an expected failure. The type names every expected failure; a thrown error is a bug. */
export type Result<T, E> = Ok<T> | Err<E>;

export interface Ok<T> {
  readonly ok: true;
  readonly value: T;
}

export interface Err<E> {
  readonly ok: false;
  readonly error: E;
}

export const ok = <T>(value: T): Ok<T> => ({ ok: true, value });

/** An expected failure. */
export const err = <E>(error: E): Err<E> => ({ ok: false, error });

export const mapOk = <T, U, E>(result: Result<T, E>, map: (value: T) => U): Result<U, E> =>
  result.ok ? ok(map(result.value)) : result;

/** Converts the value of a result, unless it is null. */
export const mapFound = <T, U, E>(result: Result<T | null, E>, map: (value: T) => U): Result<U | null, E> =>
  mapOk(result, (value) => (value === null ? null : map(value)));

/** All values, or the first error. */
export function allOk<T, E>(results: readonly Result<T, E>[]): Result<readonly T[], E> {
  const failed = results.find((result) => !result.ok);
  return failed ?? ok(results.flatMap((result) => (result.ok ? [result.value] : [])));
}
