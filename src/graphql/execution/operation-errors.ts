import { type ExecutionResult, GraphQLError } from 'graphql';
import { MAX_ERROR_BYTES, MAX_ERROR_MESSAGE, MAX_ERRORS } from '../../core/base/limits.ts';
import type { Log } from '../../core/base/log.ts';
import { shorten } from '../../core/base/text.ts';
import type { Caller } from '../../core/callers/caller.ts';
import type { RequestErrorCode } from '../../core/request-errors.ts';
import type { Context } from '../schema/context.ts';

const MAX_LOCATIONS = 5;

const SUGGESTION_START = ' Did you mean ';

interface BoundedErrorsOptions {
  readonly log: Log;
  /** False when introspection is off: suggestions would reveal the schema bit by bit. */
  readonly suggestions: boolean;
}

const UNEXPECTED_ERROR = 'Unexpected error.';

/** Returns the error as a GraphQLError, with the original as its cause where it is unexpected. */
export const toGraphQLError = (error: unknown): GraphQLError =>
  error instanceof GraphQLError
    ? error
    : new GraphQLError(UNEXPECTED_ERROR, { originalError: error instanceof Error ? error : new Error(typeof error) });

/** Hides the details of unexpected errors: the log has the whole error, and the response has the ID of the request. */
function maskError(error: GraphQLError, requestId: string, log: Log): GraphQLError {
  const { nodes = null, path = null, originalError } = error;
  if (!originalError || originalError instanceof GraphQLError) return error;
  log('error', 'unexpected error', { requestId, error });
  return new GraphQLError(UNEXPECTED_ERROR, { nodes, path, extensions: { code: 'INTERNAL', retryable: false } });
}

export type BoundedErrors = ReturnType<typeof createBoundedErrors>;

/** Masks errors, and bounds their size, so that a rejection is not larger than its request. */
export function createBoundedErrors({ log, suggestions }: BoundedErrorsOptions) {
  const boundError = (error: GraphQLError): GraphQLError =>
    shortenError(error, suggestions ? error.message : withoutSuggestion(error.message));
  const finish = (errors: readonly GraphQLError[], requestId: string): GraphQLError[] =>
    errors.map((error) => withExtensions(boundError(maskError(error, requestId, log)), requestId));
  return {
    /** Bounds the errors of a request that is not executed, and gives each a code and the ID of the request. */
    requestErrors: (errors: readonly GraphQLError[], requestId: string) => withinSizeLimit(finish(errors, requestId)),
    /** Bounds errors in a response with data, and gives each a code. None is left out: each is the outcome of a field. */
    fieldErrors: finish,
  };
}

/** Cuts a message where its suggestion begins. The first occurrence may be in a quoted value, but a suggestion may follow it. */
function withoutSuggestion(message: string): string {
  const start = message.indexOf(SUGGESTION_START);
  return start === -1 || !message.endsWith('?') ? message : message.slice(0, start);
}

/** Returns the first error, and the further ones that fit. */
function withinSizeLimit(errors: readonly GraphQLError[]): GraphQLError[] {
  let remainingBytes = MAX_ERROR_BYTES;
  return errors.slice(0, MAX_ERRORS).filter((error, index) => {
    remainingBytes -= Buffer.byteLength(JSON.stringify(error));
    return remainingBytes >= 0 || index === 0;
  });
}

function shortenError(error: GraphQLError, text: string): GraphQLError {
  const message = shorten(text, MAX_ERROR_MESSAGE);
  if (message === error.message && (error.nodes?.length ?? 0) <= MAX_LOCATIONS) return error;
  const { nodes, source = null, positions, path = null, originalError = null, extensions } = error;
  const locations = {
    nodes: nodes?.slice(0, MAX_LOCATIONS) ?? null,
    positions: positions?.slice(0, MAX_LOCATIONS) ?? null,
  };
  return new GraphQLError(message, { ...locations, source, path, originalError, extensions });
}

/**
 * Adds the ID of the request, and a code to errors without one: those that graphql-js creates for variables and
 * arguments. The extensions are copied, since errors of several fields share them.
 */
function withExtensions(error: GraphQLError, requestId: string): GraphQLError {
  const isExpected = !error.originalError || error.originalError instanceof GraphQLError;
  const code = isExpected ? DEFAULT_CODE : undefined;
  return Object.assign(error, { extensions: { ...(code && { code }), ...error.extensions, requestId } });
}

const DEFAULT_CODE: RequestErrorCode = 'BAD_USER_INPUT';

export type WriteEffects = ReturnType<typeof createWriteEffects>;

/** Records for each root field of one mutation whether its write may have taken effect. */
export function createWriteEffects(context: Pick<Context, 'writes'>) {
  /** These fields are executed one after another. */
  const begun: { readonly responseKey: string; readonly writesBefore: number }[] = [];
  /** An error that belongs to no root field is one of the whole operation. A field that did not begin wrote nothing. */
  const mayHaveApplied = (responseKey: unknown): boolean => {
    if (responseKey === undefined) return context.writes > 0;
    const index = begun.findIndex((field) => field.responseKey === responseKey);
    const writesAfter = begun[index + 1]?.writesBefore ?? context.writes;
    return writesAfter > (begun[index]?.writesBefore ?? Number.POSITIVE_INFINITY);
  };
  return {
    /** Called before each root field. */
    beginField: (responseKey: string) => begun.push({ responseKey, writesBefore: context.writes }),
    /** Adds `mayHaveApplied` to an error. Its extensions are copied, since errors of several fields share them. */
    describeIn: (error: GraphQLError) =>
      Object.assign(error, { extensions: { ...error.extensions, mayHaveApplied: mayHaveApplied(error.path?.[0]) } }),
  };
}

/**
 * Reports the errors of a finished result, and the rate limits that they name. The schema does so for mutations, whose
 * outcomes a client may select in any shape.
 */
export function reportErrors({ request: { report } }: Caller, { errors }: ExecutionResult): void {
  if (errors === undefined) return;
  for (const { extensions } of errors) {
    const { code, retryAfterSeconds } = extensions;
    report.add({ kind: 'error', code: String(code) });
    if (code !== 'RATE_LIMITED') continue;
    const seconds = typeof retryAfterSeconds === 'number' ? retryAfterSeconds : null;
    report.add({ kind: 'rate-limit', retryAfterSeconds: seconds });
  }
}
