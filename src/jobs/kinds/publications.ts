import { type ArticleOutcome, notAttemptedAfter, type SharedOutcome } from '../../core/articles/article-outcomes.ts';
import type { JobPublication } from '../../core/articles/article-update-jobs.ts';
import type { Article } from '../../core/articles/articles.ts';
import type { ArticleUpdate } from '../../core/articles/bulk-updates.ts';
import { versionOf } from '../../core/articles/publications.ts';
import { MAX_PUBLISHED_ITEMS } from '../../core/base/limits.ts';
import { RequestSummary } from '../../core/callers/request-report.ts';
import { type ClaimedJob, jobCaller } from '../job-context.ts';
import type { IndexedOutcome, LedgerItem, NotedItem, UnknownItem } from '../state/ledger.ts';
import { needsProjectVersions } from './current-articles.ts';
import type { CallMeans, JobKind, NoteMeans, ReadArticles, ReadChunk } from './job-kind.ts';
import { NotedTexts } from './noted-texts.ts';
import { GO_ON, nextStepAfterError, type SentChunk, sentChunkOf } from './sent-chunks.ts';

/** The reads that the first publication is expected to take: a list, and an article that is not in it. */
const FIRST_READS = 2;

/** Publications of articles that the job has updated. The reads that find their versions are a part of the call itself. */
export class Publications implements JobKind {
  readonly phase = 'publication';
  readonly endsAfterUnknown = false;
  readonly comparesRevisions = false;
  readonly copyItems = null;
  readonly compare = null;
  readonly #job: ClaimedJob;
  readonly #publication: JobPublication;
  readonly #noted: NotedTexts;
  readonly #most: number;
  /** Half as many after the reads of a call were too many. */
  #maxItems: number;
  /** The batch that was too much for the calls that the rate limit had left; null while it leaves enough. */
  #refused: { readonly items: number; readonly reads: number } | null = null;
  /** True where the rate limit left fewer calls than the batch could use. */
  #isShort = false;
  /** The reads that the last publication has taken. */
  #reads = FIRST_READS;

  constructor(job: ClaimedJob, publication: JobPublication) {
    this.#job = job;
    this.#publication = publication;
    this.#noted = new NotedTexts(job);
    this.#most = Math.min(job.context.settings.bulkSize, MAX_PUBLISHED_ITEMS);
    this.#maxItems = this.#most;
  }

  get maxItems(): number {
    return this.#maxItems;
  }

