import type { Validation } from '../errors.ts';

/** Visible ASCII, since a key also stands in URLs, headers and logs of clients. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/u;

/** Checks the key of a write, if it has one, and then its input. */
export function* validateKeyed<T>(idempotencyKey: string | null | undefined, validation: Validation<T>): Validation<T> {
  if (idempotencyKey != null && !IDEMPOTENCY_KEY.test(idempotencyKey)) {
    const message = 'idempotencyKey must have 1 to 255 visible ASCII characters, without spaces.';
    yield { argument: 'idempotencyKey', path: [], message };
  }
  return yield* validation;
}
