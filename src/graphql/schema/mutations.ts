import { setImmediate as nextTick } from 'node:timers/promises';
import type { InputRef, ObjectRef } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import { validateKeyed } from '../../core/articles/article-update-jobs.ts';
import type { MutationName, WriteInput, WriteName, WriteValue } from '../../core/backend.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import type { Caller } from '../../core/callers/caller.ts';
import {
  type BackendError,
  type InputIssue,
  mayHaveApplied,
  type Validation,
  validationError,
} from '../../core/errors.ts';
import { WRITES } from '../../core/writes/declarations.ts';
import type { KeyedResult } from '../../core/writes/idempotency-keys.ts';
import type { KeyedWrites } from '../../core/writes/pipeline.ts';
import { builder, type SchemaTypes } from './builder.ts';
import { authorize, type Context } from './context.ts';
import { BackendGraphQLError, createGraphQLError, ERROR_TRAITS } from './graphql-errors.ts';
import { ERROR_TYPES, type MutationErrorKind } from './mutation-errors.ts';

/** The kinds of failure of every write and every preview. */
const WRITE_ERROR_KINDS = [
  'validation',
  'unauthenticated',
  'forbidden',
  'rate-limited',
  'rejected',
  'unavailable',
] as const;

export const KEYED_WRITE_ERROR_KINDS = [
  ...WRITE_ERROR_KINDS,
  'idempotency-conflict',
  'idempotency-in-progress',
] as const;

const isFailure = (outcome: object): outcome is BackendError => 'kind' in outcome;

interface ResultTypeOptions<Payload> {
  readonly description: string;
  /** The type of the answer of a mutation that succeeds. Its objects have no member `kind`, which only failures have. */
  readonly payload: ObjectRef<SchemaTypes, Payload>;
  /** The kinds of failure that the union has types for. Two kinds may share a type. */
  readonly errorKinds: readonly MutationErrorKind[];
}

/** Creates the union of the answers of a mutation. A failure of a kind without a type becomes an error of the field. */
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
      caller.request.report.add({ kind: 'error', code: ERROR_TRAITS[kind].code });
      return ERROR_TYPES[kind].name;
    },
  });
}

interface MutationOptions<Input, Payload> {
  /** The write that is made, previewed or submitted. Its declaration names the scope. */
  readonly write: WriteName;
  /** True for a preview, which writes nothing. */
  readonly isPreview?: boolean;
  /** Checked before the input. Null or absent where the caller has none. */
  readonly idempotencyKey?: string | null | undefined;
  readonly validation: Validation<Input | null>;
  readonly send: (input: Input) => Promise<Result<Payload, BackendError>>;
}

/** Runs a write or its preview: authorizes the caller, validates the whole input, and only then sends. */
export async function runMutation<Input, Payload>(
  context: Context,
  { write, isPreview = false, idempotencyKey, validation, send }: MutationOptions<Input, Payload>,
): Promise<Payload | BackendError> {
  const authorization = authorizeWrite(context, write, isPreview);
  if (!authorization.ok) return authorization.error;
  const input = await collectIssues(idempotencyKey == null ? validation : validateKeyed(idempotencyKey, validation));
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
    // The links of previewed articles use the reads of the preview.
    if (!isPreview) context.clearReads();
  }
  if (result.ok) return result.value;
  if (!isPreview && !mayHaveApplied(result.error)) context.writes -= 1;
  const { error } = result;
  if (error.kind === 'rate-limited')
    context.caller.request.report.add({ kind: 'rate-limit', retryAfterSeconds: error.retryAfterSeconds });
  return error;
}

function authorizeWrite(context: Context, write: WriteName, isPreview: boolean): Result<void, BackendError> {
  const authorization = authorize(context, WRITES[write].scope);
  return authorization.ok && isPreview ? authorize(context, 'read') : authorization;
}

/** The mutation of a write, or its preview. */
interface Side<Payload extends object> {
  readonly description: string;
  readonly selection: string;
  readonly payload: ObjectRef<SchemaTypes, Payload>;
  /** The kinds of failure of this mutation besides those of every write. */
  readonly errorKinds: readonly MutationErrorKind[];
}

interface WriteOptions<
  Name extends MutationName,
  Input extends object,
  Payload extends object,
  Preview extends object,
> {
  readonly input: { readonly type: InputRef<Input>; readonly description: string; readonly example: string };
  validate(input: Input, maxItems: number): Validation<WriteInput<Name> | null>;
  readonly write: Side<Payload> & {
    readonly toPayload: (written: KeyedResult<WriteValue<Name>>, input: WriteInput<Name>, caller: Caller) => Payload;
  };
  readonly preview: Side<Preview> & {
    /** Loads the preview. Throws where there is nothing to preview. */
    readonly load: (context: Context, input: WriteInput<Name>, info: GraphQLResolveInfo) => Promise<Preview>;
  };
}

