import { hash } from 'node:crypto';
import type { BackendResult } from '../core/backend.ts';
import { withinTime } from '../core/base/clock.ts';
import type { Lease } from '../core/base/lease.ts';
import { err, ok, type Result } from '../core/base/result.ts';
import { type Caller, timeLeft } from '../core/callers/caller.ts';
import {
  type BackendError,
  idempotencyConflict,
  idempotencyInProgress,
  mayHaveApplied,
  unavailable,
} from '../core/errors.ts';
import type { IdempotencyKeys, KeyedResult, KeyedWrite } from '../core/writes/idempotency-keys.ts';
import { keyOfKnownCaller } from './caller-keys.ts';
import type { JobContext } from './job-context.ts';
import type { JobRunner } from './runner/runner.ts';
import type { Sweeper } from './runner/sweeper.ts';
import type { BeginKeyResult, LedgerKey } from './state/ledger.ts';

/** How long the caller of a write that has begun waits at least for the record of its outcome. */
const MIN_RECORDING_MS = 1_000;

/** How long a stop tries to record outcomes while the ledger can't be reached. */
const MAX_CLOSE_MS = 5_000;

/** The pause between two looks at a write of another process. */
const POLL_MS = 500;

interface KeyContext extends JobContext {
  readonly sweeper: Pick<Sweeper, 'freeRoom'>;
  /** The IDs of keys whose writes this process has begun and not recorded yet. */
  readonly unrecorded: Set<string>;
}

/** Idempotency keys in the ledger. Requests of this process with one key run one after another, so that one of them sends the write. */
export class ProcessIdempotencyKeys implements IdempotencyKeys {
  readonly #context: KeyContext;
  /** Sends heartbeats while it runs. */
  readonly #runner: Pick<JobRunner, 'start'>;
  readonly #inFlight = new Map<string, KeyedAttempt<unknown>>();

  constructor(context: JobContext, runner: Pick<JobRunner, 'start'>, sweeper: Pick<Sweeper, 'freeRoom'>) {
    this.#context = { ...context, sweeper, unrecorded: new Set() };
    this.#runner = runner;
  }

