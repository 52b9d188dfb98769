import { setImmediate as nextTick } from 'node:timers/promises';
import type { Scope } from '../domain/callers/clients.ts';
import type { BackendError, InputIssue, Rules } from '../domain/errors.ts';
import { mayHaveApplied, validationError } from '../domain/errors.ts';
import { err, ok, type Result } from '../domain/result.ts';
import { admit, type Context } from './context.ts';
import { ReadFailure } from './errors/graphql-errors.ts';

/** A write, or its preview, as every mutation does it: the token before the input, every rule before anything is sent. */
export interface Write<Input, Value> {
  readonly scope: Scope;
  /** True where nothing is written, and only told what would be. */
  readonly isPreview?: boolean;
  readonly rules: Rules<Input | null>;
  readonly send: (input: Input) => Promise<Result<Value, BackendError>>;
}

export async function write<Input, Value>(
  context: Context,
  { scope, isPreview = false, rules, send }: Write<Input, Value>,
): Promise<Result<Value, BackendError>> {
  const admitted = admit(context, scope);
  if (!admitted.ok) return admitted;
  const input = await collectIssues(rules);
  if (!input.ok) return err(validationError(input.error));
  context.forgetReads();
  if (!isPreview) context.writes += 1;
  try {
    const result = await send(input.value);
    if (!isPreview && !result.ok && !mayHaveApplied(result.error)) context.writes -= 1;
    return result;
  } catch (thrown) {
    if (!(thrown instanceof ReadFailure)) throw thrown;
    return err(thrown.failure);
  } finally {
    context.forgetReads();
  }
}

/** Issues that are found in one tick of the event loop: those of a large input, in one go, would hold it. */
const ISSUES_PER_TICK = 2_000;

async function collectIssues<T>(rules: Rules<T | null>): Promise<Result<T, readonly InputIssue[]>> {
  const issues: InputIssue[] = [];
  for (let step = rules.next(); ; step = rules.next()) {
    if (step.done) return issues.length > 0 || step.value === null ? err(issues) : ok(step.value);
    issues.push(step.value);
    if (issues.length % ISSUES_PER_TICK === 0) await nextTick();
  }
}
