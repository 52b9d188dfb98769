import { type RawBuilder, sql } from 'kysely';
import { idProblem } from '../../base/text.ts';
import type { ArticleOutcome, SharedOutcome } from '../../domain/articles/article-outcomes.ts';
import type { ItemOutcome, JobItemOutcome, JobState, JobWait } from '../../domain/articles/article-update-jobs.ts';
import { decodeOutcome, decodeTarget, encodeOutcome } from '../codec.ts';
import type { LedgerJob, ResultPage, Run, RunOptions } from '../ledger.ts';
import { addUsage, isAlive, readState, type State, type StateAccess, writeState } from '../state-access.ts';
import type { ItemStatus, StateTables } from '../tables.ts';

export type JobRow = StateTables['article_update_jobs'];

/** A job that is locked until the transaction ends, and the time. */
export type LockedJob = JobRow & { readonly now: number };

const ENDED_STATES: ReadonlySet<JobState> = new Set(['COMPLETED', 'CANCELLED', 'EXPIRED']);

/** True when no item begins any more. Those in flight may still have no outcome. */
export const hasEnded = ({ state }: Pick<JobRow, 'state'>): boolean => ENDED_STATES.has(state);

/** The items that have not begun and have no outcome. */
const pendingItems = (row: JobRow): number =>
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
export const lockRun = (state: State, run: Run): Promise<LockedJob | null> => lockJob(state, isRunBy(state, run));

/** True for the job of a run, as long as the process runs it. */
const isRunBy = (state: State, { jobId, owner, number }: Run) =>
  sql`j.job_id = ${jobId} and j.owner = ${owner} and j.run_number = ${number} and ${isAlive(state, 'j.owner')}`;

const lockJobOfCaller = (state: State, callerKey: string, jobId: string): Promise<LockedJob | null> =>
  lockJob(state, sql`j.job_id = ${toStorableJobId(jobId)} and j.caller_key = ${callerKey}`);

/** Maps IDs of callers that no text column can hold to '', which no job has. */
const toStorableJobId = (jobId: string): string => (idProblem(jobId) === null ? jobId : '');

/**
 * Changes a locked job, as the last statements of a transaction where its bytes change. Once no item is in flight, a job that
 * has ended gets its time, and nobody runs one that is paused.
 */
export async function changeJob(state: State, job: LockedJob, changes: Partial<JobRow>): Promise<LockedJob> {
  const changed = { ...job, ...changes };
  const isIdle = changed.in_flight === 0;
  const isOver = hasEnded(changed) && isIdle && changed.unresolved === 0;
  const stored = {
    ...changes,
    ended_at: isOver ? (job.ended_at ?? job.now) : null,
    owner: changed.state === 'PAUSED' && isIdle ? null : changed.owner,
  };
  await state.db.updateTable('article_update_jobs').set(stored).where('job_id', '=', job.job_id).execute();
  await addUsage(state, new Map([[job.caller_key, changed.bytes - job.bytes]]));
  return { ...changed, ...stored };
}

