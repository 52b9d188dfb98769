import {
  type BackendError,
  type BackendErrorKind,
  type ErrorOfKind,
  type InputIssue,
  mayHaveApplied,
} from '../../domain/errors.ts';
import { builder } from '../builder.ts';
import { createGraphQLError, ERROR_TRAITS } from './graphql-errors.ts';
import { NoticeType, ServiceErrorType } from './notices.ts';

/** The type of each kind of failure in a result union; null for the kinds that only reads have. */
const ERROR_TYPE_NAMES = {
  validation: 'ValidationError',
  'reader-group-not-found': 'ReaderGroupNotFoundError',
  unauthenticated: 'AuthenticationError',
  forbidden: 'AuthenticationError',
  'rate-limited': 'RateLimitedError',
  rejected: 'ServiceRejectedError',
  unavailable: 'ServiceUnavailableError',
  'outcome-unknown': 'OutcomeUnknownError',
  'not-offered': null,
  'query-too-costly': null,
  'too-costly': 'TooCostlyError',
} as const satisfies Record<BackendErrorKind, string | null>;

/** The name of the failure's type. A failure without a type becomes an error of the field. */
export function errorTypeName(error: BackendError) {
  const name = ERROR_TYPE_NAMES[error.kind];
  if (name === null) throw createGraphQLError(error);
  return name;
}

/** Narrows a failure to the kinds of a result union. A failure of another kind becomes an error of the field. */
export function toErrorOfKinds<K extends BackendErrorKind>(kinds: readonly K[], error: BackendError): ErrorOfKind<K> {
  const isAmong = (candidate: BackendError): candidate is ErrorOfKind<K> =>
    kinds.some((kind) => kind === candidate.kind);
  if (!isAmong(error)) throw createGraphQLError(error);
  return error;
}

const ErrorCodeType = builder.enumType('ErrorCode', {
  description: 'What kind of failure it is; the same codes stand in `extensions.code` of a failed read.',
  values: {
    VALIDATION_FAILED: { description: 'The input breaks a rule; the issues say where.' },
    NOT_FOUND: { description: 'What was to be changed does not exist.' },
    UNAUTHENTICATED: { description: 'The API token or the JWT is missing or not valid (HTTP 401).' },
    FORBIDDEN: { description: 'The API token or the JWT does not permit this (HTTP 403).' },
    RATE_LIMITED: {
      description: 'The service accepts no more calls for now, or the gateway none of this caller (HTTP 429).',
    },
    REJECTED: { description: 'The service refused the request in its own words.' },
    UNAVAILABLE: { description: 'The service cannot be reached, and nothing was written.' },
    OUTCOME_UNKNOWN: { description: 'The write was sent, and no answer says what became of it.' },
    NOT_OFFERED: { description: 'The service has no call for this.' },
    QUERY_TOO_COSTLY: { description: 'The request would cost more calls to the service than one may.' },
    INTERNAL: { description: 'A fault of the gateway itself. Its log has the request ID.' },
  } as const,
});

const MutationError = builder.interfaceRef<BackendError>('MutationError').implement({
  description: 'A request that failed as a whole. Switch on `__typename`, or on `code` where a new type may come.',
  resolveType: errorTypeName,
  fields: (t) => ({
    message: t.exposeString('message', { description: 'What went wrong, for people.' }),
    code: t.field({
      type: ErrorCodeType,
      description: 'What went wrong, for programs.',
      resolve: ({ kind }) => ERROR_TRAITS[kind].code,
    }),
    retryable: t.boolean({
      description: 'Whether sending the very same request again is safe and may help.',
      resolve: ({ kind }) => ERROR_TRAITS[kind].retryable,
    }),
    mayHaveApplied: t.boolean({
      description: 'Whether the write may have reached the service and taken effect. Read before you write again.',
      resolve: mayHaveApplied,
    }),
    serviceErrors: t.expose('serviceErrors', {
      type: [ServiceErrorType],
      description: 'Everything the service said is wrong, in its order; empty where the gateway found it alone.',
    }),
  }),
});

export const InputIssueType = builder.objectRef<InputIssue>('InputIssue').implement({
  description: 'One thing that is wrong with the input, and where.',
  fields: (t) => ({
    path: t.stringList({
      description:
        'The place, from the argument down, list positions counted from 0: `["input", "articles", "3", "order"]`.',
      resolve: ({ path }) => ['input', ...path],
    }),
    message: t.exposeString('message', { description: 'What is wrong there.' }),
  }),
});

