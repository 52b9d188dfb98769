import type { BackendError } from '../../domain/errors.ts';
import {
  AuthenticationErrorType,
  errorAmong,
  OutcomeUnknownErrorType,
  RateLimitedErrorType,
  ReaderGroupNotFoundErrorType,
  ServiceRejectedErrorType,
  ServiceUnavailableErrorType,
  ValidationErrorType,
} from '../errors/errors.ts';

/** How a write to a reader group can fail as a whole: the types for the unions, and the kinds behind them. */
export const READER_GROUP_ERROR_TYPES = [
  ValidationErrorType,
  ReaderGroupNotFoundErrorType,
  AuthenticationErrorType,
  RateLimitedErrorType,
  ServiceRejectedErrorType,
  ServiceUnavailableErrorType,
  OutcomeUnknownErrorType,
] as const;

const KINDS = [
  'validation',
  'reader-group-not-found',
  'unauthenticated',
  'forbidden',
  'rate-limited',
  'rejected',
  'unavailable',
  'outcome-unknown',
] as const;

export const readerGroupError = (error: BackendError) => errorAmong(KINDS, error);
