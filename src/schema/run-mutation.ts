import { setImmediate as nextTick } from 'node:timers/promises';
import { recordRateLimit } from '../domain/callers/caller.ts';
import type { ClientScope } from '../domain/callers/clients.ts';
import type { BackendError, InputIssue, Validation } from '../domain/errors.ts';
import { mayHaveApplied, validationError } from '../domain/errors.ts';
import { err, ok, type Result } from '../domain/result.ts';
import { authorize, type Context } from './context.ts';
import { BackendGraphQLError } from './errors/graphql-errors.ts';

export interface MutationOptions<Input, Value> {
  readonly scope: ClientScope;
  /** True when nothing is written. */
  readonly isPreview?: boolean;
  readonly validation: Validation<Input | null>;
  readonly send: (input: Input) => Promise<Result<Value, BackendError>>;
}

/** Runs a write or its preview: authorizes the caller, validates the whole input, and only then sends. */
export async function runMutation<Input, Value>(
  context: Context,
  options: MutationOptions<Input, Value>,
): Promise<Result<Value, BackendError>> {
  const result = await runAuthorized(context, options);
  if (!result.ok && result.error.kind === 'rate-limited')
    recordRateLimit(context.caller, result.error.retryAfterSeconds);
  return result;
}

async function runAuthorized<Input, Value>(
  context: Context,
  { scope, isPreview = false, validation, send }: MutationOptions<Input, Value>,
): Promise<Result<Value, BackendError>> {
  const authorization = authorize(context, scope);
  if (!authorization.ok) return authorization;
  const input = await collectIssues(validation);
  if (!input.ok) return err(validationError(input.error));
  context.clearReads();
  if (!isPreview) context.writes += 1;
  try {
    const result = await send(input.value);
    if (!isPreview && !result.ok && !mayHaveApplied(result.error)) context.writes -= 1;
    return result;
  } catch (thrown) {
    if (!(thrown instanceof BackendGraphQLError)) throw thrown;
    return err(thrown.backendError);
  } finally {
    // The reads of a preview also serve the links of its articles.
    if (!isPreview) context.clearReads();
  }
}

/** The issues of a large input would block the event loop if they were all collected in one tick. */
const ISSUES_PER_TICK = 2_000;

async function collectIssues<T>(validation: Validation<T | null>): Promise<Result<T, readonly InputIssue[]>> {
  const issues: InputIssue[] = [];
  for (let step = validation.next(); ; step = validation.next()) {
    if (step.done) return issues.length > 0 || step.value === null ? err(issues) : ok(step.value);
    issues.push(step.value);
    if (issues.length % ISSUES_PER_TICK === 0) await nextTick();
  }
}
