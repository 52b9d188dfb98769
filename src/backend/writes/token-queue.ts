import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { MAX_MERGED_CALLS } from '../../base/limits.ts';
import { err } from '../../base/result.ts';
import type { Caller } from '../../domain/callers/caller.ts';
import { outOfTime, rateLimited, unavailable } from '../../domain/errors.ts';
import type { Metrics } from '../../domain/metrics.ts';
import {
  type BatchLimits,
  type BulkUpdateRequest,
  InFlightArticles,
  isBatchFull,
  isLarge,
  nextBatch,
  type RequestedUpdates,
} from './batch.ts';
import { type SendBatchOptions, sendBatch } from './send-batch.ts';

interface TokenQueueOptions extends SendBatchOptions {
  readonly limits: BatchLimits;
  readonly maxPendingItems: number;
  /** No call begins with less time than this left, in milliseconds. */
  readonly minTimeLeftMs: number;
  /** Delays the first call by as many turns as lie between two, so that requests read in these turns share it. */
  readonly delaysFirstCall: boolean;
  /** Milliseconds by which a call with room for more items is put off. */
  readonly delayMs: (caller: Caller) => number | Promise<number>;
  readonly metrics: Metrics;
  /** Called when all requests are settled. The queue must not be used after that. */
  readonly onIdle: () => void;
}

const BACKGROUND_RETRY_SECONDS = 1;

/**
 * Turns of the event loop between the end of a merged call and the next one. In the first one its responses are written,
 * and in those after it the next requests are read: of 50 clients that send one update after another, 49 share a call so,
 * and 25 with one turn. Without load a turn takes some microseconds.
 */
const TURNS_BETWEEN_CALLS = 3;

/**
 * Queues the bulk updates with one API token. A small request is sent at once while no merged call is in flight; later
 * ones form the next call, which is sent when those before it have ended. Full merged calls do not wait for each other,
 * and large requests wait for no merged call. No request overtakes a pending one, or is sent while an article of it is
 * in flight.
 */
export class TokenQueue {
  readonly #options: TokenQueueOptions;
  readonly #pending: PendingQueue;
  /** Merged calls that are in flight or have ended in the last turns. */
  #mergedInFlight = 0;
  /** True while the only in-flight merged call is not full. No other merged call starts meanwhile. */
  #isPartialInFlight = false;
  /** True while the next merged call is put off. It takes the requests that are pending afterwards. */
  #isPutOff = false;
  /** In-flight calls of one request each: of those that fill a call by themselves, and of jobs. */
  readonly #alone = { large: 0, background: 0 };
  readonly #inFlight = new InFlightArticles();

  constructor(options: TokenQueueOptions) {
    this.#options = options;
    this.#pending = new PendingQueue({ minTimeLeftMs: options.minTimeLeftMs, onExpired: () => this.#sendReady() });
    if (options.delaysFirstCall) {
      // Acts as if a merged call had just ended, so that requests of this tick are merged.
      this.#mergedInFlight = 1;
      void this.#finishMerged();
    }
  }

  /** The number of items of all pending requests. */
  get pendingItems(): number {
    return this.#pending.items;
  }

