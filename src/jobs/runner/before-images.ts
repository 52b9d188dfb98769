import type { Backend } from '../../backend/backend.ts';
import { type Fence, openFence } from '../../base/fence.ts';
import { MAX_ARTICLE_LAG_MS, MAX_BEFORE_AGE_MS, MAX_KEPT_TEXTS } from '../../base/limits.ts';
import { LISTED_WITH_PUBLIC_VERSION } from '../../domain/articles/article-previews.ts';
import {
  BEFORE_NOT_READABLE,
  type KeptItem,
  keptItemOf,
  readingUpdateOf,
  revertMembersOf,
  revertOutcomeOf,
} from '../../domain/articles/article-reverts.ts';
import type { Article } from '../../domain/articles/articles.ts';
import { hasTexts } from '../../domain/articles/bulk-updates.ts';
import type { BackendError } from '../../domain/errors.ts';
import { isSameValue } from '../../domain/field-changes.ts';
import type { IndexedOutcome, KeptItems, LedgerItem } from '../../state/ledger.ts';
import { GO_ON, type NextStep, nextStepAfterError, WAIT_FOR_SERVICE } from './chunks.ts';
import { type ClaimedJob, jobCaller } from './job-context.ts';

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

/** A read of one article that has failed, or took too long, so often is given up while the service answers another read. */
const MAX_FAILURES = 5;

/** Reads what stands in the articles of a chunk before it is sent, and compares it in a revert. */
export class BeforeImages {
  readonly #job: ClaimedJob;
  /** Items that are read together: fewer after a read that took too long or too many calls, and then more again. */
  #size: number;
  #failures = 0;
  /** `Clock.monotonic` when this process took the job. */
  readonly #startedAt: number;
  #projectVersions: ReturnType<Backend['projectVersions']> | null = null;

  constructor(job: ClaimedJob) {
    this.#job = job;
    this.#size = job.context.settings.bulkSize;
    this.#startedAt = job.context.clock.monotonic();
  }

  /** Between the begin of the read and the PUT lies at most a second, so a read that took longer is no use. */
  async read(chunk: readonly LedgerItem[]): Promise<ReadyChunk> {
    const { clock } = this.#job.context;
    const [first] = chunk;
    const setsText = first !== undefined && readsText(first);
    const size = setsText ? Math.min(this.#size, MAX_KEPT_TEXTS) : this.#size;
    // No article is in a chunk twice, so its items may be sent in any order.
    const items = chunk.filter((item) => readsText(item) === setsText).slice(0, size);
    const fence = openFence(MAX_BEFORE_AGE_MS, clock);
    const result = await this.#articlesOf(items);
    if (!result.ok) return this.#afterFailure(items, fence, result.error);
    if (fence.isLate()) return this.halve(items) ? NOTHING_YET : this.#again(items, fence, WAIT_FOR_SERVICE);
    this.#failures = 0;
    this.#size = Math.min(this.#size + 1, this.#job.context.settings.bulkSize);
    const isSure = (_: unknown, position: number) => !this.#mayBeOld(items[position], result.value[position]);
    const sure = items.filter(isSure);
    if (sure.length === 0) return { ...NOTHING_YET, next: WAIT_FOR_SERVICE };
    return this.#ready(sure, fence, result.value.filter(isSure));
  }

  /**
   * True where the read may not show yet what was written to the article: by this gateway, or by another one that has run the
   * reverted job, in which case it looks as if nothing had been written.
   */
  #mayBeOld(item: LedgerItem | undefined, article: Article | null | undefined): boolean {
    if (!article || article.unshown !== undefined) return article?.unshown !== undefined;
    const target = item?.target;
    if (!target || this.#job.context.clock.monotonic() - this.#startedAt >= MAX_ARTICLE_LAG_MS) return false;
    const outcome = revertOutcomeOf(target, article);
    if (outcome?.kind !== 'not-attempted' || outcome.reason !== 'CHANGED_SINCE') return false;
    return revertMembersOf(target, article)?.every(({ before, now }) => isSameValue(before, now)) ?? false;
  }

  /** Has the next read be of half as many items; false where that was a single one. */
  halve({ length }: readonly LedgerItem[]): boolean {
    this.#size = Math.ceil(length / 2);
    return length > 1;
  }

  #articlesOf(items: readonly LedgerItem[]) {
    const updates = items.map(({ update, target }) => readingUpdateOf(target?.update ?? update));
    const extent = { ...LISTED_WITH_PUBLIC_VERSION, projectVersions: () => this.#listProjectVersions() };
    return this.#job.context.backend.articlesOfUpdates(jobCaller(this.#job), updates, extent);
  }

  /** Once is enough: what is read in a default language is also written in it, even if there is another one by then. */
  async #listProjectVersions() {
    this.#projectVersions ??= this.#job.context.backend.projectVersions(jobCaller(this.#job));
    const versions = await this.#projectVersions;
    if (!versions.ok) this.#projectVersions = null;
    return versions;
  }

  async #afterFailure(items: readonly LedgerItem[], fence: Fence, error: BackendError): Promise<ReadyChunk> {
    const isTooMuch = error.kind === 'too-costly' || error.kind === 'query-too-costly';
    if (isTooMuch) return this.halve(items) ? NOTHING_YET : this.#unreadable(items, fence);
    const next = error.kind === 'outcome-unknown' ? WAIT_FOR_SERVICE : nextStepAfterError(error);
    if (next.kind === 'end' || next.kind === 'go-on') return this.#unreadable(items, fence);
    if (next.kind === 'pause' || next.wait === 'RATE_LIMIT' || this.halve(items)) return { ...NOTHING_YET, next };
    return this.#again(items, fence, next);
  }

  /** Reads the article again after a pause, unless that has failed often while the service answers another read. */
  async #again(items: readonly LedgerItem[], fence: Fence, next: NextStep): Promise<ReadyChunk> {
    this.#failures += 1;
    if (this.#failures < MAX_FAILURES) return { ...NOTHING_YET, next };
    const { ok } = await this.#job.context.backend.projectVersions(jobCaller(this.#job));
    if (!ok) return { ...NOTHING_YET, next };
    this.#failures = 0;
    return this.#unreadable(items, fence);
  }

  #unreadable(items: readonly LedgerItem[], fence: Fence): ReadyChunk {
    return this.#ready(
      items,
      fence,
      items.map(() => null),
    );
  }

  #ready(items: readonly LedgerItem[], fence: Fence, articles: readonly (Article | null)[]): ReadyChunk {
    const { job, context } = this.#job;
    const ended: IndexedOutcome[] = [];
    const kept = new Map<number, KeptItem>();
    for (const [position, { index, update, target }] of items.entries()) {
      const article = articles[position] ?? null;
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
      ...(isRead && { fence }),
    };
  }
}

const readsText = ({ update, target }: LedgerItem): boolean => hasTexts(target?.update ?? update);

/** Names the language that was read, so that the same one is written. */
const inLanguage = (item: LedgerItem, kept: KeptItem | undefined): LedgerItem =>
  kept?.image ? { ...item, update: { ...item.update, languageCode: kept.image.languageCode } } : item;

const NOTHING_YET: ReadyChunk = { items: [], ended: [], next: GO_ON };
