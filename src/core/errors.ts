import type { Notice, ServiceError } from './notices.ts';

/** One problem of an input, with its path: `["articles", "3", "order"]`. */
export interface InputIssue {
  readonly path: readonly string[];
  /** The argument of a mutation at which the path begins. Absent for `input`. */
  readonly argument?: string | undefined;
  readonly message: string;
}

/**
 * Checks an input: yields an issue for each broken rule, and returns the input, which is valid only when nothing was
 * yielded. A generator lets its caller pause, since an input may have hundreds of thousands of issues.
 */
export type Validation<T> = Generator<InputIssue, T, void>;

/** Yields the issue of a field with a problem; nothing for null. */
export function* validateField(field: string, problem: string | null): Validation<void> {
  if (problem !== null) yield { path: [field], message: `${field} ${problem}.` };
}

interface BackendErrorDetails {
  readonly message: string;
  /** The errors of the service's response, in its order; empty when the gateway itself found the problem. */
  readonly serviceErrors: readonly ServiceError[];
}

/** The expected failures of a backend. Each border has a table of all kinds, so a new kind breaks the build there. */
export type BackendError = BackendErrorDetails &
  (
    | {
        readonly kind: 'validation';
        readonly source: 'GATEWAY' | 'SERVICE';
        readonly issues: readonly InputIssue[];
      }
    | { readonly kind: 'reader-group-not-found' }
    | { readonly kind: 'changed-since'; readonly groupId: string }
    | { readonly kind: 'unauthenticated' }
    | { readonly kind: 'forbidden' }
    | { readonly kind: 'rate-limited'; readonly retryAfterSeconds: number | null }
    | {
        readonly kind: 'rejected';
        readonly httpStatus: number | null;
        /** True when part of the write may have taken effect although the service rejected it. */
        readonly mayHaveApplied: boolean;
        readonly warnings: readonly Notice[];
        readonly information: readonly Notice[];
      }
    | {
        readonly kind: 'unavailable';
        /** True when it is known that the request had no time left. */
        readonly isOutOfTime?: boolean;
        /** The status of an answer that is not the service's. */
        readonly foreignStatus?: number;
      }
    | { readonly kind: 'outcome-unknown' }
    | { readonly kind: 'not-offered' }
    | { readonly kind: 'query-too-costly' }
    | { readonly kind: 'too-costly'; readonly calls: number; readonly allowed: number }
    | {
        readonly kind: 'idempotency-conflict';
        /** The first 100 items of a job that differ; empty for other writes. */
        readonly indexes: readonly number[];
      }
    | { readonly kind: 'idempotency-in-progress' }
    | { readonly kind: 'job-not-found' }
  );

export type BackendErrorKind = BackendError['kind'];

export type ErrorOfKind<K extends BackendErrorKind> = Extract<BackendError, { kind: K }>;

/** The input broke rules, which the issues name. Nothing was sent. */
export function validationError(
  issues: readonly InputIssue[],
  source: 'GATEWAY' | 'SERVICE' = 'GATEWAY',
  serviceErrors: readonly ServiceError[] = [],
): ErrorOfKind<'validation'> {
  const [first] = issues;
  const message = issues.length === 1 && first ? first.message : `The input has ${issues.length} problems.`;
  return { kind: 'validation', message, source, issues, serviceErrors };
}

const failure = <K extends BackendErrorKind>(
  kind: K,
  message: string,
  serviceErrors: readonly ServiceError[] = [],
) => ({ kind, message, serviceErrors });

/** The service's text for an unknown group: see docs/service.md, "Reader group update". */
export const UNKNOWN_READER_GROUP_TEXT = 'The reader group Id does not exist.';

export const readerGroupNotFound = (serviceErrors?: readonly ServiceError[]): BackendError =>
  failure('reader-group-not-found', 'The reader group does not exist.', serviceErrors);

/** The reader group has another revision than the write expects. Nothing was written. */
export const groupChangedSince = (
  groupId: string,
  { expected, found }: { readonly expected: string; readonly found: string },
): BackendError => ({
  ...failure(
    'changed-since',
    `The reader group no longer has the revision that was sent: ${expected} was expected, and ${found} is there. When a reader group was last changed is not known.`,
  ),
  groupId,
});

