import { unavailable } from '../../domain/errors.ts';
import { err } from '../../domain/result.ts';
import { type BatchLimits, nextBatch, type Submission } from './batch.ts';

/**
 * Who waits for their turn, in the order in which they came. Whose time is up leaves, and is told that nothing was sent.
 * One array and one timer: a Map that changes with every submission keeps what left it for long, and a timer for
 * each costs more than the place in the line.
 */
export class WaitingLine {
  #line: Submission[] = [];
  #items = 0;
  #timer: NodeJS.Timeout | undefined;
  /** `performance.now()` before which nobody's time is up. */
  #firstDeadline = Number.POSITIVE_INFINITY;

  /** Items of all who wait. */
  get items(): number {
    return this.#items;
  }

  enter(submission: Submission): void {
    this.#line.push(submission);
    this.#items += submission.updates.length;
    const { deadline } = submission.caller;
    if (deadline < this.#firstDeadline) this.#expect(deadline);
  }

  /** Who goes next, in one call. None where nobody waits. */
  take(limits: BatchLimits): readonly Submission[] {
    // The timer may be late, and nothing is begun for a caller whose time is up.
    if (performance.now() >= this.#firstDeadline) this.#giveUp();
    const batch = nextBatch(this.#line, limits);
    this.#line.splice(0, batch.length);
    for (const { updates } of batch) this.#items -= updates.length;
    return batch;
  }

  /** To be called when nobody waits any more. */
  close(): void {
    clearTimeout(this.#timer);
  }

  #expect(deadline: number): void {
    this.#firstDeadline = deadline;
    clearTimeout(this.#timer);
    // The longer the line, the less often it is looked through: that takes a hundredth of the time at most.
    const waitMs = Math.max(deadline - performance.now(), this.#line.length / 1_000);
    this.#timer = setTimeout(() => this.#giveUp(), Math.ceil(waitMs));
  }

  #giveUp(): void {
    const now = performance.now();
    const late = this.#line.filter(({ caller }) => caller.deadline <= now);
    if (late.length > 0) this.#line = this.#line.filter(({ caller }) => caller.deadline > now);
    for (const { updates, resolve } of late) {
      this.#items -= updates.length;
      resolve(err(unavailable(TOO_LATE)));
    }
    this.#firstDeadline = Number.POSITIVE_INFINITY;
    const next = this.#line.reduce((first, { caller }) => Math.min(first, caller.deadline), Number.POSITIVE_INFINITY);
    if (next < Number.POSITIVE_INFINITY) this.#expect(next);
  }
}

const TOO_LATE = 'Other article updates of this API token took all the time there was; nothing was sent.';
