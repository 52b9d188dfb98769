import { hash } from 'node:crypto';
import type { BackendResult } from '../backend/backend.ts';
import { err, type Result } from '../base/result.ts';
import { idempotencyConflict, idempotencyInProgress } from '../domain/articles/article-update-jobs.ts';
import type { Caller } from '../domain/callers/caller.ts';
import { canonicalJson } from './canonical-json.ts';
import type { IdempotencyKeys, KeyedResult, KeyedWrite } from './idempotency-keys.ts';
import { type Ending, type KeyContext, KeyedAttempt, replay } from './keyed-attempt.ts';
import { keyOfKnownCaller } from './state-access.ts';

/** The caller of a write that has begun waits at least so long for its outcome to be recorded. */
const MIN_RECORDING_MS = 1_000;

/** How long a stop tries to record outcomes in a ledger that can't be reached. */
const MAX_CLOSE_MS = 5_000;

/** An attempt of this process that has not ended. */
interface InFlightAttempt {
  readonly inputHash: string;
  readonly ending: Promise<Ending>;
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
      const ending = await this.#within(caller.deadline, before.ending);
      if (ending === null) return err(idempotencyInProgress());
      // The caller of that attempt may have had less time than this one.
      if (ending.kind !== 'still-in-flight')
        return ending.kind === 'kept' ? replay(this.#context, write, ending.answer) : err(ending.error);
    }
    const attempt = new KeyedAttempt(this.#context, { caller, callerKey: callerKey.value, inputHash, write });
    return this.#begin(attempt, name, { inputHash, deadline: caller.deadline });
  }

  /** Outcomes that can't be recorded for some seconds are given up. Keys of such writes answer that it is unknown. */
  async close(): Promise<void> {
    const done = new AbortController();
    const giveUp = this.#context.clock.sleep(MAX_CLOSE_MS, done.signal).then(() => this.#abandoned.abort());
    await Promise.allSettled([...this.#inFlight.values()].map(({ ending }) => ending));
    done.abort();
    await giveUp;
  }

  async #begin<Value>(
    attempt: KeyedAttempt<Value>,
    name: string,
    { inputHash, deadline }: { readonly inputHash: string; readonly deadline: number },
  ): Promise<Result<KeyedResult<Value>, ReturnType<typeof idempotencyInProgress>>> {
    const ending = attempt.run(this.#abandoned.signal).finally(() => this.#inFlight.delete(name));
    // A recording that takes too long has no waiter any more.
    ending.catch(() => {});
    this.#inFlight.set(name, { inputHash, ending });
    await Promise.race([attempt.sent, ending]);
    const latest = Math.max(deadline, this.#context.clock.monotonic() + MIN_RECORDING_MS);
    await this.#within(latest, ending);
    return attempt.result ?? err(idempotencyInProgress());
  }

  /** Null where the promise takes longer. */
  async #within<T>(deadline: number, promise: Promise<T>): Promise<T | null> {
    const { clock } = this.#context;
    const settled = new AbortController();
    try {
      const timeout = clock.sleep(Math.max(0, deadline - clock.monotonic()), settled.signal).then(() => null);
      return await Promise.race([promise, timeout]);
    } finally {
      settled.abort();
    }
  }
}

const CONFLICT = 'The idempotency key was used with another input before. Use a new key for another write.';
