import type { Fence } from '../base/fence.ts';
import { err, ok, type Result } from '../base/result.ts';
import { idempotencyConflict, idempotencyInProgress } from '../domain/articles/article-update-jobs.ts';
import type { Caller } from '../domain/callers/caller.ts';
import { type BackendError, mayHaveApplied, unavailable } from '../domain/errors.ts';
import type { BeginKeyResult, Ledger } from '../state/ledger.ts';
import type { KeyedResult, KeyedWrite } from './idempotency-keys.ts';
import type { JobContext } from './runner/job-context.ts';

/** The pause between two looks at a write of another process. */
const POLL_MS = 500;

export interface KeyContext extends Pick<JobContext, 'backend' | 'session' | 'clock' | 'log'> {
  /** The most bytes of all jobs and keys, roughly (`MAX_STATE_BYTES`). */
  readonly maxBytes: number;
  /** Keeps the process alive in the ledger from now on. */
  readonly stayAlive: () => void;
  /** The keys, by their IDs, whose writes this process has begun and not recorded: in flight, or after a bug. */
  readonly unrecorded: Set<string>;
}

/** The result of an attempt for others with its key. */
export type Ending =
  | { readonly kind: 'kept'; readonly answer: string }
  | { readonly kind: 'not-kept'; readonly error: BackendError }
  | { readonly kind: 'still-in-flight' };

/** The key as the ledger has it, and the fence of its write. */
interface BegunKey {
  readonly key: BeginKeyResult;
  readonly fence: Fence;
}

interface KeyedRequest<Value> {
  readonly caller: Caller;
  readonly callerKey: string;
  readonly inputHash: string;
  readonly write: KeyedWrite<Value>;
}

/** One request with a key, which makes the write unless it was made before. */
export class KeyedAttempt<Value> {
  /** Resolves when the write has ended. */
  readonly sent: Promise<void>;
  /** Null until it may be told. */
  result: Result<KeyedResult<Value>, BackendError> | null = null;
  readonly #context: KeyContext;
  readonly #request: KeyedRequest<Value>;
  readonly #onSent: () => void;

