import { GraphQLError } from 'graphql';
import { type BackendError, type BackendErrorKind, BackendFailure, validationError } from '../domain/errors.ts';
import type { Result } from '../domain/result.ts';

export type ErrorCode =
  | 'VALIDATION_FAILED'
  | 'NOT_FOUND'
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'RATE_LIMITED'
  | 'REJECTED'
  | 'UNAVAILABLE'
  | 'OUTCOME_UNKNOWN'
  | 'NOT_OFFERED'
  | 'QUERY_TOO_COSTLY'
  | 'INTERNAL';

export interface FailureTraits {
  readonly code: ErrorCode;
  /** Sending the very same request again is safe and may help. */
  readonly retryable: boolean;
}

/** The same code for a kind of failure, whether it stands in a union or in `errors`. */
export const FAILURE_TRAITS = {
  validation: { code: 'VALIDATION_FAILED', retryable: false },
  'reader-group-not-found': { code: 'NOT_FOUND', retryable: false },
  unauthenticated: { code: 'UNAUTHENTICATED', retryable: false },
  forbidden: { code: 'FORBIDDEN', retryable: false },
  'rate-limited': { code: 'RATE_LIMITED', retryable: true },
  rejected: { code: 'REJECTED', retryable: false },
  unavailable: { code: 'UNAVAILABLE', retryable: true },
  'outcome-unknown': { code: 'OUTCOME_UNKNOWN', retryable: false },
  'not-offered': { code: 'NOT_OFFERED', retryable: false },
  'query-too-costly': { code: 'QUERY_TOO_COSTLY', retryable: false },
} as const satisfies Record<BackendErrorKind, FailureTraits>;

/** A failed read as GraphQL reports it: null at its place, and this among the `errors`. */
export function readFailure(error: BackendError): GraphQLError {
  const { serviceErrors } = error;
  return new GraphQLError(error.message, {
    extensions: {
      ...FAILURE_TRAITS[error.kind],
      ...(serviceErrors.length > 0 && { serviceErrors }),
      ...(error.kind === 'rate-limited' && { retryAfterSeconds: error.retryAfterSeconds }),
      ...(error.kind === 'rejected' && { httpStatus: error.httpStatus }),
      ...(error.kind === 'validation' && { issues: error.issues }),
    },
    originalError: new BackendFailure(error),
  });
}

/** The failure behind a thrown read failure; null where something else was thrown. */
export const failureBehind = (thrown: unknown): BackendError | null =>
  thrown instanceof GraphQLError && thrown.originalError instanceof BackendFailure ? thrown.originalError.error : null;

/** The value of a read, or its failure thrown as GraphQL wants it. */
export function unwrap<T>(result: Result<T, BackendError>): T {
  if (!result.ok) throw readFailure(result.error);
  return result.value;
}

/** An argument of a query that breaks a rule. */
export const invalidArgument = (path: readonly string[], message: string): GraphQLError =>
  readFailure(validationError([{ path, message }]));
