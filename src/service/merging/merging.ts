import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { CompletedBulkUpdate } from '../../core/articles/article-outcomes.ts';
import type { Backend } from '../../core/backend.ts';
import { MAX_MERGED_CALLS } from '../../core/base/limits.ts';
import { type Log, silentLog } from '../../core/base/log.ts';
import { err, type Result } from '../../core/base/result.ts';
import { idKeyOf } from '../../core/base/text.ts';
import type { Caller } from '../../core/callers/caller.ts';
import { type BackendError, outOfTime, rateLimited, unavailable } from '../../core/errors.ts';
import { type Metrics, noMetrics } from '../../core/metrics.ts';
import type { Next, WriteCall } from '../../core/writes/declarations.ts';
import type { WriteMerging } from '../../core/writes/pipeline.ts';
import {
  type BatchLimits,
  type BulkUpdateRequest,
  isLarge,
  nextBatch,
  type SendBatchOptions,
  sendBatch,
  updatesAnyOf,
} from './send-batch.ts';

export interface MergingOptions extends Pick<QueueOptions, 'maxItems'>, Partial<Omit<QueueOptions, 'maxItems'>> {
  readonly log?: Log;
}

const DEFAULTS = {
  maxChars: 1_000_000,
  maxPendingItems: 100_000,
  minTimeLeftMs: 0,
  delaysFirstCall: false,
  log: silentLog,
  metrics: noMetrics,
};

/**
 * Merges small concurrent bulk updates that have the same API token. A request is sent at once while no call with its
 * token is in flight. Requests that arrive later are sent together when that call has ended; there is no timer. Full
 * calls do not wait for each other. See docs/decisions/0010-coalescing.md.
 */
export const mergeWrites =
  (options: MergingOptions) =>
  (backend: Pick<Backend, 'smallCallDelayMs'>): WriteMerging =>
    createMerging(backend, options);

function createMerging(backend: Pick<Backend, 'smallCallDelayMs'>, options: MergingOptions): WriteMerging {
  const queueOptions = { ...DEFAULTS, ...options };
  /** Queues that are not idle, by API token. Callers with the service credential use one queue. */
  const queues = new Map<string, TokenQueue>();
  let isOpen = true;
  queueOptions.metrics.observe('pendingUpdates', () =>
    queues.values().reduce((sum, queue) => sum + queue.pendingItems, 0),
  );

  const openQueue = (token: string, next: NextBulkUpdate): TokenQueue => {
    const queue = new TokenQueue({
      ...queueOptions,
      backend,
      send: async (caller, input) =>
        isOpen ? next({ write: 'bulkUpdateArticles', caller, input }) : err(unavailable(STOPPED)),
      onIdle: () => {
        queues.delete(token);
      },
    });
    queues.set(token, queue);
    return queue;
  };

  const merge = ({ caller, input: updates }: WriteCall<'bulkUpdateArticles'>, next: NextBulkUpdate) => {
    const { promise, resolve, reject } = Promise.withResolvers<Result<CompletedBulkUpdate, BackendError>>();
    const articleIds = updates.map(({ articleId }) => idKeyOf(articleId));
    const request = { caller, updates, articleIds, resolve, reject };
    // A write without a token fails in the backend.
    const token = caller.apiToken ?? '';
    const queue = queues.get(token) ?? openQueue(token, next);
    if (caller.isBackground) queue.sendInBackground(request);
    else queue.enqueue(request);
    return promise;
  };

  return {
    // Only bulk updates are merged. A refused call with the items of several callers would leave the outcomes of all of them
    // unknown, and a write of a reader group takes a call of its own.
    steps: { bulkUpdateArticles: merge },
    stop: () => {
      isOpen = false;
    },
  };
}

type NextBulkUpdate = Next<'bulkUpdateArticles'>;

const STOPPED = 'The gateway is stopping; nothing was sent.';

interface QueueOptions extends BatchLimits {
  /** Pending items of one token. While there are this many, a further request fails at once with `unavailable`. */
  readonly maxPendingItems: number;
  /** The least time left with which the backend begins a write, in milliseconds. A pending request with less fails. */
  readonly minTimeLeftMs: number;
  /**
   * Delays the first call by as many ticks of the event loop as lie between two, so that requests read in them are
   * merged into it. An embedded database needs this: its calls block the event loop, so no request can arrive while one
   * is in flight.
   */
  readonly delaysFirstCall: boolean;
  readonly metrics: Metrics;
}

interface TokenQueueOptions extends QueueOptions, SendBatchOptions {
  readonly backend: Pick<Backend, 'smallCallDelayMs'>;
  /** Called when all requests are settled. The queue must not be used after that. */
  readonly onIdle: () => void;
}

const BACKGROUND_RETRY_SECONDS = 1;

