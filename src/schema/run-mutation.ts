import { setImmediate as nextTick } from 'node:timers/promises';
import type { WriteName } from '../backend/backend.ts';
import { WRITES } from '../backend/writes/declarations.ts';
import { err, ok, type Result } from '../base/result.ts';
import { recordRateLimit } from '../domain/callers/caller.ts';
import {
  type BackendError,
  type BackendErrorKind,
  type ErrorOfKind,
  type InputIssue,
  mayHaveApplied,
  type Validation,
  validationError,
} from '../domain/errors.ts';
import { builder } from './builder.ts';
import { authorize, type Context } from './context.ts';
import { BackendGraphQLError } from './graphql-errors.ts';
import { toErrorOfKinds } from './mutation-errors.ts';

interface MutationOptions<Input, Value, Kind extends BackendErrorKind> {
  /** The write, or the one that is previewed or submitted. Its declaration names the scope. */
  readonly write: WriteName;
  /** True when nothing is written. */
  readonly isPreview?: boolean;
  /** The kinds of failure that the result type has types for. Another one becomes an error of the field. */
  readonly errorKinds: readonly Kind[];
  readonly validation: Validation<Input | null>;
  readonly send: (input: Input) => Promise<Result<Value, BackendError>>;
}

/** Runs a write or its preview: authorizes the caller, validates the whole input, and only then sends. */
export async function runMutation<Input, Value, Kind extends BackendErrorKind>(
  context: Context,
  { write, isPreview = false, errorKinds, validation, send }: MutationOptions<Input, Value, Kind>,
): Promise<Value | ErrorOfKind<Kind>> {
  const authorization = authorize(context, WRITES[write].scope);
  if (!authorization.ok) return toErrorOfKinds(errorKinds, authorization.error);
  const collected = collectIssues(validation);
  const input = collected instanceof Promise ? await collected : collected;
  if (!input.ok) return toErrorOfKinds(errorKinds, validationError(input.error));
  context.clearReads();
  if (!isPreview) context.writes += 1;
  let result: Result<Value, BackendError>;
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
  return toErrorOfKinds(errorKinds, result.error);
}

/** The issues of a large input would block the event loop if they were all collected in one tick. */
const ISSUES_PER_TICK = 2_000;

type Collected<T> = Result<T, readonly InputIssue[]>;

/** A valid input is known at once. */
function collectIssues<T>(validation: Validation<T | null>): Collected<T> | Promise<Collected<T>> {
  const first = validation.next();
  if (!first.done) return collectMoreIssues(validation, [first.value]);
  return first.value === null ? err([]) : ok(first.value);
}

async function collectMoreIssues<T>(validation: Validation<T | null>, issues: InputIssue[]): Promise<Collected<T>> {
  for (let step = validation.next(); !step.done; step = validation.next()) {
    issues.push(step.value);
    if (issues.length % ISSUES_PER_TICK === 0) await nextTick();
  }
  return err(issues);
}

/** The argument of mutations that may have an idempotency key. */
export const idempotencyKeyArgs = builder.args((t) => ({
  idempotencyKey: t.string({
    description:
      'A text that the client makes up for this write, such as a UUID. Of 1 to 255 visible ASCII characters. The same input with the same key again writes nothing and gives the recorded answer, also when the first request is still under way, and after a restart of the gateway; another input with the key is an IdempotencyError. A key belongs to the caller and to this mutation, and is kept for 30 days, unless the gateway is set to another time (`JOB_KEEP_DAYS`). Left out or null means that a request that is sent twice writes twice.',
  }),
}));

export const REPLAYED_DESCRIPTION =
  'True when this is the recorded answer of an earlier request with the same `idempotencyKey`, and this one wrote nothing. Objects that are read back are read anew.';
