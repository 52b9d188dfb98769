import type { BulkUpdate } from '../../domain/articles/bulk-updates.ts';
import { type Caller, isLent } from '../../domain/callers/caller.ts';
import { networkOf } from '../../domain/callers/network.ts';
import { Quota, strangersPart } from '../../domain/callers/quota.ts';
import { type BackendError, unavailable } from '../../domain/errors.ts';
import { type Log, silent } from '../../domain/log.ts';
import { err, type Result } from '../../domain/result.ts';
import type { Backend } from '../backend.ts';
import { passedThrough } from '../passed-through.ts';
import { Lane } from './token-queue.ts';

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
  /**
   * So many tokens have calls under way at one time; a call with one more is `unavailable` at once. Tokens that are not
   * accepted have a quarter of that, and those from one network a quarter of the quarter.
   */
  readonly maxTokens?: number;
  /** With less time than this left, in milliseconds, the backend begins no write: whoever waits is told so then. */
  readonly leastMs?: number;
  /**
   * Whether even the first call is begun only when the event loop has read what else has come in. For a backend whose calls leave the
   * event loop no turn, as those of an embedded database do: under way they are never met, so nothing would gather.
   */
  readonly waitsATurn?: boolean;
  readonly log?: Log;
}

/**
 * The same backend, but small bulk updates with one API token that meet are made as one call: what comes while none is
 * under way for its token is sent at once, what comes meanwhile is gathered and sent next. Nothing waits for company, and
 * full calls do not wait for each other.
 */
export function coalesceWrites(backend: Backend, options: CoalescingOptions): Backend {
  const { maxItems, maxChars = 1_000_000, maxWaitingItems = 100_000, maxTokens = 1_000 } = options;
  const { leastMs = 0, waitsATurn = false, log = silent } = options;
  /** Those under way, by their token. */
  const lanes = new Map<string, OpenLane>();
  const strangers = new Quota(strangersPart(maxTokens));
  let isOpen = true;

  const send: Backend['bulkUpdateArticles'] = async (caller, updates) =>
    isOpen ? backend.bulkUpdateArticles(caller, updates) : err(unavailable(STOPPED));

  const laneOptions = { send, log, limits: { maxItems, maxChars }, maxWaitingItems, leastMs, waitsATurn };

  const isKnown = (caller: Caller) => isLent(caller) || backend.isAccepted(caller);

  const openLane = (key: string, caller: Caller): OpenLane | null => {
    const network = isKnown(caller) ? null : networkOf(caller.address);
    if (lanes.size >= maxTokens || (network !== null && !strangers.tryTake(network))) return null;
    const onIdle = () => {
      lanes.delete(key);
      becomeKnown(open);
    };
    const open: OpenLane = { lane: new Lane({ ...laneOptions, onIdle }), network };
    lanes.set(key, open);
    return open;
  };

  const becomeKnown = (open: OpenLane) => {
    if (open.network !== null) strangers.giveBack(open.network);
    open.network = null;
  };

  return {
    ...passedThrough(backend),
    bulkUpdateArticles(caller, updates) {
      const { promise, resolve, reject } = Promise.withResolvers<Result<BulkUpdate, BackendError>>();
      const submission = { caller, updates, articles: null, resolve, reject };
      const key = keyOf(caller);
      const open = lanes.get(key) ?? openLane(key, caller);
      if (open && open.network !== null && isKnown(caller)) becomeKnown(open);
      if (open) open.lane.join(submission);
      else resolve(err(unavailable(CROWDED)));
      return promise;
    },
    close() {
      isOpen = false;
      return backend.close();
    },
  };
}

interface OpenLane {
  readonly lane: Lane;
  /** The network whose quota the lane counts against, where its token is not accepted; else null. */
  network: string | null;
}

const STOPPED = 'The gateway is stopping; nothing was sent.';

const CROWDED = 'Article updates of too many API tokens are under way already; nothing was sent.';

/** Callers who are lent the same token share a lane. Nobody writes without one. */
const keyOf = ({ apiToken }: Caller): string => apiToken ?? '';
