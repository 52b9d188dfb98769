import { GraphQLError } from 'graphql';
import type { Log } from '../../base/log.ts';
import type { MaskError } from '../../execution/execution.ts';

const UNEXPECTED_ERROR = 'Unexpected error.';

/** Masks unexpected errors: the log has the whole error, and the response has the ID of the request. */
export function createErrorMask(log: Log): MaskError {
  return (error, requestId) => {
    if (error instanceof GraphQLError && (!error.originalError || error.originalError instanceof GraphQLError))
      return error;
    log('error', 'unexpected error', { requestId, error });
    const { nodes = null, path = null } = error instanceof GraphQLError ? error : {};
    return new GraphQLError(UNEXPECTED_ERROR, { nodes, path, extensions: { code: 'INTERNAL', retryable: false } });
  };
}

/** Yoga takes only a GraphQLError as it is. The execution masks the error later, when it knows the request. */
export const toMaskableError = (error: unknown): GraphQLError =>
  error instanceof GraphQLError
    ? error
    : new GraphQLError(UNEXPECTED_ERROR, { originalError: error instanceof Error ? error : new Error(typeof error) });
