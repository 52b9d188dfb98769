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
import type { ChunkItem, ChunkStep } from './chunk-steps.ts';

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
    const { written, ...wanted } = sortItems(items, (articleId) => recentWrites.lastHidden(caller, articleId));
    const read = await known.find(caller, current, wanted);
    if (!read.ok && REFUSES_CALLS.has(read.error.kind)) return err(read.error);
    const kept = items.map((item) => {
      if (!isOpen(item)) return item;
      if (!read.ok && !written.has(item)) return withoutRead(item, read.error);
      const isHidden = written.get(item) ?? (read.ok && read.value.get(idKeyOf(item.update.articleId)));
      return isHidden === true ? { ...item, update: { ...item.update, hidden: true } } : item;
    });
    return ok({ ...chunk, items: kept });
  };

/** Sorts the open items by what this gateway has set `hidden` to, be it by an earlier item. */
function sortItems(items: readonly ChunkItem[], lastHidden: (articleId: string) => boolean | 'unknown' | undefined) {
  const written = new Map<ChunkItem, boolean>();
  const unwritten: UpdateTarget[] = [];
  const uncertain: UpdateTarget[] = [];
  const inChunk = new Map<string, boolean>();
  for (const item of items) {
    const { update, unsent } = item;
    const key = idKeyOf(update.articleId);
    if (!isOpen(item)) {
      if (unsent === undefined && update.hidden !== undefined) inChunk.set(key, update.hidden);
      continue;
    }
    const hidden = inChunk.get(key) ?? lastHidden(update.articleId);
    if (hidden === undefined) unwritten.push(update);
    else if (hidden === 'unknown') uncertain.push(update);
    else written.set(item, hidden);
  }
  return { written, unwritten, uncertain };
}

/** True for an item that is to be sent and leaves `hidden` out. */
const isOpen = ({ update, unsent }: ChunkItem): boolean => unsent === undefined && update.hidden === undefined;

/** The errors that the update would end with as well. */
const REFUSES_CALLS: ReadonlySet<BackendError['kind']> = new Set(['unauthenticated', 'rate-limited']);

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

interface Wanted {
  readonly unwritten: readonly UpdateTarget[];
  /** Articles of which a recent write has an unknown outcome: a read from before it proves nothing. */
  readonly uncertain: readonly UpdateTarget[];
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

  /** Reads what is not known. Jobs use no read but one that was made for their items a moment ago. */
  async find(caller: Caller, current: () => ChunkReads, { unwritten, uncertain }: Wanted): BackendResult<HiddenById> {
    const maxAgeMs = Math.min(this.#options.maxAgeMs, caller.request.freshness.maxAgeMs);
    const token = this.#options.keyOf(caller) ?? '';
    const found = new Map<string, boolean | null>();
    const take = (targets: readonly UpdateTarget[]) =>
      targets.filter(({ articleId }) => {
        const known = this.#articles.get(entryKeyOf(token, articleId));
        if (known === undefined || (caller.isBackground && !known.isOfJob)) return true;
        if (performance.now() - known.readAt >= (caller.isBackground ? MAX_BEFORE_AGE_MS : maxAgeMs)) return true;
        found.set(idKeyOf(articleId), known.hidden);
        return false;
      });
    let missing = take(unwritten);
    const reading = caller.isBackground ? undefined : this.#reading.get(token);
    if (missing.length > 0 && reading !== undefined) {
      await withinTime(reading, timeLeft(caller));
      missing = take(missing);
    }
    const unread = [...missing, ...uncertain];
    if (unread.length === 0) return ok(found);
    const read = this.#read(caller, current, unread);
    if (unread.length > 1) this.#reading.set(token, read);
    const articles = await read;
    if (this.#reading.get(token) === read) this.#reading.delete(token);
    return mapOk(articles, (shown) => new Map([...found, ...shown]));
  }

  async #read(caller: Caller, current: () => ChunkReads, targets: readonly UpdateTarget[]): BackendResult<HiddenById> {
    const readAt = performance.now();
    const read = await current().areHidden(targets);
    if (read.ok) this.#add(caller, read.value, { readAt });
    return read;
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

/** The key of a token has no space. */
const entryKeyOf = (token: string, articleId: string): string => `${token} ${idKeyOf(articleId)}`;
