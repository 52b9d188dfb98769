import { type RawBuilder, sql } from 'kysely';
import { idProblem } from '../../base/text.ts';
import type { ArticleOutcome, SharedOutcome } from '../../domain/articles/article-outcomes.ts';
import type { ItemOutcome, JobState } from '../../domain/articles/article-update-jobs.ts';
import { encodeOutcome } from '../codec.ts';
import type { LedgerJob, Run } from '../ledger.ts';
import { isAlive } from '../owners.ts';
import type { State } from '../state-access.ts';
import type { StateTables } from '../tables/tables.ts';

export type JobRow = StateTables['article_update_jobs'];

/** A job that is locked until the transaction ends, and the time. */
export type LockedJob = JobRow & { readonly now: number };

const ENDED_STATES: ReadonlySet<JobState> = new Set(['COMPLETED', 'CANCELLED', 'EXPIRED']);

/** True when no item begins any more. Those in flight may still have no outcome. */
export const hasEnded = ({ state }: Pick<JobRow, 'state'>): boolean => ENDED_STATES.has(state);

/** The items that have not begun and have no outcome. */
export const pendingItems = (row: JobRow): number =>
  row.total - row.in_flight - row.updated - row.failed - row.unknown - row.not_attempted;

export function toLedgerJob(row: JobRow): LedgerJob {
  const rest = pendingItems(row);
  const isOver = hasEnded(row);
  return {
    jobId: row.job_id,
    callerKey: row.caller_key,
    bindingKey: row.binding_key,
    goesOnAlone: row.goes_on_alone === 1,
    state: row.state,
    waitingFor: row.waiting_for,
    counts: {
      total: row.total,
      pending: row.in_flight + (isOver ? 0 : rest),
      updated: row.updated,
      failed: row.failed,
      unknown: row.unknown,
      notAttempted: row.not_attempted + (isOver ? rest : 0),
    },
    createdAt: row.created_at,
    endedAt: row.ended_at,
  };
}

/** Locks the job for which the condition is true; null when there is none. */
export async function lockJob(state: State, condition: RawBuilder<unknown>): Promise<LockedJob | null> {
  const { db, dialect, clock } = state;
  const { rows } = await sql<LockedJob>`
    select j.*, ${clock} as now from article_update_jobs as j where ${condition} ${dialect.rowLock ?? sql``}
  `.execute(db);
  return rows[0] ?? null;
}

/** Locks the job of a run, unless the process does not run it any more. */
export const lockRun = (state: State, { jobId, owner, number }: Run): Promise<LockedJob | null> =>
  lockJob(
    state,
    sql`j.job_id = ${jobId} and j.owner = ${owner} and j.run_number = ${number} and ${isAlive(state, 'j.owner')}`,
  );

export const lockJobOfCaller = (state: State, callerKey: string, jobId: string): Promise<LockedJob | null> =>
  lockJob(state, sql`j.job_id = ${toStorableJobId(jobId)} and j.caller_key = ${callerKey}`);

/** Maps IDs of callers that no text column can hold to '', which no job has. */
export const toStorableJobId = (jobId: string): string => (idProblem(jobId) === null ? jobId : '');

/**
 * Changes a locked job. Once no item is in flight, a job that has ended gets its time, and nobody runs one that is
 * paused.
 */
export async function changeJob({ db }: State, job: LockedJob, changes: Partial<JobRow>): Promise<LockedJob> {
  const changed = { ...job, ...changes };
  const isIdle = changed.in_flight === 0;
  const isOver = hasEnded(changed) && isIdle && changed.unresolved === 0;
  const settled = {
    ...changes,
    ended_at: isOver ? (job.ended_at ?? job.now) : null,
    owner: changed.state === 'PAUSED' && isIdle ? null : changed.owner,
  };
  await db.updateTable('article_update_jobs').set(settled).where('job_id', '=', job.job_id).execute();
  return { ...changed, ...settled };
}

/** The changes that end a job. The texts of the items that have not begun are deleted by `sweep`. */
export const ending = (state: 'COMPLETED' | 'CANCELLED' | 'EXPIRED', rest: SharedOutcome | null): Partial<JobRow> => ({
  state,
  waiting_for: null,
  rest_outcome: rest === null ? null : encodeOutcome(rest),
  text_cursor: rest === null ? null : 0,
});

export const OUTCOMES_BY_KIND = {
  updated: 'UPDATED',
  failed: 'FAILED',
  unknown: 'UNKNOWN',
  'not-attempted': 'NOT_ATTEMPTED',
} as const satisfies Record<ArticleOutcome['kind'], ItemOutcome>;
