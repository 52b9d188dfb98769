import { setImmediate as nextTick } from 'node:timers/promises';
import type { WriteName } from '../backend/backend.ts';
import { WRITES } from '../backend/writes/declarations.ts';
import { err, ok, type Result } from '../base/result.ts';
import { recordRateLimit } from '../domain/callers/caller.ts';
import {
  type BackendError,
  type InputIssue,
  mayHaveApplied,
  type Validation,
  validationError,
} from '../domain/errors.ts';
import { authorize, type Context } from './context.ts';
import { BackendGraphQLError } from './graphql-errors.ts';

export interface MutationOptions<Input, Value> {
  /** The write, or the one that is previewed or submitted. Its declaration names the scope. */
  readonly write: WriteName;
  /** True when nothing is written. */
  readonly isPreview?: boolean;
  readonly validation: Validation<Input | null>;
  readonly send: (input: Input) => Promise<Result<Value, BackendError>>;
}

/** Runs a write or its preview: authorizes the caller, validates the whole input, and only then sends. */
export async function runMutation<Input, Value>(
  context: Context,
  { write, isPreview = false, validation, send }: MutationOptions<Input, Value>,
): Promise<Result<Value, BackendError>> {
  const authorization = authorize(context, WRITES[write].scope);
  if (!authorization.ok) return authorization;
  const collected = collectIssues(validation);
  const input = collected instanceof Promise ? await collected : collected;
  if (!input.ok) return err(validationError(input.error));
  context.clearReads();
  if (!isPreview) context.writes += 1;
  try {
    const result = await send(input.value);
    if (result.ok) return result;
    if (!isPreview && !mayHaveApplied(result.error)) context.writes -= 1;
    return failedBy(context, result.error);
  } catch (thrown) {
    if (!(thrown instanceof BackendGraphQLError)) throw thrown;
    return failedBy(context, thrown.backendError);
  } finally {
    // The reads of a preview also serve the links of its articles.
    if (!isPreview) context.clearReads();
  }
}

function failedBy({ caller }: Context, error: BackendError): Result<never, BackendError> {
  if (error.kind === 'rate-limited') recordRateLimit(caller, error.retryAfterSeconds);
  return err(error);
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
