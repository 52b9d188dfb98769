import type { ArticleUpdate, BulkUpdate } from '../../domain/articles.ts';
import type { Caller } from '../../domain/caller.ts';
import type { BackendError } from '../../domain/errors.ts';
import type { Result } from '../../domain/result.ts';

/** One caller's bulk update, and where its answer goes. */
export interface Submission {
  readonly caller: Caller;
  readonly updates: readonly ArticleUpdate[];
  resolve(answer: Result<BulkUpdate, BackendError>): void;
  reject(thrown: unknown): void;
}

/** What merged calls may hold. A single caller's list may hold more; it goes alone, as it is. */
export interface BatchLimits {
  readonly maxItems: number;
  /** UTF-16 code units of all texts. */
  readonly maxChars: number;
}

/**
 * What is sent next as one call: from the front of the queue as many as go together. Nobody is skipped, so that everybody
 * is served in turn and no update overtakes an earlier one of the same article.
 */
export function nextBatch(queue: readonly Submission[], limits: BatchLimits): readonly Submission[] {
  const [first] = queue;
  // A call of its own, of which the texts need not be looked at.
  if (first && first.updates.length >= limits.maxItems) return [first];
  const load = new Load(limits);
  const end = queue.findIndex((submission) => !load.takes(submission));
  // Whoever does not go together with anybody goes alone.
  return end === -1 ? queue.slice() : queue.slice(0, Math.max(end, 1));
}

/** What a call holds so far. */
class Load {
  readonly #limits: BatchLimits;
  readonly #now = performance.now();
  /** In lower case: whether the service tells IDs apart by their case is not known, and a call more does no harm. */
  readonly #articleIds = new Set<string>();
  #items = 0;
  #chars = 0;
  /** Milliseconds until the first and until the last deadline. */
  #shortest = Number.POSITIVE_INFINITY;
  #longest = 0;

  constructor(limits: BatchLimits) {
    this.#limits = limits;
  }

  /** Whether the call takes the submission too; once it does not, it takes nothing more. */
  takes({ caller, updates }: Submission): boolean {
    this.#items += updates.length;
    return (
      this.#items <= this.#limits.maxItems && this.#waitsFor(caller) && updates.every((update) => this.#adds(update))
    );
  }

  /** The call ends by the first deadline. Whoever has twice as long would have more time in a call after this one. */
  #waitsFor({ deadline }: Caller): boolean {
    const left = Math.max(0, deadline - this.#now);
    this.#shortest = Math.min(this.#shortest, left);
    this.#longest = Math.max(this.#longest, left);
    return this.#longest <= 2 * this.#shortest;
  }

  #adds(update: ArticleUpdate): boolean {
    for (const value of Object.values(update)) if (typeof value === 'string') this.#chars += value.length;
    const count = this.#articleIds.size;
    return this.#articleIds.add(update.articleId.toLowerCase()).size > count && this.#chars <= this.#limits.maxChars;
  }
}
