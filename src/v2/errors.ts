import {
  type BackendError,
  type BackendErrorKind,
  forbidden,
  rateLimited,
  readerGroupNotFound,
  rejected,
  UNKNOWN_READER_GROUP,
  unauthenticated,
  validationError,
} from '../domain/errors.ts';
import { type ServiceError, serviceError } from '../domain/notices.ts';
import { type EmptyLists, type Envelope, encodeEnvelope } from './envelope.ts';

/** The documented error texts of a body that lacks something (spec, Errors). */
export const TITLE_REQUIRED = 'The Title field is required.';
export const ACCESS_SCOPE_REQUIRED = 'The AccessScope field is required.';

/** An answer that refuses: its status, and its envelope where it had one. */
export interface Refusal {
  readonly httpStatus: number;
  readonly envelope: Envelope | null;
  readonly retryAfterSeconds: number | null;
  /** Whether some of the write may have taken effect although it was refused. */
  readonly mayHaveApplied: boolean;
}

/** Names the failure behind a refusal. 401 and 403 may come without a body, so the status decides first. */
export function decodeRefusal(refusal: Refusal): BackendError {
  const { httpStatus, envelope, retryAfterSeconds, mayHaveApplied } = refusal;
  const serviceErrors = envelope?.errors ?? [];
  if (httpStatus === 401) return unauthenticated(serviceErrors);
  if (httpStatus === 403) return forbidden(serviceErrors);
  if (httpStatus === 429) return rateLimited(retryAfterSeconds, serviceErrors);
  const known = knownText(serviceErrors);
  if (known) return known;
  const { warnings = [], information = [] } = envelope ?? {};
  return rejected({ httpStatus, mayHaveApplied, serviceErrors, warnings, information });
}

/** The texts that name a failure exactly, when nothing else was said beside them. */
function knownText(serviceErrors: readonly ServiceError[]): BackendError | null {
  const texts = new Set(serviceErrors.map(({ description }) => description));
  if (texts.size !== 1) return null;
  if (texts.has(UNKNOWN_READER_GROUP)) return readerGroupNotFound(serviceErrors);
  if (!texts.has(TITLE_REQUIRED)) return null;
  return validationError([{ path: ['title'], message: TITLE_REQUIRED }], 'SERVICE', serviceErrors);
}

const HTTP_STATUS = {
  validation: 400,
  'reader-group-not-found': 400,
  unauthenticated: 401,
  forbidden: 403,
  'rate-limited': 429,
  rejected: 400,
  unavailable: 503,
  'outcome-unknown': 500,
  'not-offered': 404,
  'query-too-costly': 400,
  'too-costly': 400,
} as const satisfies Record<BackendErrorKind, number>;

/** The HTTP status of an answer that is nothing but this failure. */
export const httpStatusOf = (error: BackendError): number =>
  (error.kind === 'rejected' && error.httpStatus) || HTTP_STATUS[error.kind];

export interface EncodedError {
  readonly httpStatus: number;
  readonly envelope: Readonly<Record<string, unknown>>;
}

/** A failure as the service would answer it. */
export function encodeError(error: BackendError, lists: EmptyLists): EncodedError {
  const httpStatus = httpStatusOf(error);
  const { warnings = [], information = [] } = error.kind === 'rejected' ? error : {};
  return {
    httpStatus,
    envelope: encodeEnvelope({ success: false, errors: said(error), warnings, information }, lists),
  };
}

/** In the service's words where there are any; else one error per finding, and the documented text for a group. */
function said(error: BackendError): readonly ServiceError[] {
  if (error.serviceErrors.length > 0) return error.serviceErrors;
  if (error.kind === 'reader-group-not-found') return [serviceError(UNKNOWN_READER_GROUP)];
  if (error.kind === 'validation') return error.issues.map(({ message }) => serviceError(message));
  return [serviceError(error.message)];
}
