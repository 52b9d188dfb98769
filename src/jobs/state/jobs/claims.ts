import { type RawBuilder, sql } from 'kysely';
import type { SharedOutcome } from '../../../core/articles/article-outcomes.ts';
import { decodeOutcome, encodeOutcome } from '../../../core/writes/codec.ts';
import type { ItemPhase, LedgerClaim, LedgerJob, Run } from '../ledger.ts';
import { firstRow, hasHeartbeat, readState, type State, type StateAccess, writeState } from '../state-access.ts';
import { type JobRow, PHASES } from '../tables.ts';
import { ITEMS_PER_STATEMENT, SELECTED_COLUMNS, type SelectedItem, setOutcomes } from './items.ts';
import { changeJob, hasEnded, type LockedJob, lockJob, toLedgerJob } from './jobs.ts';

/** The most jobs of one claim. The next claim finds the others. */
const MAX_JOBS = 100;

/**
 * How long an unattended job waits for a process with its credential, in milliseconds, before it is paused.
 *
 * @internal
 */
export const UNATTENDED_WAIT_MS = 15_000;

const UNKNOWN_OUTCOME: SharedOutcome = {
  kind: 'unknown',
  details: 'The process that sent this item ended before the outcome was recorded. It is not sent again.',
};

type ClaimedRun = Run & { readonly job: LedgerJob };

/** Takes over jobs that no running process has. */
export async function claimJobs(access: StateAccess, claim: LedgerClaim): Promise<readonly ClaimedRun[]> {
  const { owner } = claim;
  const own = await readState(access, (state) => selectActive(state, sql`j.owner = ${owner}`));
  const left = await readState(access, (state) => selectActive(state, isLeftFor(state, claim)));
  const missed = own.filter((job) => !isHeld(claim, job));
  const claimed: ClaimedRun[] = [];
  for (const { job_id } of [...missed, ...left]) {
    const job = await writeState(access, (state) => takeOver(state, job_id, claim));
    if (job !== null) claimed.push({ jobId: job_id, owner, number: job.run_number, job: toLedgerJob(job) });
  }
  return claimed;
}

type ActiveJob = Pick<JobRow, 'job_id' | 'run_number'>;

const isHeld = ({ held }: LedgerClaim, job: ActiveJob): boolean =>
  held.some(({ jobId, number }) => jobId === job.job_id && number === job.run_number);

/** True for jobs with work left, by the index `article_update_jobs_active`. */
const isActive = sql`(j.state = 'RUNNING' or j.in_flight > 0 or (j.unresolved > 0 and j.state <> 'PAUSED'))`;

/** The jobs with work left for which the condition holds, in the order that it names. */
async function selectActive({ db }: State, condition: RawBuilder<unknown>): Promise<readonly ActiveJob[]> {
  const { rows } = await sql<ActiveJob>`
    select j.job_id, j.run_number from article_update_jobs as j where ${isActive} and ${condition}
  `.execute(db);
  return rows;
}

/** True for jobs that no running process has, and that this claim takes over or pauses: the oldest ones. */
function isLeftFor(state: State, { owner, credentialHashes }: LedgerClaim) {
  const rows = Array.from(Iterator.from(credentialHashes.keys()), (key) => ({ key }));
  const keys = state.dialect.jsonTable({ alias: 'k', rows, columns: { key: 'text' } });
  return sql`(j.owner is null or (j.owner <> ${owner} and not ${hasHeartbeat(state, sql`j.owner`)}))
    and (j.in_flight > 0 or ${needsProcess(state)} or j.binding_key in (select k.key from ${keys}))
    order by j.created_at limit ${MAX_JOBS}`;
}

/** True for jobs that are to be paused, or given up where they have ended, unless this process takes them over. */
const needsProcess = ({ clock }: State) => {
  const latest = sql`${clock} - cast(${UNATTENDED_WAIT_MS} as bigint)`;
  return sql`(j.goes_on_alone = 0 or (j.owner is null and j.changed_at <= ${latest}) or (j.owner is not null
    and not exists (select 1 from job_owners as o where o.owner = j.owner and o.alive_until > ${latest})))`;
};