const ValidationSource = builder.enumType('ValidationSource', {
  description: 'Who found the input to be wrong.',
  values: {
    GATEWAY: { description: 'The gateway, before anything was sent or written.' },
    SERVICE: { description: 'The service; the gateway recognised its text.' },
  } as const,
});

const ValidationErrorType = builder.objectRef<ErrorOfKind<'validation'>>('ValidationError').implement({
  description: 'The input breaks a rule. Nothing was sent or written; every issue is listed.',
  interfaces: [MutationError],
  fields: (t) => ({
    issues: t.expose('issues', {
      type: [InputIssueType],
      description: 'All that is wrong, in the order of the input.',
    }),
    source: t.expose('source', { type: ValidationSource, description: 'Who found it.' }),
  }),
});

const ReaderGroupNotFoundErrorType = builder
  .objectRef<ErrorOfKind<'reader-group-not-found'>>('ReaderGroupNotFoundError')
  .implement({
    description: 'No reader group has this ID. Nothing was written.',
    interfaces: [MutationError],
  });

const AuthenticationErrorType = builder
  .objectRef<ErrorOfKind<'unauthenticated' | 'forbidden'>>('AuthenticationError')
  .implement({
    description:
      'The API token, or the JWT where clients have one, is missing or not valid (UNAUTHENTICATED), or does not permit this (FORBIDDEN).',
    interfaces: [MutationError],
  });

const RateLimitedErrorType = builder.objectRef<ErrorOfKind<'rate-limited'>>('RateLimitedError').implement({
  description:
    'The service accepts no more calls for now, and waiting would take longer than the request may. Nothing was written.',
  interfaces: [MutationError],
  fields: (t) => ({
    retryAfterSeconds: t.exposeInt('retryAfterSeconds', {
      nullable: true,
      description: 'How long to wait, in seconds; null where the service does not say.',
    }),
  }),
});

const ServiceRejectedErrorType = builder.objectRef<ErrorOfKind<'rejected'>>('ServiceRejectedError').implement({
  description:
    'The service refused the request in words that no other type stands for. `serviceErrors` has all of them.',
  interfaces: [MutationError],
  fields: (t) => ({
    httpStatus: t.exposeInt('httpStatus', { nullable: true, description: "The HTTP status of the service's answer." }),
    warnings: t.expose('warnings', { type: [NoticeType], description: 'Warnings that came with the refusal.' }),
    information: t.expose('information', {
      type: [NoticeType],
      description: 'Information that came with the refusal.',
    }),
  }),
});

const ServiceUnavailableErrorType = builder.objectRef<ErrorOfKind<'unavailable'>>('ServiceUnavailableError').implement({
  description: 'Provably nothing was sent, or a read that the write needs failed. Nothing was written.',
  interfaces: [MutationError],
});

const OutcomeUnknownErrorType = builder.objectRef<ErrorOfKind<'outcome-unknown'>>('OutcomeUnknownError').implement({
  description:
    'The write was sent, and it is not known whether it took effect: the answer timed out, was cut off, was a 5xx or could not be read. Read the thing back before you write again.',
  interfaces: [MutationError],
});

const TooCostlyErrorType = builder.objectRef<ErrorOfKind<'too-costly'>>('TooCostlyError').implement({
  description: 'This would take more calls to the service than one request may. Nothing was sent.',
  interfaces: [MutationError],
  fields: (t) => ({
    calls: t.exposeInt('calls', { description: 'The calls it would take.' }),
    allowed: t.exposeInt('allowed', { description: 'The calls it may take.' }),
  }),
});

/** The types of the kinds that a write can fail with. */
const ERROR_TYPES = {
  validation: ValidationErrorType,
  'reader-group-not-found': ReaderGroupNotFoundErrorType,
  unauthenticated: AuthenticationErrorType,
  forbidden: AuthenticationErrorType,
  'rate-limited': RateLimitedErrorType,
  rejected: ServiceRejectedErrorType,
  unavailable: ServiceUnavailableErrorType,
  'outcome-unknown': OutcomeUnknownErrorType,
  'too-costly': TooCostlyErrorType,
} as const;

/** The members of a result union for these kinds. Two kinds may share a type. */
export const errorTypesOf = <K extends keyof typeof ERROR_TYPES>(kinds: readonly K[]): (typeof ERROR_TYPES)[K][] => [
  ...new Set(kinds.map((kind) => ERROR_TYPES[kind])),
];
