import { builder } from './builder.ts';

/** The argument of mutations that may have an idempotency key. */
export const idempotencyKeyArgs = builder.args((t) => ({
  idempotencyKey: t.string({
    description:
      'A text that the client makes up for this write, such as a UUID. Of 1 to 255 visible ASCII characters. The same input with the same key again writes nothing and gives the recorded answer, also when the first request is still under way, and after a restart of the gateway; another input with the key is an IdempotencyError. A key belongs to the caller and to this mutation, and is kept for 30 days, unless the gateway is set to another time (`JOB_KEEP_DAYS`). Left out or null means that a request that is sent twice writes twice.',
  }),
}));

export const REPLAYED_DESCRIPTION =
  'True when this is the recorded answer of an earlier request with the same `idempotencyKey`, and this one wrote nothing. Objects that are read back are read anew.';
