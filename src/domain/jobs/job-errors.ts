import type { BackendError } from '../errors.ts';

/** The key was used with another input before. */
export const idempotencyConflict = (message: string, indexes: readonly number[] = []): BackendError => ({
  kind: 'idempotency-conflict',
  message,
  indexes,
  serviceErrors: [],
});

/** The first request with the key is still under way, at the deadline of this one. */
export const idempotencyInProgress = (): BackendError => ({
  kind: 'idempotency-in-progress',
  message:
    'The first request with this idempotency key is still under way. Send the same request again to get its answer.',
  serviceErrors: [],
});

export const jobNotFound = (): BackendError => ({
  kind: 'job-not-found',
  message: 'There is no such job of this caller.',
  serviceErrors: [],
});
