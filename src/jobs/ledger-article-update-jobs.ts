import type { ItemOutcome, JobCounts } from '../core/articles/article-update-jobs.ts';
import { err, ok } from '../core/base/result.ts';
import { checkClientScope } from '../core/callers/caller.ts';
import { type BackendError, idempotencyConflict, unavailable, validationError } from '../core/errors.ts';
import type { ArticleUpdateJobs } from './article-update-jobs.ts';
import { credentialOf } from './caller-keys.ts';
import type { JobSettings } from './job-context.ts';
import { decodeResultCursor, type JobRequests, NO_JOB, noCursor, noRoomError, pageOf } from './job-requests.ts';
import { createLedgerReverts } from './ledger-reverts.ts';
import type { AppendResult } from './state/ledger.ts';

/** The pause between two looks at a job that another process runs. */
const POLL_MS = 250;

export const createLedgerJobs = (requests: JobRequests): ArticleUpdateJobs => ({
  ...changesOfJobs(requests),
  ...readsOfJobs(requests),
  ...createLedgerReverts(requests),
  close: () => requests.options.runner.close(),
});

const changesOfJobs = (requests: JobRequests): Pick<ArticleUpdateJobs, 'submit' | 'resume' | 'cancel'> => ({
  submit: (caller, part) =>
    requests.answer(caller, { mayBegin: true }, async (ledger, callerKey) => {
      const appended = await requests.add(caller, callerKey, (owned) => ledger.appendPart({ ...part, ...owned }));
      if (appended.kind !== 'appended') return err(submissionError(appended, requests.options.context.settings));
      const fields = { items: part.updates.length };
      return requests.submitted(caller, appended, { message: 'a part of a job was stored', fields });
    }),

  resume: (caller, jobId) =>
    requests.answer(caller, { mayBegin: true, none: NO_JOB }, async (ledger, callerKey) => {
      const { context, credentials, tokens, runner } = requests.options;
      const token = credentialOf(credentials, caller);
      const found = await ledger.findJob(callerKey, jobId);
      const mayPublish = found?.publication ? checkClientScope(caller, 'articles:publish') : ok(undefined);
      if (!mayPublish.ok) return mayPublish;
      tokens.keep(token);
      const run = { owner: context.session.owner, credentialHash: token.credentialHash };
      const job = await ledger.resume(callerKey, jobId, run);
      if (job !== null) runner.wake();
      return requests.answerWith(caller, job, NO_JOB);
    }),

  /**
   * Calls of this process that wait for their connection are taken back. Another process that runs the job may hand such a
   * call to its connection at any moment, so its calls are waited for.
   */
  cancel: (caller, jobId) =>
    requests.answer(caller, { none: NO_JOB }, async (ledger, callerKey) => {
      const { context, runner, sweeper } = requests.options;
      const { clock } = context;
      let job = await ledger.cancel(callerKey, jobId);
      if (job !== null) runner.find(jobId)?.cancel();
      // The next sweep deletes the texts of its items.
      sweeper.hurry();
      runner.wake();
      while (job !== null && job.counts.pending > 0 && runner.find(jobId) === null) {
        const timeLeft = caller.deadline - clock.monotonic();
        if (timeLeft <= 0) return err(unavailable(CALLS_ELSEWHERE));
        await clock.sleep(Math.min(POLL_MS, timeLeft));
        job = await ledger.findJob(callerKey, jobId);
      }
      return requests.answerWith(caller, job, NO_JOB);
    }),
});

const readsOfJobs = (requests: JobRequests): Pick<ArticleUpdateJobs, 'find' | 'list' | 'results'> => ({
  find: (caller, jobId) =>
    requests.answer(caller, { none: ok(null) }, async (ledger, callerKey) => {
      return requests.answerWith(caller, await ledger.findJob(callerKey, jobId), ok(null));
    }),

  list: (caller, page) =>
    requests.answer(caller, { none: ok(NO_JOBS) }, async (ledger, callerKey) => {
      if (page.after != null && (await ledger.findJob(callerKey, page.after)) === null) return err(noCursor());
      const found = await ledger.listJobs(callerKey, { limit: page.limit + 1, after: page.after ?? null });
      const entries = await Promise.all(found.map((job) => requests.toJob(caller, job)));
      const { session } = requests.options.context;
      const totalCount = () => session.answer(caller, false, async (opened) => ok(await opened.countJobs(callerKey)));
      return ok(pageOf(page, entries, { cursorOf: ({ jobId }) => jobId, totalCount }));
    }),

  results: (caller, jobId, { page, outcomes }) =>
    requests.answer(caller, { none: NO_JOB }, async (ledger, callerKey) => {
      const after = decodeResultCursor(page);
      if (!after.ok) return after;
      const job = await ledger.findJob(callerKey, jobId);
      if (job === null) return NO_JOB;
      const entries = await ledger.results(jobId, { limit: page.limit + 1, after: after.value, outcomes });
      const totalCount = async () => ok(countEnded(job.counts, outcomes));
      return ok(pageOf(page, entries, { cursorOf: ({ index }) => `${index}`, totalCount }));
    }),
});

const NO_JOBS = { edges: [], hasNextPage: false, hasPreviousPage: false, totalCount: async () => ok(0) };

const CALLS_ELSEWHERE =
  'The job is cancelled, and another gateway has calls of it under way, which may still begin. Cancel it again to learn when none may.';

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

function submissionError(refusal: Exclude<AppendResult, { kind: 'appended' }>, settings: JobSettings): BackendError {
  switch (refusal.kind) {
    case 'conflict':
      return idempotencyConflict(refusal.indexes.length > 0 ? CONFLICT : OTHER_PUBLICATION, refusal.indexes);
    case 'gap':
      return issue('startIndex', gapMessage(refusal.nextIndex));
    case 'too-many-items':
      return issue('articles', tooManyMessage(settings.maxItems));
    case 'too-many-jobs':
    case 'full':
      return noRoomError(refusal.kind, settings);
  }
}

const issue = (field: string, message: string) => validationError([{ path: [field], message }]);

const tooManyMessage = (maxItems: number): string =>
  `A job may have at most ${maxItems} items (MAX_JOB_ITEMS). Nothing of this part was stored.`;

const gapMessage = (nextIndex: number): string =>
  `startIndex is behind the end of the job: the next part begins at ${nextIndex}. Nothing of this part was stored.`;

const CONFLICT =
  'The idempotency key was used with other items before. The first indexes that differ are listed; items behind the end ' +
  'of a job that is closed differ as well. Nothing of this part was stored.';

const OTHER_PUBLICATION =
  'The idempotency key was used for another revert, or with another name, publish, userId, publishMessage or keepBefore: ' +
  'all parts of a job have the same. ' +
  'Nothing of this part was stored.';