  /** Resolves the request at once as `unavailable` when the queue is full. */
  enqueue(request: BulkUpdateRequest): void {
    if (this.#pending.items >= this.#options.maxPendingItems) request.resolve(err(unavailable(TOKEN_QUEUE_FULL)));
    else {
      this.#pending.add(request);
      this.#sendReady();
    }
  }

  /**
   * Sends the request of a job alone and at once, or resolves it as `rate-limited`: it never stands in the queue, where
   * it would hold back others, and never overtakes a pending request for the same article.
   */
  sendInBackground(request: BulkUpdateRequest): void {
    const isFree = this.#alone.background < MAX_MERGED_CALLS;
    if (isFree && !this.#inFlight.includesAnyOf(request) && !this.#pending.includesAnyOf(request))
      void this.#sendAlone('background', [request]);
    else request.resolve(err({ ...rateLimited(BACKGROUND_RETRY_SECONDS), message: UPDATES_IN_FLIGHT }));
    this.#finishIfIdle();
  }

  /** Sends requests from the front of the queue for as long as they may be sent. */
  #sendReady(): void {
    for (let next = this.#pending.first; next && this.#trySend(next); next = this.#pending.first);
    this.#finishIfIdle();
  }

  #finishIfIdle(): void {
    if (this.#mergedInFlight > 0 || this.#alone.large > 0 || this.#alone.background > 0 || this.#isPutOff) return;
    this.#pending.close();
    this.#options.onIdle();
  }

  /** Returns true if a call was sent. */
  #trySend(next: BulkUpdateRequest): boolean {
    if (isLarge(next, this.#options.limits)) {
      if (this.#alone.large === MAX_MERGED_CALLS || this.#inFlight.includesAnyOf(next)) return false;
      void this.#sendAlone('large', this.#pending.takeFirst());
      return true;
    }
    const full = this.#takeFullBatch();
    if (full.length > 0) {
      void this.#sendMerged(full);
      return true;
    }
    if (this.#mergedInFlight > 0 || this.#isPutOff) return false;
    const delayMs = this.#options.delayMs(next.caller);
    if (delayMs === 0) return this.#trySendPartial();
    void this.#putOff(next.caller, delayMs);
    return false;
  }

  #trySendPartial(): boolean {
    const batch = this.#pending.takeBatch(this.#options.limits, this.#inFlight);
    if (batch.length === 0) return false;
    this.#isPartialInFlight = true;
    void this.#sendMerged(batch);
    return true;
  }

  /** Forms the call after the delay, so that it takes what comes meanwhile. Where the time is too short, at once. */
  async #putOff({ deadline }: Caller, delay: number | Promise<number>): Promise<void> {
    this.#isPutOff = true;
    const delayMs = await delay;
    const timeLeftMs = deadline - performance.now() - this.#options.minTimeLeftMs;
    if (delayMs > 0 && delayMs < timeLeftMs) await sleep(delayMs);
    this.#isPutOff = false;
    if (this.#mergedInFlight === 0 && this.#pending.first) this.#trySendPartial();
    this.#sendReady();
  }

  #takeFullBatch(): readonly BulkUpdateRequest[] {
    if (this.#isPartialInFlight || this.#mergedInFlight === MAX_MERGED_CALLS) return [];
    return this.#pending.takeFullBatch(this.#options.limits, this.#inFlight);
  }

  /** Sends one request, which takes no place of merged calls. */
  async #sendAlone(kind: 'large' | 'background', batch: readonly BulkUpdateRequest[]): Promise<void> {
    this.#alone[kind] += 1;
    await this.#send(batch);
    this.#alone[kind] -= 1;
    this.#sendReady();
  }

  async #sendMerged(batch: readonly BulkUpdateRequest[]): Promise<void> {
    this.#mergedInFlight += 1;
    this.#options.metrics.recordMergedCall(batch.reduce((items, { updates }) => items + updates.length, 0));
    await this.#send(batch);
    await this.#finishMerged();
  }

  /** The next batch includes requests that have already arrived at a socket. */
  async #finishMerged(): Promise<void> {
    for (let turns = 0; turns < TURNS_BETWEEN_CALLS; turns += 1) await nextTurn();
    this.#mergedInFlight -= 1;
    this.#isPartialInFlight = false;
    this.#sendReady();
  }

  async #send(batch: readonly BulkUpdateRequest[]): Promise<void> {
    this.#inFlight.begin(batch);
    await sendBatch(this.#options, batch);
    this.#inFlight.end(batch);
    this.#pending.onArticlesReleased();
  }
}

const TOKEN_QUEUE_FULL = 'Too many article updates of this API token are waiting already; nothing was sent.';

const UPDATES_IN_FLIGHT = 'Other updates of the same articles or jobs are under way; nothing was sent.';

interface PendingQueueOptions {
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
