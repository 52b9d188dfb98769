import type { Notice, ServiceError } from './notices.ts';

/** One thing that is wrong with an input, and where: `["articles", "3", "order"]`. */
export interface InputIssue {
  readonly path: readonly string[];
  readonly message: string;
}

/**
 * The rules for an input, held against it one after another: yields each issue, and returns the input as it may be used if
 * there was none. Whoever collects the issues can stop in between, since an input may have hundreds of thousands.
 */
export type Rules<T> = Generator<InputIssue, T, void>;

interface Failure {
  readonly message: string;
  /** What the service said, in its order; empty where the gateway found it alone. */
  readonly serviceErrors: readonly ServiceError[];
}

/** Every way a call to a backend is expected to fail. A new kind breaks the build at each border that must name it. */
export type BackendError = Failure &
  (
    | {
        readonly kind: 'validation';
        readonly source: 'GATEWAY' | 'SERVICE';
        readonly issues: readonly InputIssue[];
      }
    | { readonly kind: 'reader-group-not-found' }
    | { readonly kind: 'unauthenticated' }
    | { readonly kind: 'forbidden' }
    | { readonly kind: 'rate-limited'; readonly retryAfterSeconds: number | null }
    | {
        readonly kind: 'rejected';
        readonly httpStatus: number | null;
        /** Whether some of the write may have taken effect although it was refused. */
        readonly mayHaveApplied: boolean;
        readonly warnings: readonly Notice[];
        readonly information: readonly Notice[];
      }
    | { readonly kind: 'unavailable' }
    | { readonly kind: 'outcome-unknown' }
    | { readonly kind: 'not-offered' }
    | { readonly kind: 'query-too-costly' }
    | { readonly kind: 'too-costly'; readonly calls: number; readonly allowed: number }
  );

export type BackendErrorKind = BackendError['kind'];

type ErrorOfKind<K extends BackendErrorKind> = Extract<BackendError, { kind: K }>;

export function validationError(
  issues: readonly InputIssue[],
  source: 'GATEWAY' | 'SERVICE' = 'GATEWAY',
  serviceErrors: readonly ServiceError[] = [],
): ErrorOfKind<'validation'> {
  const [first] = issues;
  const message = issues.length === 1 && first ? first.message : `The input has ${issues.length} problems.`;
  return { kind: 'validation', message, source, issues, serviceErrors };
}

/** What the service says of a group that does not exist (spec, Errors). */
export const UNKNOWN_READER_GROUP = 'The reader group Id does not exist.';

export const readerGroupNotFound = (serviceErrors: readonly ServiceError[]): BackendError => ({
  kind: 'reader-group-not-found',
  message: 'The reader group does not exist.',
  serviceErrors,
});

export const unauthenticated = (serviceErrors: readonly ServiceError[] = []): BackendError => ({
  kind: 'unauthenticated',
  message: 'A valid API token is required. Send it in the header api_token.',
  serviceErrors,
});

export const forbidden = (serviceErrors: readonly ServiceError[] = []): BackendError => ({
  kind: 'forbidden',
  message: 'The API token does not permit this.',
  serviceErrors,
});

export const rateLimited = (
  retryAfterSeconds: number | null,
  serviceErrors: readonly ServiceError[] = [],
): BackendError => ({
  kind: 'rate-limited',
  message:
    retryAfterSeconds === null
      ? 'The service accepts no more calls for now.'
      : `The service accepts no more calls for now. Try again in ${retryAfterSeconds} s.`,
  retryAfterSeconds,
  serviceErrors,
});

export type Rejection = Omit<ErrorOfKind<'rejected'>, 'kind' | 'message'>;

export const rejected = (rejection: Rejection): BackendError => ({
  kind: 'rejected',
  message: rejectionMessage(rejection),
  ...rejection,
});

function rejectionMessage({ serviceErrors, httpStatus }: Rejection): string {
  const said = serviceErrors.flatMap(({ description }) => (description ? [description] : []));
  if (said.length > 0) return said.join(' ');
  return httpStatus === null
    ? 'The service refused the request.'
    : `The service refused the request with HTTP ${httpStatus}.`;
}

/** Nothing was sent, or only reads were: sending the same request again is safe. */
export const unavailable = (message = 'The service cannot be reached.'): BackendError => ({
  kind: 'unavailable',
  message,
  serviceErrors: [],
});

/** The write was sent, and no answer says what became of it. */
export const outcomeUnknown = (reason: string, serviceErrors: readonly ServiceError[] = []): BackendError => ({
  kind: 'outcome-unknown',
  message: `The write was sent, and its outcome is unknown: ${reason}`,
  serviceErrors,
});

export const notOffered = (): BackendError => ({
  kind: 'not-offered',
  message: 'The service does not offer this.',
  serviceErrors: [],
});

export const queryTooCostly = (message: string): BackendError => ({
  kind: 'query-too-costly',
  message,
  serviceErrors: [],
});

/** A write that would take too many calls of the service. Nothing was sent. */
export const tooCostly = (calls: number, allowed: number): BackendError => ({
  kind: 'too-costly',
  message:
    `The list would take ${calls} calls of the service, and one list may take ${allowed}. An article goes once into a ` +
    'call: send what is for the same article as one item, or in several requests.',
  calls,
  allowed,
  serviceErrors: [],
});

/** True where a write that failed may have reached the service and taken effect. */
export const mayHaveApplied = (error: BackendError): boolean =>
  error.kind === 'outcome-unknown' || (error.kind === 'rejected' && error.mayHaveApplied);
