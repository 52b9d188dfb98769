import { LRUCache } from 'lru-cache';
import { type NotAttempted, notAttemptedAfter } from '../../core/articles/article-outcomes.ts';
import type { Article } from '../../core/articles/articles.ts';
import type { ArticleUpdate, UpdateTarget } from '../../core/articles/bulk-updates.ts';
import type { BackendResult } from '../../core/backend.ts';
import { withinTime } from '../../core/base/clock.ts';
import { KNOWN_HIDDEN_BYTES, MAX_ARTICLE_LAG_MS, MAX_BEFORE_AGE_MS } from '../../core/base/limits.ts';
import { err, mapOk, ok } from '../../core/base/result.ts';
import { idKeyOf } from '../../core/base/text.ts';
import { type Caller, timeLeft } from '../../core/callers/caller.ts';
import type { BackendError } from '../../core/errors.ts';
import type { ChunkReads, HiddenById } from '../reads/chunk-reads.ts';
import type { ReadMoment, RecentWrites } from '../recent-writes/recent-writes.ts';
import { type ChunkItem, type ChunkStep, REFUSES_CALLS } from './chunk-steps.ts';

/**
 * Has a hidden article stay hidden where an update leaves `hidden` out, since the service may read that as *shown*
 * (`KEEP_HIDDEN`): see docs/service.md, "Hidden articles". What this gateway has set in the last minute counts first, then
 * what a read has shown that is not too old, and only then is there a read.
 */
export const createHiddenStep =
  (known: KnownHidden): ChunkStep =>
  async (chunk, current) => {
    const { items, caller } = chunk;
    if (!items.some(isOpen)) return ok(chunk);
    const { kept, open } = withEarlier(items);
    const found = await known.find(
      caller,
      current,
      open.map(({ item }) => item.update),
    );
    if (!found.ok && REFUSES_CALLS.has(found.error.kind)) return err(found.error);
    for (const [position, { item, index }] of open.entries())
      kept[index] = found.ok ? withHidden(item, found.value[position]) : withoutRead(item, found.error);
    return ok({ ...chunk, items: kept });
  };

/** True for an item that is to be sent and leaves `hidden` out. */
const isOpen = ({ update, unsent }: ChunkItem): boolean => unsent === undefined && update.hidden === undefined;

/** Whether the article of an item is hidden: null where it does not exist, and where no read can tell yet. */
type FoundHidden = boolean | null | 'unknown';

function withHidden(item: ChunkItem, hidden: FoundHidden = null): ChunkItem {
  if (hidden === 'unknown') return { ...item, unsent: NOT_SHOWN_YET };
  return hidden === true ? { ...item, update: { ...item.update, hidden } } : item;
}

const NOT_SHOWN_YET: NotAttempted = {
  kind: 'not-attempted',
  details:
    'Not sent, because it is not known whether the article is hidden (KEEP_HIDDEN): the outcome of a write of the gateway ' +
    'is unknown, and reads may not show it yet.',
  reason: 'UNAVAILABLE',
  retryAfterSeconds: MAX_ARTICLE_LAG_MS / 1_000,
};

/** The items with what earlier ones set `hidden` to, and those before which none sets it. */
function withEarlier(items: readonly ChunkItem[]) {
  const kept = [...items];
  const open: { readonly item: ChunkItem; readonly index: number }[] = [];
  const earlier = new Map<string, boolean>();
  for (const [index, item] of items.entries()) {
    const { articleId, hidden } = item.update;
    if (hidden !== undefined && item.unsent === undefined) earlier.set(idKeyOf(articleId), hidden);
    if (!isOpen(item)) continue;
    const set = earlier.size === 0 ? undefined : earlier.get(idKeyOf(articleId));
    if (set === undefined) open.push({ item, index });
    else kept[index] = withHidden(item, set);
  }
  return { kept, open };
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
  readonly read: ReadMoment;
  /** `performance.now()` before its read, or after it where that was a job's. */
  readonly readAt: number;
  /** True where a job has read it to keep or to compare what it writes. */
  readonly isOfJob: boolean;
}

/** The articles that one read has shown, and the time of that read. */
interface Shown {
  readonly hiddenById: Iterable<readonly [articleId: string, hidden: boolean | null]>;
  readonly read: ReadMoment;
  readonly readAt: KnownArticle['readAt'];
  readonly isOfJob?: boolean;
}

interface KnownHiddenOptions {
  readonly keyOf: (caller: Caller) => string | null;
  /** Milliseconds since its read for which an answer is used (`READ_CACHE_SECONDS`). */
  readonly maxAgeMs: number;
  readonly recentWrites: RecentWrites;
}

/** The bytes of an entry besides its key. */
const ENTRY_BYTES = 128;

/** The bytes of what is known with a token besides its entries. */
const TOKEN_BYTES = 2_048;

/** What reads with one token have shown, by `idKeyOf`. */
const createKnownArticles = () =>
  new LRUCache<string, KnownArticle>({
    maxSize: KNOWN_HIDDEN_BYTES - TOKEN_BYTES,
    sizeCalculation: (_known, key) => ENTRY_BYTES + 2 * key.length,
  });

type KnownArticles = ReturnType<typeof createKnownArticles>;

/**
 * Whether articles are hidden, as reads with a token have shown it. Own writes don't invalidate it, as they do the read
 * cache: `RecentWrites` has what they have set, so that a thousand updates need one read.
 */
