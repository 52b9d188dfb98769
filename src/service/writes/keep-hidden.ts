import { LRUCache } from 'lru-cache';
import { type NotAttempted, notAttemptedAfter } from '../../core/articles/article-outcomes.ts';
import type { Article } from '../../core/articles/articles.ts';
import type { ArticleUpdate, UpdateTarget } from '../../core/articles/bulk-updates.ts';
import type { BackendResult } from '../../core/backend.ts';
import { withinTime } from '../../core/base/clock.ts';
import { KNOWN_HIDDEN_BYTES, MAX_BEFORE_AGE_MS } from '../../core/base/limits.ts';
import { err, mapOk, ok } from '../../core/base/result.ts';
import { idKeyOf } from '../../core/base/text.ts';
import { type Caller, timeLeft } from '../../core/callers/caller.ts';
import type { BackendError } from '../../core/errors.ts';
import type { ChunkReads, HiddenById } from '../reads/chunk-reads.ts';
import type { RecentWrites } from '../recent-writes/recent-writes.ts';
import { type ChunkItem, type ChunkStep, REFUSES_CALLS } from './chunk-steps.ts';

interface KeepHiddenOptions {
  readonly known: KnownHidden;
  readonly recentWrites: RecentWrites;
}

/**
 * Has a hidden article stay hidden where an update leaves `hidden` out, since the service may read that as *shown*
 * (`KEEP_HIDDEN`): see docs/service.md, "Hidden articles". What this gateway has set in the last minute counts first, then
 * what a read has shown that is not too old, and only then is there a read.
 */
export const createHiddenStep =
  ({ known, recentWrites }: KeepHiddenOptions): ChunkStep =>
  async (chunk, current) => {
    const { items, caller } = chunk;
    if (!items.some(isOpen)) return ok(chunk);
    const { kept, unread } = withWritten(items, recentWrites.lastHiddenOf(caller));
    const read = await known.find(caller, current, unread);
    if (!read.ok && REFUSES_CALLS.has(read.error.kind)) return err(read.error);
    for (const [position, { item, index }] of unread.entries())
      kept[index] = read.ok ? withHidden(item, read.value[position]) : withoutRead(item, read.error);
    return ok({ ...chunk, items: kept });
  };

/** True for an item that is to be sent and leaves `hidden` out. */
const isOpen = ({ update, unsent }: ChunkItem): boolean => unsent === undefined && update.hidden === undefined;

const withHidden = (item: ChunkItem, hidden: boolean | null = null): ChunkItem =>
  hidden === true ? { ...item, update: { ...item.update, hidden } } : item;

/** An item whose article has to be known by a read. */
interface UnreadItem {
  readonly item: ChunkItem;
  readonly index: number;
  /** True where a recent write of `hidden` has an unknown outcome: a read from before it proves nothing. */
  readonly isUncertain: boolean;
}

/** The items with what this gateway has set `hidden` to, be it by an earlier item, and those of which it has set nothing. */
function withWritten(
  items: readonly ChunkItem[],
  lastHidden: (articleId: string) => boolean | 'unknown' | undefined,
): { readonly kept: ChunkItem[]; readonly unread: readonly UnreadItem[] } {
  const kept = [...items];
  const unread: UnreadItem[] = [];
  const inChunk = new Map<string, boolean>();
  for (const [index, item] of items.entries()) {
    const { articleId, hidden } = item.update;
    if (hidden !== undefined && item.unsent === undefined) inChunk.set(idKeyOf(articleId), hidden);
    if (!isOpen(item)) continue;
    const written = (inChunk.size === 0 ? undefined : inChunk.get(idKeyOf(articleId))) ?? lastHidden(articleId);
    if (typeof written === 'boolean') kept[index] = withHidden(item, written);
    else unread.push({ item, index, isUncertain: written === 'unknown' });
  }
  return { kept, unread };
}

/** A token that may write and not read sends its update as it is. */
const withoutRead = (item: ChunkItem, error: BackendError): ChunkItem =>
  error.kind === 'forbidden' ? { ...item, isHiddenUnknown: true } : { ...item, unsent: unsentAfter(error) };

function unsentAfter(error: BackendError): NotAttempted {
  const { reason, ...outcome } = notAttemptedAfter(error);
  return {
    ...outcome,
    reason: reason === 'OUT_OF_TIME' ? reason : 'UNAVAILABLE',
    details: `Not sent, because the gateway could not read whether the article is hidden (KEEP_HIDDEN). ${error.message}`,
  };
}

interface KnownArticle {
  readonly hidden: boolean | null;
  /** `performance.now()` before its read, or after it where that was a job's. */
  readonly readAt: number;
  /** True where a job has read it to keep or to compare what it writes. */
  readonly isOfJob?: boolean;
}

