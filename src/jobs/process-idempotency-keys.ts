import { hash } from 'node:crypto';
import type { BackendResult } from '../backend/backend.ts';
import { withinTime } from '../base/clock.ts';
import type { Fence } from '../base/fence.ts';
import { err, ok, type Result } from '../base/result.ts';
import { idempotencyConflict, idempotencyInProgress } from '../domain/articles/article-update-jobs.ts';
import { type Caller, timeLeft } from '../domain/callers/caller.ts';
import { type BackendError, mayHaveApplied, unavailable } from '../domain/errors.ts';
import type { BeginKeyResult, Ledger, LedgerKey, StateRoom } from '../state/ledger.ts';
import { keyOfKnownCaller } from './caller-keys.ts';
import type { IdempotencyKeys, KeyedResult, KeyedWrite } from './idempotency-keys.ts';
import { NO_ANSWER } from './ledger-session.ts';
import type { JobContext } from './runner/job-context.ts';

/** The caller of a write that has begun waits at least so long for its outcome to be recorded. */
const MIN_RECORDING_MS = 1_000;

/** How long a stop tries to record outcomes in a ledger that can't be reached. */
const MAX_CLOSE_MS = 5_000;

/** An attempt of this process that has not ended. */
interface InFlightAttempt {
  readonly inputHash: string;
  readonly ending: Promise<Ending>;
  readonly attempt: Pick<KeyedAttempt<unknown>, 'isSettling'>;
}

/** The attempts of a process are joined here, so that the ledger is asked once for each key. */
export class ProcessIdempotencyKeys implements IdempotencyKeys {
  readonly #context: KeyContext;
  readonly #inFlight = new Map<string, InFlightAttempt>();
  readonly #abandoned = new AbortController();

  constructor(context: Omit<KeyContext, 'unrecorded'>) {
    this.#context = { ...context, unrecorded: new Set() };
  }

