import { setImmediate as nextTick } from 'node:timers/promises';
import type { Scope } from '../domain/clients.ts';
import type { BackendError, InputIssue } from '../domain/errors.ts';
import { validationError } from '../domain/errors.ts';
import type { Pause } from '../domain/issues.ts';
import { err, type Result } from '../domain/result.ts';
import { admit, type Context } from './context.ts';
import { mayHaveApplied, ReadFailure } from './failures.ts';

type Parsed<Input> = Result<Input, readonly InputIssue[]>;

/** A write, or its preview, as every mutation does it: the token before the input, every rule before anything is sent. */
export interface Write<Input, Value> {
  readonly scope: Scope;
  /** True where nothing is written, and only told what would be. */
  readonly isPreview?: boolean;
  readonly parse: (pause: Pause) => Parsed<Input> | Promise<Parsed<Input>>;
  readonly send: (input: Input) => Promise<Result<Value, BackendError>>;
}

export async function write<Input, Value>(
  context: Context,
  { scope, isPreview = false, parse, send }: Write<Input, Value>,
): Promise<Result<Value, BackendError>> {
  const admitted = admit(context, scope);
  if (!admitted.ok) return admitted;
  const parsing = parse(nextTick);
  const input = parsing instanceof Promise ? await parsing : parsing;
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
