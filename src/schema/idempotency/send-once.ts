import { ok, type Result } from '../../base/result.ts';
import type { BackendError } from '../../domain/errors.ts';
import type { KeyedResult, KeyedWrite } from '../../jobs/idempotency-keys.ts';
import { builder } from '../builder.ts';
import type { Context } from '../context.ts';

/** The argument of mutations that may have an idempotency key. */
export const idempotencyKeyArgs = builder.args((t) => ({
  idempotencyKey: t.string({
    description:
      'A text that the client makes up for this write, such as a UUID. Of 1 to 255 visible ASCII characters. The same input with the same key again writes nothing and gives the recorded answer, also when the first request is still under way, and after a restart of the gateway; another input with the key is an IdempotencyError. A key belongs to the caller and to this mutation, and is kept for 30 days, unless the gateway is set to another time (`JOB_KEEP_DAYS`). Left out or null means that a request that is sent twice writes twice.',
  }),
}));

export const REPLAYED_DESCRIPTION =
  'True when this is the recorded answer of an earlier request with the same `idempotencyKey`, and this one wrote nothing. Objects that are read back are read anew.';

interface PossiblyKeyedWrite<Value> extends Omit<KeyedWrite<Value>, 'idempotencyKey'> {
  readonly idempotencyKey: string | null | undefined;
}

/** Makes a write without a key at once. One with a key is made once for all requests with that key. */
export function sendOnce<Value>(
  { keys, caller }: Context,
  { idempotencyKey, ...write }: PossiblyKeyedWrite<Value>,
): Promise<Result<KeyedResult<Value>, BackendError>> {
  if (idempotencyKey != null) return keys.run(caller, { ...write, idempotencyKey });
  return write.send(caller).then((result) => (result.ok ? ok({ value: result.value, replayed: false }) : result));
}
