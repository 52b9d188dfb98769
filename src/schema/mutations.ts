import { setImmediate as nextTick } from 'node:timers/promises';
import type { ObjectRef } from '@pothos/core';
import type { WriteInput, WriteName, WriteValue } from '../backend/backend.ts';
import { WRITES } from '../backend/writes/declarations.ts';
import type { KeyedResult } from '../backend/writes/idempotency-keys.ts';
import { err, ok, type Result } from '../base/result.ts';
import { validateKeyed } from '../domain/articles/article-update-jobs.ts';
import { recordRateLimit } from '../domain/callers/caller.ts';
import {
  type BackendError,
  type InputIssue,
  mayHaveApplied,
  type Validation,
  validationError,
} from '../domain/errors.ts';
import { builder, type SchemaTypes } from './builder.ts';
import { authorize, type Context } from './context.ts';
import { BackendGraphQLError, createGraphQLError, ERROR_TRAITS } from './graphql-errors.ts';
import { ERROR_TYPES, type MutationErrorKind } from './mutation-errors.ts';

/** The kinds of failure of every write and every preview. */
export const WRITE_ERROR_KINDS = [
  'validation',
  'unauthenticated',
  'forbidden',
  'rate-limited',
  'rejected',
  'unavailable',
] as const;

/** The kinds of failure of every write that may have an idempotency key. */
export const KEYED_WRITE_ERROR_KINDS = [
  ...WRITE_ERROR_KINDS,
  'idempotency-conflict',
  'idempotency-in-progress',
] as const;

const isFailure = (outcome: object): outcome is BackendError => 'kind' in outcome;

interface ResultTypeOptions<Payload> {
  readonly description: string;
  /** The type of what a mutation that succeeds answers with. It has no member `kind`, by which failures are told. */
  readonly payload: ObjectRef<SchemaTypes, Payload>;
  /** The kinds of failure that the union has types for. Two kinds may share a type. */
  readonly errorKinds: readonly MutationErrorKind[];
}

/** Creates the union of what a mutation answers with. A failure of another kind becomes an error of the field. */
export function createResultType<Payload extends object>(
  name: string,
  { description, payload, errorKinds }: ResultTypeOptions<Payload>,
) {
  const errorTypes = new Set<ObjectRef<SchemaTypes, BackendError>>(errorKinds.map((kind) => ERROR_TYPES[kind]));
  return builder.unionType(name, {
    description,
    types: [payload, ...errorTypes],
    resolveType: (outcome: Payload | BackendError, { caller }: Context) => {
      if (!isFailure(outcome)) return payload.name;
      const kind = errorKinds.find((one) => one === outcome.kind);
      if (kind === undefined) throw createGraphQLError(outcome);
      caller.request.countError(ERROR_TRAITS[kind].code);
      return ERROR_TYPES[kind].name;
    },
  });
}

interface MutationOptions<Input, Payload> {
  /** The write, or the one that is previewed or submitted. Its declaration names the scope. */
  readonly write: WriteName;
  /** True when nothing is written. */
  readonly isPreview?: boolean;
  readonly validation: Validation<Input | null>;
  readonly send: (input: Input) => Promise<Result<Payload, BackendError>>;
}

/** Runs a write or its preview: authorizes the caller, validates the whole input, and only then sends. */
export async function runMutation<Input, Payload>(
  context: Context,
  { write, isPreview = false, validation, send }: MutationOptions<Input, Payload>,
): Promise<Payload | BackendError> {
  const authorization = authorizeWrite(context, write, isPreview);
  if (!authorization.ok) return authorization.error;
  const input = await collectIssues(validation);
  if (!input.ok) return validationError(input.error);
  context.clearReads();
  if (!isPreview) context.writes += 1;
  let result: Result<Payload, BackendError>;
  try {
    result = await send(input.value);
  } catch (thrown) {
    if (!(thrown instanceof BackendGraphQLError)) throw thrown;
    result = err(thrown.backendError);
  } finally {
    // The reads of a preview also serve the links of its articles.
    if (!isPreview) context.clearReads();
  }
  if (result.ok) return result.value;
  if (!isPreview && !mayHaveApplied(result.error)) context.writes -= 1;
  if (result.error.kind === 'rate-limited') recordRateLimit(context.caller, result.error.retryAfterSeconds);
  return result.error;
}

/** A preview needs the scope of its write, and `read`. */
function authorizeWrite(context: Context, write: WriteName, isPreview: boolean): Result<void, BackendError> {
  const authorization = authorize(context, WRITES[write].scope);
  return authorization.ok && isPreview ? authorize(context, 'read') : authorization;
}

interface PreviewOptions<Input, Payload> {
  readonly validation: Validation<Input | null>;
  /** Throws where there is nothing to preview. */
  readonly load: (context: Context, input: Input) => Promise<Payload>;
}

/** Runs the preview of a write. */
export const runPreview = <Input, Payload>(
  context: Context,
  write: WriteName,
  { validation, load }: PreviewOptions<Input, Payload>,
): Promise<Payload | BackendError> =>
  runMutation(context, {
    write,
    isPreview: true,
    validation,
    send: async (input) => ok(await load(context, input)),
  });

interface WriteOptions<Name extends WriteName, Payload> {
  readonly idempotencyKey: string | null | undefined;
  readonly validation: Validation<WriteInput<Name> | null>;
  readonly toPayload: (written: KeyedResult<WriteValue<Name>>, input: WriteInput<Name>) => Payload;
}

/** Runs a write that may have an idempotency key. */
export const runWrite = <Name extends WriteName, Payload>(
  context: Context,
  write: Name,
  { idempotencyKey, validation, toPayload }: WriteOptions<Name, Payload>,
): Promise<Payload | BackendError> =>
  runMutation(context, {
    write,
    validation: validateKeyed(idempotencyKey, validation),
    send: async (input) => {
      const written = await context.keyedWrites[write](context.caller, input, idempotencyKey);
      return written.ok ? ok(toPayload(written.value, input)) : written;
    },
  });

/** The argument of mutations that may have an idempotency key. */
export const idempotencyKeyArgs = builder.args((t) => ({
  idempotencyKey: t.string({
    description:
      'A text that the client makes up for this write, such as a UUID. Of 1 to 255 visible ASCII characters. The same input with the same key again writes nothing and gives the recorded answer, also when the first request is still under way, and after a restart of the gateway; another input with the key is an IdempotencyError. A key belongs to the caller and to this mutation, and is kept for 30 days, unless the gateway is set to another time (`JOB_KEEP_DAYS`). Left out or null means that a request that is sent twice writes twice.',
  }),
}));

export const REPLAYED_DESCRIPTION =
  'True when this is the recorded answer of an earlier request with the same `idempotencyKey`, and this one wrote nothing. Objects that are read back are read anew.';

/** The issues of a large input would block the event loop if they were all collected in one tick. */
const ISSUES_PER_TICK = 2_000;

/** Runs a validation to its end. */
async function collectIssues<T>(validation: Validation<T | null>): Promise<Result<T, readonly InputIssue[]>> {
  const issues: InputIssue[] = [];
  let step = validation.next();
  for (; !step.done; step = validation.next()) {
    issues.push(step.value);
    if (issues.length % ISSUES_PER_TICK === 0) await nextTick();
  }
  return issues.length > 0 || step.value === null ? err(issues) : ok(step.value);
}
