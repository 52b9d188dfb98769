import { readingUpdateOf } from '../core/articles/article-reverts.ts';
import type {
  ArticleUpdateJob,
  ItemOutcome,
  JobCounts,
  JobItemOutcome,
  JobPart,
  PreviewedRevertItem,
  RevertPreview,
  RevertRequest,
} from '../core/articles/article-update-jobs.ts';
import type { BackendResult, Page } from '../core/backend.ts';
import { MAX_JOBS, MAX_KEPT_TEXTS, MAX_PUBLISHED_ITEMS } from '../core/base/limits.ts';
import type { PageRequest } from '../core/base/pages.ts';
import { err, ok, type Result } from '../core/base/result.ts';
import { type Caller, checkClientScope } from '../core/callers/caller.ts';
import {
  type BackendError,
  idempotencyConflict,
  idempotencyInProgress,
  jobNotFound,
  rateLimited,
  unavailable,
  validationError,
} from '../core/errors.ts';
import { estimateEnd } from '../core/rate-limit.ts';
import type { ArticleUpdateJobs, SubmittedJob } from './article-update-jobs.ts';
import { bindCaller, type JobBinding, keyOfKnownCaller } from './caller-keys.ts';
import type { JobContext, JobSettings } from './job-context.ts';
import { readCurrentArticles } from './kinds/current-articles.ts';
import type { JobTokens } from './runner/job-tokens.ts';
import type { JobRunner } from './runner/runner.ts';
import type { Sweeper } from './runner/sweeper.ts';
import type { AppendResult, Ledger, LedgerJob, LedgerPart, RevertResult } from './state/ledger.ts';

interface ArticleUpdateJobsOptions {
  readonly context: JobContext;
  readonly binding: JobBinding;
  readonly tokens: JobTokens;
  readonly runner: JobRunner;
  readonly sweeper: Sweeper;
  /** False where nothing was ever kept: then reads open no state. */
  readonly hasState: () => boolean;
}

interface Operation<T> {
  /** True where it may begin something. */
  readonly isAlive?: boolean;
  /** The answer where there is no state yet. Absent where the operation needs one. */
  readonly none?: Result<T, BackendError>;
}

/** The pause between two looks at a job that another process runs. */
const POLL_MS = 250;

/** The jobs of the ledger, as their callers see them. */
export class LedgerArticleUpdateJobs implements ArticleUpdateJobs {
  readonly #options: ArticleUpdateJobsOptions;

  constructor(options: ArticleUpdateJobsOptions) {
    this.#options = options;
  }

  submit(caller: Caller, part: JobPart): BackendResult<SubmittedJob> {
    const { context, binding, tokens, runner } = this.#options;
    const { session, settings, log } = context;
    const token = bindCaller(binding, caller);
    return this.#answer(caller, { isAlive: true }, async (ledger, callerKey) => {
      const ledgerPart: LedgerPart = {
        ...part,
        callerKey,
        owner: session.owner,
        bindingKey: token.bindingKey,
        goesOnAlone: token.goesOnAlone,
        limits: { ...settings, maxJobs: MAX_JOBS },
      };
      tokens.keep(token);
      const appended = await this.#withRoom(() => ledger.appendPart(ledgerPart));
      if (appended.kind !== 'appended') return err(submissionError(appended, settings));
      const { job, replayed } = appended;
      const fields = { requestId: caller.request.id, jobId: job.jobId, items: part.updates.length };
      if (!replayed) log('info', 'a part of a job was stored', fields);
      runner.wake();
      return ok({ job: await this.#toJob(caller, job), replayed });
    });
  }

