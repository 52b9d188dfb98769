import { type RawBuilder, sql } from 'kysely';
import { slicesOf } from '../../store/database/statements.ts';
import { deleteTexts, ITEMS_PER_STATEMENT, SELECTED_COLUMNS, type SelectedItem } from './jobs/items.ts';
import { cancelPausedJob, changeJob, expireJob, type LockedJob, lockJob } from './jobs/jobs.ts';
import { deleteKeys } from './keys.ts';
import { sweepServices } from './services.ts';
import { forgetCallers, type State, type StateAccess, writeState } from './state-access.ts';

const MAX_JOBS = 50;

/** The most bytes of texts of one statement, which takes the event loop of SQLite for about 150 ms. */
const MAX_DELETED_BYTES = 32_000_000;

/** How long the row of an owner is kept after its last heartbeat has expired, in milliseconds. */
const OWNER_KEEP_MS = 24 * 60 * 60_000;

interface Keep {
  readonly openMs: number;
  readonly keepMs: number;
}

/** Deletes a bounded part of what has expired. True where more is left. */
export async function sweepState(access: StateAccess, { openMs, keepMs }: Keep): Promise<boolean> {
  const run = (step: (state: State) => Promise<unknown>) => writeState(access, step);
  const more = [
    await run(followClock),
    await run((state) => changeJobs(state, isIdle(state, 'OPEN', openMs), expireJob)),
    await run((state) => changeJobs(state, isIdle(state, 'PAUSED', keepMs), cancelPausedJob)),
    await run(deleteTextsLeft),
    await run((state) => changeJobs(state, isKeptNoLonger(state, keepMs), hideJob)),
    await run(deleteItems),
    await run((state) => sweepKeys(state, keepMs)),
    await run(forgetOwners),
    await run(forgetCallers),
    await run((state) => sweepServices(state, keepMs)),
  ];
  return more.includes(true);
}

const isIdle = ({ clock }: State, name: 'OPEN' | 'PAUSED', forMs: number) =>
  sql`j.state = ${name} and j.ended_at is null and j.changed_at <= ${clock} - cast(${forMs} as bigint)`;

const isKeptNoLonger = ({ clock }: State, keepMs: number) =>
  sql`j.ended_at is not null and j.ended_at <= ${clock} - cast(${keepMs} as bigint) and j.caller_key <> ''`;

/** Where the clock was set back, the times of jobs that lie ahead become the time of now. */
async function followClock({ db, clock }: State): Promise<void> {
  await sql`
    update article_update_jobs set changed_at = ${clock}
    where ended_at is null and state in ('OPEN', 'PAUSED', 'RUNNING') and changed_at > ${clock}
  `.execute(db);
}

/** Changes jobs for which the condition holds, also once they are locked. */
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

/** Removes a job from its caller, whose key and bytes are free at once. Its items are deleted later, some at a time. */
const hideJob = (state: State, job: LockedJob) =>
  changeJob(state, job, {
    caller_key: '',
    idempotency_key: job.job_id,
    owner: null,
    run_number: job.run_number + 1,
    text_cursor: null,
    unresolved: 0,
    bytes: 0,
  });

async function deleteTextsLeft(state: State): Promise<boolean> {
  const job = await lockFirst(state, sql`j.text_cursor is not null`);
  if (job === null) return false;
  const { rows } = await sql<SelectedItem>`
    select ${SELECTED_COLUMNS} from article_update_job_items
    where job_id = ${job.job_id} and status in ('PENDING', 'TO_FORK') and item_index >= ${job.text_cursor}
    order by item_index limit ${ITEMS_PER_STATEMENT}
  `.execute(state.db);
  const sizes = { max: MAX_DELETED_BYTES, sizeOf: ({ input_bytes }: SelectedItem) => input_bytes };
  const [items = []] = slicesOf(rows, ITEMS_PER_STATEMENT, sizes);
  await deleteTexts(state, job, items);
  const last = items.at(-1);
  const bytes = items.reduce((left, { input_bytes }) => left - input_bytes, job.bytes);
  await changeJob(state, job, { text_cursor: last ? last.item_index + 1 : null, bytes });
  return true;
}

async function lockFirst(state: State, condition: RawBuilder<unknown>): Promise<LockedJob | null> {
  const [id] = await selectJobIds(state, condition, 1);
  return id === undefined ? null : lockJob(state, sql`j.job_id = ${id} and ${condition}`);
}

async function deleteItems(state: State): Promise<boolean> {
  const job = await lockFirst(state, sql`j.caller_key = ''`);
  if (job === null) return false;
  const { job_id: id } = job;
  const { rows } = await sql`
    delete from article_update_job_items where job_id = ${id} and item_index in (
      select item_index from article_update_job_items where job_id = ${id} order by item_index limit ${ITEMS_PER_STATEMENT}
    ) returning item_index
  `.execute(state.db);
  if (rows.length < ITEMS_PER_STATEMENT)
    await sql`delete from article_update_jobs where job_id = ${id}`.execute(state.db);
  return true;
}

async function sweepKeys(state: State, keepMs: number): Promise<boolean> {
  const { clock } = state;
  const selected = sql`
    select key_id from idempotency_keys
    where created_at <= ${clock} - cast(${keepMs} as bigint) or expires_at <= ${clock} limit ${ITEMS_PER_STATEMENT}
  `;
  return (await deleteKeys(state, sql`key_id in (${selected})`)) === ITEMS_PER_STATEMENT;
}

async function forgetOwners({ db, clock }: State): Promise<void> {
  await sql`delete from job_owners where alive_until <= ${clock} - cast(${OWNER_KEEP_MS} as bigint)`.execute(db);
}
