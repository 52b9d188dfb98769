import { hash } from 'node:crypto';
import type { BackendResult } from '../backend/backend.ts';
import type { IdempotencyKeys, KeyedResult, KeyedWrite } from '../backend/writes/idempotency-keys.ts';
import { withinTime } from '../base/clock.ts';
import type { Fence } from '../base/fence.ts';
import { err, ok, type Result } from '../base/result.ts';
import { type Caller, timeLeft } from '../domain/callers/caller.ts';
import {
  type BackendError,
  idempotencyConflict,
  idempotencyInProgress,
  mayHaveApplied,
  unavailable,
} from '../domain/errors.ts';
import type { Ledger, LedgerKey } from '../state/ledger.ts';
import { keyOfKnownCaller } from './caller-keys.ts';
import { NO_ANSWER } from './ledger-session.ts';
import type { JobContext } from './runner/job-context.ts';
import type { JobRunner } from './runner/runner.ts';
import type { Sweeper } from './runner/sweeper.ts';

/** The caller of a write that has begun waits at least so long for its outcome to be recorded. */
const MIN_RECORDING_MS = 1_000;

/** How long a stop tries to record outcomes in a ledger that can't be reached. */
const MAX_CLOSE_MS = 5_000;

/** The pause between two looks at a write of another process. */
const POLL_MS = 500;

interface KeyContext extends JobContext {
  /** Ends what is kept for too long, where the ledger is full. */
  readonly sweeper: Pick<Sweeper, 'freeRoom'>;
  /** Aborts where outcomes that can't be recorded are given up. */
  readonly abandoned: AbortSignal;
  /** The keys, by their IDs, whose writes this process has begun and not recorded: in flight, or after a bug. */
  readonly unrecorded: Set<string>;
}

/** The attempts of a process are joined here, so that the ledger is asked once for each key. */
export class ProcessIdempotencyKeys implements IdempotencyKeys {
  readonly #context: KeyContext;
  /** Keeps the process alive in the ledger. */
  readonly #runner: Pick<JobRunner, 'start'>;
  readonly #inFlight = new Map<string, KeyedAttempt<unknown>>();
  readonly #abandoned = new AbortController();

  constructor(context: JobContext, runner: Pick<JobRunner, 'start'>, sweeper: Pick<Sweeper, 'freeRoom'>) {
    this.#context = { ...context, sweeper, abandoned: this.#abandoned.signal, unrecorded: new Set() };
    this.#runner = runner;
  }

