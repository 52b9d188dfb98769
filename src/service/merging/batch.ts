import type { CompletedBulkUpdate } from '../../core/articles/article-outcomes.ts';
import type { ArticleUpdate } from '../../core/articles/bulk-updates.ts';
import type { ArticleUpdateItem } from '../../core/articles/forks.ts';
import type { Result } from '../../core/base/result.ts';
import type { Caller } from '../../core/callers/caller.ts';
import type { BackendError } from '../../core/errors.ts';

/** One caller's bulk update, and the functions that settle its promise. */
export interface BulkUpdateRequest {
  readonly caller: Caller;
  readonly updates: readonly ArticleUpdateItem[];
  /** The IDs in lower case, since it is unknown whether the service treats them as case-sensitive. */
  readonly articleIds: readonly string[];
  resolve(result: Result<CompletedBulkUpdate, BackendError>): void;
  reject(thrown: unknown): void;
}

/** The bounds of a merged call. A single request may exceed them: it is sent alone and unchanged. */
export interface BatchLimits {
  /** The most items, at most what the backend sends or writes at once (`UPSTREAM_BULK_SIZE`). */
  readonly maxItems: number;
  /**
   * UTF-16 code units of all texts. JSON writes a code unit in at most 6 bytes, so the default keeps the texts of a body
   * below 6 MB. Merging saves calls for small requests; large ones gain nothing.
   */
  readonly maxChars: number;
}

/** True for a request that fills a call by itself, or needs steps of its own before its call, so that it is never merged. */
export const isLarge = ({ updates }: BulkUpdateRequest, { maxItems }: BatchLimits): boolean =>
  updates.length >= maxItems ||
  updates.some(({ ifPublished, ifRevision }) => (ifPublished ?? ifRevision) !== undefined);

export const updatesAnyOf = ({ articleIds }: BulkUpdateRequest, articles: ReadonlySet<string>): boolean =>
  articles.size > 0 && articleIds.some((articleId) => articles.has(articleId));

/** Requests that are sent as one call. */
interface Batch {
  readonly requests: readonly BulkUpdateRequest[];
  /** True when there is no room for the next request. */
  readonly isFull: boolean;
}

/**
 * Takes the longest run of requests from the front of the queue that fit into one call and update no article of an
 * in-flight call. No request is skipped, so that the queue is fair and no update overtakes an earlier one of the same
 * article. The run is empty when the first request is large or has to wait for an in-flight call.
 */
export function nextBatch(
  queue: readonly BulkUpdateRequest[],
  limits: BatchLimits,
  inFlight: ReadonlySet<string>,
): Batch {
  const [first] = queue;
  if (!first || isLarge(first, limits) || updatesAnyOf(first, inFlight)) return { requests: [], isFull: false };
  if (queue.length === 1) return { requests: [first], isFull: false };
  const fits = createFit(limits, inFlight);
  const end = queue.findIndex((request) => !fits(request));
  // A request that exceeds a limit by itself is sent alone.
  const requests = end === -1 ? queue.slice() : queue.slice(0, Math.max(end, 1));
  const items = requests.reduce((sum, { updates }) => sum + updates.length, 0);
  const nextItems = queue[requests.length]?.updates.length ?? 0;
  return { requests, isFull: items === limits.maxItems || items + nextItems > limits.maxItems };
}

/** Returns a function that reports for one request after another whether it fits into one call with the earlier ones. */
function createFit({ maxItems, maxChars }: BatchLimits, inFlight: ReadonlySet<string>) {
  const now = performance.now();
  const batchIds = new Set<string>();
  let [items, chars] = [0, 0];
  /** Milliseconds until the earliest and until the latest deadline. */
  let [minTimeLeft, maxTimeLeft] = [Number.POSITIVE_INFINITY, 0];
  return ({ caller, updates, articleIds }: BulkUpdateRequest): boolean => {
    items += updates.length;
    const timeLeft = Math.max(0, caller.deadline - now);
    minTimeLeft = Math.min(minTimeLeft, timeLeft);
    maxTimeLeft = Math.max(maxTimeLeft, timeLeft);
    // A merged call ends by its earliest deadline: a caller with twice that time would gain by waiting for the next call.
    if (items > maxItems || maxTimeLeft > 2 * minTimeLeft) return false;
    chars += charsOf(updates);
    if (chars > maxChars) return false;
    return articleIds.every((articleId) => !inFlight.has(articleId) && batchIds.size < batchIds.add(articleId).size);
  };
}

function charsOf(updates: readonly ArticleUpdate[]): number {
  let chars = 0;
  for (const update of updates)
    for (const value of Object.values(update)) if (typeof value === 'string') chars += value.length;
  return chars;
}
