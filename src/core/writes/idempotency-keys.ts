import type { BackendResult } from '../backend.ts';
import type { Result } from '../base/result.ts';
import type { Caller } from '../callers/caller.ts';
import type { BackendError } from '../errors.ts';
import type { AnswerCodec } from './codec.ts';

/** A write of one request, which is made once for all requests with its key. */
export interface KeyedWrite<Value> {
  /** The name of the mutation: each has keys of its own. */
  readonly operation: string;
  readonly idempotencyKey: string;
  /** Milliseconds after which the key is gone. Absent: it is kept as long as all others. */
  readonly lifetimeMs?: number | undefined;
  /** All that the caller asked for, as JSON can hold it. Compared by its hash. */
  readonly input: unknown;
  /** Makes the write for the caller, whose lease it keeps. */
  readonly send: (caller: Caller) => Promise<Result<Value, BackendError>>;
  /** Looks again for what a recorded answer does not know. Absent where nothing can be looked for. */
  lookAgain?(value: Value): Promise<Value>;
  /** Converts the result to what is kept, and back. */
  readonly answer: AnswerCodec<Value>;
  /** Makes the answer of a write whose outcome is not known. The reason is a sentence. */
  readonly outcomeUnknown: (reason: string) => Result<Value, BackendError>;
}

export interface KeyedResult<Value> {
  readonly value: Value;
  /** True for the recorded answer of an earlier request. */
  readonly replayed: boolean;
}

/** The port to idempotency keys: see docs/contract.md, "Jobs and idempotency keys". */
export interface IdempotencyKeys {
  /**
   * Makes the write, or gives the recorded answer of an earlier request with the key. Waits for one that is under way
   * until the caller's deadline. Gives `idempotency-conflict`, `idempotency-in-progress`, `forbidden` for a JWT without
   * a subject, and `unavailable`, unsent, where the key can't be kept.
   */
  run<Value>(caller: Caller, write: KeyedWrite<Value>): BackendResult<KeyedResult<Value>>;
}