export class KnownHidden {
  readonly #options: KnownHiddenOptions;
  /** By the key of the token, so that no key is made for each article. The tokens that have read longest ago make room. */
  readonly #tokens = new LRUCache<string, KnownArticles>({ maxSize: KNOWN_HIDDEN_BYTES });
  /** The reads of several articles in flight, by token, for which others wait. */
  readonly #reading = new Map<string, Promise<unknown>>();

  constructor(options: KnownHiddenOptions) {
    this.#options = options;
  }

  /**
   * Whether the article of each target is hidden. What is known by reads counts first, since all of these show what the
   * gateway has written, then that. Reads the others. Jobs use no read but one that was made for their items a moment ago.
   */
  async find(
    caller: Caller,
    current: () => ChunkReads,
    targets: readonly UpdateTarget[],
  ): BackendResult<readonly FoundHidden[]> {
    const { keyOf, recentWrites } = this.#options;
    const token = keyOf(caller) ?? '';
    const findKnown = () => {
      const [isFresh, lastHidden] = [this.#freshness(caller), recentWrites.lastHiddenOf(caller)];
      const articles = this.#tokens.peek(token);
      return targets.map(({ articleId }) => {
        const known = articles?.peek(idKeyOf(articleId));
        if (known !== undefined && isFresh(known) && this.#isShown(caller, articleId, known)) return known.hidden;
        const written = lastHidden(articleId);
        return written === 'unknown' ? undefined : written;
      });
    };
    let found = findKnown();
    const reading = caller.isBackground ? undefined : this.#reading.get(token);
    if (reading !== undefined && found.includes(undefined)) {
      await withinTime(reading, timeLeft(caller));
      found = findKnown();
    }
    const unread = targets.filter((_, position) => found[position] === undefined);
    if (unread.length === 0) return ok(found.map((hidden) => hidden ?? null));
    const reader = current();
    const isOne = new Set(unread.map(({ articleId }) => idKeyOf(articleId))).size === 1;
    const read = { source: isOne ? 'article' : 'list', readAt: reader.openedAt } as const;
    return mapOk(await this.#read(caller, reader, { targets: unread, read }), (shown) => {
      // Others may have written meanwhile.
      const [again, lastHidden] = [findKnown(), recentWrites.lastHiddenOf(caller)];
      return targets.map(({ articleId }, position) => {
        const known = again[position];
        if (known !== undefined) return known;
        const earlier = found[position];
        if (earlier !== undefined) return lastHidden(articleId) === 'unknown' ? 'unknown' : earlier;
        const hidden = shown.get(idKeyOf(articleId)) ?? null;
        return hidden === null || recentWrites.showsHidden(caller, { articleId, hidden }, read) ? hidden : 'unknown';
      });
    });
  }

  /** Reads articles, and has other requests with the token wait for it where these are several. */
  async #read(
    caller: Caller,
    reader: ChunkReads,
    { targets, read }: { readonly targets: readonly UpdateTarget[]; readonly read: ReadMoment },
  ): BackendResult<HiddenById> {
    const token = this.#options.keyOf(caller) ?? '';
    const reading = reader.areHidden(targets).then((result) => {
      if (result.ok) this.#addAll(caller, { hiddenById: result.value, read, readAt: read.readAt });
      return result;
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
    return ({ readAt, isOfJob }) =>
      caller.isBackground ? isOfJob && now - readAt < MAX_BEFORE_AGE_MS : now - readAt < maxAgeMs;
  }

  /** Keeps what a read of a job has just shown. `begunAt` is `performance.now()` before it. */
  addRead(caller: Caller, articles: readonly (Article | null)[], begunAt: number): void {
    const readAt = performance.now();
    const found = Map.groupBy(
      articles.filter((article) => article !== null),
      ({ content }) => (content === undefined ? 'list' : 'article'),
    );
    for (const [source, ofSource] of found) {
      const hiddenById = ofSource.map(({ articleId, hidden }) => [articleId, hidden] as const);
      this.#addAll(caller, { hiddenById, read: { source, readAt: begunAt }, readAt, isOfJob: true });
    }
  }

  /** False for a read that may not show what the gateway has written, with this token or another one. */
  #isShown(caller: Caller, articleId: string, { hidden, read }: Pick<KnownArticle, 'hidden' | 'read'>): boolean {
    return hidden === null || this.#options.recentWrites.showsHidden(caller, { articleId, hidden }, read);
  }

  /** A read that may not show what the gateway has written is not kept. */
  #addAll(caller: Caller, { hiddenById, read, readAt, isOfJob = false }: Shown): void {
    const token = this.#options.keyOf(caller) ?? '';
    const articles = this.#tokens.peek(token) ?? createKnownArticles();
    for (const [articleId, hidden] of hiddenById) {
      if (this.#isShown(caller, articleId, { hidden, read }))
        articles.set(idKeyOf(articleId), { hidden, read, readAt, isOfJob });
    }
    // A value that is set again keeps its size.
    this.#tokens.delete(token);
    this.#tokens.set(token, articles, { size: TOKEN_BYTES + articles.calculatedSize });
  }

  /** Forgets what updates may have changed. */
  forgetWritten(caller: Caller, updates: readonly ArticleUpdate[]): void {
    const articles = this.#tokens.peek(this.#options.keyOf(caller) ?? '');
    if (articles === undefined) return;
    for (const { articleId, hidden } of updates) if (hidden !== undefined) articles.delete(idKeyOf(articleId));
  }
}
