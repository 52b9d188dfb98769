import { sql } from 'kysely';
import { slicesOf } from '../../database/statements.ts';
import type { Run } from '../ledger.ts';
import { readState, type State, type StateAccess, writeState } from '../state-access.ts';
import type { ItemStatus, StateTables } from '../tables/tables.ts';
import { changeJob, hasEnded, type LockedJob, lockRun } from './job-rows.ts';

/** The most items of one statement without texts. SQLite keeps the event loop for a few milliseconds with so many. */
export const ITEMS_PER_STATEMENT = 500;

type ItemRow = StateTables['article_update_job_items'];

export const unknownArticles = (access: StateAccess, run: Run, articleIds: readonly string[]) =>
  readState(access, async ({ db, dialect }): Promise<ReadonlySet<string>> => {
    const found = new Set<string>();
    for (const slice of slicesOf([...new Set(articleIds.map((id) => id.toLowerCase()))], ITEMS_PER_STATEMENT)) {
      const keys = dialect.jsonTable({ alias: 'k', rows: slice.map((id) => ({ id })), columns: { id: 'text' } });
      const { rows } = await sql<{ article_key: string }>`
        select distinct article_key from article_update_job_items
        where job_id = ${run.jobId} and status = 'UNKNOWN' and article_key in (select k.id from ${keys})
      `.execute(db);
      for (const { article_key } of rows) found.add(article_key);
    }
    return found;
  });

export const beginItems = (access: StateAccess, run: Run, indexes: readonly number[]): Promise<boolean> =>
  writeState(access, async (state) => {
    const job = await lockRun(state, run);
    if (job === null || job.state !== 'RUNNING') return false;
    const items = await selectItems(state, run, indexes);
    if (items.some(({ status }) => status !== 'PENDING' && status !== 'IN_FLIGHT')) {
      throw new Error('An item that has an outcome is not sent.');
    }
    const begun = items.flatMap(({ item_index, status }) => (status === 'PENDING' ? [item_index] : []));
    await setStatus(state, job, { indexes: begun, status: 'IN_FLIGHT', begunAt: job.now });
    await changeJob(state, job, { in_flight: job.in_flight + begun.length });
    return true;
  });

export const withdrawItems = (access: StateAccess, run: Run, indexes: readonly number[]): Promise<boolean> =>
  writeState(access, async (state) => {
    const job = await lockRun(state, run);
    if (job === null) return false;
    const items = (await selectItems(state, run, indexes)).filter(({ status }) => status === 'IN_FLIGHT');
    const withdrawn = items.map(({ item_index }) => item_index);
    await setStatus(state, job, { indexes: withdrawn, status: 'PENDING', begunAt: null });
    await changeJob(state, job, {
      in_flight: job.in_flight - withdrawn.length,
      // They may be before the text that is deleted next.
      ...(hasEnded(job) && { text_cursor: 0 }),
    });
    return true;
  });

export type SelectedItem = Pick<ItemRow, 'item_index' | 'status' | 'input_bytes'>;

/** The items with these indexes. Throws when one is missing. */
export async function selectItems(
  { db, dialect }: State,
  { jobId }: Pick<Run, 'jobId'>,
  indexes: readonly number[],
): Promise<readonly SelectedItem[]> {
  const distinct = [...new Set(indexes)];
  const found: SelectedItem[] = [];
  for (const slice of slicesOf(distinct, ITEMS_PER_STATEMENT)) {
    const { rows } = await sql<SelectedItem>`
      select item_index, status, input_bytes from article_update_job_items
      where job_id = ${jobId} and item_index in (select k.n from ${indexTable(dialect, slice)})
    `.execute(db);
    found.push(...rows);
  }
  if (found.length < distinct.length) throw new Error('An item that is to be changed is not there.');
  return found;
}

const indexTable = (dialect: State['dialect'], indexes: readonly number[]) =>
  dialect.jsonTable({ alias: 'k', rows: indexes.map((n) => ({ n })), columns: { n: 'integer' } });

interface StatusChange {
  readonly indexes: readonly number[];
  readonly status: ItemStatus;
  readonly begunAt: number | null;
}

async function setStatus({ db, dialect }: State, { job_id }: LockedJob, change: StatusChange): Promise<void> {
  const { indexes, status, begunAt } = change;
  for (const slice of slicesOf(indexes, ITEMS_PER_STATEMENT)) {
    await sql`
      update article_update_job_items set status = ${status}, begun_at = cast(${begunAt} as bigint)
      where job_id = ${job_id} and item_index in (select k.n from ${indexTable(dialect, slice)})
    `.execute(db);
  }
}

/** Deletes the texts of items in one statement, and returns their length. */
export async function deleteTexts(
  { db, dialect }: State,
  jobId: string,
  items: readonly SelectedItem[],
): Promise<number> {
  const indexes = items.map(({ item_index }) => item_index);
  await sql`
    update article_update_job_items set input = null, input_bytes = 0
    where job_id = ${jobId} and item_index in (select k.n from ${indexTable(dialect, indexes)})
  `.execute(db);
  return items.reduce((sum, { input_bytes }) => sum + input_bytes, 0);
}
