import type { ArticleUpdate, BulkUpdate } from '../../domain/articles.ts';
import { type Caller, timeLeft } from '../../domain/caller.ts';
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
export function nextBatch(queue: Iterable<Submission>, limits: BatchLimits): readonly Submission[] {
  const batch: Submission[] = [];
  const total: Load = { items: 0, chars: 0, articleIds: new Set(), shortest: Number.POSITIVE_INFINITY, longest: 0 };
  for (const submission of queue) {
    // A call of its own, of which the texts need not be looked at.
    if (submission.updates.length >= limits.maxItems) return batch.length > 0 ? batch : [submission];
    const load = loadOf(submission);
    if (batch.length > 0 && !goTogether(total, load, limits)) break;
    batch.push(submission);
    add(total, load);
  }
  return batch;
}

interface Load {
  items: number;
  chars: number;
  /** In lower case: whether the service tells IDs apart by their case is not known, and a call more does no harm. */
  readonly articleIds: Set<string>;
  /** Milliseconds until the first and until the last deadline. */
  shortest: number;
  longest: number;
}

function loadOf({ caller, updates }: Submission): Load {
  const left = timeLeft(caller);
  const load: Load = { items: updates.length, chars: 0, articleIds: new Set(), shortest: left, longest: left };
  for (const update of updates) {
    load.articleIds.add(update.articleId.toLowerCase());
    for (const value of Object.values(update)) if (typeof value === 'string') load.chars += value.length;
  }
  return load;
}

function add(total: Load, load: Load): void {
  total.items += load.items;
  total.chars += load.chars;
  for (const articleId of load.articleIds) total.articleIds.add(articleId);
  total.shortest = Math.min(total.shortest, load.shortest);
  total.longest = Math.max(total.longest, load.longest);
}

const goTogether = (total: Load, load: Load, { maxItems, maxChars }: BatchLimits): boolean =>
  total.items + load.items <= maxItems &&
  total.chars + load.chars <= maxChars &&
  hasEachArticleOnce(total) &&
  hasEachArticleOnce(load) &&
  load.articleIds.isDisjointFrom(total.articleIds) &&
  // The call ends by the first deadline. Whoever has twice as long would have more time in a call after this one.
  Math.max(total.longest, load.longest) <= 2 * Math.min(total.shortest, load.shortest);

const hasEachArticleOnce = ({ items, articleIds }: Load): boolean => articleIds.size === items;