/**
 * The ticks of the event loop between the end of a merged call and the next one. In the first one its responses are
 * written, and in those after it the next requests are read: of 50 clients that send one update after another, 49 are
 * merged into one call so, and 25 with one tick. Without load a tick takes some microseconds.
 */
const TURNS_BETWEEN_CALLS = 3;

/**
 * Queues the bulk updates with one API token. A small request is sent at once while no merged call is in flight; later
 * ones form the next call, which is sent when those before it have ended. Full merged calls do not wait for each other,
 * and large requests wait for no merged call. No request overtakes a pending one, or is sent while an article of it is
 * in flight.
 */
class TokenQueue {
  readonly #options: TokenQueueOptions;
  readonly #pending: PendingQueue;
  /** Merged calls that are in flight or have ended in the last ticks. */
  #mergedInFlight = 0;
  /** True while the only in-flight merged call is not full. No other merged call starts meanwhile. */
  #isPartialInFlight = false;
  /** True while the next merged call is delayed. It takes the requests that are pending afterwards. */
  #isDelayed = false;
  /** In-flight calls of one request each: of those that fill a call by themselves, and of jobs. */
  readonly #alone = { large: 0, background: 0 };
  /** The articles of the in-flight calls. No two of these calls have an article in common. */
  readonly #articlesInFlight = new Set<string>();

  constructor(options: TokenQueueOptions) {
    this.#options = options;
    this.#pending = new PendingQueue(options.minTimeLeftMs, () => this.#sendReady());
    if (options.delaysFirstCall) {
      // Acts as if a merged call had just ended, so that requests of this tick are merged.
      this.#mergedInFlight = 1;
      void this.#finishMerged();
    }
  }

  get pendingItems(): number {
    return this.#pending.items;
  }

