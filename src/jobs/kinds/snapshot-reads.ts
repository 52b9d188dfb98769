import type { Article } from '../../core/articles/articles.ts';
import { type ArticleUpdate, setsUnlisted } from '../../core/articles/bulk-updates.ts';
import type { BackendResult } from '../../core/backend.ts';
import { joinLeases, type Lease } from '../../core/base/lease.ts';
import { MAX_KEPT_TEXTS } from '../../core/base/limits.ts';
import { ok } from '../../core/base/result.ts';
import { RequestSummary } from '../../core/callers/request-report.ts';
import type { BackendError } from '../../core/errors.ts';
import type { ReservedCalls } from '../../core/rate-limit.ts';
import { type ClaimedJob, jobCaller } from '../job-context.ts';
import type { LedgerItem } from '../state/ledger.ts';
import { type CurrentArticles, needsProjectVersions, readCurrentArticles } from './current-articles.ts';
import type { ReadChunk } from './job-kind.ts';
import { articleOf, firstTogether, GO_ON, isTooMuch, nextStepAfterRead, type SentChunk } from './sent-chunks.ts';

/** After so many failures, a read of a single article is given up while the service answers another read. */
const MAX_FAILURES = 5;

/** The calls of a first read of articles whose texts are not needed: a category tree, and the project versions. */
const LISTING_CALLS = 2;

/** The call of the read that shows what the call of the chunk has left: a category tree, as a rule. */
const NOTING_CALLS = 1;

/** Items that are read for one call. */
interface Batch {
  readonly items: readonly LedgerItem[];
  /** True where the texts of all of them are read. */
  readonly readsTexts: boolean;
}

/** Items that were read together. */
interface ReadGroup extends CurrentArticles {
  readonly items: readonly LedgerItem[];
}

/**
 * Reads the articles of a chunk, so that at most a second lies between the end of each read and the call. The calls of the
 * rate limit for the reads and for the call of the chunk are reserved together before, so that no read is in vain.
 */
export class SnapshotReads {
  readonly #job: ClaimedJob;
  /** The update that names what is read of the article of an item. */
  readonly #readingOf: (item: LedgerItem) => ArticleUpdate;
  readonly #size: BatchSize;
  #failures = 0;
  /** The calls that the last read of articles without texts has taken. */
  #listingCalls = LISTING_CALLS;
  #knowsBudget = false;
  /** The lease of the last read; undefined where it has failed. */
  #lease: Lease | undefined;

  constructor(job: ClaimedJob, readingOf: (item: LedgerItem) => ArticleUpdate) {
    this.#job = job;
    this.#readingOf = readingOf;
    this.#size = new BatchSize(job.context.settings.bulkSize);
  }

