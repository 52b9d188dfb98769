import { unavailable } from '../../domain/errors.ts';
import { err } from '../../domain/result.ts';
import { type BatchLimits, isFull, nextBatch, type Submission } from './batch.ts';
import type { CallsUnderWay } from './in-flight-calls.ts';

export interface WaitingLineOptions {
  /** Whoever has less time than this left has too little. */
  readonly leastMs: number;
  /** Called after somebody's time was up: whoever stood behind them may be in front now. */
  readonly onLeft: () => void;
}

/**
 * Who waits for their turn, in the order in which they came. Whose time is up leaves, and is told that nothing was sent.
 * One array and one timer: a Map that changes with every submission keeps what left it for long, and a timer for
 * each costs more than the place in the line.
 */
export class WaitingLine {
  readonly #leastMs: number;
  readonly #onLeft: () => void;
  #line: Submission[] = [];
  #items = 0;
  #timer: NodeJS.Timeout | undefined;
  /** `performance.now()` before which nobody's time is up. */
  #firstEnd = Number.POSITIVE_INFINITY;
  /** What is next is less than a call can hold, and whoever joins does not change that. */
  #isCutShort = false;

  constructor({ leastMs, onLeft }: WaitingLineOptions) {
    this.#leastMs = leastMs;
    this.#onLeft = onLeft;
  }

  /** Items of all who wait. */
  get items(): number {
    return this.#items;
  }

  enter(submission: Submission): void {
    this.#line.push(submission);
    this.#items += submission.updates.length;
    const end = this.#endOf(submission);
    if (end < this.#firstEnd) this.#expect(end);
  }

  /** Who is in front; undefined where nobody waits. */
  get first(): Submission | undefined {
    // The timer may be late, and nothing is begun for a caller whose time is up.
    if (performance.now() >= this.#firstEnd) this.#giveUp();
    return this.#line[0];
  }

  /** Lets go who is in front. */
  takeFirst(): readonly Submission[] {
    return this.#let(this.#line.slice(0, 1));
  }

  /** Lets go who is next in one call. None where nobody is, or may. */
  take(limits: BatchLimits, underWay: CallsUnderWay): readonly Submission[] {
    return this.#let(nextBatch(this.#line, limits, underWay));
  }

  /** The same, but only where that call can hold no more. */
  takeFull(limits: BatchLimits, underWay: CallsUnderWay): readonly Submission[] {
    if (this.#isCutShort || this.#items < limits.maxItems) return [];
    const batch = nextBatch(this.#line, limits, underWay);
    if (isFull(batch, this.#line[batch.length], limits)) return this.#let(batch);
    this.#isCutShort = true;
    return [];
  }

  /** To be called when articles are no longer under way. */
  lookAgain(): void {
    this.#isCutShort = false;
  }

  /** To be called when nobody waits any more. */
  close(): void {
    clearTimeout(this.#timer);
  }

  #let(front: readonly Submission[]): readonly Submission[] {
    this.#line.splice(0, front.length);
    this.#isCutShort = false;
    for (const { updates } of front) this.#items -= updates.length;
    return front;
  }

  #endOf({ caller }: Submission): number {
    return caller.deadline - this.#leastMs;
  }

  #expect(end: number): void {
    this.#firstEnd = end;
    clearTimeout(this.#timer);
    // The longer the line, the less often it is looked through.
    const waitMs = Math.max(end - performance.now(), this.#line.length / 1_000);
    this.#timer = setTimeout(() => {
      this.#giveUp();
      this.#onLeft();
    }, Math.ceil(waitMs));
  }

  #giveUp(): void {
    this.#isCutShort = false;
    const now = performance.now();
    const late = this.#line.filter((submission) => this.#endOf(submission) <= now);
    if (late.length > 0) this.#line = this.#line.filter((submission) => this.#endOf(submission) > now);
    for (const { updates, resolve } of late) {
      this.#items -= updates.length;
      resolve(err(unavailable(TOO_LATE)));
    }
    this.#firstEnd = Number.POSITIVE_INFINITY;
    const next = this.#line.reduce((first, waiting) => Math.min(first, this.#endOf(waiting)), Number.POSITIVE_INFINITY);
    if (next < Number.POSITIVE_INFINITY) this.#expect(next);
  }
}

const TOO_LATE = 'Other article updates of this API token took all the time there was; nothing was sent.';
