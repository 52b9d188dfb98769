import { type BackendError, rejected, unavailable } from '../../domain/errors.ts';
import { createServiceError } from '../../domain/notices.ts';
import type { BodyFailure } from '../requests/request-body.ts';
import { bodyTooLarge, outOfMemory, overloaded } from './http-error.ts';

export const OUT_OF_MEMORY = unavailable(outOfMemory.message);
export const OVERLOADED = unavailable(overloaded.message);

/** The failure of a body as the error of a backend, which the façade reports in its envelope. */
export function bodyErrorOf(
  failure: Exclude<BodyFailure, { readonly kind: 'gone' }>,
  maxBodyBytes: number,
): BackendError {
  if (failure.kind === 'refused') return failure.error;
  if (failure.kind === 'out-of-memory') return OUT_OF_MEMORY;
  const { status, message } = bodyTooLarge(maxBodyBytes);
  const serviceErrors = [createServiceError(message)];
  return rejected({ httpStatus: status, mayHaveApplied: false, serviceErrors, warnings: [], information: [] });
}