  revert(caller: Caller, { jobId, ...request }: RevertRequest): BackendResult<SubmittedJob> {
    const { context, binding, tokens, runner } = this.#options;
    const { session, settings, log } = context;
    const token = bindCaller(binding, caller);
    return this.#answer(caller, { isAlive: true, none: NO_JOB }, async (ledger, callerKey) => {
      const { bindingKey, goesOnAlone } = token;
      const limits = { ...settings, maxJobs: MAX_JOBS };
      const revert = { ...request, jobId, callerKey, owner: session.owner, bindingKey, goesOnAlone, limits };
      tokens.keep(token);
      const begun = await this.#withRoom(() => ledger.beginRevert(revert));
      if (begun.kind !== 'appended') return err(revertError(begun, settings));
      const { job, replayed } = begun;
      if (!replayed) log('info', 'a revert was stored', { requestId: caller.request.id, jobId: job.jobId, of: jobId });
      runner.wake();
      return ok({ job: await this.#toJob(caller, job), replayed });
    });
  }

  previewRevert(caller: Caller, jobId: string): BackendResult<RevertPreview> {
    return this.#answer(caller, { none: NO_JOB }, async (ledger, callerKey) => {
      const job = await ledger.findJob(callerKey, jobId);
      if (job === null) return NO_JOB;
      if (job.endedAt === null || job.restorable === 0) return err(notRevertible(job.endedAt !== null));
      const total = job.counts.updated + job.counts.unknown;
      const { restorable } = job;
      return ok({ jobId, summary: { total, restorable, notRestorable: total - restorable } });
    });
  }

  previewRevertItems(caller: Caller, jobId: string, page: PageRequest): BackendResult<Page<PreviewedRevertItem>> {
    return this.#answer(caller, { none: NO_JOB }, async (ledger, callerKey) => {
      const after = decodeResultCursor(page);
      if (!after.ok) return after;
      const job = await ledger.findJob(callerKey, jobId);
      if (job === null) return NO_JOB;
      const before = page.after == null ? job.counts.total : after.value;
      const { targets, next } = await ledger.revertTargets(jobId, { limit: page.limit, before });
      const updates = targets.map(({ update }) => readingUpdateOf(update));
      const { context } = this.#options;
      const read = updates.length === 0 ? ok([]) : (await readCurrentArticles(context, { caller, updates })).result;
      if (!read.ok) return read;
      const edges = targets.map((target, n) => ({
        cursor: `${target.index}`,
        node: { target, now: read.value[n] ?? null },
      }));
      return ok({ edges, hasNextPage: next !== null, hasPreviousPage: page.after != null, totalCount: null });
    });
  }

  findRevert(caller: Caller, jobId: string): BackendResult<ArticleUpdateJob | null> {
    return this.#answer(caller, { none: ok(null) }, async (ledger, callerKey) => {
      const job = await ledger.findRevert(callerKey, jobId);
      return ok(job === null ? null : await this.#toJob(caller, job));
    });
  }

  resume(caller: Caller, jobId: string): BackendResult<ArticleUpdateJob> {
    const { context, binding, tokens, runner } = this.#options;
    const token = bindCaller(binding, caller);
    return this.#answer(caller, { isAlive: true, none: NO_JOB }, async (ledger, callerKey) => {
      const found = await ledger.findJob(callerKey, jobId);
      const mayPublish = found?.publication ? checkClientScope(caller, 'articles:publish') : ok(undefined);
      if (!mayPublish.ok) return mayPublish;
      tokens.keep(token);
      const run = { owner: context.session.owner, bindingKey: token.bindingKey };
      const job = await ledger.resume(callerKey, jobId, run);
      if (job === null) return NO_JOB;
      runner.wake();
      return ok(await this.#toJob(caller, job));
    });
  }

  /**
   * Calls of this process that wait for their connection are taken back. Another process that runs the job may hand such a
   * call to its connection at any moment, so its calls are waited for.
   */
  cancel(caller: Caller, jobId: string): BackendResult<ArticleUpdateJob> {
    const { context, runner, sweeper } = this.#options;
    const { clock } = context;
    return this.#answer(caller, { none: NO_JOB }, async (ledger, callerKey) => {
      let job = await ledger.cancel(callerKey, jobId);
      if (job !== null) runner.find(jobId)?.cancel();
      // The texts of its items go.
      sweeper.hurry();
      runner.wake();
      while (job !== null && job.counts.pending > 0 && runner.find(jobId) === null) {
        const timeLeft = caller.deadline - clock.monotonic();
        if (timeLeft <= 0) return err(unavailable(CALLS_ELSEWHERE));
        await clock.sleep(Math.min(POLL_MS, timeLeft));
        job = await ledger.findJob(callerKey, jobId);
      }
      return job === null ? NO_JOB : ok(await this.#toJob(caller, job));
    });
  }

  find(caller: Caller, jobId: string): BackendResult<ArticleUpdateJob | null> {
    return this.#answer(caller, { none: ok(null) }, async (ledger, callerKey) => {
      const job = await ledger.findJob(callerKey, jobId);
      return ok(job === null ? null : await this.#toJob(caller, job));
    });
  }

  list(caller: Caller, page: PageRequest): BackendResult<Page<ArticleUpdateJob>> {
    return this.#answer(caller, { none: ok(NO_JOBS) }, async (ledger, callerKey) => {
      if (page.after != null && (await ledger.findJob(callerKey, page.after)) === null) return err(noCursor());
      const found = await ledger.listJobs(callerKey, { limit: page.limit + 1, after: page.after ?? null });
      const entries = await Promise.all(found.map((job) => this.#toJob(caller, job)));
      const { session } = this.#options.context;
      const totalCount = () => session.answer(caller, false, async (opened) => ok(await opened.countJobs(callerKey)));
      return ok(pageOf(page, entries, { cursorOf: ({ jobId }) => jobId, totalCount }));
    });
  }

  results(
    caller: Caller,
    jobId: string,
    { page, outcomes }: Parameters<ArticleUpdateJobs['results']>[2],
  ): BackendResult<Page<JobItemOutcome>> {
    return this.#answer(caller, { none: NO_JOB }, async (ledger, callerKey) => {
      const after = decodeResultCursor(page);
      if (!after.ok) return after;
      const job = await ledger.findJob(callerKey, jobId);
      if (job === null) return NO_JOB;
      const entries = await ledger.results(jobId, { limit: page.limit + 1, after: after.value, outcomes });
      const totalCount = async () => ok(countEnded(job.counts, outcomes));
      return ok(pageOf(page, entries, { cursorOf: ({ index }) => `${index}`, totalCount }));
    });
  }

  close(): Promise<void> {
    return this.#options.runner.close();
  }

  /** Tries once more after what has expired has freed its room, where there was none. */
  async #withRoom<R extends { readonly kind: string }>(store: () => Promise<R>): Promise<R> {
    const stored = await store();
    if (stored.kind !== 'full') return stored;
    await this.#options.sweeper.freeRoom();
    return store();
  }

  async #answer<T>(
    caller: Caller,
    { isAlive = false, none }: Operation<T>,
    operation: (ledger: Ledger, callerKey: string) => BackendResult<T>,
  ): BackendResult<T> {
    const { context, hasState } = this.#options;
    const callerKey = await keyOfKnownCaller(context.backend, caller);
    if (!callerKey.ok) return callerKey;
    if (none !== undefined && !context.session.isOpen && !hasState()) return none;
    return context.session.answer(caller, isAlive, (ledger) => operation(ledger, callerKey.value));
  }

  async #toJob(caller: Caller, job: LedgerJob): Promise<ArticleUpdateJob> {
    const { jobId, state, waitingFor, counts, createdAt, endedAt } = job;
    // Such a wait can't be recorded.
    const waitsForState = state === 'RUNNING' && this.#options.context.session.isFailing;
    const estimatedEnd = state === 'RUNNING' && !waitsForState ? await this.#estimate(caller, job) : null;
    return {
      jobId,
      state,
      counts,
      waitingFor: waitsForState ? 'SERVICE' : waitingFor,
      createdAt: new Date(createdAt),
      estimatedEndAt: estimatedEnd === null ? null : new Date(estimatedEnd),
      endedAt: endedAt === null ? null : new Date(endedAt),
      isRevertible: endedAt !== null && job.restorable > 0,
      revertOfId: job.revertOf,
      estimatedCalls: endedAt === null ? this.#callsOf(job) : null,
    };
  }

  /** The embedded store takes none. */
  #callsOf({ publication, keepBefore, withTexts, counts: { pending, total } }: LedgerJob): number {
    const { binding, context } = this.#options;
    if (binding.serviceUrl === null) return 0;
    const { bulkSize } = context.settings;
    const texts = keepBefore === 'NEVER' ? null : Math.ceil((withTexts * pending) / Math.max(1, total));
    return callsOfItems(pending, { bulkSize, publishes: publication !== undefined, texts });
  }

  /** Null where nothing is pending, so that only articles are read back. */
  async #estimate(caller: Caller, job: LedgerJob): Promise<number | null> {
    const { jobId, counts } = job;
    if (counts.pending === 0) return null;
    const { context, runner, binding } = this.#options;
    const run = runner.find(jobId);
    const rateLimit = await context.backend.rateLimit(caller);
    return estimateEnd({
      // A call of the store is a transaction.
      calls: binding.serviceUrl === null ? Math.ceil(counts.pending / context.settings.bulkSize) : this.#callsOf(job),
      rateLimit: rateLimit.ok ? rateLimit.value : null,
      callMs: run?.callMs ?? null,
      now: context.clock.now(),
    });
  }
}

