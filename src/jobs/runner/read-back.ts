import {
  type ArticleOutcome,
  type NotAttemptedReason,
  notAttemptedAfter,
  type ReadBack,
} from '../../core/articles/article-outcomes.ts';
import type { Article } from '../../core/articles/articles.ts';
import {
  type ArticleUpdate,
  compareMembers,
  hasTexts,
  isReadable,
  isStoredAs,
  withoutTexts,
} from '../../core/articles/bulk-updates.ts';
import { versionOf } from '../../core/articles/publications.ts';
import type { Caller } from '../../core/callers/caller.ts';
import { RequestSummary } from '../../core/callers/request-report.ts';
import type { BackendError } from '../../core/errors.ts';
import type { IndexedOutcome, ItemPhase, UnknownItem } from '../state/ledger.ts';
import { publicationOf } from './chunks.ts';
import { type ClaimedJob, jobCaller, type ProjectVersionsOf, RunStopped } from './job-context.ts';
import type { JobWaits } from './job-waits.ts';

/** Articles that are read one by one are read so many at a time. */
const SINGLE_READS = 10;

/** A read-back waits so long for a service that can't be reached. What can't be read then stays unknown. */
const MAX_SERVICE_WAIT_MS = 60 * 60_000;

/** A read of articles that fails so may succeed once the service is back. */
const SERVICE_REASONS: ReadonlySet<NotAttemptedReason> = new Set(['UNAVAILABLE', 'OUT_OF_TIME', 'AFTER_UNKNOWN']);

/** Thrown where the token is not accepted any more. */
export class TokenRefused extends Error {}

/** The outcomes of unknown items that nobody is going to read back. */
export const unreadable = (items: readonly UnknownItem[], phase: ItemPhase): readonly IndexedOutcome[] =>
  items.map((item) =>
    phase === 'update' ? { index: item.index, outcome: outcomeOf(item) } : readPublication(item, null),
  );

interface SingleRead {
  readonly item: UnknownItem;
  readonly update: ArticleUpdate;
}

/** Reads the articles of unknown items of one job. Waits for the rate limit and for the service. */
export class ReadBacks {
  readonly #job: ClaimedJob;
  readonly #projectVersions: ProjectVersionsOf;
  readonly #waits: JobWaits;
  /** `Clock.monotonic` when the service began to fail; null while it answers. */
  #failingSince: number | null = null;

  constructor(job: ClaimedJob, waits: JobWaits, projectVersions: ProjectVersionsOf) {
    this.#job = job;
    this.#projectVersions = projectVersions;
    this.#waits = waits;
  }

  /** Tells what is seen of the items. Throws `RunStopped` and `TokenRefused`. */
  async outcomesOf(items: readonly UnknownItem[], phase: ItemPhase): Promise<readonly IndexedOutcome[]> {
    if (phase === 'update') return this.#updatesOf(items);
    // Lists tell which version is public.
    const targets = items.map(({ update }) => ({ ...update, versionNumber: undefined }));
    const articles = await this.#read(targets, true);
    return items.map((item, position) => readPublication(item, articles[position] ?? null));
  }

  async #updatesOf(items: readonly UnknownItem[]): Promise<readonly IndexedOutcome[]> {
    const comparisons = new Map<UnknownItem, Comparison>();
    const readable = items.filter(({ update }) => isReadable(update));
    const pinned = readable.filter(({ update }) => update.versionNumber != null);
    // Lists tell all but texts and versions, for many articles at once.
    const listed = readable.filter(({ update }) => update.versionNumber == null);
    const articles = await this.#read(listed.map(({ update }) => withoutTexts(update)));
    const singles: SingleRead[] = pinned.map((item) => ({ item, update: item.update }));
    for (const [position, item] of listed.entries()) {
      const article = articles[position] ?? null;
      const comparison = compareListed(article, item);
      if (comparison !== null) comparisons.set(item, asFarAsShown(article, comparison));
      // The language is known now, and needs no further call.
      else singles.push({ item, update: { ...item.update, languageCode: article?.languageCode } });
    }
    for (let start = 0; start < singles.length; start += SINGLE_READS) {
      const group = singles.slice(start, start + SINGLE_READS);
      const single = await this.#read(group.map(({ update }) => update));
      for (const [position, { item }] of group.entries())
        comparisons.set(item, compareSingle(single[position] ?? null, item.update));
    }
    return items.map((item) => ({ index: item.index, outcome: outcomeOf(item, comparisons.get(item)) }));
  }

  /** An article that can't be read is null. */
  async #read(updates: readonly ArticleUpdate[], withPublicVersion = false): Promise<readonly (Article | null)[]> {
    if (updates.length === 0) return [];
    for (;;) {
      const summary = new RequestSummary();
      const caller = jobCaller(this.#job, summary);
      const result = await this.#readOnce(caller, updates, withPublicVersion);
      if (result?.ok) {
        this.#failingSince = null;
        await this.#waits.end();
        return result.value;
      }
      const kind = result?.error.kind;
      if (kind === 'too-costly' || kind === 'query-too-costly') return this.#readHalves(updates, withPublicVersion);
      if (result === null || !(await this.#waitAfter(result.error))) return updates.map(() => null);
      // What was read is lost, and a small rate limit may never have enough calls for all.
      const isTooMuch = kind === 'rate-limited' && summary.readCalls > 1 && updates.length > 1;
      if (isTooMuch) return this.#readHalves(updates, withPublicVersion);
    }
  }

  /** Waits until the same read may succeed; false where it is not going to. */
  async #waitAfter(error: BackendError): Promise<boolean> {
    const { reason, retryAfterSeconds } = notAttemptedAfter(error);
    if (reason === 'UNAUTHENTICATED') throw new TokenRefused();
    if (reason === 'RATE_LIMITED') await this.#waits.forRateLimit(retryAfterSeconds);
    else if (SERVICE_REASONS.has(reason) && !this.#hasFailedForLong()) await this.#waits.forService();
    else return false;
    return true;
  }

  /** Null after a bug, which is logged. */
  async #readOnce(caller: Caller, updates: readonly ArticleUpdate[], withPublicVersion: boolean) {
    const { context, run, signal } = this.#job;
    if (signal.aborted) throw new RunStopped();
    try {
      const extent = {
        withText: false,
        callsPerArticle: 0,
        withPublicVersion,
        onlyLists: true,
        projectVersions: this.#projectVersions,
      };
      return await context.backend.articlesOfUpdates(caller, updates, extent);
    } catch (error) {
      context.log('error', 'articles of a job could not be read back', { requestId: run.jobId, error });
      return null;
    }
  }

  async #readHalves(
    updates: readonly ArticleUpdate[],
    withPublicVersion: boolean,
  ): Promise<readonly (Article | null)[]> {
    if (updates.length === 1) return [null];
    const middle = Math.ceil(updates.length / 2);
    const first = await this.#read(updates.slice(0, middle), withPublicVersion);
    return [...first, ...(await this.#read(updates.slice(middle), withPublicVersion))];
  }

  #hasFailedForLong(): boolean {
    const now = this.#job.context.clock.monotonic();
    this.#failingSince ??= now;
    return now - this.#failingSince >= MAX_SERVICE_WAIT_MS;
  }
}