  async run<Value>(caller: Caller, write: KeyedWrite<Value>): BackendResult<KeyedResult<Value>> {
    const callerKey = await keyOfKnownCaller(this.#context.backend, caller);
    if (!callerKey.ok) return callerKey;
    const inputHash = hash('sha256', canonicalJson(write.input), 'base64url');
    const name = JSON.stringify([callerKey.value, write.operation, write.idempotencyKey]);
    for (let before = this.#inFlight.get(name); before !== undefined; before = this.#inFlight.get(name)) {
      if (before.inputHash !== inputHash) return err(idempotencyConflict(CONFLICT));
      if (before.attempt.isSettling) return err(unavailable(NO_ANSWER));
      const ending = await withinTime(before.ending, timeLeft(caller));
      if (ending === null) return err(idempotencyInProgress());
      // The caller of that attempt may have had less time than this one.
      if (ending.kind !== 'open')
        return ending.kind === 'kept' ? replay(this.#context, write, ending.answer) : err(ending.error);
    }
    const attempt = new KeyedAttempt(this.#context, { caller, callerKey: callerKey.value, inputHash, write });
    const ending = attempt.run(this.#abandoned.signal).finally(() => this.#inFlight.delete(name));
    this.#inFlight.set(name, { inputHash, ending, attempt });
    return this.#answer(attempt, ending, caller);
  }

  /** Outcomes that can't be recorded for some seconds are given up. Keys of such writes answer that it is unknown. */
  async close(): Promise<void> {
    const done = new AbortController();
    const giveUp = this.#context.clock.sleep(MAX_CLOSE_MS, done.signal).then(() => this.#abandoned.abort());
    await Promise.allSettled([...this.#inFlight.values()].map(({ ending }) => ending));
    done.abort();
    await giveUp;
  }

  /** Answers by the deadline what has not begun by then, and what has begun once it is recorded, or soon after its end. */
  async #answer<Value>(
    attempt: KeyedAttempt<Value>,
    ending: Promise<Ending>,
    caller: Caller,
  ): BackendResult<KeyedResult<Value>> {
    // A bug has no waiter any more where the recording takes too long.
    ending.catch(() => {});
    const isDecided = await withinTime(Promise.race([attempt.decided.then(() => true), ending]), timeLeft(caller));
    if (isDecided === null && attempt.giveUp()) return err(unavailable(NO_ANSWER));
    await Promise.race([attempt.sent, ending]);
    if (attempt.result === null) await withinTime(ending, Math.max(timeLeft(caller), MIN_RECORDING_MS));
    return attempt.result ?? err(idempotencyInProgress());
  }
}

/** The pause between two looks at a write of another process. */
const POLL_MS = 500;

interface KeyContext extends Pick<JobContext, 'backend' | 'session' | 'clock' | 'log'> {
  readonly room: StateRoom;
  /** Ends what is kept for too long, where the ledger is full. */
  readonly sweep: () => Promise<void>;
  /** Keeps the process alive in the ledger from now on. */
  readonly stayAlive: () => void;
  /** The keys, by their IDs, whose writes this process has begun and not recorded: in flight, or after a bug. */
  readonly unrecorded: Set<string>;
}

/** The result of an attempt for others with its key. */
type Ending =
  | { readonly kind: 'kept'; readonly answer: string }
  | { readonly kind: 'not-kept'; readonly error: BackendError }
  /** Nothing is decided for them. */
  | { readonly kind: 'open' };

const OPEN: Ending = { kind: 'open' };

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
class KeyedAttempt<Value> {
  /** Resolves when the write has begun, or has a result without that. */
  readonly decided: Promise<void>;
  /** Resolves when the write has ended, or has a result without that. */
  readonly sent: Promise<void>;
  /** True once its caller was told that nothing was sent, while the ledger may still have a key of it that must go. */
  isSettling = false;
  /** Null until it may be told. */
  #result: Result<KeyedResult<Value>, BackendError> | null = null;
  readonly #context: KeyContext;
  readonly #request: KeyedRequest<Value>;
  readonly #onDecided: () => void;
  readonly #onSent: () => void;
  #stage: 'beginning' | 'given-up' | 'begun' = 'beginning';
  #mayHaveBegunKey = false;

  constructor(context: KeyContext, request: KeyedRequest<Value>) {
    this.#context = context;
    this.#request = request;
    const [decided, sent] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    [this.decided, this.#onDecided] = [decided.promise, decided.resolve];
    [this.sent, this.#onSent] = [sent.promise, sent.resolve];
  }

  get result(): Result<KeyedResult<Value>, BackendError> | null {
    return this.#result;
  }

  /** Sends nothing any more. False where the write has begun. */
  giveUp(): boolean {
    if (this.#stage === 'begun') return false;
    this.#stage = 'given-up';
    this.isSettling = true;
    return true;
  }

  /** The signal aborts where outcomes that can't be recorded are given up. */
  async run(abandoned: AbortSignal): Promise<Ending> {
    const { session, stayAlive } = this.#context;
    stayAlive();
    try {
      const { key, fence } = await this.#beginKey();
      return await this.#follow(key, fence, abandoned);
    } catch (error) {
      const refusal = this.#refuse(session.errorOf(error));
      if (!this.#mayHaveBegunKey || this.#stage === 'begun') return refusal;
      this.isSettling = true;
      await this.#settle(abandoned);
      return OPEN;
    }
  }

  async #follow(key: BeginKeyResult, fence: Fence, abandoned: AbortSignal): Promise<Ending> {
    const { session, unrecorded } = this.#context;
    switch (key.kind) {
      case 'begun':
        if (this.#stage === 'beginning') return this.#send({ keyId: key.keyId, fence }, abandoned);
        await session.record((ledger) => ledger.forgetKey(key.keyId), abandoned);
        return OPEN;
      case 'ended':
        return this.#keep(key.answer, this.#replay(key.answer));
      case 'lost': {
        const answer = this.#unknownAnswer();
        const kept = (await (await session.openAlive()).endKey(key.keyId, answer)) ?? answer;
        unrecorded.delete(key.keyId);
        return this.#keep(kept, this.#replay(kept));
      }
      case 'conflict':
        return this.#refuse(idempotencyConflict(CONFLICT));
      case 'full':
        return this.#refuse(unavailable(FULL));
      case 'in-flight':
        this.#tell(err(idempotencyInProgress()));
        return OPEN;
    }
  }

  /** While the write is in flight in another process, looks again until the deadline. Throws `StateUnavailable`. */
  async #beginKey(): Promise<BegunKey> {
    const { session, clock, sweep } = this.#context;
    const { caller } = this.#request;
    let hasSwept = false;
    for (;;) {
      const ledger = await session.openAlive();
      const fence = session.fence();
      this.#mayHaveBegunKey = true;
      const key = await ledger.beginKey(this.#key());
      if (key.kind === 'full' && !hasSwept) {
        hasSwept = true;
        await sweep();
        continue;
      }
      const timeLeft = caller.deadline - clock.monotonic();
      if (key.kind !== 'in-flight') return { fence, key };
      // A write that this process has not begun was never sent: the answer to an earlier `beginKey` was lost.
      if (key.isOwn) {
        const kind = this.#context.unrecorded.has(key.keyId) ? 'lost' : 'begun';
        return { fence, key: { kind, keyId: key.keyId } };
      }
      if (timeLeft <= 0) return { fence, key };
      await clock.sleep(Math.min(POLL_MS, timeLeft));
    }
  }

  #key(): LedgerKey {
    const { session, room } = this.#context;
    const { callerKey, inputHash, write } = this.#request;
    const { operation, idempotencyKey, lifetimeMs } = write;
    return { callerKey, operation, idempotencyKey, inputHash, owner: session.owner, lifetimeMs, ...room };
  }

  /**
   * Forgets the key that was begun without an answer: it would be in flight for all other processes as long as this one
   * lives, and its write is never sent.
   */
  async #settle(abandoned: AbortSignal): Promise<void> {
    await this.#context.session.record(async (ledger) => {
      const key = await ledger.beginKey(this.#key());
      const isOwn = key.kind === 'begun' || (key.kind === 'in-flight' && key.isOwn);
      if (isOwn && !this.#context.unrecorded.has(key.keyId)) await ledger.forgetKey(key.keyId);
    }, abandoned);
  }

  async #send({ keyId, fence }: { readonly keyId: string; readonly fence: Fence }, abandoned: AbortSignal) {
    const { session, unrecorded } = this.#context;
    const { caller, write } = this.#request;
    this.#stage = 'begun';
    this.#onDecided();
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
      await record(this.#unknownAnswer());
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

  /** The answer of a write whose process has ended, or failed. */
  #unknownAnswer(): string {
    const { answer, outcomeUnknown } = this.#request.write;
    return answer.encode(outcomeUnknown(GATEWAY_ENDED));
  }

  #keep(answer: string, result: Result<KeyedResult<Value>, BackendError>): Ending {
    this.#tell(result);
    return { kind: 'kept', answer };
  }

  #refuse(error: BackendError): Ending {
    this.#tell(err(error));
    return { kind: 'not-kept', error };
  }

  #tell(result: Result<KeyedResult<Value>, BackendError>): void {
    this.#result = result;
    this.#onDecided();
    this.#onSent();
  }
}

/** The recorded answer of an earlier request. One that can't be read is unknown, since that request may have written. */
function replay<Value>(
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

/** JSON with the members of all objects sorted, so that equal values have equal texts. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );
}
