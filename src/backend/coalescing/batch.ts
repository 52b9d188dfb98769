import type { ArticleUpdate, BulkUpdate } from '../../domain/articles/bulk-updates.ts';
import type { Caller } from '../../domain/callers/caller.ts';
import type { BackendError } from '../../domain/errors.ts';
import type { Result } from '../../domain/result.ts';
import { articleOf, type CallsUnderWay, type Updates } from './in-flight-calls.ts';

/** One caller's bulk update, and where its answer goes. */
export interface Submission extends Updates {
  readonly caller: Caller;
  resolve(answer: Result<BulkUpdate, BackendError>): void;
  reject(thrown: unknown): void;
}

/** What merged calls may hold. A single caller's list may hold more; it goes alone, as it is. */
export interface BatchLimits {
  readonly maxItems: number;
  /** UTF-16 code units of all texts. */
  readonly maxChars: number;
}

/** Whether it fills a call by itself, so that nothing goes together with it. */
export const isList = ({ updates }: Submission, { maxItems }: BatchLimits): boolean => updates.length >= maxItems;

/**
 * What is sent next as one call: from the front of the queue as many small updates as go together, and go with none of the
 * articles that are under way. Nobody is skipped, so that everybody is served in turn and no update overtakes an earlier one of
 * the same article. None where the first is a list.
 */
export function nextBatch(
  queue: readonly Submission[],
  limits: BatchLimits,
  underWay: CallsUnderWay,
): readonly Submission[] {
  const [first] = queue;
  if (!first || isList(first, limits) || underWay.holdAnyOf(first)) return [];
  const load = new Load(limits, underWay);
  const end = queue.findIndex((submission) => !load.takes(submission));
  // Whoever does not go together with anybody goes alone.
  return end === -1 ? queue.slice() : queue.slice(0, Math.max(end, 1));
}

/** Whether a batch can hold no more, or not the one who is next. */
export function isFull(batch: readonly Submission[], next: Submission | undefined, { maxItems }: BatchLimits): boolean {
  const items = batch.reduce((sum, { updates }) => sum + updates.length, 0);
  return items === maxItems || items + (next?.updates.length ?? 0) > maxItems;
}

/** What a call holds so far. */
class Load {
  readonly #limits: BatchLimits;
  readonly #underWay: CallsUnderWay;
  readonly #now = performance.now();
  readonly #articles = new Set<string>();
  #items = 0;
  #chars = 0;
  /** Milliseconds until the first and until the last deadline. */
  #shortest = Number.POSITIVE_INFINITY;
  #longest = 0;

  constructor(limits: BatchLimits, underWay: CallsUnderWay) {
    this.#limits = limits;
    this.#underWay = underWay;
  }

  /** Whether the call takes the submission too; once it does not, it takes nothing more. */
  takes({ caller, updates }: Submission): boolean {
    this.#items += updates.length;
    return (
      this.#items <= this.#limits.maxItems && this.#waitsFor(caller) && this.#holds(updates) && this.#adds(updates)
    );
  }

  /** The call ends by the first deadline. Whoever has twice as long would have more time in a call after this one. */
  #waitsFor({ deadline }: Caller): boolean {
    const left = Math.max(0, deadline - this.#now);
    this.#shortest = Math.min(this.#shortest, left);
    this.#longest = Math.max(this.#longest, left);
    return this.#longest <= 2 * this.#shortest;
  }

  #holds(updates: readonly ArticleUpdate[]): boolean {
    for (const update of updates)
      for (const value of Object.values(update)) if (typeof value === 'string') this.#chars += value.length;
    return this.#chars <= this.#limits.maxChars;
  }

  #adds(updates: readonly ArticleUpdate[]): boolean {
    return updates.every((update) => {
      const article = articleOf(update);
      // Adding tells as well whether it was there.
      return this.#articles.size < this.#articles.add(article).size && !this.#underWay.hold(article);
    });
  }
}