  /** Resolves the request at once as `unavailable` when the queue is full. */
  enqueue(request: BulkUpdateRequest): void {
    if (this.#pending.items >= this.#options.maxPendingItems) request.resolve(err(unavailable(TOKEN_QUEUE_FULL)));
    else {
      this.#pending.add(request);
      this.#sendReady();
      // Most requests have left the queue by now.
      if (this.#pending.items > 0) this.#pending.limitTime();
    }
  }

  /**
   * Sends the request of a job alone and at once, or resolves it as `rate-limited`: it is never in the queue, where it
   * would hold back others, and never overtakes a pending request for the same article.
   */
  sendInBackground(request: BulkUpdateRequest): void {
    const isFree = this.#alone.background < MAX_MERGED_CALLS;
    if (isFree && !updatesAnyOf(request, this.#articlesInFlight) && !this.#pending.includesAnyOf(request))
      void this.#sendAlone('background', request);
    else request.resolve(err({ ...rateLimited(BACKGROUND_RETRY_SECONDS), message: UPDATES_IN_FLIGHT }));
    this.#finishIfIdle();
  }

  /** Sends requests from the front of the queue for as long as they may be sent. */
  #sendReady(): void {
    for (let next = this.#pending.first; next && this.#trySend(next); next = this.#pending.first);
    this.#finishIfIdle();
  }

  #finishIfIdle(): void {
    if (this.#mergedInFlight > 0 || this.#alone.large > 0 || this.#alone.background > 0 || this.#isDelayed) return;
    this.#pending.close();
    this.#options.onIdle();
  }

  /** Sends the next request if it may be sent. Returns true if a call was sent. */
  #trySend(next: BulkUpdateRequest): boolean {
    if (!isLarge(next, this.#options)) return this.#trySendMerged({ mayDelay: true });
    if (updatesAnyOf(next, this.#articlesInFlight)) return false;
    for (const request of this.#pending.take(1)) void this.#sendAlone('large', request);
    return true;
  }

  #trySendMerged({ mayDelay }: { readonly mayDelay: boolean }): boolean {
    const options = this.#options;
    const mayBePartial = this.#mergedInFlight === 0 && !this.#isDelayed;
    const mayBeFull = this.#pending.items >= options.maxItems && this.#mergedInFlight < MAX_MERGED_CALLS;
    if (this.#isPartialInFlight || !(mayBePartial || mayBeFull)) return false;
    const batch = nextBatch(this.#pending.requests, options, this.#articlesInFlight);
    const [first] = batch.requests;
    const isFull = mayBeFull && batch.isFull;
    if (first === undefined || !(isFull || mayBePartial)) return false;
    const delayMs = isFull || !mayDelay ? 0 : (options.backend.smallCallDelayMs?.(first.caller) ?? 0);
    if (delayMs > 0) void this.#delay(first.caller, delayMs);
    else {
      this.#isPartialInFlight = !isFull;
      void this.#sendMerged(this.#pending.take(batch.requests.length));
    }
    return delayMs === 0;
  }

  /** Forms the call after the delay, so that it takes later requests, or at once where the time is too short. */
  async #delay({ deadline }: Caller, delayMs: number): Promise<void> {
    this.#isDelayed = true;
    const timeLeftMs = deadline - performance.now() - this.#options.minTimeLeftMs;
    await (delayMs < timeLeftMs ? sleep(delayMs) : nextTurn());
    this.#isDelayed = false;
    if (this.#pending.first) this.#trySendMerged({ mayDelay: false });
    this.#sendReady();
  }

  /** Sends one request, which is not counted as a merged call. */
  async #sendAlone(kind: 'large' | 'background', request: BulkUpdateRequest): Promise<void> {
    this.#alone[kind] += 1;
    await this.#send([request]);
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
    for (const { articleIds } of batch) for (const articleId of articleIds) this.#articlesInFlight.add(articleId);
    await sendBatch(this.#options, batch);
    for (const { articleIds } of batch) for (const articleId of articleIds) this.#articlesInFlight.delete(articleId);
  }
}

const TOKEN_QUEUE_FULL = 'Too many article updates of this API token are waiting already; nothing was sent.';

const UPDATES_IN_FLIGHT = 'Other updates of the same articles or jobs are under way; nothing was sent.';

/**
 * Pending requests in order of arrival. An expired request leaves the queue and fails as `unavailable`, with nothing
 * sent. The queue is one array with one timer: a Map that changes with every request retains deleted entries for long,
 * and one timer per request costs more than the queue itself.
 *
 * @internal Exported for tests.
 */
export class PendingQueue {
  readonly #minTimeLeftMs: number;
  readonly #onExpired: () => void;
  requests: BulkUpdateRequest[] = [];
  /** The items of all requests. */
  items = 0;
  #timer: NodeJS.Timeout | undefined;
  /** `performance.now()` when the timer fires; infinite without one. */
  #timerAt = Number.POSITIVE_INFINITY;
  /** No request expires before this, on the clock of `performance.now()`. */
  #firstExpiry = Number.POSITIVE_INFINITY;

  /**
   * A request with less time than `minTimeLeftMs` left has expired. `onExpired` is called afterwards: another request may
   * be first in the queue then.
   */
  constructor(minTimeLeftMs: number, onExpired: () => void) {
    this.#minTimeLeftMs = minTimeLeftMs;
    this.#onExpired = onExpired;
  }

  add(request: BulkUpdateRequest): void {
    this.requests.push(request);
    this.items += request.updates.length;
    this.#firstExpiry = Math.min(this.#firstExpiry, this.#expiryOf(request));
  }

  /** Must be called when requests wait after one was added: it starts the timer for the first that expires. */
  limitTime(): void {
    if (this.#firstExpiry >= this.#timerAt) return;
    clearTimeout(this.#timer);
    this.#timerAt = this.#firstExpiry;
    // The longer the queue, the less often it is searched.
    const waitMs = Math.max(this.#firstExpiry - performance.now(), this.requests.length / 1_000);
    this.#timer = setTimeout(() => {
      this.#timerAt = Number.POSITIVE_INFINITY;
      this.#expire();
      this.limitTime();
      this.#onExpired();
    }, Math.ceil(waitMs));
  }

  get first(): BulkUpdateRequest | undefined {
    // The timer may fire late, and no call is made for an expired request.
    this.#expire();
    return this.requests[0];
  }

  includesAnyOf(request: BulkUpdateRequest): boolean {
    const requested = new Set(request.articleIds);
    return this.requests.some((pending) => updatesAnyOf(pending, requested));
  }

  /** Removes the first requests. */
  take(count: number): readonly BulkUpdateRequest[] {
    const taken = this.requests.splice(0, count);
    for (const { updates } of taken) this.items -= updates.length;
    return taken;
  }

  /** Must be called when the queue is empty and no longer used. */
  close(): void {
    clearTimeout(this.#timer);
  }

  #expiryOf({ caller }: BulkUpdateRequest): number {
    return caller.deadline - this.#minTimeLeftMs;
  }

  #expire(): void {
    const now = performance.now();
    if (now < this.#firstExpiry) return;
    const { expired = [], others = [] } = Object.groupBy(this.requests, (request) =>
      this.#expiryOf(request) <= now ? 'expired' : 'others',
    );
    this.requests = others;
    this.#firstExpiry = others.reduce((first, request) => Math.min(first, this.#expiryOf(request)), Infinity);
    for (const { updates, caller, resolve } of expired) {
      this.items -= updates.length;
      resolve(err(outOfTime(caller.requestTimeoutMs, EXPIRED)));
    }
  }
}

const EXPIRED = 'Other article updates of this API token took all the time there was; nothing was sent.';
