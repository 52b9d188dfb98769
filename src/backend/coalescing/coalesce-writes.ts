import type { BulkUpdate } from '../../domain/articles.ts';
import type { Caller } from '../../domain/caller.ts';
import { type BackendError, unavailable } from '../../domain/errors.ts';
import { err, type Result } from '../../domain/result.ts';
import type { Backend } from '../backend.ts';
import { passedThrough } from '../passed-through.ts';
import { Lane } from './lane.ts';

export interface CoalescingOptions {
  /** Items of one merged call; no more than the backend sends, or writes, at once (`UPSTREAM_BULK_SIZE`). */
  readonly maxItems: number;
  /**
   * UTF-16 code units of text in one merged call. JSON writes one as 6 bytes at worst, so that the default stays below
   * what a service may take for too large a body: small calls are merged, large ones gain nothing by it.
   */
  readonly maxChars?: number;
  /** Once so many items of one token wait, the next call is `unavailable` at once. */
  readonly maxWaitingItems?: number;
  /** So many tokens have calls under way at one time; a call with one more is `unavailable` at once. */
  readonly maxTokens?: number;
  /**
   * Whether even the first call is begun only when the event loop has read what else has come in. For a backend whose calls leave the
   * event loop no turn, as those of an embedded database do: under way they are never met, so nothing would gather.
   */
  readonly waitsATurn?: boolean;
}

/**
 * The same backend, but small bulk updates with one API token that meet are made as one call: what comes while none is
 * under way for its token is sent at once, what comes meanwhile is gathered and sent next. Nothing waits for company, and
 * full calls do not wait for each other.
 */
export function coalesceWrites(backend: Backend, options: CoalescingOptions): Backend {
  const { maxItems, maxChars = 1_000_000, maxWaitingItems = 100_000, maxTokens = 1_000, waitsATurn = false } = options;
  /** Those under way, by their token. */
  const lanes = new Map<string, Lane>();
  let isOpen = true;

  const send: Backend['bulkUpdateArticles'] = async (caller, updates) =>
    isOpen ? backend.bulkUpdateArticles(caller, updates) : err(unavailable(STOPPED));

  const laneOptions = { send, limits: { maxItems, maxChars }, maxWaitingItems, waitsATurn };

  const openLane = (key: string): Lane | null => {
    if (lanes.size >= maxTokens) return null;
    const lane = new Lane({ ...laneOptions, onIdle: () => lanes.delete(key) });
    lanes.set(key, lane);
    return lane;
  };

  return {
    ...passedThrough(backend),
    bulkUpdateArticles(caller, updates) {
      const { promise, resolve, reject } = Promise.withResolvers<Result<BulkUpdate, BackendError>>();
      const submission = { caller, updates, articles: null, resolve, reject };
      const key = keyOf(caller);
      const lane = lanes.get(key) ?? openLane(key);
      if (lane) lane.join(submission);
      else resolve(err(unavailable(CROWDED)));
      return promise;
    },
    close() {
      isOpen = false;
      return backend.close();
    },
  };
}

const STOPPED = 'The gateway is stopping; nothing was sent.';

const CROWDED = 'Article updates of too many API tokens are under way already; nothing was sent.';

/** Callers who are lent the same token share a lane. Nobody writes without one. */
const keyOf = ({ apiToken }: Caller): string => apiToken ?? '';
