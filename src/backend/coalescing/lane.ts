import { setImmediate as turnOfEventLoop } from 'node:timers/promises';
import { unavailable } from '../../domain/errors.ts';
import { err } from '../../domain/result.ts';
import { type BatchLimits, isList, type Submission } from './batch.ts';
import { CallsUnderWay } from './calls-under-way.ts';
import { type Send, sendBatch } from './merged-call.ts';
import { WaitingLine } from './waiting-line.ts';

export interface LaneOptions {
  readonly send: Send;
  readonly limits: BatchLimits;
  readonly maxWaitingItems: number;
  /** Whether even the first call is begun only when the event loop has read what else has come in. */
  readonly waitsATurn: boolean;
  /** Called when everything has been answered. Nobody may join after that. */
  readonly onIdle: () => void;
}

/** So many lists that fill a call by themselves are under way beside each other. */
const MAX_LISTS = 4;

/**
 * The bulk updates with one API token. Small ones go one call after another: what comes while nothing is gathered for is
 * sent at once, and what comes meanwhile is the next call. A list that fills a call by itself gains nothing by waiting for
 * that, and goes beside it. Nobody overtakes who waits, and nothing is sent while an article of it is under way.
 */
export class Lane {
  readonly #options: LaneOptions;
  readonly #line = new WaitingLine(() => this.#go());
  /** Small updates are under way as one call, or about to be. */
  #isMerging = false;
  /** Lists under way beside that. */
  #lists = 0;
  readonly #underWay = new CallsUnderWay();

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  /** Fails at once where too many wait already. */
  join(submission: Submission): void {
    if (this.#line.items >= this.#options.maxWaitingItems) submission.resolve(err(unavailable(FULL)));
    else {
      this.#line.enter(submission);
      this.#go();
    }
  }

  /** Begins what may go, from the front. */
  #go(): void {
    for (let next = this.#line.first; next && this.#mayGo(next); next = this.#line.first) {
      if (isList(next, this.#options.limits)) void this.#sendList();
      else void this.#merge();
    }
    if (this.#isMerging || this.#lists > 0) return;
    this.#line.close();
    this.#options.onIdle();
  }

  #mayGo(submission: Submission): boolean {
    const hasWay = isList(submission, this.#options.limits) ? this.#lists < MAX_LISTS : !this.#isMerging;
    return hasWay && !this.#underWay.holdAnyOf(submission);
  }

  async #sendList(): Promise<void> {
    this.#lists += 1;
    await this.#send(this.#line.takeFirst());
    this.#lists -= 1;
    this.#go();
  }

  /**
   * Before it gathers again, the event loop reads what else has come in: under load that makes a call of 24 small updates
   * where it was one of 17.
   */
  async #merge(): Promise<void> {
    this.#isMerging = true;
    if (this.#options.waitsATurn) await turnOfEventLoop();
    for (let batch = this.#gather(); batch.length > 0; batch = this.#gather()) {
      const sending = this.#send(batch);
      this.#go();
      await sending;
      await turnOfEventLoop();
    }
    this.#isMerging = false;
    this.#go();
  }

  #gather(): readonly Submission[] {
    return this.#line.take(this.#options.limits, this.#underWay);
  }

  async #send(batch: readonly Submission[]): Promise<void> {
    const call = this.#underWay.begin(batch);
    await sendBatch(this.#options.send, batch);
    this.#underWay.end(call);
  }
}

const FULL = 'Too many article updates of this API token are waiting already; nothing was sent.';
