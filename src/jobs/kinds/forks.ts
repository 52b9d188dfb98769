import type { ArticleOutcome } from '../../core/articles/article-outcomes.ts';
import type { Article } from '../../core/articles/articles.ts';
import { changesVersion } from '../../core/articles/bulk-updates.ts';
import {
  type ForkTarget,
  forkKeyOf,
  type ItemFork,
  isPublished,
  type JobRule,
  publishedNotKnown,
  SKIPPED_AS_PUBLISHED,
} from '../../core/articles/forks.ts';
import { revisionOutcome } from '../../core/articles/revisions.ts';
import type { Lease } from '../../core/base/lease.ts';
import { idKeyOf, isSameId } from '../../core/base/text.ts';
import { RequestSummary } from '../../core/callers/request-report.ts';
import { type ClaimedJob, jobCaller, persist } from '../job-context.ts';
import type { IndexedOutcome, LedgerItem, PassedItem, UnknownItem } from '../state/ledger.ts';
import { needsProjectVersions, readCurrentArticles } from './current-articles.ts';
import type { CallMeans, ComparedItem, JobKind, ReadArticles, ReadChunk } from './job-kind.ts';
import {
  firstTogether,
  GO_ON,
  isTooMuch,
  nextStepAfterError,
  nextStepAfterRead,
  type SentChunk,
  sentChunkOf,
} from './sent-chunks.ts';

/** The most forks between two updates, so that drafts are changed soon after they were made. */
const MAX_FORKS = 10;

/** The reads that the first chunk is expected to take: a list, and an article that is not in it. */
const FIRST_READS = 2;

/** The looks for a draft, each after a read that the service has answered. */
const MAX_LOOKS = 3;

/**
 * What becomes of updates of published versions, before they are sent: the version is forked, and its item is sent to the
 * draft; or the item ends. A version is forked once in a job. All other items pass.
 */
export class ForkKind implements JobKind {
  readonly phase = 'fork';
  readonly endsAfterUnknown = true;
  readonly comparesRevisions = true;
  readonly copyItems = null;
  readonly note = null;
  readonly #job: ClaimedJob;
  readonly #rule: JobRule;
  #maxItems: number;
  #reads = FIRST_READS;
  /** Expires when what was read is too old for a fork whose item expects a revision; undefined where none does. */
  #lease: Lease | undefined;
  /** The drafts of the articles of the chunk. */
  #made: ReadonlyMap<string, readonly ItemFork[]> = new Map();

  constructor(job: ClaimedJob, rule: JobRule) {
    this.#job = job;
    this.#rule = rule;
    this.#maxItems = job.context.settings.bulkSize;
  }

  get maxItems(): number {
    return this.#maxItems;
  }