const NO_JOB = err(jobNotFound());

const NO_JOBS = { edges: [], hasNextPage: false, hasPreviousPage: false, totalCount: async () => ok(0) };

const CALLS_ELSEWHERE =
  'The job is cancelled, and another gateway has calls of it under way, which may still begin. Cancel it again to learn when none may.';

/** The entries are one more than the page has, where there is one. */
const pageOf = <T>(
  { limit, after }: PageRequest,
  entries: readonly T[],
  {
    cursorOf,
    totalCount,
  }: { readonly cursorOf: (entry: T) => string; readonly totalCount: () => BackendResult<number> },
): Page<T> => ({
  edges: entries.slice(0, limit).map((node) => ({ cursor: cursorOf(node), node })),
  hasNextPage: entries.length > limit,
  hasPreviousPage: after != null,
  totalCount,
});

/** The cursor of an item is its index. -1 for the first page. */
function decodeResultCursor({ after }: PageRequest): Result<number, BackendError> {
  if (after == null) return ok(-1);
  if (/^\d{1,9}$/u.test(after)) return ok(Number(after));
  return err(noCursor());
}

/** The cursor of a job is its ID, and that of a job which was deleted since then is none any more. */
const noCursor = (): BackendError =>
  validationError([{ path: ['after'], message: 'after must be a cursor of an earlier page of this list.' }]);

