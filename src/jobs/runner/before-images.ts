import { LISTED_WITH_PUBLIC_VERSION } from '../../core/articles/article-previews.ts';
import {
  BEFORE_NOT_READABLE,
  type KeptItem,
  keptItemOf,
  readingUpdateOf,
  revertMembersOf,
  revertOutcomeOf,
} from '../../core/articles/article-reverts.ts';
import type { Article } from '../../core/articles/articles.ts';
import { hasTexts } from '../../core/articles/bulk-updates.ts';
import type { BackendResult } from '../../core/backend.ts';
import { type Fence, joinFences, openFence } from '../../core/base/fence.ts';
import { MAX_ARTICLE_LAG_MS, MAX_BEFORE_AGE_MS, MAX_KEPT_TEXTS } from '../../core/base/limits.ts';
import { ok, type Result } from '../../core/base/result.ts';
import { RequestSummary } from '../../core/callers/request-report.ts';
import type { BackendError } from '../../core/errors.ts';
import { isSameValue } from '../../core/field-changes.ts';
import type { ReservedCalls } from '../../core/rate-limit.ts';
import type { IndexedOutcome, KeptItems, LedgerItem } from '../state/ledger.ts';
import { GO_ON, type NextStep, nextStepAfterError, WAIT_FOR_SERVICE } from './chunks.ts';
import { type ClaimedJob, jobCaller, type ProjectVersionsOf } from './job-context.ts';

/** A chunk that is ready to be sent. */
export interface ReadyChunk {
  /** The items to be sent, which may be fewer than were asked for, or none. */
  readonly items: readonly LedgerItem[];
  /** Items that are not sent, with the reason. */
  readonly ended: readonly IndexedOutcome[];
  /** Absent where nothing is kept. */
  readonly kept?: KeptItems;
  /** Late where the articles were read too long ago. */
  readonly fence?: Fence;
  /** What follows where there is nothing to be sent. */
  readonly next: NextStep;
}

export const readyAsIs = (items: readonly LedgerItem[]): ReadyChunk => ({ items, ended: [], next: GO_ON });

/** A read of one article that has failed, or was of no use, so often is given up while the service answers another read. */
const MAX_FAILURES = 5;

/** Batches in a row that go well before one has another item, after the rate limit had too few calls for a batch. */
const BATCHES_BEFORE_GROWTH = 10;

/** The calls of a first read of articles whose texts are not needed: a category tree, and the project versions. */
const LISTING_CALLS = 2;

/** Items that were read together. */
interface ReadGroup {
  readonly items: readonly LedgerItem[];
  readonly result: Result<readonly (Article | null)[], BackendError>;
  /** Opened when the read ended. */
  readonly fence: Fence;
}

/** Reads the articles of a chunk before it is sent, and compares them in a revert. */
export class BeforeImages {
  readonly #job: ClaimedJob;
  readonly #projectVersions: ProjectVersionsOf;
  /** Items that are read together: fewer after a batch of which not all could be used, and then more again. */
  #size: number;
  /** Batches in a row that have gone well since the rate limit had too few calls for one; null before that. */
  #goodBatches: number | null = null;
  #failures = 0;
  /** `Clock.monotonic` when this process took the job. */
  readonly #startedAt: number;
  /** The calls that the last read of articles without texts has taken. */
  #listingCalls = LISTING_CALLS;
  #knowsBudget = false;

  constructor(job: ClaimedJob, projectVersions: ProjectVersionsOf) {
    this.#job = job;
    this.#projectVersions = projectVersions;
    this.#size = job.context.settings.bulkSize;
    this.#startedAt = job.context.clock.monotonic();
  }

