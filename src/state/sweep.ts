import { type RawBuilder, sql } from 'kysely';
import { changeJob, type LockedJob, lockJob } from './jobs/job-rows.ts';
import { cancelPausedJob, expireJob } from './jobs/job-states.ts';
import { deleteTexts, ITEMS_PER_STATEMENT, type SelectedItem } from './jobs/run-items.ts';
import { sweepServices } from './services.ts';
import { type State, type StateAccess, writeState } from './state-access.ts';
import { addUsage, ROW_BYTES } from './usage.ts';

/** The most jobs that one sweep changes in each way. */
const MAX_JOBS = 50;

/** The most bytes of texts that are deleted at one time. SQLite keeps the event loop for about 150 ms with so many. */
const MAX_DELETED_BYTES = 32_000_000;

/** How long an owner is remembered after its end, in milliseconds. */
const OWNER_KEEP_MS = 24 * 60 * 60_000;

interface Keep {
  readonly openMs: number;
  readonly keepMs: number;
}

/** Does a bounded part of what is to be done. True where more is left. */
export async function sweepState(access: StateAccess, { openMs, keepMs }: Keep): Promise<boolean> {
  const run = (step: (state: State) => Promise<boolean>) => writeState(access, step);
  const more = [
    await run((state) => changeJobs(state, isIdle(state, 'OPEN', openMs), expireJob)),
    await run((state) => changeJobs(state, isIdle(state, 'PAUSED', keepMs), cancelPausedJob)),
    await run(deleteTextsLeft),
    await run((state) => changeJobs(state, isKeptNoLonger(state, keepMs), hideJob)),
    await run(deleteItems),
    await run((state) => deleteKeys(state, keepMs)),
    await run(forgetOwners),
    await run((state) => sweepServices(state, keepMs)),
  ];
  return more.includes(true);
}

const isIdle = ({ clock }: State, name: 'OPEN' | 'PAUSED', forMs: number) =>
  sql`j.state = ${name} and j.ended_at is null and j.changed_at <= ${clock} - cast(${forMs} as bigint)`;

const isKeptNoLonger = ({ clock }: State, keepMs: number) =>
  sql`j.ended_at is not null and j.ended_at <= ${clock} - cast(${keepMs} as bigint) and j.caller_key <> ''`;

/** Changes jobs for which the condition is true, be it also after they are locked. */
async function changeJobs(
  state: State,
  condition: RawBuilder<unknown>,
  change: (state: State, job: LockedJob) => Promise<unknown>,
): Promise<boolean> {
  const ids = await selectJobIds(state, condition, MAX_JOBS);
  for (const id of ids) {
    const job = await lockJob(state, sql`j.job_id = ${id} and ${condition}`);
    if (job !== null) await change(state, job);
  }
  return ids.length === MAX_JOBS;
}

/** The IDs in their order, so that two processes lock jobs in the same order. */
async function selectJobIds({ db }: State, condition: RawBuilder<unknown>, limit: number): Promise<readonly string[]> {
  const { rows } = await sql<{ job_id: string }>`
    select j.job_id from article_update_jobs as j where ${condition} order by j.job_id limit ${limit}
  `.execute(db);
  return rows.map(({ job_id }) => job_id);
}

/** Takes the job from its caller, who may use the key again. Its items are deleted afterwards, some at a time. */
const hideJob = (state: State, job: LockedJob) =>
  changeJob(state, job, {
    ...{ caller_key: '', idempotency_key: job.job_id },
    ...{ owner: null, run_number: job.run_number + 1 },
    ...{ text_cursor: null, unresolved: 0 },
  });

/** Deletes texts of items that had not begun when their job ended. */
async function deleteTextsLeft(state: State): Promise<boolean> {
  const [id] = await selectJobIds(state, sql`j.text_cursor is not null`, 1);
  if (id === undefined) return false;
  const job = await lockJob(state, sql`j.job_id = ${id} and j.text_cursor is not null`);
  if (job === null) return true;
  const { rows } = await sql<SelectedItem>`
    select item_index, status, input_bytes from article_update_job_items
    where job_id = ${id} and status = 'PENDING' and item_index >= ${job.text_cursor}
    order by item_index limit ${ITEMS_PER_STATEMENT}
  `.execute(state.db);
  const items = deletedTogether(rows);
  const last = items.at(-1);
  await changeJob(state, job, { text_cursor: last ? last.item_index + 1 : null });
  if (last !== undefined) await addUsage(state, -(await deleteTexts(state, id, items)));
  return true;
}

/** The first of the items, until their texts are too long together. */
function deletedTogether(items: readonly SelectedItem[]): readonly SelectedItem[] {
  let bytes = 0;
  const end = items.findIndex(({ input_bytes }, position) => {
    bytes += input_bytes;
    return position > 0 && bytes > MAX_DELETED_BYTES;
  });
  return end === -1 ? items : items.slice(0, end);
}

async function deleteItems(state: State): Promise<boolean> {
  const [id] = await selectJobIds(state, sql`j.caller_key = ''`, 1);
  if (id === undefined) return false;
  const job = await lockJob(state, sql`j.job_id = ${id}`);
  if (job === null) return true;
  const { rows } = await sql<{ input_bytes: number }>`
    delete from article_update_job_items where job_id = ${id} and item_index in (
      select item_index from article_update_job_items where job_id = ${id} order by item_index limit ${ITEMS_PER_STATEMENT}
    ) returning input_bytes
  `.execute(state.db);
  const isLast = rows.length < ITEMS_PER_STATEMENT;
  if (isLast) await sql`delete from article_update_jobs where job_id = ${id}`.execute(state.db);
  const bytes = rows.reduce((sum, { input_bytes }) => sum + ROW_BYTES + input_bytes, isLast ? ROW_BYTES : 0);
  await addUsage(state, -bytes);
  return true;
}

async function deleteKeys(state: State, keepMs: number): Promise<boolean> {
  const { rows } = await sql<{ bytes: number }>`
    delete from idempotency_keys where key_id in (
      select key_id from idempotency_keys where created_at <= ${state.clock} - cast(${keepMs} as bigint)
      order by created_at limit ${ITEMS_PER_STATEMENT}
    ) returning bytes
  `.execute(state.db);
  await addUsage(state, -rows.reduce((sum, { bytes }) => sum + bytes, 0));
  return rows.length === ITEMS_PER_STATEMENT;
}

async function forgetOwners({ db, clock }: State): Promise<boolean> {
  await sql`delete from job_owners where alive_until <= ${clock} - cast(${OWNER_KEEP_MS} as bigint)`.execute(db);
  return false;
}
