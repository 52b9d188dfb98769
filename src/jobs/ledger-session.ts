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
 * How long other processes treat this one as running after a heartbeat.
 *
 * @internal Exported for tests.
 */
export const HEARTBEAT_LIFETIME_MS = 10_000;

/** The clock of the ledger, by which others count, may run faster than the clocks of this process. */
const LEASE_MARGIN_MS = 500;

/** The pause before another attempt to reach the ledger. */
const RETRY_MS = 1_000;

/** The ledger as one process uses it: opened at the first use, and kept informed by heartbeats. */
export class LedgerSession {
  readonly owner: string;
  readonly #options: LedgerSessionOptions;
  #ledger: Promise<Ledger> | null = null;
  /** Expires when the next heartbeat is due. */
  #due: Lease | null = null;
  /** Expires when other processes may treat this one as dead. A heartbeat before that extends it; a later one starts a new lease. */
  #lease: { extended: Lease } | null = null;
  /** The heartbeat that is being sent, for which all callers wait. */
  #sending: Promise<void> | null = null;
  #isFailing = false;
  /** Aborts where outcomes that can't be recorded are given up. */
  readonly #abandoned = new AbortController();

  constructor(options: LedgerSessionOptions) {
    this.#options = options;
    this.owner = options.owner;
  }

  /** True once somebody has asked for the ledger. */
  get isOpen(): boolean {
    return this.#ledger !== null;
  }

  /** True from a failure until something was written again. Reads may succeed meanwhile. */
  get isFailing(): boolean {
    return this.#isFailing;
  }

  /** True once the ledger has accepted a heartbeat. */
  get hasSentHeartbeat(): boolean {
    return this.#lease !== null;
  }

  /** Opens the ledger where it is not open yet. Throws `StateUnavailable`. */
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

  /** Opens the ledger, and sends a heartbeat first where one is due. Throws `StateUnavailable`. */
  async openWithHeartbeat(): Promise<Ledger> {
    const ledger = await this.open();
    if (this.#due?.isExpired() !== false) {
      this.#sending ??= this.#sendHeartbeat(ledger).finally(() => {
        this.#sending = null;
      });
      await this.#sending;
    }
    return ledger;
  }

  async #sendHeartbeat(ledger: Ledger): Promise<void> {
    const { clock } = this.#options;
    const due = openLease(HEARTBEAT_LIFETIME_MS / 3 - POLL_TOLERANCE_MS, clock);
    const extended = openLease(HEARTBEAT_LIFETIME_MS - LEASE_MARGIN_MS, clock);
    await ledger.heartbeat(this.owner, HEARTBEAT_LIFETIME_MS);
    this.#due = due;
    if (this.#lease?.extended.isExpired() === false) this.#lease.extended = extended;
    else this.#lease = { extended };
    this.#onWritten();
  }

  /**
   * The lease of a write that begins now, taken after `openWithHeartbeat`. Once it has expired it stays so whatever heartbeats
   * follow, since other processes may have reported an outcome of the write meanwhile.
   */
  lease(): Lease {
    const lease = this.#lease;
    return { isExpired: () => lease?.extended.isExpired() !== false };
  }

  /** Answers a request by its deadline, after a heartbeat where it may begin something. Gives `unavailable` where the ledger can't be used. */
  async answer<T>(caller: Caller, mayBegin: boolean, use: (ledger: Ledger) => BackendResult<T>): BackendResult<T> {
    const answer = async () => use(await (mayBegin ? this.openWithHeartbeat() : this.open()));
    try {
      return (await withinTime(answer(), timeLeft(caller))) ?? err(unavailable(NO_ANSWER));
    } catch (error) {
      return err(this.errorOf(error));
    }
  }

  /** Calls a method until the ledger could be reached; null where the signal has aborted before. */
  async persist<T>(use: (ledger: Ledger) => Promise<T>, signal: AbortSignal): Promise<T | null> {
    return signal.aborted ? null : this.record(use, signal);
  }

  /** Records something that has happened already: it is tried at least once, and until the signal aborts. */
  async record<T>(use: (ledger: Ledger) => Promise<T>, signal = this.#abandoned.signal): Promise<T | null> {
    do {
      try {
        const value = await use(await this.openWithHeartbeat());
        this.#onWritten();
        return value;
      } catch (error) {
        this.onFailure(error);
        await this.#options.clock.sleep(RETRY_MS, signal);
      }
    } while (!signal.aborted);
    return null;
  }

  /** Waits for work that records what has happened, and gives up what can't be recorded within this time. */
  async recordWithin(ms: number, work: Promise<unknown>): Promise<void> {
    const ended = new AbortController();
    const giveUp = this.#options.clock.sleep(ms, ended.signal).then(() => {
      if (!ended.signal.aborted) this.#abandoned.abort();
    });
    await work.finally(() => ended.abort());
    await giveUp;
  }

  /** The error that a request gets after a failure. Rethrows bugs. */
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

  /** Closes the ledger where it was opened. */
  async close(): Promise<void> {
    await (await this.#ledger?.catch(() => null))?.close();
  }

  #onWritten(): void {
    if (this.#isFailing) this.#options.log('info', 'the state of jobs is available again');
    this.#isFailing = false;
  }
}

/** The loop that sends heartbeats runs every few seconds, and may be a little early. */
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
