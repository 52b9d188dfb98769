import { setImmediate as turnOfEventLoop } from 'node:timers/promises';
import { unavailable } from '../../domain/errors.ts';
import { err } from '../../domain/result.ts';
import { type BatchLimits, isList, type Submission } from './batch.ts';
import { CallsUnderWay } from './in-flight-calls.ts';
import { WaitingLine } from './pending-queue.ts';
import { type SendBatchOptions, sendBatch } from './send-batch.ts';

export interface LaneOptions extends SendBatchOptions {
  readonly limits: BatchLimits;
  readonly maxWaitingItems: number;
  /** With less time than this left nothing is begun. */
  readonly leastMs: number;
  /** Whether even the first call is begun only when the event loop has read what else has come in. */
  readonly waitsATurn: boolean;
  /** Called when everything has been answered. Nobody may join after that. */
  readonly onIdle: () => void;
}

/** So many merged calls, and so many lists, are under way beside each other. */
const MAX_BESIDE = 4;

/**
 * The bulk updates with one API token. Small ones are sent at once while none are under way; what comes meanwhile is the
 * next call, once those before it have returned. Full calls do not wait for each other, and a list that fills one by
 * itself for none. Nobody overtakes who waits, and nothing is sent while an article of it is under way.
 */
export class Lane {
  readonly #options: LaneOptions;
  readonly #line: WaitingLine;
  /** Calls of small updates that are under way, or have returned in this turn of the event loop. */
  #merged = 0;
  /** The only one of these could have held more. No other goes beside it. */
  #hasRoom = false;
  /** Lists that are under way. */
  #lists = 0;
  readonly #underWay = new CallsUnderWay();

  constructor(options: LaneOptions) {
    this.#options = options;
    this.#line = new WaitingLine({ leastMs: options.leastMs, onLeft: () => this.#go() });
    if (options.waitsATurn) {
      // What comes in the same turn is gathered as if a call had just returned.
      this.#merged = 1;
      void this.#endMerged();
    }
  }

  /** Fails at once where too many wait already. */
  join(submission: Submission): void {
    if (this.#line.items >= this.#options.maxWaitingItems) submission.resolve(err(unavailable(FULL)));
    else {
      this.#line.enter(submission);
      this.#go();
    }
  }

  /** Begins whatever may go, from the front. */
  #go(): void {
    for (let next = this.#line.first; next && this.#begins(next); next = this.#line.first);
    if (this.#merged > 0 || this.#lists > 0) return;
    this.#line.close();
    this.#options.onIdle();
  }

  /** Whether it did. */
  #begins(next: Submission): boolean {
    if (isList(next, this.#options.limits)) {
      if (this.#lists === MAX_BESIDE || this.#underWay.holdAnyOf(next)) return false;
      void this.#sendList(this.#line.takeFirst());
      return true;
    }
    const full = this.#takeFull();
    const batch = full.length > 0 || this.#merged > 0 ? full : this.#line.take(this.#options.limits, this.#underWay);
    if (batch.length === 0) return false;
    this.#hasRoom = batch !== full;
    void this.#sendMerged(batch);
    return true;
  }

  #takeFull(): readonly Submission[] {
    if (this.#hasRoom || this.#merged === MAX_BESIDE) return [];
    return this.#line.takeFull(this.#options.limits, this.#underWay);
  }

  async #sendList(list: readonly Submission[]): Promise<void> {
    this.#lists += 1;
    await this.#send(list);
    this.#lists -= 1;
    this.#go();
  }

  async #sendMerged(batch: readonly Submission[]): Promise<void> {
    this.#merged += 1;
    await this.#send(batch);
    await this.#endMerged();
  }

  /**
   * Before anything is gathered, the event loop reads what else has come in: under load that makes a call of 24 small
   * updates where it was one of 17.
   */
  async #endMerged(): Promise<void> {
    await turnOfEventLoop();
    this.#merged -= 1;
    this.#hasRoom = false;
    this.#go();
  }

  async #send(batch: readonly Submission[]): Promise<void> {
    const call = this.#underWay.begin(batch);
    await sendBatch(this.#options, batch);
    this.#underWay.end(call);
    this.#line.lookAgain();
  }
}

const FULL = 'Too many article updates of this API token are waiting already; nothing was sent.';
