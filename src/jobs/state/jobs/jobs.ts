import { type RawBuilder, sql } from 'kysely';
import type { ArticleOutcome, NotAttemptedReason, SharedOutcome } from '../../../core/articles/article-outcomes.ts';
import type { ItemOutcome, JobItemOutcome, JobState, JobWait } from '../../../core/articles/article-update-jobs.ts';
import { toDraft, withDraft } from '../../../core/articles/forks.ts';
import { idProblem } from '../../../core/base/text.ts';
import { decodeItemFork, decodeOutcome, decodeTarget, encodeOutcome } from '../../../core/writes/codec.ts';
import type { JobPage, LedgerJob, ResultPage, Run, RunOptions } from '../ledger.ts';
import { addUsage, firstRow, hasHeartbeat, type State, type StateAccess, writeState } from '../state-access.ts';
import { ITEM_STATES, type ItemRow, type ItemStatus, type JobRow } from '../tables.ts';

/** A job that is locked until the transaction ends, with the time of the ledger. */
export type LockedJob = JobRow & { readonly now: number };

const ENDED_STATES: ReadonlySet<JobState> = new Set(['COMPLETED', 'CANCELLED', 'EXPIRED']);

/** True where no item begins any more, while items in flight may still have no outcome. */
export const hasEnded = ({ state }: Pick<JobRow, 'state'>): boolean => ENDED_STATES.has(state);

const pendingItems = (row: JobRow): number =>
  row.total - row.in_flight - row.to_publish - row.updated - row.failed - row.unknown - row.not_attempted;

export function toLedgerJob(row: JobRow): LedgerJob {
  const rest = pendingItems(row);
  const isOver = hasEnded(row);
  return {
    jobId: row.job_id,
    name: row.name,
    credentialHash: row.binding_key,
    ...(row.publish_user_id !== null && { publication: { userId: row.publish_user_id, message: row.publish_message } }),
    keepBefore: row.keep_before,
    ...(row.if_published !== 'UPDATE' && { ifPublished: { kind: row.if_published, userId: row.fork_user_id } }),
    revertOf: row.revert_of,
    isCopying: row.copied_from !== null,
    withTexts: row.with_texts,
    restorable: row.restorable,
    state: row.state,
    waitingFor: row.waiting_for,
    counts: {
      total: row.total,
      pending: row.in_flight + (isOver ? 0 : rest + row.to_publish),
      updated: row.updated + (isOver ? row.to_publish : 0),
      failed: row.failed,
      unknown: row.unknown,
      notAttempted: row.not_attempted + (isOver ? rest : 0),
    },
    createdAt: row.created_at,
    endedAt: row.ended_at,
  };
}

export const lockJob = (state: State, condition: RawBuilder<unknown>): Promise<LockedJob | null> =>
  selectJob(state, sql`${condition} ${state.dialect.rowLock ?? sql``}`);

const selectJob = (state: State, condition: RawBuilder<unknown>): Promise<LockedJob | null> =>
  firstRow(state, sql<LockedJob>`select j.*, ${state.clock} as now from article_update_jobs as j where ${condition}`);

export const isRunBy = (state: State, { jobId, owner, number }: Run) =>
  sql`j.job_id = ${jobId} and j.owner = ${owner} and j.run_number = ${number} and ${hasHeartbeat(state, sql`j.owner`)}`;

export const isJobOf = (callerKey: string, jobId: string) =>
  sql`j.job_id = ${toStorableJobId(jobId)} and j.caller_key = ${callerKey}`;

/** Maps IDs of callers that no text column can hold to '', which no job has. */
const toStorableJobId = (jobId: string): string => (idProblem(jobId) === null ? jobId : '');

/** Changes the job of a run; false where the process no longer runs it. */
export const changeRun = <T>(
  access: StateAccess,
  run: Run,
  change: (state: State, job: LockedJob) => Promise<T>,
): Promise<T | false> =>
  writeState(access, async (state) => {
    const job = await lockJob(state, isRunBy(state, run));
    return job !== null && change(state, job);
  });

export const changeJobOf = (
  access: StateAccess,
  { callerKey, jobId }: { readonly callerKey: string; readonly jobId: string },
  change: (state: State, job: LockedJob) => Promise<LockedJob>,
) =>
  writeState(
    access,
    async (state): Promise<LedgerJob | null> => {
      const job = await lockJob(state, isJobOf(callerKey, jobId));
      return job && toLedgerJob(await change(state, job));
    },
    { callerKey },
  );