  constructor(context: KeyContext, request: KeyedRequest<Value>) {
    this.#context = context;
    this.#request = request;
    const { promise, resolve } = Promise.withResolvers<void>();
    [this.sent, this.#onSent] = [promise, resolve];
  }

  /** The signal aborts where outcomes that can't be recorded are given up. */
  async run(abandoned: AbortSignal): Promise<Ending> {
    const { context, write } = { context: this.#context, write: this.#request.write };
    context.stayAlive();
    const begun = await this.#beginKey();
    if (!begun.ok) return this.#refuse(begun.error);
    const { key, fence } = begun.value;
    switch (key.kind) {
      case 'begun':
        return this.#send({ keyId: key.keyId, fence }, abandoned);
      case 'ended':
        return this.#keep(key.answer, this.#replay(key.answer));
      case 'lost': {
        const { keyId } = key;
        const answer = write.answer.encode(write.outcomeUnknown(GATEWAY_ENDED));
        const recorded = await context.session.answerAlive(async (ledger) => ok(await ledger.endKey(keyId, answer)));
        if (!recorded.ok) return this.#refuse(recorded.error);
        context.unrecorded.delete(keyId);
        const kept = recorded.value ?? answer;
        return this.#keep(kept, this.#replay(kept));
      }
      case 'conflict':
        return this.#refuse(idempotencyConflict(CONFLICT));
      case 'full':
        return this.#refuse(unavailable(FULL));
      case 'in-flight':
        this.result = err(idempotencyInProgress());
        return { kind: 'still-in-flight' };
    }
  }

  /** While the write is in flight in another process, looks again until the deadline. */
  async #beginKey(): Promise<Result<BegunKey, BackendError>> {
    const { session, clock, maxBytes } = this.#context;
    const { caller, callerKey, inputHash, write } = this.#request;
    const { operation, idempotencyKey } = write;
    const key = { callerKey, operation, idempotencyKey, inputHash, owner: session.owner, maxBytes };
    for (;;) {
      const begun = await session.answerAlive(async (ledger) => {
        const fence = session.fence();
        return ok({ fence, key: await ledger.beginKey(key) });
      });
      const timeLeft = caller.deadline - clock.monotonic();
      if (!begun.ok || begun.value.key.kind !== 'in-flight') return begun;
      const { fence, key: inFlight } = begun.value;
      // A write that this process has not begun was never sent: the answer to an earlier `beginKey` was lost.
      if (inFlight.isOwn) {
        const kind = this.#context.unrecorded.has(inFlight.keyId) ? 'lost' : 'begun';
        return ok({ fence, key: { kind, keyId: inFlight.keyId } });
      }
      if (timeLeft <= 0) return begun;
      await clock.sleep(Math.min(POLL_MS, timeLeft));
    }
  }

  async #send({ keyId, fence }: { readonly keyId: string; readonly fence: Fence }, abandoned: AbortSignal) {
    const { session, unrecorded } = this.#context;
    const { caller, write } = this.#request;
    const persist = async <T>(use: (ledger: Ledger) => Promise<T>): Promise<T | null> => {
      const value = await session.record(use, abandoned);
      unrecorded.delete(keyId);
      return value;
    };
    const record = (answer: string) => persist((ledger) => ledger.endKey(keyId, answer));
    unrecorded.add(keyId);
    let result: Result<Value, BackendError>;
    try {
      result = await write.send({ ...caller, fence });
    } catch (bug) {
      // The write may have been made before the bug.
      await record(write.answer.encode(write.outcomeUnknown(GATEWAY_ENDED)));
      throw bug;
    } finally {
      this.#onSent();
    }
    if (!result.ok && !mayHaveApplied(result.error)) {
      await persist((ledger) => ledger.forgetKey(keyId));
      return this.#refuse(result.error);
    }
    const answer = write.answer.encode(result);
    const kept = (await record(answer)) ?? answer;
    // The process was taken for dead meanwhile, and another one has answered already.
    if (kept !== answer) return this.#keep(kept, this.#replay(kept));
    return this.#keep(answer, result.ok ? ok({ value: result.value, replayed: false }) : result);
  }

  #replay(kept: string): Result<KeyedResult<Value>, BackendError> {
    return replay(this.#context, this.#request.write, kept);
  }

  #keep(answer: string, result: Result<KeyedResult<Value>, BackendError>): Ending {
    this.result = result;
    return { kind: 'kept', answer };
  }

  #refuse(error: BackendError): Ending {
    this.result = err(error);
    return { kind: 'not-kept', error };
  }
}

/** The recorded answer of an earlier request. One that can't be read is unknown, since that request may have written. */
export function replay<Value>(
  { log }: Pick<KeyContext, 'log'>,
  { operation, answer, outcomeUnknown }: KeyedWrite<Value>,
  kept: string,
): Result<KeyedResult<Value>, BackendError> {
  const decoded = answer.decode(kept);
  if (!decoded.ok) log('error', 'a recorded answer cannot be read', { operation, reason: decoded.error });
  const result = decoded.ok ? decoded.value : outcomeUnknown(`${NOT_READABLE} ${decoded.error}`);
  return result.ok ? ok({ value: result.value, replayed: true }) : result;
}

/** The reason why the outcome of a write is unknown whose process has ended. */
const GATEWAY_ENDED = 'The gateway ended before it had recorded the answer of the service.';

const NOT_READABLE =
  'An earlier request with this key was answered, and the gateway cannot read the answer it recorded.';

const CONFLICT = 'The idempotency key was used with another input before. Use a new key for another write.';

const FULL = 'The state of jobs and idempotency keys is full (MAX_STATE_BYTES), so nothing was sent.';