  async run<Value>(caller: Caller, write: KeyedWrite<Value>): BackendResult<KeyedResult<Value>> {
    const callerKey = await keyOfKnownCaller(this.#context.backend, caller);
    if (!callerKey.ok) return callerKey;
    const name = JSON.stringify([callerKey.value, write.operation, write.idempotencyKey]);
    let mayHaveWritten = false;
    for (let before = this.#inFlight.get(name); before !== undefined; before = this.#inFlight.get(name)) {
      if (before.isSettling) return err(before.unsentError);
      if ((await withinTime(before.ending, timeLeft(caller))) === null) return err(idempotencyInProgress());
      mayHaveWritten = before.mayHaveWritten;
    }
    this.#runner.start();
    const onEnd = () => this.#inFlight.delete(name);
    const request = { caller, callerKey: callerKey.value, write, mayHaveWritten, onEnd };
    const attempt = new KeyedAttempt(this.#context, request);
    this.#inFlight.set(name, attempt);
    return attempt.answer();
  }

  /** Waits for the writes in flight. Outcomes that can't be recorded within seconds are given up, and are unknown then. */
  async close(): Promise<void> {
    const endings = [...this.#inFlight.values()].map(({ ending }) => ending);
    await this.#context.session.recordWithin(MAX_CLOSE_MS, Promise.allSettled(endings));
  }
}

interface KeyedRequest<Value> {
  readonly caller: Caller;
  readonly callerKey: string;
  readonly write: KeyedWrite<Value>;
  /** True where an earlier request with the key may have made the write. */
  readonly mayHaveWritten: boolean;
  readonly onEnd: () => void;
}

/** One request with a key: it sends the write, unless an earlier request has. */
class KeyedAttempt<Value> {
  readonly ending: Promise<void>;
  /** True once the caller has an answer and nothing is sent any more, while the ledger may still have a key to be forgotten. */
  isSettling = false;
  /** True where this request, or an earlier one with the key, may have made the write. */
  mayHaveWritten: boolean;
  readonly #context: KeyContext;
  readonly #request: KeyedRequest<Value>;
  readonly #key: LedgerKey;
  /** Null until it is recorded, or needs no record. */
  #result: Result<KeyedResult<Value>, BackendError> | null = null;
  /** Resolves when the write has ended. */
  readonly #sent = Promise.withResolvers<void>();
  #mayHaveBegunKey = false;
  #hasBegun = false;

  constructor(context: KeyContext, request: KeyedRequest<Value>) {
    this.#context = context;
    this.#request = request;
    this.mayHaveWritten = request.mayHaveWritten;
    const { operation, idempotencyKey, input, lifetimeMs } = request.write;
    const inputHash = hash('sha256', canonicalJson(input), 'base64url');
    const { callerKey } = request;
    const { session, settings } = context;
    this.#key = { callerKey, operation, idempotencyKey, inputHash, owner: session.owner, lifetimeMs, ...settings };
    this.ending = this.#run().finally(request.onEnd);
    // Nobody may wait any more for a bug that comes late.
    this.ending.catch(() => {});
  }

  /** Answers by the deadline where nothing has begun; otherwise once the outcome is recorded, or soon after the write has ended. */
  async answer(): BackendResult<KeyedResult<Value>> {
    const { caller } = this.#request;
    const sent = Promise.race([this.#sent.promise, this.ending]);
    if ((await withinTime(sent, timeLeft(caller))) === null && !this.#hasBegun) {
      this.isSettling = true;
      return err(this.unsentError);
    }
    await sent;
    if (this.#result === null) await withinTime(this.ending, Math.max(timeLeft(caller), MIN_RECORDING_MS));
    return this.#result ?? err(idempotencyInProgress());
  }

  async #run(): Promise<void> {
    try {
      this.#result = await this.#begin();
    } catch (error) {
      const failure = this.#context.session.errorOf(error);
      this.#result = err(failure.kind === 'unavailable' || this.mayHaveWritten ? this.unsentError : failure);
      this.#sent.resolve();
      if (!this.#mayHaveBegunKey || this.#hasBegun) return;
      this.isSettling = true;
      await this.#settle();
    }
  }

  /** The error of a request that has sent nothing itself. An earlier one may have. */
  get unsentError(): BackendError {
    return this.mayHaveWritten ? idempotencyInProgress() : unavailable(KEY_NOT_READ);
  }

  /** Begins the key. While its write is in flight in another process, looks again until the deadline. Throws `StateUnavailable`. */
  async #begin(): BackendResult<KeyedResult<Value>> {
    const { session, sweeper } = this.#context;
    for (let isMoreLeft = true; ; ) {
      const ledger = await session.openWithHeartbeat();
      const lease = session.lease();
      this.#mayHaveBegunKey = true;
      const key = await ledger.beginKey(this.#key);
      this.mayHaveWritten = WRITTEN_KEYS.has(key.kind);
      switch (key.kind) {
        case 'begun':
          return this.#send(key.keyId, lease);
        case 'ended':
          return this.#replay(key.answer);
        case 'lost': {
          const kept = await this.#endLost(key.keyId);
          if (kept !== null) return this.#replay(kept);
          // Its process has forgotten the key meanwhile, so nothing was sent with it.
          this.mayHaveWritten = false;
          break;
        }
        case 'conflict':
          return err(idempotencyConflict(CONFLICT));
        case 'full':
          if (!isMoreLeft) return err(unavailable(FULL));
          isMoreLeft = await sweeper.freeRoom();
          break;
        case 'in-flight':
          if (key.isOwn) return this.#onOwn(key.keyId, lease);
          if (!(await this.#pause())) return err(idempotencyInProgress());
      }
    }
  }

  /** Sends a write whose `beginKey` had no answer before, since this process has not sent it. */
  async #onOwn(keyId: string, lease: Lease): BackendResult<KeyedResult<Value>> {
    if (!this.#context.unrecorded.has(keyId)) {
      this.mayHaveWritten = false;
      return this.#send(keyId, lease);
    }
    return this.#replay((await this.#endLost(keyId)) ?? this.#unknownAnswer());
  }

  /** False where no time is left. */
  async #pause(): Promise<boolean> {
    const { clock } = this.#context;
    const msLeft = this.#request.caller.deadline - clock.monotonic();
    if (msLeft > 0) await clock.sleep(Math.min(POLL_MS, msLeft));
    return msLeft > 0;
  }

  /** Forgets a key whose `beginKey` had no answer: its write is never sent, and other processes would wait for it. */
  async #settle(): Promise<void> {
    const { session, unrecorded } = this.#context;
    await session.record(async (ledger) => {
      const key = await ledger.beginKey(this.#key);
      const isOwn = key.kind === 'begun' || (key.kind === 'in-flight' && key.isOwn);
      if (isOwn && !unrecorded.has(key.keyId)) await ledger.forgetKey(key.keyId);
    });
  }

  async #send(keyId: string, lease: Lease): BackendResult<KeyedResult<Value>> {
    const { session, unrecorded } = this.#context;
    const { caller, write } = this.#request;
    if (this.isSettling) {
      await session.record((ledger) => ledger.forgetKey(keyId));
      return err(this.unsentError);
    }
    this.#hasBegun = true;
    this.mayHaveWritten = true;
    unrecorded.add(keyId);
    let result: Result<Value, BackendError>;
    try {
      result = await write.send({ ...caller, lease: lease });
    } catch (bug) {
      // The write may have had its effect before the bug.
      await this.#endKey(keyId, this.#unknownAnswer());
      throw bug;
    } finally {
      this.#sent.resolve();
    }
    if (!result.ok && !mayHaveApplied(result.error)) {
      await session.record((ledger) => ledger.forgetKey(keyId));
      unrecorded.delete(keyId);
      this.mayHaveWritten = false;
      return result;
    }
    const answer = write.answer.encode(result);
    const kept = await this.#endKey(keyId, answer);
    // Another process has treated this one as dead meanwhile, and has answered already.
    if (kept !== answer) return this.#replay(kept);
    return result.ok ? ok({ value: result.value, replayed: false }) : result;
  }

  async #endKey(keyId: string, answer: string): Promise<string> {
    const kept = await this.#context.session.record((ledger) => ledger.endKey(keyId, answer));
    this.#context.unrecorded.delete(keyId);
    return kept ?? answer;
  }

  /** Ends the key of a write whose process has ended. Gives the recorded answer; null where the key is gone. */
  async #endLost(keyId: string): Promise<string | null> {
    const ledger = await this.#context.session.openWithHeartbeat();
    const kept = await ledger.endKey(keyId, this.#unknownAnswer());
    this.#context.unrecorded.delete(keyId);
    return kept;
  }

  /** The recorded answer where nobody knows the outcome. */
  #unknownAnswer(): string {
    const { answer, outcomeUnknown } = this.#request.write;
    return answer.encode(outcomeUnknown(GATEWAY_ENDED));
  }

  /** Answers with the recorded answer of an earlier request, or with an unknown outcome where that can't be decoded. */
  async #replay(kept: string): BackendResult<KeyedResult<Value>> {
    const { write } = this.#request;
    const { operation, answer, outcomeUnknown } = write;
    const decoded = answer.decode(kept);
    if (!decoded.ok)
      this.#context.log('error', 'a recorded answer cannot be read', { operation, reason: decoded.error });
    const result = decoded.ok ? decoded.value : outcomeUnknown(`${NOT_READABLE} ${decoded.error}`);
    if (!result.ok) return result;
    return ok({ value: (await write.lookAgain?.(result.value)) ?? result.value, replayed: true });
  }
}

/** The states of a key with which a write may have been sent. */
const WRITTEN_KEYS: ReadonlySet<BeginKeyResult['kind']> = new Set(['ended', 'in-flight', 'lost']);

/** The reason why the outcome of a write is unknown whose process has ended. */
const GATEWAY_ENDED = 'The gateway ended before it had recorded the answer of the service.';

const NOT_READABLE =
  'An earlier request with this key was answered, and the gateway cannot read the answer it recorded.';

const KEY_NOT_READ =
  'The state of idempotency keys cannot be read or written, so this request has sent nothing. That says nothing of an ' +
  'earlier request with this key: send the same again to get its answer.';

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
