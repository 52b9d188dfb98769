import type { CompletedBulkUpdate } from '../../core/articles/article-outcomes.ts';
import type { Backend } from '../../core/backend.ts';
import { MAX_MERGING_TOKENS } from '../../core/base/limits.ts';
import { type Log, silentLog } from '../../core/base/log.ts';
import { err, type Result } from '../../core/base/result.ts';
import { idKeyOf } from '../../core/base/text.ts';
import type { Caller } from '../../core/callers/caller.ts';
import { type BackendError, unavailable } from '../../core/errors.ts';
import { noMetrics } from '../../core/metrics.ts';
import type { Next, WriteCall } from '../../core/writes/declarations.ts';
import type { WriteMerging } from '../../core/writes/pipeline.ts';
import { type QueueOptions, TokenQueue } from './token-queue.ts';

export interface MergingOptions extends Pick<QueueOptions, 'maxItems'>, Partial<Omit<QueueOptions, 'maxItems'>> {
  /** Tokens with calls in flight. A request with one more token fails at once with `unavailable`. */
  readonly maxTokens?: number;
  readonly log?: Log;
}

const DEFAULTS = {
  maxChars: 1_000_000,
  maxPendingItems: 100_000,
  minTimeLeftMs: 0,
  delaysFirstCall: false,
  maxTokens: MAX_MERGING_TOKENS,
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
  const { maxTokens, ...queueOptions } = { ...DEFAULTS, ...options };
  const delayMs = (caller: Caller) => backend.smallCallDelayMs?.(caller) ?? 0;
  /** Queues that are not idle, by API token. Callers with the service credential use one queue. */
  const queues = new Map<string, TokenQueue>();
  let isOpen = true;
  queueOptions.metrics.observe('pendingUpdates', () =>
    queues.values().reduce((sum, queue) => sum + queue.pendingItems, 0),
  );

  const openQueue = (token: string, next: NextBulkUpdate): TokenQueue | null => {
    if (queues.size >= maxTokens) return null;
    const queue = new TokenQueue({
      ...queueOptions,
      delayMs,
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
    if (queue && caller.isBackground) queue.sendInBackground(request);
    else if (queue) queue.enqueue(request);
    else resolve(err(unavailable(TOO_MANY_TOKENS)));
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

const TOO_MANY_TOKENS = 'Article updates of too many API tokens are under way already; nothing was sent.';
