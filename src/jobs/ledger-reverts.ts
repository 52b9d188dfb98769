import { readingUpdateOf } from '../core/articles/article-reverts.ts';
import { restoreWarnings } from '../core/articles/item-warnings.ts';
import { err, ok } from '../core/base/result.ts';
import {
  type BackendError,
  idempotencyConflict,
  idempotencyInProgress,
  jobNotFound,
  validationError,
} from '../core/errors.ts';
import type { ArticleUpdateJobReverts } from './article-update-jobs.ts';
import type { JobSettings } from './job-context.ts';
import { decodeResultCursor, type JobRequests, NO_JOB, noRoomError } from './job-requests.ts';
import { readCurrentArticles } from './kinds/current-articles.ts';
import type { RevertResult } from './state/ledger.ts';

export const createLedgerReverts = (requests: JobRequests): ArticleUpdateJobReverts => ({
  revert: (caller, { jobId, ...request }) =>
    requests.answer(caller, { mayBegin: true, none: NO_JOB }, async (ledger, callerKey) => {
      const begun = await requests.add(caller, callerKey, (part) => ledger.beginRevert({ ...request, jobId, ...part }));
      if (begun.kind !== 'appended') return err(revertError(begun, requests.options.context.settings));
      const line = { message: 'a revert was stored', fields: { of: jobId } };
      const submitted = await requests.submitted(caller, begun, line);
      if (!submitted.ok) return submitted;
      return ok({ ...submitted.value, warnings: restoreWarnings(await ledger.partlyRestorable(jobId)) });
    }),

  previewRevert: (caller, jobId) =>
    requests.answer(caller, { none: NO_JOB }, async (ledger, callerKey) => {
      const job = await ledger.findJob(callerKey, jobId);
      if (job === null) return NO_JOB;
      if (job.endedAt === null || job.restorable === 0) return err(notRevertible(job.endedAt !== null));
      const total = job.counts.updated + job.counts.unknown;
      const { restorable } = job;
      return ok({ jobId, summary: { total, restorable, notRestorable: total - restorable } });
    }),

  previewRevertItems: (caller, jobId, page) =>
    requests.answer(caller, { none: NO_JOB }, async (ledger, callerKey) => {
      const after = decodeResultCursor(page);
      if (!after.ok) return after;
      const job = await ledger.findJob(callerKey, jobId);
      if (job === null) return NO_JOB;
      const before = page.after == null ? job.counts.total : after.value;
      const { targets, next } = await ledger.revertTargets(jobId, { limit: page.limit, before });
      const updates = targets.map(({ update }) => readingUpdateOf(update));
      const { context } = requests.options;
      const read = updates.length === 0 ? ok([]) : (await readCurrentArticles(context, { caller, updates })).result;
      if (!read.ok) return read;
      const edges = targets.map((target, n) => ({
        cursor: `${target.index}`,
        node: { jobId, target, now: read.value[n] ?? null },
      }));
      return ok({ edges, hasNextPage: next !== null, hasPreviousPage: page.after != null, totalCount: null });
    }),

  findRevert: (caller, jobId) =>
    requests.answer(caller, { none: ok(null) }, async (ledger, callerKey) => {
      return requests.answerWith(caller, await ledger.findRevert(callerKey, jobId), ok(null));
    }),
});

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
    case 'too-many-jobs':
    case 'full':
      return noRoomError(refusal.kind, settings);
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
