import type { SharedOutcome } from '../../domain/articles/article-outcomes.ts';
import type { JobWait } from '../../domain/articles/article-update-jobs.ts';
import type { LedgerJob, Run, RunOptions } from '../ledger.ts';
import { type State, type StateAccess, writeState } from '../state-access.ts';
import {
  changeJob,
  ending,
  hasEnded,
  type LockedJob,
  lockJobOfCaller,
  lockRun,
  pendingItems,
  toLedgerJob,
} from './job-rows.ts';

const notAttempted = (details: string, reason: 'CANCELLED' | 'OUT_OF_TIME'): SharedOutcome => ({
  kind: 'not-attempted',
  details,
  reason,
  retryAfterSeconds: null,
});

const CANCELLED = notAttempted('The job was cancelled before this item was sent.', 'CANCELLED');
const PAUSED_FOR_TOO_LONG = notAttempted('The job was paused for too long, and then cancelled.', 'CANCELLED');
const OPEN_FOR_TOO_LONG = notAttempted('The job was left open for too long. Nothing of it was sent.', 'OUT_OF_TIME');

export const cancelJob = (access: StateAccess, callerKey: string, jobId: string): Promise<LedgerJob | null> =>
  writeState(access, async (state) => {
    const job = await lockJobOfCaller(state, callerKey, jobId);
    if (job === null) return null;
    return toLedgerJob(hasEnded(job) ? job : await changeJob(state, job, ending('CANCELLED', CANCELLED)));
  });

export const cancelPausedJob = (state: State, job: LockedJob): Promise<LockedJob> =>
  changeJob(state, job, ending('CANCELLED', PAUSED_FOR_TOO_LONG));

export const expireJob = (state: State, job: LockedJob): Promise<LockedJob> =>
  changeJob(state, job, ending('EXPIRED', OPEN_FOR_TOO_LONG));

interface Resumption extends RunOptions {
  readonly callerKey: string;
  readonly jobId: string;
}

/** The new number shuts out the run that paused the job. Its items in flight become unknown by the next claim. */
export const resumeJob = (access: StateAccess, { callerKey, jobId, owner, bindingKey }: Resumption) =>
  writeState(access, async (state): Promise<LedgerJob | null> => {
    const job = await lockJobOfCaller(state, callerKey, jobId);
    if (job === null) return null;
    if (job.state !== 'PAUSED' || job.binding_key !== bindingKey) return toLedgerJob(job);
    return toLedgerJob(await changeJob(state, job, { state: 'RUNNING', owner, run_number: job.run_number + 1 }));
  });

/** Changes the job of a run; false when the process does not run it any more. */
const changeRun = (access: StateAccess, run: Run, change: (state: State, job: LockedJob) => Promise<boolean>) =>
  writeState(access, async (state) => {
    const job = await lockRun(state, run);
    return job === null ? false : change(state, job);
  });

export const releaseJob = (access: StateAccess, run: Run): Promise<boolean> =>
  changeRun(access, run, async (state, job) => {
    // The time since when nobody runs it. That of a pause stays.
    await changeJob(state, job, { owner: null, ...(job.state !== 'PAUSED' && { changed_at: job.now }) });
    return true;
  });

export const setWaiting = (access: StateAccess, run: Run, waiting_for: JobWait | null): Promise<boolean> =>
  changeRun(access, run, async (state, job) => {
    if (job.state === 'RUNNING' && job.waiting_for !== waiting_for) await changeJob(state, job, { waiting_for });
    return true;
  });

/** The run keeps the job until the outcomes of its items in flight are recorded. */
export const pauseJob = (access: StateAccess, run: Run): Promise<boolean> =>
  changeRun(access, run, async (state, job) => {
    if (hasEnded(job)) return false;
    if (job.state === 'PAUSED') return true;
    await changeJob(state, job, { state: 'PAUSED', waiting_for: null, changed_at: job.now });
    return true;
  });

export const endJob = (access: StateAccess, run: Run, rest: SharedOutcome | null): Promise<boolean> =>
  changeRun(access, run, async (state, job) => {
    if (hasEnded(job)) return true;
    if (rest === null && pendingItems(job) + job.in_flight > 0) {
      throw new Error('A job that has items without an outcome is not completed.');
    }
    await changeJob(state, job, ending('COMPLETED', rest));
    return true;
  });
