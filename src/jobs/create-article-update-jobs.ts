import type { BackendResult } from '../backend/backend.ts';
import { MAX_JOBS } from '../base/limits.ts';
import { err, ok, type Result } from '../base/result.ts';
import { type ArticleUpdateJob, type JobPart, jobNotFound } from '../domain/articles/article-update-jobs.ts';
import type { Caller } from '../domain/callers/caller.ts';
import { type BackendError, unavailable } from '../domain/errors.ts';
import type { Ledger, LedgerJob, LedgerPart } from '../state/ledger.ts';
import type { ArticleUpdateJobs, SubmittedJob } from './article-update-jobs.ts';
import { bindCaller, type JobBinding } from './caller-keys.ts';
import { countEnded, decodeResultCursor, noCursor, pageOf, resultCursorOf } from './job-pages.ts';
import { estimateEnd } from './runner/estimate.ts';
import type { JobContext } from './runner/job-context.ts';
import type { JobTokens } from './runner/job-tokens.ts';
import type { JobRunner } from './runner/runner.ts';
import { keyOfKnownCaller } from './state-access.ts';
import { submissionError } from './submission.ts';

export interface ArticleUpdateJobsOptions {
  readonly context: JobContext;
  readonly binding: JobBinding;
  readonly tokens: JobTokens;
  readonly runner: JobRunner;
  /** False where nothing was ever kept: then reads open no state. */
  readonly hasState: () => boolean;
}

/** A request of a caller who may use the state. */
interface JobRequest {
  readonly caller: Caller;
  readonly callerKey: string;
  readonly ledger: Ledger;
}

export function createArticleUpdateJobs(options: ArticleUpdateJobsOptions): ArticleUpdateJobs {
  const { backend, session } = options.context;

  /** `none`: the answer where there is no state yet, and the operation needs none. */
  const answer =
    <A extends readonly unknown[], T>(
      { isAlive, none }: { readonly isAlive: boolean; readonly none: Result<T, BackendError> | null },
      operation: (request: JobRequest, ...args: A) => BackendResult<T>,
    ) =>
    async (caller: Caller, ...args: A): BackendResult<T> => {
      const callerKey = await keyOfKnownCaller(backend, caller);
      if (!callerKey.ok) return callerKey;
      if (none !== null && !session.isOpen && !options.hasState()) return none;
      const use = (ledger: Ledger) => operation({ caller, callerKey: callerKey.value, ledger }, ...args);
      return isAlive ? session.answerAlive(use) : session.answer(use);
    };

  return {
    submit: answer({ isAlive: true, none: null }, (request, part: JobPart) => submit(options, request, part)),
    resume: answer({ isAlive: true, none: NO_JOB }, (request, jobId: string) => resume(options, request, jobId)),
    cancel: answer({ isAlive: false, none: NO_JOB }, (request, jobId: string) => cancel(options, request, jobId)),
    find: answer({ isAlive: false, none: ok(null) }, async ({ caller, callerKey, ledger }, jobId: string) => {
      const job = await ledger.findJob(callerKey, jobId);
      return ok(job === null ? null : await toJob(options, caller, job));
    }),
    list: answer({ isAlive: false, none: ok(NO_JOBS) }, async ({ caller, callerKey, ledger }, page) => {
      if (page.after != null && (await ledger.findJob(callerKey, page.after)) === null) return err(noCursor());
      const found = await ledger.listJobs(callerKey, { limit: page.limit + 1, after: page.after ?? null });
      const entries = await Promise.all(found.map((job) => toJob(options, caller, job)));
      const totalCount = () => ledger.countJobs(callerKey);
      return ok(pageOf({ page, entries, cursorOf: ({ jobId }) => jobId, totalCount }));
    }),
    results: answer(
      { isAlive: false, none: NO_JOB },
      async ({ callerKey, ledger }, jobId: string, { page, outcomes }) => {
        const after = decodeResultCursor(page);
        if (!after.ok) return after;
        const job = await ledger.findJob(callerKey, jobId);
        if (job === null) return err(jobNotFound());
        const entries = await ledger.results(jobId, { limit: page.limit + 1, after: after.value, outcomes });
        const totalCount = async () => countEnded(job.counts, outcomes);
        return ok(pageOf({ page, entries, cursorOf: resultCursorOf, totalCount }));
      },
    ),
    close: () => options.runner.close(),
  };
}

const NO_JOB = err(jobNotFound());

const NO_JOBS = { edges: [], hasNextPage: false, hasPreviousPage: false, totalCount: async () => 0 };