  /** Reads items from the front of a chunk. The items of different articles may be sent in any order. */
  async read(chunk: readonly LedgerItem[]): Promise<ReadChunk> {
    this.#lease = undefined;
    const batch = this.#firstBatch(chunk);
    const reserved = await this.#reserve(batch);
    if (!reserved.ok) {
      const next = nextStepAfterRead(reserved.error);
      return next.kind === 'wait' ? { items: [], next } : this.#afterFailure(batch.items, reserved.error);
    }
    const calls = reserved.value;
    try {
      return { ...(await this.#readNow(batch, calls)), reserved: calls };
    } catch (error) {
      calls?.release();
      throw error;
    }
  }

  /** Articles with texts and articles without are read and sent apart, since each text takes a call of its own. */
  #firstBatch(chunk: readonly LedgerItem[]): Batch {
    const withTexts = new Set(chunk.filter(this.#readsText).map(articleOf));
    const [first] = chunk;
    const readsTexts = first !== undefined && withTexts.has(articleOf(first));
    const size = readsTexts ? Math.min(this.#size.current, MAX_KEPT_TEXTS) : this.#size.current;
    const ofKind = chunk.filter((item) => withTexts.has(articleOf(item)) === readsTexts);
    return { items: firstTogether(ofKind, size), readsTexts };
  }

  readonly #readsText = (item: LedgerItem): boolean => setsUnlisted(this.#readingOf(item));

  /** Undefined where calls cost nothing. */
  async #reserve({ items, readsTexts }: Batch): BackendResult<ReservedCalls | undefined> {
    const { backend } = this.#job.context;
    if (!backend.reserveCalls) return ok(undefined);
    const caller = jobCaller(this.#job);
    // The response of any call has what the rate limit has left.
    const rateLimit = this.#knowsBudget ? null : await backend.rateLimit(caller);
    const isUnknown = rateLimit?.ok === true && rateLimit.value === null;
    const readings = items.map(this.#readingOf);
    const needsVersions = readsTexts
      ? readings.some(({ languageCode }) => languageCode == null)
      : needsProjectVersions(readings);
    if (isUnknown || needsVersions) {
      // Within the read they would take a call that belongs to it.
      const versions = await this.#job.projectVersions();
      if (!versions.ok && !isLasting(versions.error)) return versions;
    }
    this.#knowsBudget = true;
    const reads = readsTexts ? items.length : this.#listingCalls;
    return backend.reserveCalls(caller, { least: 2, most: reads + 1 + NOTING_CALLS });
  }

  async #readNow(batch: Batch, reserved: ReservedCalls | undefined): Promise<ReadChunk> {
    const items = batch.readsTexts && reserved ? firstTogether(batch.items, reserved.calls - 1) : batch.items;
    // Each text takes a call of its own where calls cost anything, so those that were read are used without the others.
    const parts = batch.readsTexts && reserved ? items.map((item) => [item]) : [items];
    const groups = await Promise.all(parts.map((part) => this.#readGroup(part, batch.readsTexts, reserved)));
    const usable = groups.filter(({ result, lease }) => (result.ok ? !lease.isExpired() : isLasting(result.error)));
    const failed = groups.find(({ result }) => !result.ok)?.result;
    const error = failed?.ok === false ? failed.error : null;
    if (error !== null && (usable.length === 0 || nextStepAfterRead(error).kind === 'pause'))
      return this.#afterFailure(items, error);
    this.#adapt(groups, usable.length, items);
    const articles = new Map<number, Article | null>();
    for (const { items: read, result } of usable)
      for (const [position, { index }] of read.entries())
        articles.set(index, result.ok ? (result.value[position] ?? null) : null);
    this.#lease = joinLeases(usable.map(({ lease }) => lease));
    return { items: usable.flatMap((group) => group.items), articles, lease: this.#lease, next: GO_ON };
  }

  async #readGroup(
    items: readonly LedgerItem[],
    readsTexts: boolean,
    reserved: ReservedCalls | undefined,
  ): Promise<ReadGroup> {
    const { context, projectVersions } = this.#job;
    const summary = new RequestSummary();
    const caller = { ...jobCaller(this.#job, summary), reserved };
    const updates = items.map(this.#readingOf);
    const read = await readCurrentArticles(context, { caller, summary, updates, selection: { projectVersions } });
    if (!readsTexts) this.#listingCalls = Math.max(1, read.calls);
    return { ...read, items };
  }

  /** Has the next batch be as large as what could be used of this one. */
  #adapt(groups: readonly ReadGroup[], usable: number, items: readonly LedgerItem[]): void {
    const isLimited = groups.some(({ result }) => !result.ok && result.error.kind === 'rate-limited');
    if (usable < groups.length) {
      this.#size.shrink(usable > 0 ? usable : Math.ceil(items.length / 2), isLimited);
      return;
    }
    this.#failures = 0;
    this.#size.grow();
  }

  /** Halves the next batch where nothing of this one was sent, since the read or its rate limit was too slow for it. */
  afterCall(items: readonly LedgerItem[], sent: SentChunk): SentChunk {
    if (sent.withdrawn.length < items.length || sent.next.kind !== 'wait') return sent;
    if (sent.next.wait === 'RATE_LIMIT') this.#halve(items, true);
    else if (this.#lease?.isExpired() && this.#halve(items)) return { ...sent, next: GO_ON };
    return sent;
  }

  /** Has the next read be of half as many items; false where this one was of a single item. */
  #halve({ length }: readonly LedgerItem[], isLimited = false): boolean {
    this.#size.shrink(Math.ceil(length / 2), isLimited);
    return length > 1;
  }

  /** Called where no item of a batch could be read. */
  async #afterFailure(items: readonly LedgerItem[], error: BackendError): Promise<ReadChunk> {
    const next = nextStepAfterRead(error);
    if (isTooMuch(error)) return this.#halve(items) ? { items: [], next: GO_ON } : unreadable(items);
    if (isLasting(error)) return unreadable(items);
    const isLimited = next.kind === 'wait' && next.wait === 'RATE_LIMIT';
    if (next.kind === 'pause' || this.#halve(items, isLimited) || isLimited) return { items: [], next };
    return (await this.#hasFailedForGood()) ? unreadable(items) : { items: [], next };
  }

  /** True where the read of an article has failed often while the service answers another read. */
  async #hasFailedForGood(): Promise<boolean> {
    this.#failures += 1;
    if (this.#failures < MAX_FAILURES) return false;
    const { ok: isAnswered } = await this.#job.context.backend.projectVersions(jobCaller(this.#job));
    if (isAnswered) this.#failures = 0;
    return isAnswered;
  }
}

/** Batches in a row that go well before one has another item, after the rate limit had too few calls for a batch. */
const BATCHES_BEFORE_GROWTH = 10;

/** The most items of a batch: fewer after one of which not all could be used, and then more again. */
class BatchSize {
  current: number;
  readonly #most: number;
  /** Batches in a row that have gone well since the rate limit had too few calls for one; null before that. */
  #goodBatches: number | null = null;

  constructor(most: number) {
    this.current = most;
    this.#most = most;
  }

  shrink(size: number, isLimited: boolean): void {
    this.current = size;
    if (isLimited) this.#goodBatches = 0;
  }

  grow(): void {
    if (this.#goodBatches !== null) {
      this.#goodBatches += 1;
      if (this.#goodBatches < BATCHES_BEFORE_GROWTH) return;
      this.#goodBatches = 0;
    }
    this.current = Math.min(this.current + 1, this.#most);
  }
}

/** The items with no article: what can't be read is compared as such. */
const unreadable = (items: readonly LedgerItem[]): ReadChunk => ({ items, next: GO_ON });

/** True where the same read of a single article fails again. */
const isLasting = (error: BackendError): boolean => {
  const { kind } = nextStepAfterRead(error);
  return kind === 'end' || kind === 'go-on';
};