/** The changes that end a job. The texts of the items that have not begun are deleted by `sweep`. */
const ending = (state: 'COMPLETED' | 'CANCELLED' | 'EXPIRED', rest: SharedOutcome | null): Partial<JobRow> => ({
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

export const findJob = (access: StateAccess, callerKey: string, jobId: string): Promise<LedgerJob | null> =>
  readState(
    access,
    async (state) => {
      const row = await selectJob(state, sql`j.job_id = ${toStorableJobId(jobId)} and j.caller_key = ${callerKey}`);
      return row && toLedgerJob(row);
    },
    { callerKey },
  );

/** The job of a run; null when the process does not run it any more. */
export const selectRun = (state: State, run: Run): Promise<JobRow | null> => selectJob(state, isRunBy(state, run));

async function selectJob({ db }: State, condition: RawBuilder<unknown>): Promise<JobRow | null> {
  const { rows } = await sql<JobRow>`select j.* from article_update_jobs as j where ${condition}`.execute(db);
  return rows[0] ?? null;
}

interface JobPage {
  readonly limit: number;
  readonly after: string | null;
}

export const listJobs = (access: StateAccess, callerKey: string, { limit, after }: JobPage) =>
  readState(
    access,
    async ({ db }): Promise<readonly LedgerJob[]> => {
      const isOlder = sql`(j.created_at, j.job_id) < (
      select created_at, job_id from article_update_jobs where job_id = ${after && toStorableJobId(after)} and caller_key = ${callerKey}
    )`;
      const { rows } = await sql<JobRow>`
      select j.* from article_update_jobs as j where j.caller_key = ${callerKey} ${after === null ? sql`` : sql`and ${isOlder}`}
      order by j.created_at desc, j.job_id desc limit ${limit}
    `.execute(db);
      return rows.map(toLedgerJob);
    },
    { callerKey },
  );

export const countJobs = (access: StateAccess, callerKey: string): Promise<number> =>
  readState(
    access,
    async ({ db }) => {
      const { rows } = await sql<{ jobs: number }>`
      select count(*) as jobs from article_update_jobs where caller_key = ${callerKey}
    `.execute(db);
      return rows[0]?.jobs ?? 0;
    },
    { callerKey },
  );

type ResultRow = Pick<
  StateTables['article_update_job_items'],
  'item_index' | 'article_key' | 'status' | 'target' | 'outcome'
>;

const OUTCOMES = ['UPDATED', 'FAILED', 'UNKNOWN', 'NOT_ATTEMPTED'] as const;

/** Reads a page of each outcome and merges them, so that no item with another outcome is read. */
export const results = (access: StateAccess, jobId: string, { limit, after, outcomes }: ResultPage) =>
  readState(access, async (state): Promise<readonly JobItemOutcome[]> => {
    const job = await selectJob(state, sql`j.job_id = ${jobId}`);
    const statuses = new Set<ItemStatus>(outcomes ?? OUTCOMES);
    if (job === null || statuses.size === 0) return [];
    if (statuses.has('NOT_ATTEMPTED') && hasEnded(job)) statuses.add('PENDING');
    const pages = [...statuses].map(
      (status) => sql`select * from (
        select item_index, article_key, status, target, outcome from article_update_job_items
        where job_id = ${jobId} and status = ${status} and item_index > cast(${after} as bigint)
        order by item_index limit ${limit}
      ) as ${sql.ref(status.toLowerCase())}`,
    );
    const { rows } = await sql<ResultRow>`
      select * from (${sql.join(pages, sql` union all `)}) as pages order by item_index limit ${limit}
    `.execute(state.db);
    return rows.map((row) => toResult(job, row));
  });

function toResult(job: JobRow, { item_index, article_key, status, target: text, outcome }: ResultRow): JobItemOutcome {
  const encoded = outcome ?? job.rest_outcome;
  if (encoded === null) throw new Error('An item that has ended has no outcome.');
  const decoded = decodeOutcome(encoded);
  const shared = decoded.ok ? decoded.value : unreadableOutcome(status, decoded.error);
  const decodedTarget = decodeTarget(text);
  const target = decodedTarget.ok ? decodedTarget.value : { articleId: article_key };
  return { index: item_index, outcome: { ...shared, articleId: target.articleId }, target };
}

/** The status tells how the item has ended where the rest can't be read. */
function unreadableOutcome(status: ItemStatus, reason: string): SharedOutcome {
  const details = `How the item ended is known, and the gateway cannot read the details that it kept. ${reason}`;
  switch (status) {
    case 'UPDATED':
      return { kind: 'updated', details };
    case 'FAILED':
      return { kind: 'failed', details };
    case 'UNKNOWN':
      return { kind: 'unknown', details };
    case 'NOT_ATTEMPTED':
    case 'PENDING':
    case 'IN_FLIGHT':
      return { kind: 'not-attempted', details, reason: 'REJECTED', retryAfterSeconds: null };
  }
}

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
  writeState(
    access,
    async (state) => {
      const job = await lockJobOfCaller(state, callerKey, jobId);
      if (job === null) return null;
      return toLedgerJob(hasEnded(job) ? job : await changeJob(state, job, ending('CANCELLED', CANCELLED)));
    },
    { callerKey },
  );

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
  writeState(
    access,
    async (state): Promise<LedgerJob | null> => {
      const job = await lockJobOfCaller(state, callerKey, jobId);
      if (job === null) return null;
      if (job.state !== 'PAUSED' || job.binding_key !== bindingKey) return toLedgerJob(job);
      return toLedgerJob(await changeJob(state, job, { state: 'RUNNING', owner, run_number: job.run_number + 1 }));
    },
    { callerKey },
  );

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