  /**
   * Reads the items from the front of a chunk that `send` then gets. The calls for the reads and for the PUT are taken
   * together before, so that no read is in vain. Between the end of each read and the PUT lies at most a second.
   */
  async read<T>(
    chunk: readonly LedgerItem[],
    send: (ready: ReadyChunk, reserved: ReservedCalls | undefined) => Promise<T>,
  ) {
    const [first] = chunk;
    const setsText = first !== undefined && readsText(first);
    const size = setsText ? Math.min(this.#size, MAX_KEPT_TEXTS) : this.#size;
    // No article is in a chunk twice, so its items may be sent in any order.
    const items = chunk.filter((item) => readsText(item) === setsText).slice(0, size);
    const reserved = await this.#reserve(items, setsText);
    if (!reserved.ok) {
      const next = stepAfter(reserved.error);
      const isWait = next.kind === 'wait';
      return send(isWait ? { ...NOTHING_YET, next } : await this.#afterFailure(items, reserved.error), undefined);
    }
    const calls = reserved.value;
    try {
      const present = setsText && calls ? items.slice(0, calls.calls - 1) : items;
      return await send(await this.#readNow(present, setsText, calls), calls);
    } finally {
      calls?.release();
    }
  }

  /**
   * True where the read may not show yet what was written to the article: by this gateway, or by another one that has run the
   * reverted job, in which case it looks as if nothing had been written.
   */
  #mayBeOld({ target }: LedgerItem, article: Article | null | undefined): boolean {
    if (!article || article.unshown !== undefined) return article?.unshown !== undefined;
    if (!target || this.#job.context.clock.monotonic() - this.#startedAt >= MAX_ARTICLE_LAG_MS) return false;
    const outcome = revertOutcomeOf(target, article);
    if (outcome?.kind !== 'not-attempted' || outcome.reason !== 'CHANGED_SINCE') return false;
    return revertMembersOf(target, article)?.every(({ before, now }) => isSameValue(before, now)) ?? false;
  }

  /** Has the next read be of half as many items; false where that was a single one. */
  halve({ length }: readonly LedgerItem[], isLimited = false): boolean {
    this.#shrink(Math.ceil(length / 2), isLimited);
    return length > 1;
  }

  #shrink(size: number, isLimited: boolean): void {
    this.#size = size;
    if (isLimited) this.#goodBatches = 0;
  }

  #grow(): void {
    this.#failures = 0;
    if (this.#goodBatches !== null) {
      this.#goodBatches += 1;
      if (this.#goodBatches < BATCHES_BEFORE_GROWTH) return;
      this.#goodBatches = 0;
    }
    this.#size = Math.min(this.#size + 1, this.#job.context.settings.bulkSize);
  }

  /** Has the next batch be as large as what could be used of this one. */
  #adapt(groups: readonly ReadGroup[], usable: number, items: readonly LedgerItem[]): void {
    const isLimited = groups.some(({ result }) => !result.ok && result.error.kind === 'rate-limited');
    if (usable === groups.length) this.#grow();
    else this.#shrink(usable > 0 ? usable : Math.ceil(items.length / 2), isLimited);
  }

  /** Undefined where calls cost nothing. */
  async #reserve(items: readonly LedgerItem[], setsText: boolean): BackendResult<ReservedCalls | undefined> {
    const { backend } = this.#job.context;
    if (!backend.reserveCalls) return ok(undefined);
    const caller = jobCaller(this.#job);
    // The response of any call tells what the rate limit has left.
    const rateLimit = this.#knowsBudget ? null : await backend.rateLimit(caller);
    const isUnknown = rateLimit?.ok === true && rateLimit.value === null;
    if (isUnknown || items.some(isInDefaultLanguage) || (!setsText && isListed(items))) {
      // Within the read they would take a call that belongs to it.
      const versions = await this.#projectVersions();
      if (!versions.ok && !isLasting(versions.error)) return versions;
    }
    this.#knowsBudget = true;
    const reads = setsText ? items.length : this.#listingCalls;
    return backend.reserveCalls(caller, { least: 2, most: reads + 1 });
  }

  async #readNow(
    items: readonly LedgerItem[],
    setsText: boolean,
    reserved: ReservedCalls | undefined,
  ): Promise<ReadyChunk> {
    // Each text takes a call of its own where calls cost anything, so those that were read are used without the others.
    const parts = setsText && reserved ? items.map((item) => [item]) : [items];
    const groups = await Promise.all(parts.map((part) => this.#readGroup(part, setsText, reserved)));
    const error = groups.find(({ result }) => !result.ok)?.result;
    const usable = groups.filter(({ result, fence }) => (result.ok ? !fence.isLate() : isLasting(result.error)));
    const isPaused = error?.ok === false && stepAfter(error.error).kind === 'pause';
    if (error?.ok === false && (usable.length === 0 || isPaused)) return this.#afterFailure(items, error.error);
    this.#adapt(groups, usable.length, items);
    const articles = new Map<number, Article | null>();
    for (const group of usable)
      for (const [position, { index }] of group.items.entries())
        articles.set(index, group.result.ok ? (group.result.value[position] ?? null) : null);
    const read = usable.flatMap((group) => group.items);
    const sure = read.filter((item) => !this.#mayBeOld(item, articles.get(item.index)));
    if (read.length > 0 && sure.length === 0) return { ...NOTHING_YET, next: WAIT_FOR_SERVICE };
    return this.#ready(sure, articles, joinFences(usable.map((group) => group.fence)));
  }

  async #readGroup(
    items: readonly LedgerItem[],
    setsText: boolean,
    reserved: ReservedCalls | undefined,
  ): Promise<ReadGroup> {
    const { backend, clock } = this.#job.context;
    const updates = items.map(({ update, target }) => readingUpdateOf(target?.update ?? update));
    const summary = new RequestSummary();
    const caller = { ...jobCaller(this.#job, summary), reserved };
    const extent = { ...LISTED_WITH_PUBLIC_VERSION, projectVersions: this.#projectVersions };
    const begun = openFence(MAX_BEFORE_AGE_MS, clock);
    const result = await backend.articlesOfUpdates(caller, updates, extent);
    const { readCalls } = summary;
    if (!setsText) this.#listingCalls = Math.max(1, readCalls);
    // Of several calls, the first may have ended long before the last.
    const fence = items.length > 1 && readCalls > 1 ? begun : openFence(MAX_BEFORE_AGE_MS, clock);
    return { items, result, fence };
  }

  /** Called where no item of a batch could be read. */
  async #afterFailure(items: readonly LedgerItem[], error: BackendError): Promise<ReadyChunk> {
    if (isTooMuch(error)) return this.halve(items) ? NOTHING_YET : this.#unreadable(items);
    if (isLasting(error)) return this.#unreadable(items);
    const next = stepAfter(error);
    const isLimited = next.kind === 'wait' && next.wait === 'RATE_LIMIT';
    if (next.kind === 'pause' || this.halve(items, isLimited) || isLimited) return { ...NOTHING_YET, next };
    return this.#again(items, next);
  }

  /** Reads the article again after a pause, unless that has failed often while the service answers another read. */
  async #again(items: readonly LedgerItem[], next: NextStep): Promise<ReadyChunk> {
    this.#failures += 1;
    if (this.#failures < MAX_FAILURES) return { ...NOTHING_YET, next };
    const { ok: isAnswered } = await this.#job.context.backend.projectVersions(jobCaller(this.#job));
    if (!isAnswered) return { ...NOTHING_YET, next };
    this.#failures = 0;
    return this.#unreadable(items);
  }

  #unreadable(items: readonly LedgerItem[]): ReadyChunk {
    return this.#ready(items, new Map(), undefined);
  }

  #ready(
    items: readonly LedgerItem[],
    articles: ReadonlyMap<number, Article | null>,
    fence: Fence | undefined,
  ): ReadyChunk {
    const { job, context } = this.#job;
    const ended: IndexedOutcome[] = [];
    const kept = new Map<number, KeptItem>();
    for (const { index, update, target } of items) {
      const article = articles.get(index) ?? null;
      const item = keptItemOf(update, article);
      const isRefused = item.image === null && job.keepBefore === 'ALWAYS';
      const outcome = (target && revertOutcomeOf(target, article)) ?? (isRefused ? BEFORE_NOT_READABLE : null);
      if (outcome === null) kept.set(index, item);
      else ended.push({ index, outcome: { ...outcome, articleId: update.articleId } });
    }
    const sent = items.filter(({ index }) => kept.has(index)).map((item) => inLanguage(item, kept.get(item.index)));
    // Where nothing was read there is nothing that could be too old.
    const isRead = kept.values().some(({ image }) => image !== null);
    return {
      ...{ items: sent, ended, next: GO_ON },
      kept: { items: kept, room: context.settings },
      ...(isRead && fence && { fence }),
    };
  }
}

/** So few articles are read one by one, which needs no project versions where their languages are known. */
const MAX_UNLISTED_ITEMS = 2;

const isListed = ({ length }: readonly LedgerItem[]): boolean => length > MAX_UNLISTED_ITEMS;

const isInDefaultLanguage = ({ update, target }: LedgerItem): boolean =>
  (target?.update ?? update).languageCode == null;

/** True where the versions of the articles can't be found without the project versions. */
export const needsProjectVersions = (items: readonly LedgerItem[]): boolean =>
  isListed(items) || items.some(isInDefaultLanguage);

const stepAfter = (error: BackendError): NextStep =>
  error.kind === 'outcome-unknown' ? WAIT_FOR_SERVICE : nextStepAfterError(error);

const isTooMuch = ({ kind }: BackendError): boolean => kind === 'too-costly' || kind === 'query-too-costly';

/** True where the same read of a single article fails again. */
const isLasting = (error: BackendError): boolean => {
  const { kind } = stepAfter(error);
  return kind === 'end' || kind === 'go-on';
};

const readsText = ({ update, target }: LedgerItem): boolean => hasTexts(target?.update ?? update);

/** Names the language that was read, so that the same one is written. */
const inLanguage = (item: LedgerItem, kept: KeptItem | undefined): LedgerItem =>
  kept?.image ? { ...item, update: { ...item.update, languageCode: kept.image.languageCode } } : item;

const NOTHING_YET: ReadyChunk = { items: [], ended: [], next: GO_ON };