async function submit(
  { context, binding, tokens, runner }: ArticleUpdateJobsOptions,
  { caller, callerKey, ledger }: JobRequest,
  part: JobPart,
): BackendResult<SubmittedJob> {
  const { session, settings, log } = context;
  const token = bindCaller(binding, caller);
  const ledgerPart: LedgerPart = {
    ...part,
    ...{ callerKey, owner: session.owner, bindingKey: token.bindingKey, goesOnAlone: token.goesOnAlone },
    limits: { maxItems: settings.maxItems, maxJobs: MAX_JOBS, maxBytes: settings.maxBytes },
  };
  const appended = await tokens.whileArriving(token, async () => {
    await runner.untilTokensAreKnown();
    const result = await ledger.appendPart(ledgerPart);
    if (result.kind === 'appended' && result.job.state === 'RUNNING') tokens.keep(result.job.jobId, token);
    return result;
  });
  if (appended.kind !== 'appended') return err(submissionError(appended, settings));
  const { job, replayed } = appended;
  if (!replayed)
    log('info', 'a part of a job was stored', {
      requestId: caller.request.id,
      jobId: job.jobId,
      items: part.updates.length,
    });
  runner.wake();
  return ok({ job: await toJob({ context, runner }, caller, job), replayed });
}

/**
 * Calls of this process that wait for their connection are taken back. Another process that runs the job may hand such a
 * call to its connection at any moment, so its calls are waited for.
 */
async function cancel(
  { context, runner }: ArticleUpdateJobsOptions,
  { caller, callerKey, ledger }: JobRequest,
  jobId: string,
): BackendResult<ArticleUpdateJob> {
  const { clock } = context;
  let job = await ledger.cancel(callerKey, jobId);
  if (job !== null) runner.find(jobId)?.cancel();
  while (job !== null && job.counts.pending > 0 && runner.find(jobId) === null) {
    const timeLeft = caller.deadline - clock.monotonic();
    if (timeLeft <= 0) return err(unavailable(CALLS_ELSEWHERE));
    await clock.sleep(Math.min(POLL_MS, timeLeft));
    job = await ledger.findJob(callerKey, jobId);
  }
  return job === null ? err(jobNotFound()) : ok(await toJob({ context, runner }, caller, job));
}

/** The pause between two looks at a job that another process runs. */
const POLL_MS = 250;

const CALLS_ELSEWHERE =
  'The job is cancelled, and another gateway has calls of it under way, which may still begin. Cancel it again to learn when none may.';

async function resume(
  { context, binding, tokens, runner }: ArticleUpdateJobsOptions,
  { caller, callerKey, ledger }: JobRequest,
  jobId: string,
): BackendResult<ArticleUpdateJob> {
  const token = bindCaller(binding, caller);
  const job = await tokens.whileArriving(token, async () => {
    await runner.untilTokensAreKnown();
    const run = { owner: context.session.owner, bindingKey: token.bindingKey };
    const resumed = await ledger.resume(callerKey, jobId, run);
    if (resumed?.state === 'RUNNING') tokens.keep(jobId, token);
    return resumed;
  });
  if (job === null) return err(jobNotFound());
  runner.wake();
  return ok(await toJob({ context, runner }, caller, job));
}

async function toJob(
  { context, runner }: Pick<ArticleUpdateJobsOptions, 'context' | 'runner'>,
  caller: Caller,
  job: LedgerJob,
): Promise<ArticleUpdateJob> {
  const { jobId, state, waitingFor, counts, createdAt, endedAt } = job;
  // Such a wait can't be recorded.
  const waitsForState = state === 'RUNNING' && context.session.isFailing;
  const isEstimated = state === 'RUNNING' && !waitsForState;
  const estimatedEnd = isEstimated ? await estimateOf({ context, runner }, caller, job) : null;
  return {
    ...{ jobId, state, counts },
    waitingFor: waitsForState ? 'SERVICE' : waitingFor,
    createdAt: new Date(createdAt),
    estimatedEndAt: estimatedEnd === null ? null : new Date(estimatedEnd),
    endedAt: endedAt === null ? null : new Date(endedAt),
  };
}

/** Null where nothing is pending, so that only articles are read back. */
async function estimateOf(
  { context, runner }: Pick<ArticleUpdateJobsOptions, 'context' | 'runner'>,
  caller: Caller,
  { jobId, counts: { pending } }: LedgerJob,
): Promise<number | null> {
  if (pending === 0) return null;
  const run = runner.find(jobId);
  const rateLimit = await context.backend.rateLimit(caller);
  return estimateEnd({
    pending,
    bulkSize: context.settings.bulkSize,
    rateLimit: rateLimit.ok ? rateLimit.value : null,
    callDurations: run?.sender.durations ?? [],
    waitMs: run?.waits.leftMs ?? 0,
    now: context.clock.now(),
  });
}
