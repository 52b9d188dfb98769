import { GraphQLError } from 'graphql';
import type { BackendResult } from '../../core/backend.ts';
import type { Result } from '../../core/base/result.ts';
import { type BackendError, type BackendErrorKind, validationError } from '../../core/errors.ts';
import type { ErrorCode } from '../../core/request-errors.ts';

interface ErrorTraits {
  readonly code: ErrorCode;
  /** True when the same request can be sent again safely and may succeed. */
  readonly retryable: boolean;
}

/** The code of each kind of failure, both in result unions and in `errors`. */
export const ERROR_TRAITS = {
  validation: { code: 'VALIDATION_FAILED', retryable: false },
  'reader-group-not-found': { code: 'NOT_FOUND', retryable: false },
  'changed-since': { code: 'CHANGED_SINCE', retryable: false },
  unauthenticated: { code: 'UNAUTHENTICATED', retryable: false },
  forbidden: { code: 'FORBIDDEN', retryable: false },
  'rate-limited': { code: 'RATE_LIMITED', retryable: true },
  rejected: { code: 'REJECTED', retryable: false },
  unavailable: { code: 'UNAVAILABLE', retryable: true },
  'outcome-unknown': { code: 'OUTCOME_UNKNOWN', retryable: false },
  'not-offered': { code: 'NOT_OFFERED', retryable: false },
  'query-too-costly': { code: 'QUERY_TOO_COSTLY', retryable: false },
  'too-costly': { code: 'QUERY_TOO_COSTLY', retryable: false },
  'idempotency-conflict': { code: 'IDEMPOTENCY_CONFLICT', retryable: false },
  'idempotency-in-progress': { code: 'IDEMPOTENCY_IN_PROGRESS', retryable: true },
  'job-not-found': { code: 'NOT_FOUND', retryable: false },
} as const satisfies Record<BackendErrorKind, ErrorTraits>;

/** A failure of a backend as an entry of `errors`. */
export class BackendGraphQLError extends GraphQLError {
  readonly backendError: BackendError;

  constructor(backendError: BackendError) {
    // Thousands of fields can fail in one response. Capturing stacks, which nobody reads, would take most of the time.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(backendError.message, { extensions: extensionsOf(backendError) });
    Error.stackTraceLimit = stackTraceLimit;
    Object.defineProperty(this, 'stack', { value: this.message });
    this.backendError = backendError;
  }
}

export const createGraphQLError = (error: BackendError): BackendGraphQLError => new BackendGraphQLError(error);

export const extensionsOf = (error: BackendError) => ({
  ...ERROR_TRAITS[error.kind],
  ...(error.serviceErrors.length > 0 && { serviceErrors: error.serviceErrors }),
  ...(error.kind === 'rate-limited' && { retryAfterSeconds: error.retryAfterSeconds }),
  ...(error.kind === 'rejected' && { httpStatus: error.httpStatus }),
  ...(error.kind === 'validation' && { issues: error.issues }),
});

/** Returns the value of a result, or throws its error. */
export function unwrapResult<T>(result: Result<T, BackendError>): T {
  if (!result.ok) throw createGraphQLError(result.error);
  return result.value;
}

/** Resolves to the value of a read, or rejects with its error. Every resolver that reads of a backend uses it. */
export const openRead = async <T>(read: BackendResult<T>): Promise<T> => unwrapResult(await read);

export const invalidArgumentError = (path: readonly string[], message: string): GraphQLError =>
  createGraphQLError(validationError([{ path, message }]));