/** The credentials are missing or were not accepted. */
export const unauthenticated = (
  serviceErrors?: readonly ServiceError[],
  message = 'A valid API token is required. Send it in the header X-Api-Token, in api_token or after Authorization: Bearer.',
): BackendError => failure('unauthenticated', message, serviceErrors);

/** The credentials do not permit the request. */
export const forbidden = (
  serviceErrors?: readonly ServiceError[],
  message = 'The API token does not permit this.',
): BackendError => failure('forbidden', message, serviceErrors);

/** The rate limit has no call left. */
export const rateLimited = (
  retryAfterSeconds: number | null,
  serviceErrors?: readonly ServiceError[],
): BackendError => {
  const advice = retryAfterSeconds === null ? '' : ` Try again in ${retryAfterSeconds} s.`;
  const message = `The service accepts no more calls for now.${advice}`;
  return { ...failure('rate-limited', message, serviceErrors), retryAfterSeconds };
};

export type Rejection = Omit<ErrorOfKind<'rejected'>, 'kind' | 'message'>;

/** The service refused the request for a reason that no other kind names. */
export const rejected = (rejection: Rejection): BackendError => ({
  kind: 'rejected',
  message: rejectionMessage(rejection),
  ...rejection,
});

function rejectionMessage({ serviceErrors, httpStatus }: Rejection): string {
  const descriptions = serviceErrors.flatMap(({ description }) => description || []);
  if (descriptions.length > 0) return descriptions.join(' ');
  return httpStatus === null
    ? 'The service refused the request.'
    : `The service refused the request with HTTP ${httpStatus}.`;
}

/** No write was sent, so the same request can be repeated safely. */
export const unavailable = (message = 'The service cannot be reached.'): ErrorOfKind<'unavailable'> =>
  failure('unavailable', message);

/** Nothing was sent, since the request had too little time left. `cause` is a sentence, or empty. */
export const outOfTime = (requestTimeoutMs: number, cause = ''): BackendError => ({
  ...unavailable(
    `${cause && `${cause} `}The request has ${requestTimeoutMs} ms (REQUEST_TIMEOUT_MS), and too little time was left to send ` +
      'this. Send again what is `retryable`; with a larger REQUEST_TIMEOUT_MS one request sends more.',
  ),
  isOutOfTime: true,
});

/** The write was sent, and no response has its outcome. */
export const outcomeUnknown = (reason: string, serviceErrors?: readonly ServiceError[]): BackendError =>
  failure('outcome-unknown', `The write was sent, and its outcome is unknown: ${reason}`, serviceErrors);

/** The service has no such call. */
export const notOffered = (message = 'The service does not offer this.'): BackendError =>
  failure('not-offered', message);

/** The request needs more calls or a larger answer than one request may. */
export const queryTooCostly = (message: string): BackendError => failure('query-too-costly', message);

/** A bulk update needs too many calls of the service. Nothing was sent. */
export const bulkUpdateTooCostly = (calls: number, allowed: number): BackendError => {
  const message =
    `The list would take ${calls} calls of the service, and one list may take ${allowed}. An article goes once into a ` +
    'call: send what is for the same article as one item, or in several requests.';
  return { ...failure('too-costly', message), calls, allowed };
};

/** Reads need more calls of the service than one request may make. */
export const readsTooCostly = (calls: number, allowed: number): BackendError => {
  const message =
    `This takes ${calls} calls of the service or more; the reads of one request may take ${allowed} calls. Ask for ` +
    'fewer items, or for fewer of their links.';
  return { ...failure('too-costly', message), calls, allowed };
};

/** The key was used with another input before. */
export const idempotencyConflict = (message: string, indexes: readonly number[] = []): BackendError => ({
  ...failure('idempotency-conflict', message),
  indexes,
});

/** The first request with the key was still in progress at the deadline of this one. */
export const idempotencyInProgress = (): BackendError =>
  failure(
    'idempotency-in-progress',
    'The first request with this idempotency key is still under way. Send the same request again to get its answer.',
  );

export const jobNotFound = (): BackendError => failure('job-not-found', 'There is no such job of this caller.');

/** True when a failed write may have taken effect. */
export const mayHaveApplied = (error: BackendError): boolean =>
  error.kind === 'outcome-unknown' ||
  error.kind === 'idempotency-in-progress' ||
  (error.kind === 'rejected' && error.mayHaveApplied);