/** The items that have ended, of these outcomes or of all. */
function countEnded(counts: JobCounts, outcomes: readonly ItemOutcome[] | null): number {
  if (outcomes === null) return counts.total - counts.pending;
  return [...new Set(outcomes)].reduce((sum, outcome) => sum + counts[COUNTS[outcome]], 0);
}

const COUNTS = {
  UPDATED: 'updated',
  FAILED: 'failed',
  UNKNOWN: 'unknown',
  NOT_ATTEMPTED: 'notAttempted',
} as const satisfies Record<ItemOutcome, keyof JobCounts>;

/** When a caller with too many jobs may try again. */
const JOB_RETRY_SECONDS = 30;

type Refusal = Exclude<AppendResult, { kind: 'appended' }>;

function submissionError(refusal: Refusal, { maxItems, maxBytes }: JobSettings): BackendError {
  switch (refusal.kind) {
    case 'conflict':
      return idempotencyConflict(refusal.indexes.length > 0 ? CONFLICT : OTHER_PUBLICATION, refusal.indexes);
    case 'gap':
      return issue('startIndex', gapMessage(refusal.nextIndex));
    case 'too-many-items':
      return issue(
        'articles',
        `A job may have at most ${maxItems} items (MAX_JOB_ITEMS). Nothing of this part was stored.`,
      );
    case 'too-many-jobs':
      return { ...rateLimited(JOB_RETRY_SECONDS), message: TOO_MANY_JOBS };
    case 'full':
      return unavailable(
        `The state of jobs and keys has no room for this (MAX_STATE_BYTES: ${maxBytes}). Nothing was stored.`,
      );
  }
}