/** Adds the mutations of a write: the write itself, and its preview. */
export function addWrite<
  Name extends MutationName,
  Input extends object,
  Payload extends object,
  Preview extends object,
>(name: Name, options: WriteOptions<Name, Input, Payload, Preview>): void {
  addWriteField<Name>(name, options);
  addPreviewField<Name>(name, options);
}

/** The options of any write. The executor gives resolvers values of the type of the input. */
type AnyWriteOptions<Name extends MutationName> = WriteOptions<Name, object, object, object>;

const typeNameOf = (name: MutationName): string => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;

function addWriteField<Name extends MutationName>(name: Name, { input, write, validate }: AnyWriteOptions<Name>): void {
  builder.mutationField(name, (t) =>
    t.field({
      type: createResultType(`${typeNameOf(name)}Result`, {
        description: `What \`${name}\` did, or the error that says why it failed as a whole.`,
        payload: write.payload,
        errorKinds: [...KEYED_WRITE_ERROR_KINDS, ...write.errorKinds],
      }),
      nullable: true,
      description: write.description + exampleOf(name, { ...write, args: `input: ${input.example}` }),
      args: {
        input: t.arg({ type: input.type, required: true, description: input.description }),
        ...idempotencyKeyArgs,
      },
      resolve: (_root, { input, idempotencyKey }, context) =>
        runMutation(context, {
          write: name,
          idempotencyKey,
          validation: validate(input, context.limits.maxBulkItems),
          send: async (valid) => {
            const writes: KeyedWrites = context.backend;
            const written = await writes[name](context.caller, valid, idempotencyKey);
            if (!written.ok) return written;
            const { value, replayed = false } = written;
            return ok(write.toPayload({ value, replayed }, valid, context.caller));
          },
        }),
    }),
  );
}

function addPreviewField<Name extends MutationName>(
  name: Name,
  { input, preview, validate }: AnyWriteOptions<Name>,
): void {
  const field = `preview${typeNameOf(name)}`;
  builder.mutationField(field, (t) =>
    t.field({
      type: createResultType(`Preview${typeNameOf(name)}Result`, {
        description: `What \`${name}\` would do, or the error that says why there is no preview.`,
        payload: preview.payload,
        errorKinds: [...WRITE_ERROR_KINDS, ...preview.errorKinds],
      }),
      nullable: true,
      description: `${preview.description} Writes nothing; a mutation, so that no client keeps the answer in a cache.${exampleOf(field, { ...preview, args: `input: ${input.example}` })}`,
      args: { input: t.arg({ type: input.type, required: true, description: `The input of \`${name}\`.` }) },
      resolve: (...[_root, { input }, context, info]) =>
        runMutation(context, {
          write: name,
          isPreview: true,
          validation: validate(input, context.limits.maxBulkItems),
          send: async (valid) => ok(await preview.load(context, valid, info)),
        }),
    }),
  );
}

interface Example {
  /** The arguments of the mutation, as a document has them. */
  readonly args: string;
  readonly selection: string;
  readonly payload: { readonly name: string };
}

export const exampleOf = (field: string, { args, payload, selection }: Example): string => `

\`\`\`graphql
mutation {
  ${field}(${args}) {
    __typename
    ... on ${payload.name} { ${selection} }
    ... on MutationError { message retryable }
  }
}
\`\`\``;

const idempotencyKeyArgs = builder.args((t) => ({
  idempotencyKey: t.string({
    description:
      'A text that the client makes up for this write, such as a UUID. Of 1 to 255 visible ASCII characters. The same input with the same key again writes nothing and gives the recorded answer, also when the first request is still under way, and after a restart of the gateway; another input with the key is an IdempotencyError. A key belongs to the caller and to this mutation, and is kept for 30 days, unless the gateway is set to another time (`JOB_KEEP_DAYS`). Left out or null means that a request that is sent twice writes twice.',
  }),
}));

export const REPLAYED_DESCRIPTION =
  'True when this is the recorded answer of an earlier request with the same `idempotencyKey`, and this one wrote nothing. Objects that are read back are read anew.';

/** Collecting all issues of a large input in one tick would block the event loop. */
const ISSUES_PER_TICK = 2_000;

/** Runs a validation to its end, and returns the valid input or all issues. */
async function collectIssues<T>(validation: Validation<T | null>): Promise<Result<T, readonly InputIssue[]>> {
  const issues: InputIssue[] = [];
  let step = validation.next();
  for (; !step.done; step = validation.next()) {
    issues.push(step.value);
    if (issues.length % ISSUES_PER_TICK === 0) await nextTick();
  }
  return issues.length > 0 || step.value === null ? err(issues) : ok(step.value);
}