/** An article as it was asked to be may be an old one, where the read does not show another write of the gateway. */
const asFarAsShown = (article: Article | null, comparison: Comparison): Comparison =>
  comparison === 'AS_ASKED' && article?.unshown !== undefined ? 'DIFFERS' : comparison;

const compareSingle = (article: Article | null, update: ArticleUpdate): Comparison =>
  asFarAsShown(article, compareWithUpdate(article, update));

/** Null where only a read of the article itself can tell. */
function compareListed(article: Article | null, { update }: UnknownItem): Comparison | null {
  const comparison = compareWithUpdate(article, withoutTexts(update));
  if (article === null || comparison === 'DIFFERS' || !hasTexts(update)) return comparison;
  const hasText = article.content !== undefined || article.htmlContent !== undefined;
  return hasText ? compareWithUpdate(article, update) : null;
}

function outcomeOf({ update: { articleId } }: UnknownItem, comparison: Comparison = 'NOT_READABLE'): ArticleOutcome {
  if (comparison === 'AS_ASKED') return { kind: 'updated', articleId, details: SEEN, evidence: 'READ_BACK' };
  return { kind: 'unknown', articleId, details: DETAILS[comparison], readBack: comparison };
}

/** Tells what an article shows of its publication. It remains unknown where the version is not the public one. */
function readPublication(item: UnknownItem, article: Article | null): IndexedOutcome {
  if (isPublishedAsRead(article, item.update))
    return publicationOf(
      { ...item, outcome: { ...item.outcome, ...PUBLISHED, articleId: item.update.articleId } },
      PUBLISHED,
    );
  const readBack = article === null ? 'NOT_READABLE' : 'DIFFERS';
  return publicationOf(item, { kind: 'unknown', details: PUBLICATION_DETAILS[readBack], readBack });
}

/** A public version may be that of a read which is older than what this gateway has written. */
const isPublishedAsRead = (article: Article | null, update: ArticleUpdate): boolean =>
  article !== null &&
  article.unshown === undefined &&
  article.publicVersionNumber === versionOf('publishArticles', update, article);

const PUBLISHED = {
  kind: 'updated',
  details:
    'The article was updated. No answer told whether it was published, but its version was public when it was read.',
} as const;

const PUBLICATION_DETAILS = {
  DIFFERS:
    'The article was updated. No answer told whether it was published, and another version or none was public when it was read.',
  NOT_READABLE: 'The article was updated. No answer told whether it was published, and it could not be read.',
} as const;

const SEEN = 'No answer told the outcome, but the article was read, and is as it was asked to be.';

const DETAILS = {
  DIFFERS: 'The outcome is unknown: no answer told it, and the article was read and differs from what was asked for.',
  NOT_READABLE: 'The outcome is unknown: no answer told it, and the article could not be read, or not all of it.',
} as const satisfies Record<Exclude<Comparison, 'AS_ASKED'>, string>;

/** The finding of a comparison between an article that was read and an update of it. */
type Comparison = 'AS_ASKED' | Exclude<ReadBack, 'NOT_TRIED'>;

/**
 * Compares all that the update sets, as the service may have stored it. Null is compared as well: the service does not tell what it makes of it. Where the
 * update sets what no read tells, it remains unknown whether all was applied, whatever else is seen.
 *
 * @internal Exported for tests.
 */
export function compareWithUpdate(article: Article | null, update: ArticleUpdate): Comparison {
  if (article === null || !isReadable(update)) return 'NOT_READABLE';
  const members = compareMembers(article, update).filter(({ asked }) => asked !== undefined);
  const differs = members.some(
    ({ field, seen, asked }) => seen !== undefined && !isStoredAs(field ?? 'htmlContent', seen, asked),
  );
  if (differs) return 'DIFFERS';
  return members.some(({ seen }) => seen === undefined) ? 'NOT_READABLE' : 'AS_ASKED';
}
