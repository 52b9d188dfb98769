import type { Result } from '../../base/result.ts';
import type { ArticleUpdate, CompletedBulkUpdate } from '../../domain/articles/bulk-updates.ts';
import type { Caller } from '../../domain/callers/caller.ts';
import type { BackendError } from '../../domain/errors.ts';
import type { Writes } from '../backend.ts';

/** A bulk update, with the IDs of its articles in the form in which they are compared. */
export interface RequestedUpdates {
  readonly updates: readonly ArticleUpdate[];
  readonly articleIds: readonly string[];
}

/** IDs are compared in lower case, because it is unknown whether the service treats them as case-sensitive. */
export const comparedArticleIds = (updates: readonly ArticleUpdate[]): readonly string[] =>
  updates.map(({ articleId }) => articleId.toLowerCase());

/** The articles of the in-flight calls of one token. No two of these calls have an article in common. */
export class InFlightArticles {
  readonly #articleIds = new Set<string>();

  /** Takes the requests of a call that begins, of which this includes no article. */
  begin(batch: readonly RequestedUpdates[]): void {
    for (const { articleIds } of batch) for (const articleId of articleIds) this.#articleIds.add(articleId);
  }

  end(batch: readonly RequestedUpdates[]): void {
    for (const { articleIds } of batch) for (const articleId of articleIds) this.#articleIds.delete(articleId);
  }

  includesAnyOf({ articleIds }: RequestedUpdates): boolean {
    return this.#articleIds.size > 0 && articleIds.some((articleId) => this.#articleIds.has(articleId));
  }

  includes(articleId: string): boolean {
    return this.#articleIds.has(articleId);
  }
}

export type SendBulkUpdate = Writes['bulkUpdateArticles'];

/** One caller's bulk update, and the functions that settle its promise. */
export interface BulkUpdateRequest extends RequestedUpdates {
  readonly caller: Caller;
  resolve(result: Result<CompletedBulkUpdate, BackendError>): void;
  reject(thrown: unknown): void;
}

/** The bounds of a merged call. A single request may exceed them: it is sent alone and unchanged. */
export interface BatchLimits {
  readonly maxItems: number;
  /** The sum over all texts, in UTF-16 code units. */
  readonly maxChars: number;
}

/** True for a request that fills a call by itself, so that it is never merged. */
export const isLarge = ({ updates }: BulkUpdateRequest, { maxItems }: BatchLimits): boolean =>
  updates.length >= maxItems;

/**
 * Takes the longest run of requests from the front of the queue that fit into one call and update no article of an
 * in-flight call. No request is skipped, so that the queue is fair and no update overtakes an earlier one of the same
 * article. The run is empty when the first request is large or has to wait for an in-flight call.
 */
export function nextBatch(
  queue: readonly BulkUpdateRequest[],
  limits: BatchLimits,
  inFlight: InFlightArticles,
): readonly BulkUpdateRequest[] {
  const [first] = queue;
  if (!first || isLarge(first, limits) || inFlight.includesAnyOf(first)) return [];
  const builder = new BatchBuilder(limits, inFlight);
  const end = queue.findIndex((request) => !builder.tryAdd(request));
  // A request that exceeds a limit by itself is sent alone.
  return end === -1 ? queue.slice() : queue.slice(0, Math.max(end, 1));
}

/** True when the batch has no room for the next request. */
export function isBatchFull(
  batch: readonly BulkUpdateRequest[],
  next: BulkUpdateRequest | undefined,
  { maxItems }: BatchLimits,
): boolean {
  const items = batch.reduce((sum, { updates }) => sum + updates.length, 0);
  return items === maxItems || items + (next?.updates.length ?? 0) > maxItems;
}

/** Adds requests to one call until one does not fit. */
class BatchBuilder {
  readonly #limits: BatchLimits;
  readonly #inFlight: InFlightArticles;
  readonly #now = performance.now();
  readonly #articleIds = new Set<string>();
  #items = 0;
  #chars = 0;
  /** Milliseconds until the earliest and until the latest deadline. */
  #minTimeLeft = Number.POSITIVE_INFINITY;
  #maxTimeLeft = 0;

  constructor(limits: BatchLimits, inFlight: InFlightArticles) {
    this.#limits = limits;
    this.#inFlight = inFlight;
  }

  /** Returns false when the request does not fit; the builder must not be used after that. */
  tryAdd({ caller, updates, articleIds }: BulkUpdateRequest): boolean {
    this.#items += updates.length;
    return (
      this.#items <= this.#limits.maxItems &&
      this.#fitsDeadline(caller) &&
      this.#addChars(updates) &&
      this.#addArticles(articleIds)
    );
  }

  /**
   * A merged call ends by its earliest deadline: a caller with twice that time would gain by waiting for the next call.
   */
  #fitsDeadline({ deadline }: Caller): boolean {
    const left = Math.max(0, deadline - this.#now);
    this.#minTimeLeft = Math.min(this.#minTimeLeft, left);
    this.#maxTimeLeft = Math.max(this.#maxTimeLeft, left);
    return this.#maxTimeLeft <= 2 * this.#minTimeLeft;
  }

  #addChars(updates: readonly ArticleUpdate[]): boolean {
    for (const update of updates)
      for (const value of Object.values(update)) if (typeof value === 'string') this.#chars += value.length;
    return this.#chars <= this.#limits.maxChars;
  }

  #addArticles(articleIds: readonly string[]): boolean {
    return articleIds.every((articleId) => {
      if (this.#articleIds.has(articleId) || this.#inFlight.includes(articleId)) return false;
      this.#articleIds.add(articleId);
      return true;
    });
  }
}
