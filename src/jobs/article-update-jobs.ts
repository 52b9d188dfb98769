import type {
  ArticleUpdateJob,
  ItemOutcome,
  JobItemOutcome,
  JobPart,
  PreviewedRevertItem,
  RevertPreview,
  RevertRequest,
} from '../core/articles/article-update-jobs.ts';
import type { BackendResult, Page } from '../core/backend.ts';
import type { PageRequest } from '../core/base/pages.ts';
import type { Caller } from '../core/callers/caller.ts';
import type { Notice } from '../core/notices.ts';

/** The answer to a part of a job that was submitted. */
export interface SubmittedJob {
  readonly job: ArticleUpdateJob;
  /** True when the part was there already, so that this request had no effect. */
  readonly replayed: boolean;
}

/** The answer to a revert, with what is to be known of it before it has ended. */
export interface SubmittedRevert extends SubmittedJob {
  readonly warnings: readonly Notice[];
}

/**
 * The port to jobs: see docs/contract.md, "Jobs and idempotency keys". A job exists only for its caller, who is authorized
 * before, and whose updates are validated before.
 */
export interface ArticleUpdateJobs extends ArticleUpdateJobReverts {
  /** Adds a part to a job. Gives `validation` for a gap or too many items, `idempotency-conflict`, `rate-limited` for a sixth job. */
  submit(caller: Caller, part: JobPart): BackendResult<SubmittedJob>;
  /** Ends the job: no item begins after the answer. Gives `job-not-found`. */
  cancel(caller: Caller, jobId: string): BackendResult<ArticleUpdateJob>;
  /** Continues a paused job with the caller's token. Gives `job-not-found`. */
  resume(caller: Caller, jobId: string): BackendResult<ArticleUpdateJob>;
  /** A job of the caller; null where there is none. It takes no scan of the items. */
  find(caller: Caller, jobId: string): BackendResult<ArticleUpdateJob | null>;
  list(caller: Caller, page: PageRequest): BackendResult<Page<ArticleUpdateJob>>;
  /** The items that have ended, by index: those with these outcomes, or all where they are null. */
  results(
    caller: Caller,
    jobId: string,
    request: { readonly page: PageRequest; readonly outcomes: readonly ItemOutcome[] | null },
  ): BackendResult<Page<JobItemOutcome>>;
  /** Begins nothing more. Calls in flight end, and their outcomes are recorded. */
  close(): Promise<void>;
}

/** Jobs that put back what an earlier job has changed: see docs/contract.md, "Undo". */
export interface ArticleUpdateJobReverts {
  /** Puts back what an earlier job has changed, as a job of its own. */
  revert(caller: Caller, request: RevertRequest): BackendResult<SubmittedRevert>;
  /** Summarizes what a revert would do, from the state alone. Gives `validation` where there is nothing to be put back. */
  previewRevert(caller: Caller, jobId: string): BackendResult<RevertPreview>;
  /** What a revert would put back, the last items first, with the articles as they are read now. */
  previewRevertItems(caller: Caller, jobId: string, page: PageRequest): BackendResult<Page<PreviewedRevertItem>>;
  findRevert(caller: Caller, jobId: string): BackendResult<ArticleUpdateJob | null>;
}
