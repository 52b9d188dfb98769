import type { ArticleUpdateJob } from '../core/articles/article-update-jobs.ts';
import type { BackendResult, Page } from '../core/backend.ts';
import type { JsonObject } from '../core/base/json.ts';
import { MAX_JOBS } from '../core/base/limits.ts';
import type { PageRequest } from '../core/base/pages.ts';
import { err, ok, type Result } from '../core/base/result.ts';
import { type Caller, timeLeft } from '../core/callers/caller.ts';
import { type BackendError, jobNotFound, rateLimited, unavailable, validationError } from '../core/errors.ts';
import { estimateEnd } from '../core/rate-limit.ts';
import type { SubmittedJob } from './article-update-jobs.ts';
import { credentialOf, type GatewayCredentials, keyOfKnownCaller } from './caller-keys.ts';
import type { JobContext, JobSettings } from './job-context.ts';
import { callsOfJob } from './kinds/kinds-of-job.ts';
import type { JobTokens } from './runner/job-tokens.ts';
import type { JobRunner } from './runner/runner.ts';
import type { Sweeper } from './runner/sweeper.ts';
import type { AppendResult, Ledger, LedgerJob, LedgerPart } from './state/ledger.ts';

interface JobRequestsOptions {
  readonly context: JobContext;
  readonly credentials: GatewayCredentials;
  readonly tokens: JobTokens;
  readonly runner: JobRunner;
  readonly sweeper: Sweeper;
  /** False where the state was never written, so that reads need not open it. */
  readonly hasState: () => boolean;
}

interface Operation<T> {
  /** True where it may begin something. */
  readonly mayBegin?: boolean;
  /** The answer where there is no state yet. Absent where the operation needs one. */
  readonly none?: Result<T, BackendError>;
}

/** The members of a new job that name its caller, this process and their limits. */
type OwnedPart = Pick<LedgerPart, 'callerKey' | 'owner' | 'credentialHash' | 'isUnattended' | 'limits'>;

/** What all requests about jobs have in common: their callers, the state, and a job as its caller sees it. */
export class JobRequests {
  readonly options: JobRequestsOptions;

  constructor(options: JobRequestsOptions) {
    this.options = options;
  }

  /** Answers a known caller by its deadline. */
  async answer<T>(
    caller: Caller,
    { mayBegin = false, none }: Operation<T>,
    operation: (ledger: Ledger, callerKey: string) => BackendResult<T>,
  ): BackendResult<T> {
    const { context, hasState } = this.options;
    const callerKey = await keyOfKnownCaller(context.backend, caller);
    if (!callerKey.ok) return callerKey;
    if (none !== undefined && !context.session.isOpen && !hasState()) return none;
    return context.session.answer(caller, mayBegin, (ledger) => operation(ledger, callerKey.value));
  }

  /** Has `store` add a job that may run with the token of the caller. Where there is no room, what has expired is deleted first. */
  async add<R extends { readonly kind: string }>(
    caller: Caller,
    callerKey: string,
    store: (part: OwnedPart) => Promise<R>,
  ): Promise<R> {
    const { context, credentials, tokens, sweeper } = this.options;
    const { session, settings } = context;
    const token = credentialOf(credentials, caller);
    const { credentialHash, isUnattended } = token;
    const limits = { ...settings, maxJobs: MAX_JOBS };
    const part = { callerKey, owner: session.owner, credentialHash, isUnattended, limits };
    tokens.keep(token);
    let stored = await store(part);
    for (let isMoreLeft = true; stored.kind === 'full' && isMoreLeft && timeLeft(caller) > 0; ) {
      isMoreLeft = await sweeper.freeRoom();
      stored = await store(part);
    }
    return stored;
  }

  /** The answer to a request that has added a job or a part of it, which is logged. */
  async submitted(
    caller: Caller,
    { job, replayed }: Extract<AppendResult, { kind: 'appended' }>,
    line: { readonly message: string; readonly fields: JsonObject },
  ): BackendResult<SubmittedJob> {
    const { context, runner } = this.options;
    const fields = { requestId: caller.request.id, jobId: job.jobId, ...line.fields };
    if (!replayed) context.log('info', line.message, fields);
    runner.wake();
    return ok({ job: await this.toJob(caller, job), replayed });
  }

  async answerWith<None>(caller: Caller, job: LedgerJob | null, none: None) {
    return job === null ? none : ok(await this.toJob(caller, job));
  }

  async toJob(caller: Caller, job: LedgerJob): Promise<ArticleUpdateJob> {
    const { jobId, name, state, waitingFor, counts, createdAt, endedAt } = job;
    // A wait for the state can't be recorded in the state.
    const waitsForState = state === 'RUNNING' && this.options.context.session.isFailing;
    const estimatedEnd = state === 'RUNNING' && !waitsForState ? await this.#estimate(caller, job) : null;
    return {
      jobId,
      name,
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

  /** The calls to the service that the job still takes: none over the embedded store. */
  #callsOf(job: LedgerJob): number {
    const { credentials, context } = this.options;
    return credentials.serviceUrl === null ? 0 : callsOfJob(job, context.settings);
  }

  /** The estimated end of the job; null where no item is pending. */
  async #estimate(caller: Caller, job: LedgerJob): Promise<number | null> {
    const { jobId, counts } = job;
    if (counts.pending === 0) return null;
    const { context, runner, credentials } = this.options;
    const run = runner.find(jobId);
    const rateLimit = await context.backend.rateLimit(caller);
    return estimateEnd({
      // A call of the store is a transaction.
      calls:
        credentials.serviceUrl === null ? Math.ceil(counts.pending / context.settings.bulkSize) : this.#callsOf(job),
      rateLimit: rateLimit.ok ? rateLimit.value : null,
      callMs: run?.callMs ?? null,
      now: context.clock.now(),
    });
  }
}

/** The answer where the caller has no such job. */
export const NO_JOB = err(jobNotFound());

/** The entries are one more than the page has, where there is one. */
export const pageOf = <T>(
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
export function decodeResultCursor({ after }: PageRequest): Result<number, BackendError> {
  if (after == null) return ok(-1);
  if (/^\d{1,9}$/u.test(after)) return ok(Number(after));
  return err(noCursor());
}

/** The cursor of a job is its ID, and that of a job which was deleted since then is none any more. */
export const noCursor = (): BackendError =>
  validationError([{ path: ['after'], message: 'after must be a cursor of an earlier page of this list.' }]);

/** When a caller with too many jobs may try again. */
const JOB_RETRY_SECONDS = 30;

export const noRoomError = (kind: 'too-many-jobs' | 'full', { maxBytes }: JobSettings): BackendError =>
  kind === 'too-many-jobs'
    ? { ...rateLimited(JOB_RETRY_SECONDS), message: TOO_MANY_JOBS }
    : unavailable(
        `The state of jobs and keys has no room for this (MAX_STATE_BYTES: ${maxBytes}). Nothing was stored.`,
      );

const TOO_MANY_JOBS = `A caller may have ${MAX_JOBS} jobs at one time. Wait until one has ended, or cancel one.`;