  /** Reserves the reads and the call of a publication together. */
  async readBefore(items: readonly LedgerItem[]): Promise<ReadChunk> {
    const { context, projectVersions } = this.#job;
    const versions = needsProjectVersions(items.map(({ update }) => update)) ? await projectVersions() : null;
    const next = versions?.ok === false ? nextStepAfterError(versions.error) : GO_ON;
    if (next.kind === 'wait' || next.kind === 'pause') return { items: [], next };
    const wanted = { least: 2, most: Math.max(this.#reads, this.#refused?.reads ?? 0) + 1 };
    const reserved = await context.backend.reserveCalls?.(jobCaller(this.#job), wanted);
    if (reserved?.ok !== false) {
      this.#isShort = reserved !== undefined && reserved.value.calls < wanted.most;
      if (!this.#isShort) this.#refused = null;
      return { items, reserved: reserved?.value, next: GO_ON };
    }
    if (reserved.error.kind !== 'too-costly') return { items: [], next: nextStepAfterError(reserved.error) };
    if (this.#halve(items)) return { items: [], next: GO_ON };
    const outcome = notAttemptedAfter(reserved.error);
    return { items: [], ended: items.map((item) => publicationOf(item, outcome)), next: GO_ON };
  }

  async send(items: readonly LedgerItem[], call: CallMeans): Promise<SentChunk> {
    const { userId, message } = this.#publication;
    const summary = new RequestSummary();
    const caller = { ...jobCaller(this.#job, summary), ...call };
    const answer = await this.#job.context.backend.publishArticles(caller, {
      items: items.map(({ update }) => update),
      userId,
      message: message ?? undefined,
      projectVersions: this.#job.projectVersions,
    });
    this.#reads = Math.max(1, summary.readCalls);
    this.#maxItems = this.#refused === null ? this.#most : Math.ceil(this.#refused.items / 2);
    const sent = { ...sentChunkOf(items, answer), period: summary.writePeriod };
    const kind = answer.ok ? null : answer.error.kind;
    // The reads may have used up what the rate limit has left for the call.
    if (kind === 'rate-limited' && this.#halve(items) && this.#isShort)
      this.#refused = { items: items.length, reads: this.#reads };
    if (kind !== 'too-costly' || !this.#halve(items)) return sent;
    return { ...sent, ended: [], withdrawn: items.map(({ index }) => index), isWhollyUnknown: false };
  }

  /** False where there was a single item. */
  #halve({ length }: readonly LedgerItem[]): boolean {
    this.#maxItems = Math.ceil(length / 2);
    return length > 1;
  }

  note(sent: SentChunk, means: NoteMeans): Promise<readonly NotedItem[]> {
    return this.#noted.ofPublications(sent, means);
  }

  report(item: LedgerItem, outcome: ArticleOutcome): IndexedOutcome {
    const details =
      outcome.kind === 'unknown' ? `The article was updated. Its publication: ${outcome.details}` : outcome.details;
    return publicationOf(item, { ...outcome, details });
  }

  async readBack(items: readonly UnknownItem[], read: ReadArticles): Promise<readonly IndexedOutcome[]> {
    // Only lists show which version is public.
    const targets = items.map(({ update }) => ({ ...update, versionNumber: undefined }));
    const articles = await read(targets, true);
    return items.map((item, position) => readPublication(item, articles[position] ?? null));
  }
}

/** The calls of one publication: two for the lists that show the place and the version of its articles, and its own. */
const CALLS_OF_PUBLICATION = 3;

/** The calls that so many publications take. */
export const callsOfPublications = (items: number, bulkSize: number): number =>
  CALLS_OF_PUBLICATION * Math.ceil(items / Math.min(bulkSize, MAX_PUBLISHED_ITEMS));

/** The outcome of an updated item after its publication, which the details are about unless it has succeeded. */
function publicationOf({ index, update, outcome }: LedgerItem, publication: SharedOutcome): IndexedOutcome {
  const updated = { kind: 'updated', details: null, ...outcome, articleId: update.articleId } as const;
  if (publication.kind === 'updated') return { index, outcome: { ...updated, publication: 'PUBLISHED' } };
  const isToBeRead = publication.kind === 'unknown' && (publication.readBack ?? 'NOT_TRIED') === 'NOT_TRIED';
  const { details } = publication;
  return { index, outcome: { ...updated, details, publication: PUBLICATIONS[publication.kind] }, isToBeRead };
}

const PUBLICATIONS = { failed: 'FAILED', unknown: 'UNKNOWN', 'not-attempted': 'NOT_ATTEMPTED' } as const;

/** The outcome by what the article shows. It remains unknown where the version is not the public one. */
function readPublication(item: LedgerItem, article: Article | null): IndexedOutcome {
  if (isPublishedAsRead(article, item.update))
    return publicationOf(
      { ...item, outcome: { ...item.outcome, ...PUBLISHED, articleId: item.update.articleId } },
      PUBLISHED,
    );
  const readBack = article === null ? 'NOT_READABLE' : 'DIFFERS';
  return publicationOf(item, { kind: 'unknown', details: DETAILS[readBack], readBack });
}

/** False where the read is older than what this gateway has written, whatever version is public in it. */
const isPublishedAsRead = (article: Article | null, update: ArticleUpdate): boolean =>
  article !== null &&
  article.unshown === undefined &&
  article.publicVersionNumber === versionOf('publishArticles', update, article);

const PUBLISHED = {
  kind: 'updated',
  details:
    'The article was updated. No answer reported whether it was published, but its version was public when it was read.',
} as const;

const DETAILS = {
  DIFFERS:
    'The article was updated. No answer reported whether it was published, and another version or none was public when it was read.',
  NOT_READABLE: 'The article was updated. No answer reported whether it was published, and it could not be read.',
} as const;
