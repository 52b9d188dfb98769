import type { BackendResult } from '../core/backend.ts';
import { type Clock, withinTime } from '../core/base/clock.ts';
import { type Lease, openLease } from '../core/base/lease.ts';
import type { Log } from '../core/base/log.ts';
import { err } from '../core/base/result.ts';
import { type Caller, timeLeft } from '../core/callers/caller.ts';
import { type BackendError, unavailable } from '../core/errors.ts';
import { NoPlaceForState, StateUnavailable } from '../core/state-unavailable.ts';
import type { Ledger } from './state/ledger.ts';

interface LedgerSessionOptions {
  /** Called at the first use, and again after it failed. */
  readonly openLedger: () => Promise<Ledger>;
  readonly clock: Clock;
  /** Names this process for as long as it runs. */
  readonly owner: string;
  readonly log: Log;
}

/**
 * How long a process counts as alive after it has told so.
 *
 * @internal Exported for tests.
 */
export const ALIVE_MS = 10_000;

/** Others count the time of a process by the clock of the ledger, which may run faster than those of the process. */
const ALIVE_MARGIN_MS = 500;

/** The pause before a method of a ledger that could not be reached is called again. */
const RETRY_MS = 1_000;

/** The ledger as one process uses it: opened at the first use, and told that the process lives. */
export class LedgerSession {
  readonly owner: string;
  readonly #options: LedgerSessionOptions;
  #ledger: Promise<Ledger> | null = null;
  /** Opened before the last success of `keepAlive`: late where it is time for the next one. */
  #tellAgain: Lease | null = null;
  /** Its lease is late from when others may take this process for dead. A later sign of life begins another life then. */
  #life: { lease: Lease } | null = null;
  /** The sign of life that is under way, which all who need one share. */
  #telling: Promise<void> | null = null;
  #isFailing = false;
  /** Aborts where outcomes that can't be recorded are given up. */
  readonly #abandoned = new AbortController();

  constructor(options: LedgerSessionOptions) {
    this.#options = options;
    this.owner = options.owner;
  }

  get isOpen(): boolean {
    return this.#ledger !== null;
  }

  /** True from a failure until something was written again. Reads may succeed meanwhile. */
  get isFailing(): boolean {
    return this.#isFailing;
  }

  /** True once the state was written. */
  get hasBeenAlive(): boolean {
    return this.#life !== null;
  }

  /** Throws `StateUnavailable`. */
  async open(): Promise<Ledger> {
    this.#ledger ??= this.#options.openLedger();
    const opening = this.#ledger;
    try {
      return await opening;
    } catch (error) {
      if (this.#ledger === opening) this.#ledger = null;
      if (error instanceof StateUnavailable) throw error;
      throw new StateUnavailable(error instanceof Error ? error.message : '', { cause: error });
    }
  }

  /** Throws `StateUnavailable`. Tells beforehand that the process lives, where a third of the time has passed. */
  async openAlive(): Promise<Ledger> {
    const ledger = await this.open();
    if (this.#tellAgain?.isExpired() !== false) {
      this.#telling ??= this.#tellAlive(ledger).finally(() => {
        this.#telling = null;
      });
      await this.#telling;
    }
    return ledger;
  }

  async #tellAlive(ledger: Ledger): Promise<void> {
    const { clock } = this.#options;
    const tellAgain = openLease(ALIVE_MS / 3 - POLL_TOLERANCE_MS, clock);
    const lease = openLease(ALIVE_MS - ALIVE_MARGIN_MS, clock);
    await ledger.keepAlive(this.owner, ALIVE_MS);
    this.#tellAgain = tellAgain;
    if (this.#life?.lease.isExpired() === false) this.#life.lease = lease;
    else this.#life = { lease };
    this.#onWritten();
  }

  /**
   * Made before a write is begun in the ledger, after `openAlive`. It is late from the moment at which other processes may
   * take this one for dead, also after this one has told again that it lives: they may have told the outcome meanwhile.
   */
  lease(): Lease {
    const life = this.#life;
    return { isExpired: () => life?.lease.isExpired() !== false };
  }

  /** Answers a request by its deadline: alive where it may begin something. A ledger that can't be used is `unavailable`. */
  async answer<T>(caller: Caller, isAlive: boolean, use: (ledger: Ledger) => BackendResult<T>): BackendResult<T> {
    const answer = async () => use(await (isAlive ? this.openAlive() : this.open()));
    try {
      return (await withinTime(answer(), timeLeft(caller))) ?? err(unavailable(NO_ANSWER));
    } catch (error) {
      return err(this.errorOf(error));
    }
  }

  /** Calls a method until the ledger could be reached. Null when the signal has aborted before. */
  async persist<T>(use: (ledger: Ledger) => Promise<T>, signal: AbortSignal): Promise<T | null> {
    return signal.aborted ? null : this.record(use, signal);
  }

  /** Like `persist`, for something that has happened already: it is tried at least once, and until it is given up. */
  async record<T>(use: (ledger: Ledger) => Promise<T>, signal = this.#abandoned.signal): Promise<T | null> {
    do {
      try {
        const value = await use(await this.openAlive());
        this.#onWritten();
        return value;
      } catch (error) {
        this.onFailure(error);
        await this.#options.clock.sleep(RETRY_MS, signal);
      }
    } while (!signal.aborted);
    return null;
  }

  /** Waits for work that records what has happened. What can't be recorded within this time is given up. */
  async recordWithin(ms: number, work: Promise<unknown>): Promise<void> {
    const ended = new AbortController();
    const giveUp = this.#options.clock.sleep(ms, ended.signal).then(() => {
      if (!ended.signal.aborted) this.#abandoned.abort();
    });
    await work.finally(() => ended.abort());
    await giveUp;
  }

  /** The answer of a request after a failure. Rethrows bugs. */
  errorOf(error: unknown): BackendError {
    this.onFailure(error);
    return error instanceof NoPlaceForState ? NO_PLACE : unavailable(STATE_UNAVAILABLE);
  }

  /** Logs the first of several failures. Rethrows bugs. */
  onFailure(error: unknown): void {
    if (!(error instanceof StateUnavailable)) throw error;
    if (!this.#isFailing) this.#options.log('error', 'the state of jobs is unavailable', { reason: error.message });
    this.#isFailing = true;
  }

  async close(): Promise<void> {
    await (await this.#ledger?.catch(() => null))?.close();
  }

  #onWritten(): void {
    if (this.#isFailing) this.#options.log('info', 'the state of jobs is available again');
    this.#isFailing = false;
  }
}

/** The loop that keeps the process alive runs every few seconds, and may be a little early. */
const POLL_TOLERANCE_MS = 500;

const STATE_UNAVAILABLE = 'The state of jobs and idempotency keys is unavailable, so nothing was begun.';

const NO_ANSWER =
  'The state of jobs and idempotency keys did not answer in time. The same request again has no effect twice.';

const NO_PLACE: BackendError = {
  kind: 'rejected',
  message:
    'This gateway has no place to keep the state of jobs and idempotency keys (STATE_URL), so nothing was begun.',
  httpStatus: null,
  mayHaveApplied: false,
  serviceErrors: [],
  warnings: [],
  information: [],
};
