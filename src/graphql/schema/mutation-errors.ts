import type { ObjectFieldsShape } from '@pothos/core';
import {
  type BackendError,
  type BackendErrorKind,
  type ErrorOfKind,
  type InputIssue,
  mayHaveApplied,
} from '../../core/errors.ts';
import type { Notice, ServiceError } from '../../core/notices.ts';
import { ERROR_CODES } from '../../core/request-errors.ts';
import { builder, type SchemaTypes } from './builder.ts';
import { ERROR_TRAITS } from './graphql-errors.ts';

export const InputIssueType = builder.objectRef<InputIssue>('InputIssue').implement({
  description: 'One problem of an input, with its place.',
  fields: (t) => ({
    message: t.exposeString('message', { description: 'The problem, as an English text for people.' }),
    path: t.stringList({
      description:
        'The place in the input, from the argument down. Positions in lists are counted from 0: `["input", "articles", "3", "order"]`.',
      resolve: ({ path, argument = 'input' }) => [argument, ...path],
    }),
  }),
});

const ValidationSource = builder.enumType('ValidationSource', {
  description: 'Who found a problem of an input: the gateway or the service.',
  values: {
    GATEWAY: { description: 'The gateway found the problem before anything was sent or written.' },
    SERVICE: { description: 'The service refused the request with an error that names the place in the input.' },
  },
});

const EXTENSION_DATA = 'The `extension_data` of the service, as it came; null when there is none.';

export const ServiceErrorType = builder.objectRef<ServiceError>('ServiceError').implement({
  description: "An error in the service's own words. A stack trace of the service is left out.",
  fields: (t) => ({
    description: t.exposeString('description', {
      nullable: true,
      description: "The problem in the service's words; null when the service gives none.",
    }),
    errorCode: t.exposeString('errorCode', {
      nullable: true,
      description:
        "The service's code: null, an empty text or the HTTP status. Decide by the `code` of the mutation's error instead.",
    }),
    customData: t.expose('customData', {
      type: 'JSON',
      nullable: true,
      description: 'The `custom_data` of the service, as it came; null when there is none.',
    }),
    extensionData: t.expose('extensionData', { type: 'JSON', nullable: true, description: EXTENSION_DATA }),
  }),
});

export const NoticeType = builder.objectRef<Notice>('Notice').implement({
  description:
    'A warning or a piece of information that the service sent beside its answer, or a warning of the gateway.',
  fields: (t) => ({
    description: t.exposeString('description', {
      nullable: true,
      description:
        "The notice as a sentence, in the service's words where it is of the service; null when the service gives none.",
    }),
    code: t.exposeString('code', {
      nullable: true,
      description:
        'The code of a warning, of the service or of the gateway; null for information, and where there is none.',
    }),
    extensionData: t.expose('extensionData', {
      type: 'JSON',
      nullable: true,
      description:
        'The `extension_data` of the service, as it came, or data of a warning of the gateway; null when there is none.',
    }),
  }),
});

const ErrorCodeType = builder.enumType('ErrorCode', {
  description:
    'The kind of a failure, for programs. Failed mutations have it in `code` of `MutationError`, and failed reads in `extensions.code` of an entry in `errors`. Codes of requests that are refused before they are executed stand in the description of the schema.',
  values: Object.fromEntries(Object.entries(ERROR_CODES).map(([code, description]) => [code, { description }])),
});

const MutationError = builder.interfaceRef<BackendError>('MutationError').implement({
  description:
    'A mutation or a preview that failed as a whole. Read `message` and `retryable` before you switch on `__typename`, and use them in the default case: later releases may add types that implement this interface.',
  fields: (t) => ({
    message: t.exposeString('message', { description: 'What went wrong, as an English text for people.' }),
    code: t.field({
      type: ErrorCodeType,
      description: 'The kind of the failure, for programs.',
      resolve: ({ kind }) => ERROR_TRAITS[kind].code,
    }),
    retryable: t.boolean({
      description: 'True when sending the very same request again is safe and may help.',
      resolve: ({ kind }) => ERROR_TRAITS[kind].retryable,
    }),
    mayHaveApplied: t.boolean({
      description:
        'True when the write may have reached the service and taken effect: read the objects before writing again. False when nothing was written.',
      resolve: mayHaveApplied,
    }),
    serviceErrors: t.expose('serviceErrors', {
      type: [ServiceErrorType],
      description:
        "The errors of the service's answer, in the order of the answer; empty when the gateway itself found the problem.",
    }),
  }),
});

const errorType = <Kind extends BackendErrorKind>(
  name: string,
  options: { readonly description: string; readonly fields?: ObjectFieldsShape<SchemaTypes, ErrorOfKind<Kind>> },
) => builder.objectRef<ErrorOfKind<Kind>>(name).implement({ ...options, interfaces: [MutationError] });

