import type { ExecutionResult } from 'graphql';
import type { RequestErrorCode } from '../../../core/request-errors.ts';

/**
 * Yoga sends a status with `spec` only as `application/graphql-response+json`. As `application/json` it sends 200,
 * which the draft of GraphQL over HTTP requires.
 */
const BAD_REQUEST = { status: 400, spec: true };

/** The HTTP statuses of errors in a result without data, by their codes. */
const STATUS_BY_CODE: Readonly<Record<string, object>> = {
  GRAPHQL_PARSE_FAILED: BAD_REQUEST,
  GRAPHQL_VALIDATION_FAILED: BAD_REQUEST,
  BAD_USER_INPUT: BAD_REQUEST,
  QUERY_TOO_COSTLY: BAD_REQUEST,
  PERSISTED_QUERY_NOT_FOUND: BAD_REQUEST,
  PERSISTED_QUERY_NOT_SUPPORTED: BAD_REQUEST,
  PERSISTED_QUERY_ONLY: BAD_REQUEST,
  LIMIT_EXCEEDED: { status: 400 },
  INTERNAL: { status: 500 },
} satisfies Partial<Record<RequestErrorCode | 'QUERY_TOO_COSTLY' | 'INTERNAL', object>>;

/** Adds statuses to the errors of a result without data, in the extension from which Yoga reads them. */
export function assignErrorStatuses({ errors = [] }: ExecutionResult): void {
  for (const error of errors) {
    const http = STATUS_BY_CODE[String(error.extensions['code'])];
    if (http !== undefined) Object.assign(error, { extensions: { ...error.extensions, http } });
  }
}
