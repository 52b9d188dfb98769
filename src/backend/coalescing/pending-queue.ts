import { err } from '../../base/result.ts';
import { outOfTime } from '../../domain/errors.ts';
import { type BatchLimits, type BulkUpdateRequest, isBatchFull, nextBatch } from './batch.ts';
import type { InFlightArticles, RequestedUpdates } from './in-flight-articles.ts';

export interface PendingQueueOptions {
  /** A request with less time than this left has expired. */
  readonly minTimeLeftMs: number;
  /** Called after requests have expired: another request may be first in the queue now. */
  readonly onExpired: () => void;
}

/**
 * Pending requests in order of arrival. An expired request leaves the queue and fails as `unavailable`, with nothing
 * sent. The queue is one array with one timer: a Map that changes with every request retains deleted entries for long,
 * and one timer per request costs more than the queue itself.
 */
export class PendingQueue {
  readonly #minTimeLeftMs: number;
  readonly #onExpired: () => void;
  #requests: BulkUpdateRequest[] = [];
  #items = 0;
  #timer: NodeJS.Timeout | undefined;
  /** No request expires before this, on the clock of `performance.now()`. */
  #firstExpiry = Number.POSITIVE_INFINITY;
  /** True when the next batch is known not to be full, whatever is added behind it. */
  #isNextBatchPartial = false;

  constructor({ minTimeLeftMs, onExpired }: PendingQueueOptions) {
    this.#minTimeLeftMs = minTimeLeftMs;
    this.#onExpired = onExpired;
  }

  /** The number of items of all pending requests. */
  get items(): number {
    return this.#items;
  }

  add(request: BulkUpdateRequest): void {
    this.#requests.push(request);
    this.#items += request.updates.length;
    const expiry = this.#expiryOf(request);
    if (expiry < this.#firstExpiry) this.#scheduleExpiry(expiry);
  }

  /** The first request that has not expired; undefined when the queue is empty. */
  get first(): BulkUpdateRequest | undefined {
    // The timer may fire late, and no call is made for an expired request.
    if (performance.now() >= this.#firstExpiry) this.#expire();
    return this.#requests[0];
  }

  /** True when an update of an article of the request is pending. */
  includesAnyOf(request: RequestedUpdates): boolean {
    const requested = new Set(request.articleIds);
    return this.#requests.some(({ articleIds }) => articleIds.some((articleId) => requested.has(articleId)));
  }

  takeFirst(): readonly BulkUpdateRequest[] {
    return this.#remove(this.#requests.slice(0, 1));
  }

  /** Removes and returns the next batch, which may be empty. */
  takeBatch(limits: BatchLimits, inFlight: InFlightArticles): readonly BulkUpdateRequest[] {
    return this.#remove(nextBatch(this.#requests, limits, inFlight));
  }

  /** Removes and returns the next batch if it is full, else returns an empty one. */
  takeFullBatch(limits: BatchLimits, inFlight: InFlightArticles): readonly BulkUpdateRequest[] {
    if (this.#isNextBatchPartial || this.#items < limits.maxItems) return [];
    const batch = nextBatch(this.#requests, limits, inFlight);
    if (isBatchFull(batch, this.#requests[batch.length], limits)) return this.#remove(batch);
    this.#isNextBatchPartial = true;
    return [];
  }

  /** Must be called when a call has ended, because its articles may have been what bounded the next batch. */
  onArticlesReleased(): void {
    this.#isNextBatchPartial = false;
  }

  /** Must be called when the queue is empty and no longer used. */
  close(): void {
    clearTimeout(this.#timer);
  }

  #remove(taken: readonly BulkUpdateRequest[]): readonly BulkUpdateRequest[] {
    this.#requests.splice(0, taken.length);
    this.#isNextBatchPartial = false;
    for (const { updates } of taken) this.#items -= updates.length;
    return taken;
  }

  #expiryOf({ caller }: BulkUpdateRequest): number {
    return caller.deadline - this.#minTimeLeftMs;
  }

  #scheduleExpiry(expiry: number): void {
    this.#firstExpiry = expiry;
    clearTimeout(this.#timer);
    // The longer the queue, the less often it is searched.
    const waitMs = Math.max(expiry - performance.now(), this.#requests.length / 1_000);
    this.#timer = setTimeout(() => {
      this.#expire();
      this.#onExpired();
    }, Math.ceil(waitMs));
  }

  #expire(): void {
    this.#isNextBatchPartial = false;
    const now = performance.now();
    const expired = this.#requests.filter((request) => this.#expiryOf(request) <= now);
    if (expired.length > 0) this.#requests = this.#requests.filter((request) => this.#expiryOf(request) > now);
    for (const { caller, updates, resolve } of expired) {
      this.#items -= updates.length;
      resolve(err(outOfTime(caller.requestTimeoutMs, EXPIRED)));
    }
    this.#firstExpiry = Number.POSITIVE_INFINITY;
    const next = this.#requests.reduce(
      (first, request) => Math.min(first, this.#expiryOf(request)),
      Number.POSITIVE_INFINITY,
    );
    if (next < Number.POSITIVE_INFINITY) this.#scheduleExpiry(next);
  }
}

const EXPIRED = 'Other article updates of this API token took all the time there was; nothing was sent.';