interface KnownHiddenOptions {
  readonly keyOf: (caller: Caller) => string | null;
  /** Milliseconds since its read for which an answer is used (`READ_CACHE_SECONDS`). */
  readonly maxAgeMs: number;
}

/** The bytes of an entry besides its key. */
const ENTRY_BYTES = 128;

/**
 * Whether articles are hidden, as reads with a token have shown it. Own writes don't invalidate it, as they do the read
 * cache: `RecentWrites` has what they have set, so that a thousand updates need one read.
 */
export class KnownHidden {
  readonly #options: KnownHiddenOptions;
  readonly #articles = new LRUCache<string, KnownArticle>({
    maxSize: KNOWN_HIDDEN_BYTES,
    sizeCalculation: (_known, key) => ENTRY_BYTES + 2 * key.length,
  });
  /** The reads of several articles in flight, by token, for which others wait. */
  readonly #reading = new Map<string, Promise<unknown>>();

  constructor(options: KnownHiddenOptions) {
    this.#options = options;
  }

  /**
   * Whether the article of each item is hidden; null where it does not exist. Reads what is not known. Jobs use no read but
   * one that was made for their items a moment ago.
   */
  async find(
    caller: Caller,
    current: () => ChunkReads,
    items: readonly UnreadItem[],
  ): BackendResult<readonly (boolean | null)[]> {
    const token = this.#options.keyOf(caller) ?? '';
    const findKnown = () => {
      const isKnown = this.#freshness(caller);
      return items.map(({ item, isUncertain }) => {
        const known = isUncertain ? undefined : this.#articles.peek(entryKeyOf(token, item.update.articleId));
        return known !== undefined && isKnown(known) ? known.hidden : undefined;
      });
    };
    let found = findKnown();
    const reading = caller.isBackground ? undefined : this.#reading.get(token);
    if (reading !== undefined && found.includes(undefined)) {
      await withinTime(reading, timeLeft(caller));
      found = findKnown();
    }
    const unread = items.flatMap(({ item }, position) => (found[position] === undefined ? [item.update] : []));
    const shown = unread.length === 0 ? ok(NOTHING_SHOWN) : await this.#read(caller, current, unread);
    const hiddenOf = (articleId = '') => (shown.ok ? shown.value.get(idKeyOf(articleId)) : null) ?? null;
    return mapOk(shown, () =>
      found.map((hidden, position) =>
        hidden === undefined ? hiddenOf(items[position]?.item.update.articleId) : hidden,
      ),
    );
  }

  /** Reads articles, and has other requests with the token wait for it where these are several. */
  async #read(caller: Caller, current: () => ChunkReads, targets: readonly UpdateTarget[]): BackendResult<HiddenById> {
    const token = this.#options.keyOf(caller) ?? '';
    const readAt = performance.now();
    const reading = current()
      .areHidden(targets)
      .then((read) => {
        if (read.ok) this.#add(caller, read.value, { readAt });
        return read;
      });
    if (targets.length > 1) this.#reading.set(token, reading);
    try {
      return await reading;
    } finally {
      if (this.#reading.get(token) === reading) this.#reading.delete(token);
    }
  }

  #freshness(caller: Caller): (known: KnownArticle) => boolean {
    const now = performance.now();
    const maxAgeMs = Math.min(this.#options.maxAgeMs, caller.request.freshness.maxAgeMs);
    return ({ readAt, isOfJob = false }) =>
      caller.isBackground ? isOfJob && now - readAt < MAX_BEFORE_AGE_MS : now - readAt < maxAgeMs;
  }

  /** Keeps what a read of a job has just shown. */
  addRead(caller: Caller, articles: readonly (Article | null)[]): void {
    const found = articles.filter((article) => article !== null);
    const hidden = new Map(found.map((article) => [article.articleId, article.hidden]));
    this.#add(caller, hidden, { readAt: performance.now(), isOfJob: true });
  }

  #add(caller: Caller, articles: HiddenById, read: Omit<KnownArticle, 'hidden'>): void {
    const token = this.#options.keyOf(caller) ?? '';
    for (const [articleId, hidden] of articles) this.#articles.set(entryKeyOf(token, articleId), { ...read, hidden });
  }

  /** Forgets what updates may have changed. */
  forgetWritten(caller: Caller, updates: readonly ArticleUpdate[]): void {
    const token = this.#options.keyOf(caller) ?? '';
    for (const { articleId, hidden } of updates)
      if (hidden !== undefined) this.#articles.delete(entryKeyOf(token, articleId));
  }
}

const NOTHING_SHOWN: HiddenById = new Map();

/** The key of a token has no space. */
const entryKeyOf = (token: string, articleId: string): string => `${token} ${idKeyOf(articleId)}`;
