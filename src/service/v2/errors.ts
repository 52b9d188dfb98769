import type { JsonObject } from '../../core/base/json.ts';
import {
  type BackendError,
  type BackendErrorKind,
  forbidden,
  rateLimited,
  readerGroupNotFound,
  rejected,
  UNKNOWN_READER_GROUP_TEXT,
  unauthenticated,
  validationError,
} from '../../core/errors.ts';
import { createServiceError, type ServiceError } from '../../core/notices.ts';
import { type EmptyListEncoding, type Envelope, encodeEnvelope } from './envelope.ts';

/** Documented texts: see docs/service.md, "Reader group update". */
export const TITLE_REQUIRED = 'The Title field is required.';
export const ACCESS_SCOPE_REQUIRED = 'The AccessScope field is required.';

/** A response that rejects the request: its status, and its envelope if it has one. */
export interface ErrorResponse {
  readonly httpStatus: number;
  readonly envelope: Envelope | null;
  /** It counts where the status is 429, and is null where it is not known. */
  readonly retryAfterSeconds: number | null;
}

interface DecodeErrorOptions {
  /** True where parts of the write may have taken effect although it was rejected. */
  readonly mayHaveApplied: boolean;
  /** False where the documented texts about reader groups have no special meaning. */
  readonly readsTexts?: boolean;
}

/** Decodes an error. The status takes precedence over the body, since 401 and 403 may come without a body. */
export function decodeError(
  { httpStatus, envelope, retryAfterSeconds }: ErrorResponse,
  { mayHaveApplied, readsTexts = true }: DecodeErrorOptions,
): BackendError {
  const { errors: serviceErrors = [], warnings = [], information = [] } = envelope ?? {};
  if (httpStatus === 401) return unauthenticated(serviceErrors);
  if (httpStatus === 403) return forbidden(serviceErrors);
  if (httpStatus === 429) return rateLimited(retryAfterSeconds, serviceErrors);
  const error = rejected({ httpStatus, mayHaveApplied, serviceErrors, warnings, information });
  if (httpStatus >= 300 && httpStatus < 400) return { ...error, message: redirectMessage(httpStatus) };
  return (readsTexts ? errorOfKnownText(serviceErrors) : null) ?? error;
}

const redirectMessage = (httpStatus: number): string =>
  `The service answered with a redirect (HTTP ${httpStatus}). ` +
  'Redirects are not followed, so that the API token goes nowhere else; check UPSTREAM_URL.';

/** The error of a documented text; null unless all errors have that one text. */
function errorOfKnownText(serviceErrors: readonly ServiceError[]): BackendError | null {
  const texts = new Set(serviceErrors.map(({ description }) => description));
  if (texts.size !== 1) return null;
  if (texts.has(UNKNOWN_READER_GROUP_TEXT)) return readerGroupNotFound(serviceErrors);
  if (!texts.has(TITLE_REQUIRED)) return null;
  return validationError([{ path: ['title'], message: TITLE_REQUIRED }], 'SERVICE', serviceErrors);
}

/** The things that a read may name and the service may not have. */
export type NamedThing = 'article' | 'language' | 'category tree' | 'reader group' | 'team account';

/** The words for each thing in the published texts, with what its path names as well: see docs/service.md, "Status codes". */
const NAMES_IN_TEXTS = {
  article: 'article|article version|project version|workspace|language',
  language: 'project version|workspace|language',
  'category tree': 'project version|workspace|language',
  'reader group': 'reader group',
  'team account': 'user',
} as const satisfies Record<NamedThing, string>;

/** The longest text that is matched. Published texts are less than half as long. */
const MAX_TEXT_LENGTH = 500;

/** An ID as the texts quote it. Without quotes it has a digit, so that no word is taken for an ID. */
const QUOTED_ID = String.raw`(?:'[^']*'|"[^"]*"|[\w-]*\d[\w-]*)`;

/**
 * Matches whole texts, since "The API version was not found." says nothing about an article: "Article not found", "The
 * user id does not exist.", "Invalid Language code", "Cannot find article with id 5b29" and "Article with Id 5b29 with
 * the language code en does not contain version 2".
 */
function missingTextOf(names: string): RegExp {
  const name = `(?:the |an? )?(?:supplied |specified |requested |given )?(?:${names})(?:[ _](?:id|code|number))?`;
  const withId = `(?: (?:with )?(?:an? |the )?(?:given )?(?:(?:id|code|number)(?: ${QUOTED_ID})?|${QUOTED_ID}))?`;
  const isMissing = '(?:(?:was |is |could )?not (?:be )?found|does not exist)';
  const place = '(?: in (?:the|this|your) (?:project|project version|workspace|article))?';
  const lacksVersion = String.raw` with the language code [\w-]+ does not contain version \d+`;
  return new RegExp(
    `^(?:${name}(?: or ${name})?${withId}(?: ${isMissing}${place}|${lacksVersion})|` +
      String.raw`(?:cannot|could not|unable to) find ${name}${withId}${place}|invalid ${name}|not found)\.{0,2}$`,
    'iu',
  );
}

const MISSING_TEXTS: Readonly<Record<NamedThing, RegExp>> = {
  article: missingTextOf(NAMES_IN_TEXTS.article),
  language: missingTextOf(NAMES_IN_TEXTS.language),
  'category tree': missingTextOf(NAMES_IN_TEXTS['category tree']),
  'reader group': missingTextOf(NAMES_IN_TEXTS['reader group']),
  'team account': missingTextOf(NAMES_IN_TEXTS['team account']),
};

/**
 * True where every error of the service's envelope says that the thing does not exist. The one published error of
 * category trees has no text.
 */
export function saysMissing(error: BackendError, thing: NamedThing): boolean {
  if (error.kind === 'reader-group-not-found') return thing === 'reader group';
  if (error.kind !== 'rejected' || (error.httpStatus !== 400 && error.httpStatus !== 404)) return false;
  const texts = error.serviceErrors.map(({ description }) => description ?? '');
  if (texts.length === 0) return thing === 'category tree';
  return texts.every((text) => text.length <= MAX_TEXT_LENGTH && MISSING_TEXTS[thing].test(text.trim()));
}

const HTTP_STATUS = {
  validation: 400,
  'reader-group-not-found': 400,
  'changed-since': 409,
  unauthenticated: 401,
  forbidden: 403,
  'rate-limited': 429,
  rejected: 400,
  unavailable: 503,
  'outcome-unknown': 500,
  'not-offered': 404,
  'query-too-costly': 400,
  'too-costly': 400,
  'idempotency-conflict': 409,
  'idempotency-in-progress': 409,
  'job-not-found': 404,
} as const satisfies Record<BackendErrorKind, number>;

/** The HTTP status of an error in the façade. */
export const httpStatusOf = (error: BackendError): number =>
  (error.kind === 'rejected' && error.httpStatus) || HTTP_STATUS[error.kind];

/** Encodes the envelope of an error. */
export function encodeError(error: BackendError, emptyLists: EmptyListEncoding): JsonObject {
  const { warnings = [], information = [] } = error.kind === 'rejected' ? error : {};
  return encodeEnvelope({ success: false, errors: serviceErrorsOf(error), warnings, information }, emptyLists);
}

function serviceErrorsOf(error: BackendError): readonly ServiceError[] {
  if (error.serviceErrors.length > 0) return error.serviceErrors;
  if (error.kind === 'reader-group-not-found') return [createServiceError(UNKNOWN_READER_GROUP_TEXT)];
  if (error.kind === 'validation') return error.issues.map(({ message }) => createServiceError(message));
  return [createServiceError(error.message)];
}