/**
 * Changes a locked job. Where its bytes change, this must be the last statement of a transaction (`addUsage`). Once no item is
 * in flight, an ended job gets the time of its end, and a paused one has no owner.
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
  await addUsage(state, [[job.caller_key, changed.bytes - job.bytes]]);
  const now = { ...changed, ...stored };
  const line = lineAfter(job, now);
  if (line !== null) state.lines.push(line);
  return now;
}

function lineAfter(before: LockedJob, after: LockedJob): State['lines'][number] | null {
  const { jobId, counts, createdAt, endedAt } = toLedgerJob(after);
  if (before.state === 'OPEN' && after.state === 'RUNNING')
    return { message: 'a job has begun', fields: { jobId, items: counts.total } };
  if (before.ended_at !== null || endedAt === null) return null;
  const { pending: _, total: items, ...outcomes } = counts;
  return {
    message: 'a job has ended',
    fields: { jobId, state: after.state, items, ...outcomes, ms: endedAt - createdAt },
  };
}

/** The changes that end a job. A sweep deletes the texts of the items that have not begun. */
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

export async function findJob(state: State, callerKey: string, jobId: string): Promise<LedgerJob | null> {
  const job = await selectJob(state, isJobOf(callerKey, jobId));
  return job && toLedgerJob(job);
}

export async function findRun(state: State, run: Run): Promise<LedgerJob | null> {
  const job = await selectJob(state, isRunBy(state, run));
  return job && toLedgerJob(job);
}

export async function listJobs({ db }: State, callerKey: string, { limit, after }: JobPage) {
  const isOlder = sql`(j.created_at, j.job_id) < (
    select created_at, job_id from article_update_jobs where job_id = ${after && toStorableJobId(after)} and caller_key = ${callerKey}
  )`;
  const { rows } = await sql<JobRow>`
    select j.* from article_update_jobs as j where j.caller_key = ${callerKey} ${after === null ? sql`` : sql`and ${isOlder}`}
    order by j.created_at desc, j.job_id desc limit ${limit}
  `.execute(db);
  return rows.map(toLedgerJob);
}

/** Counts jobs of a caller: all of them, or those that have not ended. */
export async function countJobs(state: State, callerKey: string, which: 'all' | 'not ended' = 'all'): Promise<number> {
  const row = await firstRow(
    state,
    sql<{ jobs: number }>`
      select count(*) as jobs from article_update_jobs
      where caller_key = ${callerKey} ${which === 'all' ? sql`` : sql`and ended_at is null`}
    `,
  );
  return row?.jobs ?? 0;
}

type ResultRow = Pick<ItemRow, 'item_index' | 'article_key' | 'status' | 'target' | 'outcome' | 'fork'>;

const OUTCOMES = ['UPDATED', 'FAILED', 'UNKNOWN', 'NOT_ATTEMPTED'] as const;

/** A page of ended items. It reads a page of each outcome and merges them, so that no item with another outcome is read. */
export async function results(
  state: State,
  jobId: string,
  { limit, after, outcomes }: ResultPage,
): Promise<readonly JobItemOutcome[]> {
  const job = await selectJob(state, sql`j.job_id = ${jobId}`);
  const statuses = new Set<ItemStatus>(outcomes ?? OUTCOMES);
  if (job === null || statuses.size === 0) return [];
  if (statuses.has('NOT_ATTEMPTED') && hasEnded(job)) statuses.add('PENDING').add('TO_FORK');
  if (statuses.has('UNKNOWN')) statuses.add('FORK_UNKNOWN');
  if (statuses.has('UPDATED') && job.publish_user_id !== null) {
    statuses.add('PUBLICATION_UNKNOWN');
    if (hasEnded(job)) statuses.add('TO_PUBLISH');
  }
  const pages = [...statuses].map(
    (status) => sql`select * from (
      select item_index, article_key, status, target, outcome, fork from article_update_job_items
      where job_id = ${jobId} and status = ${status} and item_index > cast(${after} as bigint)
      order by item_index limit ${limit}
    ) as ${sql.ref(status.toLowerCase())}`,
  );
  const { rows } = await sql<ResultRow>`
    select * from (${sql.join(pages, sql` union all `)}) as pages order by item_index limit ${limit}
  `.execute(state.db);
  return rows.map((row) => toResult(job, row));
}