  async run<Value>(caller: Caller, write: KeyedWrite<Value>): BackendResult<KeyedResult<Value>> {
    const callerKey = await keyOfKnownCaller(this.#context.backend, caller);
    if (!callerKey.ok) return callerKey;
    const inputHash = hash('sha256', canonicalJson(write.input), 'base64url');
    const name = JSON.stringify([callerKey.value, write.operation, write.idempotencyKey]);
    for (let before = this.#inFlight.get(name); before !== undefined; before = this.#inFlight.get(name)) {
      if (before.inputHash !== inputHash) return err(idempotencyConflict(CONFLICT));
      if (before.isSettling) return err(unavailable(NO_ANSWER));
      const ending = await withinTime(before.ending, timeLeft(caller));
      if (ending === null) return err(idempotencyInProgress());
      // The caller of that attempt may have had less time than this one.
      if (ending !== 'open') return ending.ok ? replay(this.#context, write, ending.value) : ending;
    }
    this.#runner.start();
    const onEnd = () => this.#inFlight.delete(name);
    const attempt = new KeyedAttempt(this.#context, { caller, callerKey: callerKey.value, inputHash, write, onEnd });
    this.#inFlight.set(name, attempt);
    return attempt.answer();
  }

  /** Outcomes that can't be recorded for some seconds are given up. Keys of such writes answer that it is unknown. */
  async close(): Promise<void> {
    const done = new AbortController();
    const giveUp = this.#context.clock.sleep(MAX_CLOSE_MS, done.signal).then(() => this.#abandoned.abort());
    await Promise.allSettled([...this.#inFlight.values()].map(({ ending }) => ending));
    done.abort();
    await giveUp;
  }
}

/** The result of an attempt for others with its key: the recorded answer, or an error. Open: nothing is decided for them. */
type Ending = Result<string, BackendError> | 'open';

interface KeyedRequest<Value> {
  readonly caller: Caller;
  readonly callerKey: string;
  readonly inputHash: string;
  readonly write: KeyedWrite<Value>;
  readonly onEnd: () => void;
}

/** One request with a key, which makes the write unless it was made before. */
class KeyedAttempt<Value> {
  readonly inputHash: string;
  readonly ending: Promise<Ending>;
  /**
   * True once its caller was told that nothing was sent, and nothing is any more, while the ledger may still have a key of it
   * that must go.
   */
  isSettling = false;
  readonly #context: KeyContext;
  readonly #request: KeyedRequest<Value>;
  /** Null until it may be told. */
  #result: Result<KeyedResult<Value>, BackendError> | null = null;
  /** Resolves when the write has ended, or has a result without that. */
  readonly #sent = Promise.withResolvers<void>();
  #mayHaveBegunKey = false;
  #hasBegun = false;

  constructor(context: KeyContext, request: KeyedRequest<Value>) {
    this.#context = context;
    this.#request = request;
    this.inputHash = request.inputHash;
    this.ending = this.#run().finally(request.onEnd);
    // A bug has no waiter any more where the recording takes too long.
    this.ending.catch(() => {});
  }

  /** Answers by the deadline what has not begun by then, and what has begun once it is recorded, or soon after its end. */
  async answer(): BackendResult<KeyedResult<Value>> {
    const { caller } = this.#request;
    const sent = Promise.race([this.#sent.promise, this.ending]);
    if ((await withinTime(sent, timeLeft(caller))) === null && !this.#hasBegun) {
      this.isSettling = true;
      return err(unavailable(NO_ANSWER));
    }
    await sent;
    if (this.#result === null) await withinTime(this.ending, Math.max(timeLeft(caller), MIN_RECORDING_MS));
    return this.#result ?? err(idempotencyInProgress());
  }

  async #run(): Promise<Ending> {
    try {
      return await this.#begin();
    } catch (error) {
      const refusal = this.#refuse(this.#context.session.errorOf(error));
      if (!this.#mayHaveBegunKey || this.#hasBegun) return refusal;
      this.isSettling = true;
      await this.#settle();
      return 'open';
    }
  }

  /** While the write is in flight in another process, looks again until the deadline. Throws `StateUnavailable`. */
  async #begin(): Promise<Ending> {
    const { session, sweeper } = this.#context;
    for (let hasSwept = false; ; ) {
      const ledger = await session.openAlive();
      const fence = session.fence();
      this.#mayHaveBegunKey = true;
      const key = await ledger.beginKey(this.#key());
      switch (key.kind) {
        case 'begun':
          return this.#send(key.keyId, fence);
        case 'ended':
          return this.#keep(key.answer);
        case 'lost':
          return this.#endLost(key.keyId);
        case 'conflict':
          return this.#refuse(idempotencyConflict(CONFLICT));
        case 'full':
          if (hasSwept) return this.#refuse(unavailable(FULL));
          hasSwept = true;
          await sweeper.freeRoom();
          break;
        case 'in-flight':
          if (key.isOwn) return this.#onOwn(key.keyId, fence);
          if (!(await this.#pause())) return 'open';
      }
    }
  }

  /** A write that this process has not begun was never sent: the answer to an earlier `beginKey` was lost. */
  #onOwn(keyId: string, fence: Fence): Promise<Ending> {
    return this.#context.unrecorded.has(keyId) ? this.#endLost(keyId) : this.#send(keyId, fence);
  }

  /** False, with the result told, where no time is left. */
  async #pause(): Promise<boolean> {
    const { clock } = this.#context;
    const msLeft = this.#request.caller.deadline - clock.monotonic();
    if (msLeft > 0) await clock.sleep(Math.min(POLL_MS, msLeft));
    else this.#tell(err(idempotencyInProgress()));
    return msLeft > 0;
  }

  #key(): LedgerKey {
    const { session, settings } = this.#context;
    const { callerKey, inputHash, write } = this.#request;
    const { operation, idempotencyKey, lifetimeMs } = write;
    return { callerKey, operation, idempotencyKey, inputHash, owner: session.owner, lifetimeMs, ...settings };
  }

  /**
   * Forgets the key that was begun without an answer: it would be in flight for all other processes as long as this one
   * lives, and its write is never sent.
   */
  async #settle(): Promise<void> {
    await this.#record(async (ledger) => {
      const key = await ledger.beginKey(this.#key());
      const isOwn = key.kind === 'begun' || (key.kind === 'in-flight' && key.isOwn);
      if (isOwn && !this.#context.unrecorded.has(key.keyId)) await ledger.forgetKey(key.keyId);
    });
  }

  #record<T>(use: (ledger: Ledger) => Promise<T>): Promise<T | null> {
    return this.#context.session.record(use, this.#context.abandoned);
  }

  async #send(keyId: string, fence: Fence): Promise<Ending> {
    const { unrecorded } = this.#context;
    const { caller, write } = this.#request;
    if (this.isSettling) {
      await this.#record((ledger) => ledger.forgetKey(keyId));
      return 'open';
    }
    this.#hasBegun = true;
    unrecorded.add(keyId);
    let result: Result<Value, BackendError>;
    try {
      result = await write.send({ ...caller, fence });
    } catch (bug) {
      // The write may have been made before the bug.
      await this.#endKey(keyId, this.#unknownAnswer());
      throw bug;
    } finally {
      this.#sent.resolve();
    }
    if (!result.ok && !mayHaveApplied(result.error)) {
      await this.#record((ledger) => ledger.forgetKey(keyId));
      unrecorded.delete(keyId);
      return this.#refuse(result.error);
    }
    const answer = write.answer.encode(result);
    const kept = await this.#endKey(keyId, answer);
    // The process was taken for dead meanwhile, and another one has answered already.
    if (kept !== answer) return this.#keep(kept);
    return this.#keep(kept, result.ok ? ok({ value: result.value, replayed: false }) : result);
  }

  async #endKey(keyId: string, answer: string): Promise<string> {
    const kept = await this.#record((ledger) => ledger.endKey(keyId, answer));
    this.#context.unrecorded.delete(keyId);
    return kept ?? answer;
  }

  /** Ends the key of a write whose process has ended. */
  async #endLost(keyId: string): Promise<Ending> {
    const answer = this.#unknownAnswer();
    const kept = await (await this.#context.session.openAlive()).endKey(keyId, answer);
    this.#context.unrecorded.delete(keyId);
    return this.#keep(kept ?? answer);
  }

  /** The answer of a write whose process has ended, or failed. */
  #unknownAnswer(): string {
    const { answer, outcomeUnknown } = this.#request.write;
    return answer.encode(outcomeUnknown(GATEWAY_ENDED));
  }

  #keep(answer: string, result = replay(this.#context, this.#request.write, answer)): Ending {
    this.#tell(result);
    return ok(answer);
  }

  #refuse(error: BackendError): Ending {
    this.#tell(err(error));
    return err(error);
  }

  #tell(result: Result<KeyedResult<Value>, BackendError>): void {
    this.#result = result;
    this.#sent.resolve();
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