const AuthenticationErrorType = errorType<'unauthenticated' | 'forbidden'>('AuthenticationError', {
  description:
    'The API token, or the JWT of an authenticated client, is missing or not valid (code UNAUTHENTICATED), or does not permit the mutation (code FORBIDDEN). Jobs and idempotency keys need a JWT with a subject (`sub`), where clients have JWTs. Nothing was written.',
});

const IdempotencyErrorType = errorType<'idempotency-conflict' | 'idempotency-in-progress'>('IdempotencyError', {
  description:
    'The idempotency key of the request belongs to another one. With the code IDEMPOTENCY_CONFLICT the key was used with another input before, and this request wrote nothing. With the code IDEMPOTENCY_IN_PROGRESS the first request with the key was still under way when the time of this one was up: send the very same request again to get its answer.',
  fields: (t) => ({
    indexes: t.intList({
      description:
        'The positions in the job, from 0, of the items that differ from what was submitted before with the key, or are new to a job that is closed: the first 100, in ascending order. Empty for other mutations.',
      resolve: (error) => (error.kind === 'idempotency-conflict' ? error.indexes : []),
    }),
  }),
});

/** The type of each kind of failure in a result union; null for the kinds that only reads have. */
export const ERROR_TYPES = {
  validation: errorType<'validation'>('ValidationError', {
    description: 'The input breaks one or more rules. Nothing was written.',
    fields: (t) => ({
      issues: t.expose('issues', {
        type: [InputIssueType],
        description: 'All problems of the input, in the order of the input.',
      }),
      source: t.expose('source', {
        type: ValidationSource,
        description: 'Who found the problems: the gateway or the service.',
      }),
    }),
  }),
  'reader-group-not-found': errorType<'reader-group-not-found'>('ReaderGroupNotFoundError', {
    description: 'No reader group has the `groupId` of the input. Nothing was written.',
  }),
  'changed-since': errorType<'changed-since'>('ChangedSinceError', {
    description: 'The reader group no longer has the revision that was sent as `ifRevision`. Nothing was written.',
  }),
  unauthenticated: AuthenticationErrorType,
  forbidden: AuthenticationErrorType,
  'rate-limited': errorType<'rate-limited'>('RateLimitedError', {
    description:
      'The service accepts no more calls for now, and waiting would take longer than one request may; or the caller has as many jobs that have not ended as it may have. Nothing was written.',
    fields: (t) => ({
      retryAfterSeconds: t.exposeInt('retryAfterSeconds', {
        nullable: true,
        description: 'The seconds to wait before sending the request again; null when the service does not tell.',
      }),
    }),
  }),
  rejected: errorType<'rejected'>('ServiceRejectedError', {
    description:
      'The service refused the request for a reason that no other type stands for. `serviceErrors` has its reasons.',
    fields: (t) => ({
      httpStatus: t.exposeInt('httpStatus', {
        nullable: true,
        description: "The HTTP status of the service's answer; null when the refusal came without a status.",
      }),
      warnings: t.expose('warnings', {
        type: [NoticeType],
        description: 'The warnings that came with the refusal, in the order of the service.',
      }),
      information: t.expose('information', {
        type: [NoticeType],
        description: 'The information that came with the refusal, in the order of the service.',
      }),
    }),
  }),
  unavailable: errorType<'unavailable'>('ServiceUnavailableError', {
    description:
      'The service cannot be reached, or a read that the write needs failed, or the gateway cannot keep a job or an idempotency key now. Nothing was written, and the same request can be sent again.',
  }),
  'outcome-unknown': errorType<'outcome-unknown'>('OutcomeUnknownError', {
    description:
      'The write was sent, and whether it took effect is not known: the answer of the service timed out, was cut off, was a 5xx or could not be read. Read the object before writing again.',
  }),
  'not-offered': null,
  'query-too-costly': null,
  'too-costly': errorType<'too-costly'>('TooCostlyError', {
    description: 'The request would take more calls to the service than one request may. Nothing was sent.',
    fields: (t) => ({
      calls: t.exposeInt('calls', { description: 'The number of calls to the service that the request would take.' }),
      allowed: t.exposeInt('allowed', { description: 'The number of calls to the service that one request may take.' }),
    }),
  }),
  'idempotency-conflict': IdempotencyErrorType,
  'idempotency-in-progress': IdempotencyErrorType,
  'job-not-found': errorType<'job-not-found'>('JobNotFoundError', {
    description:
      'The caller has no job with the `id`: there never was one, it belongs to another caller, or it ended so long ago that it was deleted (`JOB_KEEP_DAYS`). Nothing was changed.',
  }),
} as const satisfies Record<BackendErrorKind, unknown>;

/** The kinds of failure that a result union can have types for. */
export type MutationErrorKind = Exclude<BackendErrorKind, 'not-offered' | 'query-too-costly'>;
