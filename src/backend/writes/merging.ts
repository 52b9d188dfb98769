import { MAX_MERGING_TOKENS } from '../../base/limits.ts';
import { type Log, silentLog } from '../../base/log.ts';
import { err, type Result } from '../../base/result.ts';
import { mostOf, Quota } from '../../base/semaphore.ts';
import type { CompletedBulkUpdate } from '../../domain/articles/bulk-updates.ts';
import type { Caller } from '../../domain/callers/caller.ts';
import { type BackendError, unavailable } from '../../domain/errors.ts';
import { type Metrics, noMetrics } from '../../domain/metrics.ts';
import type { Backend } from '../backend.ts';
import { comparedArticleIds, type SendBulkUpdate } from './batch.ts';
import type { Next, StepsByName } from './declarations.ts';
import { TokenQueue } from './token-queue.ts';

export interface MergingOptions {
  /** Items of one merged call: at most what the backend sends or writes at once (`UPSTREAM_BULK_SIZE`). */
  readonly maxItems: number;
  /**
   * UTF-16 code units of text in one merged call. JSON writes a code unit in at most 6 bytes, so the default keeps the
   * texts of a body below 6 MB. Merging saves calls for small requests; large ones gain nothing.
   */
  readonly maxChars?: number;
  /** Pending items of one token. While there are this many, a further request fails at once with `unavailable`. */
  readonly maxPendingItems?: number;
  /**
   * Tokens with calls in flight. A request with one more token fails at once with `unavailable`. Those of strangers have a
   * quarter of this, and those from one network a quarter of that quarter.
   */
  readonly maxTokens?: number;
  /** The backend begins no write with less time than this left, in milliseconds: a pending request then fails. */
  readonly minTimeLeftMs?: number;
  /**
   * Delays the first call by some turns of the event loop, so that requests read in them share it. An embedded database needs
   * this: its calls block the event loop, so no request can arrive while one is in flight.
   */
  readonly delaysFirstCall?: boolean;
  readonly log?: Log;
  readonly metrics?: Metrics;
}

interface Merging {
  readonly steps: StepsByName;
  /** Nothing is sent afterwards. */
  readonly stop: () => void;
}

/**
 * Merges small concurrent bulk updates that have the same API token. A request is sent at once while no call with its
 * token is in flight. Requests that arrive later are sent together when that call has ended; there is no timer. Full
 * calls do not wait for each other. See docs/decisions/0010-coalescing.md.
 */
export function createMerging(backend: MergingBackend, options: MergingOptions): Merging {
  const { maxTokens = MAX_MERGING_TOKENS, log = silentLog, metrics = noMetrics } = options;
  /** Queues that are not idle, by API token. */
  const tokenQueues = new Map<string, TokenQueue>();
  /** Counts a queue for the caller who opened it. */
  const quota = new Quota(mostOf(maxTokens, maxTokens));
  let isOpen = true;

  const queueOptions = { ...queueLimitsOf(options), delayMs: delayOf(backend), log, metrics };

  metrics.observe('pendingUpdates', () => tokenQueues.values().reduce((items, queue) => items + queue.pendingItems, 0));

  const openTokenQueue = (key: string, caller: Caller, next: NextBulkUpdate): TokenQueue | null => {
    const { share } = caller.request;
    if (!quota.tryAcquire(share)) return null;
    const send: SendBulkUpdate = async (sender, input) =>
      isOpen ? next({ write: 'bulkUpdateArticles', caller: sender, input }) : err(unavailable(STOPPED));
    const onIdle = () => {
      tokenQueues.delete(key);
      quota.release(share);
    };
    const queue = new TokenQueue({ ...queueOptions, send, onIdle });
    tokenQueues.set(key, queue);
    return queue;
  };

  const mergeBulkUpdate: NonNullable<StepsByName['bulkUpdateArticles']> = ({ caller, input: updates }, next) => {
    const { promise, resolve, reject } = Promise.withResolvers<Result<CompletedBulkUpdate, BackendError>>();
    const request = { caller, updates, articleIds: comparedArticleIds(updates), resolve, reject };
    const key = tokenKeyOf(caller);
    const queue = tokenQueues.get(key) ?? openTokenQueue(key, caller, next);
    if (queue && caller.isBackground) queue.sendInBackground(request);
    else if (queue) queue.enqueue(request);
    else resolve(err(unavailable(TOO_MANY_TOKENS)));
    return promise;
  };

  return {
    // A write of a reader group takes a call of its own.
    steps: { bulkUpdateArticles: mergeBulkUpdate, updateReaderGroup: null, changeReaderGroupMembers: null },
    stop: () => {
      isOpen = false;
    },
  };
}

type MergingBackend = Pick<Backend, 'smallCallDelayMs'>;

type NextBulkUpdate = Next<'bulkUpdateArticles'>;

function queueLimitsOf(options: MergingOptions) {
  const { maxItems, maxChars = 1_000_000, maxPendingItems = 100_000 } = options;
  const { minTimeLeftMs = 0, delaysFirstCall = false } = options;
  return { limits: { maxItems, maxChars }, maxPendingItems, minTimeLeftMs, delaysFirstCall };
}

const delayOf = (backend: MergingBackend) => (caller: Caller) => backend.smallCallDelayMs?.(caller) ?? 0;

const STOPPED = 'The gateway is stopping; nothing was sent.';

const TOO_MANY_TOKENS = 'Article updates of too many API tokens are under way already; nothing was sent.';

/** Callers that are lent the same token share a queue. A write without a token fails in the backend. */
const tokenKeyOf = ({ apiToken }: Caller): string => apiToken ?? '';