function revertError(refusal: Exclude<RevertResult, { kind: 'appended' }>, settings: JobSettings): BackendError {
  switch (refusal.kind) {
    case 'job-not-found':
      return jobNotFound();
    case 'not-revertible':
      return notRevertible(refusal.hasEnded);
    case 'in-progress':
      return { ...idempotencyInProgress(), message: REVERT_IN_PROGRESS };
    case 'conflict':
      return idempotencyConflict(OTHER_REVERT);
    case 'gap':
    case 'too-many-items':
    case 'too-many-jobs':
    case 'full':
      return submissionError(refusal, settings);
  }
}

const notRevertible = (hasEnded: boolean): BackendError =>
  validationError([{ argument: 'id', path: [], message: hasEnded ? NOTHING_KEPT : NOT_ENDED }]);

const NOT_ENDED = 'The job has not ended: cancel it, or wait until it is done.';

const NOTHING_KEPT =
  'The job has kept nothing that can be put back: that takes keepBefore when it is submitted, and an updated article.';

const REVERT_IN_PROGRESS =
  'Another revert of this job has not ended: see revertedBy of the job. Nothing was begun by this request.';

const OTHER_REVERT =
  'The idempotency key was used for another job or revert before, or with another publish or userId.';

const issue = (field: string, message: string) => validationError([{ path: [field], message }]);

const gapMessage = (nextIndex: number): string =>
  `startIndex is behind the end of the job: the next part begins at ${nextIndex}. Nothing of this part was stored.`;

const CONFLICT =
  'The idempotency key was used with other items before. The first indexes that differ are listed; items behind the end ' +
  'of a job that is closed differ as well. Nothing of this part was stored.';

const OTHER_PUBLICATION =
  'The idempotency key was used for a revert before, or with another publish, userId, publishMessage or keepBefore: all parts ' +
  'of a job have the same. ' +
  'Nothing of this part was stored.';

const TOO_MANY_JOBS = `A caller may have ${MAX_JOBS} jobs at one time. Wait until one has ended, or cancel one.`;

/** The calls of one publication: two for the lists that tell the place and the version of its articles, and its own. */
const CALLS_OF_PUBLICATION = 3;

/**
 * The calls that the items of a job take. `texts`: those that set texts, where what stood before is kept.
 *
 * @internal Exported for tests.
 */
export function callsOfItems(
  items: number,
  { bulkSize, publishes, texts = null }: { bulkSize: number; publishes: boolean; texts?: number | null },
): number {
  const publications = publishes ? Math.ceil(items / Math.min(bulkSize, MAX_PUBLISHED_ITEMS)) : 0;
  const published = CALLS_OF_PUBLICATION * publications;
  if (texts === null) return Math.ceil(items / bulkSize) + published;
  const ofTexts = texts + Math.ceil(texts / Math.min(bulkSize, MAX_KEPT_TEXTS));
  const ofProjectVersions = items > 0 ? 1 : 0;
  return ofProjectVersions + ofTexts + CALLS_OF_LISTED * Math.ceil((items - texts) / bulkSize) + published;
}

/** The calls of items without texts whose values are kept: the list that tells these, and the write. */
const CALLS_OF_LISTED = 2;