/** Takes over a job whose credential the owner has. Another one is paused, or given up where it has ended. */
async function takeOver(state: State, jobId: string, claim: LedgerClaim): Promise<LockedJob | null> {
  const isLeft = sql`(j.owner is null or j.owner = ${claim.owner} or not ${hasHeartbeat(state, sql`j.owner`)})`;
  const found = await lockJob(
    state,
    sql`j.job_id = ${jobId} and ${isLeft} and ${isActive} and ${hasHeartbeat(state, sql`${claim.owner}`)}`,
  );
  if (found === null || (found.owner === claim.owner && isHeld(claim, found))) return null;
  const job = await loseItemsInFlight(state, found);
  const run_number = job.run_number + 1;
  const hasWork = job.state === 'RUNNING' || (hasEnded(job) && job.unresolved > 0);
  if (hasWork && claim.credentialHashes.has(job.binding_key)) {
    return changeJob(state, job, { owner: claim.owner, run_number, waiting_for: null });
  }
  const isRunnable = sql`select 1 from article_update_jobs as j where j.job_id = ${jobId} and ${needsProcess(state)}`;
  const givesUp = (await firstRow(state, isRunnable)) !== null;
  const readsNoMore = givesUp && hasEnded(job);
  const freed = readsNoMore ? await giveUpUnknownItems(state, job) : 0;
  await changeJob(state, job, {
    owner: null,
    run_number,
    waiting_for: null,
    ...(job.state !== 'PAUSED' && { changed_at: job.now }),
    ...(givesUp && job.state === 'RUNNING' && { state: 'PAUSED' }),
    ...(readsNoMore && { unresolved: 0, bytes: job.bytes - freed }),
  });
  return null;
}

/** Makes the items in flight unknown, or their publications, since their calls may have been made. */
async function loseItemsInFlight(state: State, job: LockedJob): Promise<LockedJob> {
  if (job.in_flight === 0) return job;
  const lose = async (phase: ItemPhase, outcome: RawBuilder<unknown>) => {
    const { begun, unknown } = PHASES[phase];
    const { rows } = await sql`
      update article_update_job_items set status = ${unknown}, outcome = ${outcome}
      where job_id = ${job.job_id} and status = ${begun} returning item_index
    `.execute(state.db);
    return rows.length;
  };
  const forks = await lose('fork', sql`${encodeOutcome(UNKNOWN_OUTCOME)}`);
  const updates = await lose('update', sql`${encodeOutcome(UNKNOWN_OUTCOME)}`);
  // The outcome of the update stays.
  const publications = await lose('publication', sql`outcome`);
  return changeJob(state, job, {
    in_flight: 0,
    unknown: job.unknown + forks + updates,
    updated: job.updated + publications,
    unresolved: job.unresolved + forks + updates + publications,
  });
}

/** Ends the unknown items that nobody can read back, since the job has ended and its token is gone. */
async function giveUpUnknownItems(state: State, job: LockedJob): Promise<number> {
  await sql`
    update article_update_job_items set status = 'UPDATED' where job_id = ${job.job_id} and status = 'PUBLICATION_UNKNOWN'
  `.execute(state.db);
  await sql`
    update article_update_job_items set status = 'UNKNOWN' where job_id = ${job.job_id} and status = 'FORK_UNKNOWN'
  `.execute(state.db);
  for (let freed = 0; ; ) {
    const { rows } = await sql<SelectedItem & { readonly outcome: string }>`
      select ${SELECTED_COLUMNS}, outcome from article_update_job_items
      where job_id = ${job.job_id} and status = 'UNKNOWN' and input_bytes > 0 limit ${ITEMS_PER_STATEMENT}
    `.execute(state.db);
    if (rows.length === 0) return freed;
    const changes = rows.map((item) => {
      const before = decodeOutcome(item.outcome);
      const { details } = before.ok ? before.value : UNKNOWN_OUTCOME;
      const outcome = { kind: 'unknown', articleId: '', details, readBack: 'NOT_READABLE' } as const;
      return { item, outcome, status: 'UNKNOWN', keepsText: false } as const;
    });
    await setOutcomes(state, job, changes);
    freed += rows.reduce((sum, { input_bytes }) => sum + input_bytes, 0);
  }
}
