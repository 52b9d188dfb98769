import { GraphQLError } from 'graphql';
import { type BackendError, type BackendErrorKind, validationError } from '../../domain/errors.ts';
import type { Result } from '../../domain/result.ts';

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
  'too-costly': { code: 'QUERY_TOO_COSTLY', retryable: false },
} as const satisfies Record<BackendErrorKind, FailureTraits>;

/** A failed read as GraphQL reports it: null at its place, and this among the `errors`. */
export class ReadFailure extends GraphQLError {
  readonly failure: BackendError;

  constructor(failure: BackendError) {
    // Of what is expected nobody reads a stack, and in a large answer thousands fail: capturing it takes most of the time.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(failure.message, { extensions: extensionsOf(failure) });
    Error.stackTraceLimit = stackTraceLimit;
    Object.defineProperty(this, 'stack', { value: this.message });
    this.failure = failure;
  }
}

export const readFailure = (failure: BackendError): ReadFailure => new ReadFailure(failure);

const extensionsOf = (failure: BackendError) => ({
  ...FAILURE_TRAITS[failure.kind],
  ...(failure.serviceErrors.length > 0 && { serviceErrors: failure.serviceErrors }),
  ...(failure.kind === 'rate-limited' && { retryAfterSeconds: failure.retryAfterSeconds }),
  ...(failure.kind === 'rejected' && { httpStatus: failure.httpStatus }),
  ...(failure.kind === 'validation' && { issues: failure.issues }),
});

/** The value of a read, or its failure thrown as GraphQL wants it. */
export function unwrap<T>(result: Result<T, BackendError>): T {
  if (!result.ok) throw readFailure(result.error);
  return result.value;
}

/** An argument of a query that breaks a rule. */
export const invalidArgument = (path: readonly string[], message: string): GraphQLError =>
  readFailure(validationError([{ path, message }]));
