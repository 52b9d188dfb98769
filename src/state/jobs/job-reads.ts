import { type RawBuilder, sql } from 'kysely';
import type { SharedOutcome } from '../../domain/articles/article-outcomes.ts';
import type { JobItemOutcome } from '../../domain/articles/article-update-jobs.ts';
import { decodeOutcome, decodeTarget } from '../codec.ts';
import type { LedgerJob, ResultPage, Run } from '../ledger.ts';
import { isAlive } from '../owners.ts';
import { readState, type State, type StateAccess } from '../state-access.ts';
import type { ItemStatus, StateTables } from '../tables/tables.ts';
import { hasEnded, type JobRow, toLedgerJob, toStorableJobId } from './job-rows.ts';

export const findJob = (access: StateAccess, callerKey: string, jobId: string): Promise<LedgerJob | null> =>
  readState(access, async (state) => {
    const row = await selectJob(state, sql`j.job_id = ${toStorableJobId(jobId)} and j.caller_key = ${callerKey}`);
    return row && toLedgerJob(row);
  });

/** The job of a run; null when the process does not run it any more. */
export const selectRun = (state: State, { jobId, owner, number }: Run): Promise<JobRow | null> =>
  selectJob(
    state,
    sql`j.job_id = ${jobId} and j.owner = ${owner} and j.run_number = ${number} and ${isAlive(state, 'j.owner')}`,
  );

async function selectJob({ db }: State, condition: RawBuilder<unknown>): Promise<JobRow | null> {
  const { rows } = await sql<JobRow>`select j.* from article_update_jobs as j where ${condition}`.execute(db);
  return rows[0] ?? null;
}

interface JobPage {
  readonly limit: number;
  readonly after: string | null;
}

export const listJobs = (access: StateAccess, callerKey: string, { limit, after }: JobPage) =>
  readState(access, async ({ db }): Promise<readonly LedgerJob[]> => {
    const isOlder = sql`(j.created_at, j.job_id) < (
      select created_at, job_id from article_update_jobs where job_id = ${after && toStorableJobId(after)} and caller_key = ${callerKey}
    )`;
    const { rows } = await sql<JobRow>`
      select j.* from article_update_jobs as j where j.caller_key = ${callerKey} ${after === null ? sql`` : sql`and ${isOlder}`}
      order by j.created_at desc, j.job_id desc limit ${limit}
    `.execute(db);
    return rows.map(toLedgerJob);
  });

export const countJobs = (access: StateAccess, callerKey: string): Promise<number> =>
  readState(access, async ({ db }) => {
    const { rows } = await sql<{ jobs: number }>`
      select count(*) as jobs from article_update_jobs where caller_key = ${callerKey}
    `.execute(db);
    return rows[0]?.jobs ?? 0;
  });

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