function toResult(
  job: JobRow,
  { item_index, article_key, status, target: text, outcome, fork }: ResultRow,
): JobItemOutcome {
  const encoded = outcome ?? job.rest_outcome;
  if (encoded === null) throw new Error('An item that has ended has no outcome.');
  const decoded = decodeOutcome(encoded);
  const read = decoded.ok ? decoded.value : unreadableOutcome(status, decoded.error);
  const hasPublication = job.publish_user_id === null || read.kind !== 'updated' || read.publication !== undefined;
  const shared = hasPublication
    ? read
    : { ...read, ...UNRECORDED_PUBLICATIONS[status === 'TO_PUBLISH' ? status : 'UNKNOWN'] };
  const decodedTarget = decodeTarget(text);
  const target = decodedTarget.ok ? decodedTarget.value : { articleId: article_key };
  const draft = fork === null ? null : decodeItemFork(fork);
  const draftVersionNumber = draft?.ok ? draft.value.draftVersionNumber : undefined;
  const ended = { ...shared, articleId: target.articleId };
  return {
    index: item_index,
    outcome: draftVersionNumber === undefined ? ended : withDraft(ended, draftVersionNumber),
    target: draft?.ok ? toDraft(target, draft.value) : target,
  };
}

/** The publication of an item whose publication has no recorded outcome. */
const UNRECORDED_PUBLICATIONS = {
  TO_PUBLISH: {
    publication: 'NOT_ATTEMPTED',
    details: 'The article was updated. The job ended before it was published.',
  },
  UNKNOWN: {
    publication: 'UNKNOWN',
    details:
      'The process that published this article ended before the outcome was recorded. It is not published again.',
  },
} as const;

/** The outcome by the status alone, where the recorded one can't be decoded. */
function unreadableOutcome(status: ItemStatus, reason: string): SharedOutcome {
  const details = `How the item ended is known, and the gateway cannot read the details that it kept. ${reason}`;
  const kind = ITEM_STATES[status].outcome;
  return kind === null ? notAttempted(details, 'REJECTED') : { kind, details };
}

/** The outcome of items that were not sent. */
export const notAttempted = (details: string, reason: NotAttemptedReason): SharedOutcome => ({
  kind: 'not-attempted',
  details,
  reason,
  retryAfterSeconds: null,
});

const CANCELLED = notAttempted('The job was cancelled before this item was sent.', 'CANCELLED');
const PAUSED_FOR_TOO_LONG = notAttempted('The job was paused for too long, and then cancelled.', 'CANCELLED');
const OPEN_FOR_TOO_LONG = notAttempted('The job was left open for too long. Nothing of it was sent.', 'OUT_OF_TIME');

export const cancelJob = async (state: State, job: LockedJob): Promise<LockedJob> =>
  hasEnded(job) ? job : changeJob(state, job, ending('CANCELLED', CANCELLED));

export const cancelPausedJob = (state: State, job: LockedJob): Promise<LockedJob> =>
  changeJob(state, job, ending('CANCELLED', PAUSED_FOR_TOO_LONG));

export const expireJob = (state: State, job: LockedJob): Promise<LockedJob> =>
  changeJob(state, job, ending('EXPIRED', OPEN_FOR_TOO_LONG));

/** Lets the owner run a paused job. The run that has paused it changes nothing any more, and its items in flight become unknown. */
export const resumeJob = async (
  state: State,
  job: LockedJob,
  { owner, credentialHash }: RunOptions,
): Promise<LockedJob> =>
  job.state === 'PAUSED' && job.binding_key === credentialHash
    ? changeJob(state, job, { state: 'RUNNING', owner, run_number: job.run_number + 1 })
    : job;

/** Gives up the job, so that another process can take it over. */
export async function releaseJob(state: State, job: LockedJob): Promise<true> {
  // The job has no owner from this time on. A paused one keeps the time of its pause.
  await changeJob(state, job, { owner: null, ...(job.state !== 'PAUSED' && { changed_at: job.now }) });
  return true;
}

export async function setWaiting(state: State, job: LockedJob, waiting_for: JobWait | null): Promise<true> {
  if (job.state === 'RUNNING' && job.waiting_for !== waiting_for) await changeJob(state, job, { waiting_for });
  return true;
}

/** Pauses the job. Its run keeps it until the outcomes of the items in flight are recorded. */
export async function pauseJob(state: State, job: LockedJob): Promise<boolean> {
  if (hasEnded(job)) return false;
  if (job.state !== 'PAUSED') await changeJob(state, job, { state: 'PAUSED', waiting_for: null, changed_at: job.now });
  return true;
}

/** Ends the job, with an outcome for the items that have not begun; null where there are none. */
export async function endJob(state: State, job: LockedJob, rest: SharedOutcome | null): Promise<true> {
  if (hasEnded(job)) return true;
  if (rest === null && (job.copied_from !== null || pendingItems(job) + job.in_flight + job.to_publish > 0)) {
    throw new Error('A job that has items without an outcome is not completed.');
  }
  await changeJob(state, job, ending('COMPLETED', rest));
  return true;
}