  get #isRevert(): boolean {
    return this.#job.job.revertOf !== null;
  }

  async readBefore(items: readonly LedgerItem[]): Promise<ReadChunk> {
    const ids = items.map(({ update: { articleId } }) => articleId);
    this.#made = await persist(this.#job, (ledger, run) => ledger.forksOf(run, ids));
    // A revert has read its items before.
    const read = this.#isRevert ? { items, next: GO_ON } : await this.#read(items);
    return { ...read, items: this.#firstForks(read) };
  }

  /** The items up to the last fork of this step, in which no version is forked twice. */
  #firstForks({ items, articles }: ReadChunk): readonly LedgerItem[] {
    const forks = new Set<string>();
    const end = items.findIndex((item) => {
      const compared = this.compare(item, articles?.get(item.index) ?? null);
      if (compared.kind !== 'send') return false;
      const isFull = forks.size === MAX_FORKS;
      return isFull || forks.size === forks.add(forkKeyOf(targetOf(compared.item))).size;
    });
    return end === -1 ? items : firstTogether(items, end);
  }

  /** Reads the texts that would be changed. What changes no text needs no read. */
  async #read(items: readonly LedgerItem[]): Promise<ReadChunk> {
    const { context, projectVersions } = this.#job;
    const changing = items.filter(({ update }) => changesVersion(update));
    if (changing.length === 0) return { items, next: GO_ON };
    const updates = changing.map(({ update: { articleId, languageCode, versionNumber, ifRevision } }) => ({
      articleId,
      languageCode,
      versionNumber,
      ifRevision,
    }));
    const versions = needsProjectVersions(updates) ? await projectVersions() : null;
    if (versions?.ok === false) return { items: [], next: nextStepAfterRead(versions.error) };
    const wanted = { least: 2, most: this.#reads + 1 };
    const reserved = await context.backend.reserveCalls?.(jobCaller(this.#job), wanted);
    if (reserved?.ok === false) return { items: [], next: nextStepAfterError(reserved.error) };
    const summary = new RequestSummary();
    const caller = { ...jobCaller(this.#job, summary), reserved: reserved?.value };
    const read = await readCurrentArticles(context, { caller, summary, updates, selection: { projectVersions } });
    const { result } = read;
    this.#lease = items.some(({ update }) => update.ifRevision !== undefined) ? read.lease : undefined;
    this.#reads = Math.max(1, summary.readCalls);
    if (result.ok) {
      this.#maxItems = Math.min(2 * this.#maxItems, context.settings.bulkSize);
      const articles = new Map(changing.map(({ index }, position) => [index, result.value[position] ?? null]));
      return { items, articles, lease: this.#lease, reserved: reserved?.value, next: GO_ON };
    }
    reserved?.value.release();
    const { error } = result;
    const next = nextStepAfterRead(error);
    if (items.length > 1 && (isTooMuch(error) || error.kind === 'rate-limited')) {
      this.#maxItems = Math.ceil(items.length / 2);
      return { items: [], next: isTooMuch(error) ? GO_ON : next };
    }
    if (next.kind === 'wait' || next.kind === 'pause') return { items: [], next };
    const outcome = publishedNotKnown(error.message);
    return {
      items: items.filter(({ update }) => !changesVersion(update)),
      ended: changing.map(({ index, update: { articleId } }) => ({ index, outcome: { ...outcome, articleId } })),
      next: GO_ON,
    };
  }

  compare(item: LedgerItem, article: Article | null): ComparedItem {
    const { update, fork } = item;
    if (this.#isRevert) return fork === undefined ? PASS : { kind: 'send', item, snapshot: null };
    if (!changesVersion(update) || article === null) return PASS;
    const made = (this.#made.get(idKeyOf(update.articleId)) ?? []).filter(({ languageCode }) =>
      isSameId(languageCode, article.languageCode),
    );
    const draft = made.find(({ versionNumber }) => versionNumber === article.versionNumber);
    if (draft !== undefined) return { kind: 'pass', fork: draft };
    if (isPublished(article, true) && update.versionNumber == null && article.mayLackVersion) return { kind: 'delay' };
    const compared = comparePublished(this.#rule, article);
    if (compared === null) return PASS;
    if (compared.kind === 'end') return compared;
    const outcome = revisionOutcome(update, article);
    if (outcome !== null && article.unshown?.isApplied === false) return { kind: 'delay' };
    return outcome === null
      ? { kind: 'send', item: { ...item, fork: compared.fork }, snapshot: null }
      : { kind: 'end', outcome };
  }

  async send(items: readonly LedgerItem[], call: CallMeans): Promise<SentChunk> {
    // The calls that were reserved are those of the read.
    const caller = { ...jobCaller(this.#job), lease: call.lease };
    const userId = this.#rule.userId ?? '';
    const sent = sentChunkOf(
      items,
      await this.#job.context.backend.forkArticles(caller, { items: items.map(targetOf), userId }),
    );
    const { length } = sent.withdrawn;
    if (length === 0 || !this.#lease?.isExpired()) return sent;
    if (length < items.length) return { ...sent, next: GO_ON };
    // A read of fewer articles takes less time.
    this.#maxItems = Math.ceil(items.length / 2);
    return items.length === 1 ? sent : { ...sent, next: GO_ON };
  }

  report(item: LedgerItem, outcome: ArticleOutcome): IndexedOutcome | PassedItem {
    const { index, fork } = item;
    if (outcome.kind !== 'updated' || fork === undefined) return { index, outcome };
    return { index, fork: { ...fork, draftVersionNumber: outcome.draftVersionNumber } };
  }

  async readBack(items: readonly UnknownItem[], read: ReadArticles): Promise<readonly (IndexedOutcome | PassedItem)[]> {
    const found = new Map<number, PassedItem | IndexedOutcome>();
    for (let looks = 0; looks < MAX_LOOKS && found.size < items.length; looks += 1) {
      const missing = items.filter(({ index }) => !found.has(index));
      // This waits until the service answers.
      await read(missing.slice(0, 1).map(({ update: { articleId, languageCode } }) => ({ articleId, languageCode })));
      const forks = missing.map((item) => ({ ...targetOf(item), ageMs: item.ageMs }));
      const drafts = await this.#job.context.backend.lookForForks(jobCaller(this.#job), forks);
      for (const [position, item] of missing.entries()) {
        const draft = drafts[position];
        if (!draft?.ok) continue;
        found.set(item.index, draft.value === null ? unknownFork(item, 'DIFFERS') : forkedItem(item, draft.value));
      }
    }
    return items.map((item) => found.get(item.index) ?? unknownFork(item, 'NOT_READABLE'));
  }
}

/** What becomes of an item with this article: it ends, or its version is to be forked. Null where it is sent as it is. */
export function comparePublished(rule: JobRule, article: Article) {
  const isPublic = isPublished(article, true);
  if (isPublic === false) return null;
  if (isPublic === null) return { kind: 'end', outcome: publishedNotKnown('no read tells it.') } as const;
  if (rule.kind === 'SKIP') return { kind: 'end', outcome: SKIPPED_AS_PUBLISHED } as const;
  if (rule.userId === null) return { kind: 'end', outcome: NO_ACCOUNT } as const;
  const { languageCode, versionNumber } = article;
  return { kind: 'pass', fork: { languageCode, versionNumber } } as const;
}

const PASS: ComparedItem = { kind: 'pass', fork: null };

const NO_ACCOUNT = {
  ...SKIPPED_AS_PUBLISHED,
  details: 'Not put back, because the version is published, and the revert names no userId with which to fork it.',
};

function targetOf({ update, fork }: LedgerItem): ForkTarget {
  const { articleId } = update;
  const { languageCode, versionNumber } = fork ?? { languageCode: '', versionNumber: 0 };
  return { articleId, languageCode, versionNumber };
}

const forkedItem = ({ index, fork }: UnknownItem, draftVersionNumber: number): PassedItem => ({
  index,
  fork: fork ? { ...fork, draftVersionNumber } : null,
});

const unknownFork = (
  { index, update: { articleId } }: UnknownItem,
  readBack: 'DIFFERS' | 'NOT_READABLE',
): IndexedOutcome => ({
  index,
  outcome: { kind: 'unknown', articleId, details: DETAILS[readBack], readBack },
});

const DETAILS = {
  DIFFERS:
    'Whether a draft of the published version was made is unknown: no answer reported it, and not exactly one new draft was found. The item was not sent.',
  NOT_READABLE:
    'Whether a draft of the published version was made is unknown: no answer reported it, and its versions could not be read. The item was not sent.',
} as const;

/** The calls that so many items take before their updates. */
export const callsOfForks = (items: number, kind: JobRule['kind'], bulkSize: number): number =>
  kind === 'SKIP' ? Math.ceil(items / bulkSize) : items + 2 * Math.ceil(items / MAX_FORKS);
