import { sql } from 'kysely';
import { slicesOf } from '../../database/statements.ts';
import type { ArticleOutcome, SharedOutcome } from '../../domain/articles/article-outcomes.ts';
import { type Decoded, decodeUpdate, encodeOutcome } from '../codec.ts';
import type { IndexedOutcome, LedgerItem, Run, UnknownItem } from '../ledger.ts';
import { readState, type State, type StateAccess } from '../state-access.ts';
import type { ItemRow, ItemStatus, JobRow } from '../tables.ts';
import { changeJob, changeRun, findRun, hasEnded, type LockedJob, notAttempted, OUTCOMES_BY_KIND } from './jobs.ts';

/** The most items of one statement without texts. SQLite keeps the event loop for a few milliseconds with so many. */
export const ITEMS_PER_STATEMENT = 500;

export async function unknownArticles({ db, dialect }: State, run: Run, articleIds: readonly string[]) {
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
}

export async function beginItems(state: State, job: LockedJob, indexes: readonly number[]): Promise<boolean> {
  if (job.state !== 'RUNNING') return false;
  const items = await selectItems(state, job, indexes);
  if (items.some(({ status }) => status !== 'PENDING' && status !== 'IN_FLIGHT')) {
    throw new Error('An item that has an outcome is not sent.');
  }
  const begun = items.flatMap(({ item_index, status }) => (status === 'PENDING' ? [item_index] : []));
  await setStatus(state, job, { indexes: begun, status: 'IN_FLIGHT' });
  await changeJob(state, job, { in_flight: job.in_flight + begun.length });
  return true;
}

export async function withdrawItems(state: State, job: LockedJob, indexes: readonly number[]): Promise<true> {
  const items = await selectItems(state, job, indexes);
  const withdrawn = items.flatMap(({ item_index, status }) => (status === 'IN_FLIGHT' ? [item_index] : []));
  await setStatus(state, job, { indexes: withdrawn, status: 'PENDING' });
  await changeJob(state, job, {
    in_flight: job.in_flight - withdrawn.length,
    // They may be before the text that is deleted next.
    ...(hasEnded(job) && withdrawn.length > 0 && { text_cursor: 0 }),
  });
  return true;
}

export type SelectedItem = Pick<ItemRow, 'item_index' | 'status' | 'input_bytes'>;

/** The items with these indexes. Throws when one is missing. */
async function selectItems(
  { db, dialect }: State,
  { job_id }: LockedJob,
  indexes: readonly number[],
): Promise<readonly SelectedItem[]> {
  const distinct = [...new Set(indexes)];
  const found: SelectedItem[] = [];
  for (const slice of slicesOf(distinct, ITEMS_PER_STATEMENT)) {
    const { rows } = await sql<SelectedItem>`
      select item_index, status, input_bytes from article_update_job_items
      where job_id = ${job_id} and item_index in (select k.n from ${indexTable(dialect, slice)})
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
  readonly status: 'PENDING' | 'IN_FLIGHT';
}

async function setStatus({ db, dialect }: State, { job_id, now }: LockedJob, { indexes, status }: StatusChange) {
  const begunAt = status === 'IN_FLIGHT' ? now : null;
  for (const slice of slicesOf(indexes, ITEMS_PER_STATEMENT)) {
    await sql`
      update article_update_job_items set status = ${status}, begun_at = cast(${begunAt} as bigint)
      where job_id = ${job_id} and item_index in (select k.n from ${indexTable(dialect, slice)})
    `.execute(db);
  }
}

/** Deletes the texts of items in one statement. */
export async function deleteTexts({ db, dialect }: State, { job_id }: LockedJob, items: readonly SelectedItem[]) {
  const indexes = items.map(({ item_index }) => item_index);
  await sql`
    update article_update_job_items set input = null, input_bytes = 0
    where job_id = ${job_id} and item_index in (select k.n from ${indexTable(dialect, indexes)})
  `.execute(db);
}

/**
 * Items that have an outcome keep it, but for one that is unknown and was not read back: that becomes an updated one, or stays
 * unknown after the read.
 */
export async function endItems(state: State, job: LockedJob, outcomes: readonly IndexedOutcome[]): Promise<true> {
  const byIndex = new Map(outcomes.map(({ index, outcome }) => [index, outcome]));
  const changes: ItemChange[] = [];
  for (const item of await selectItems(state, job, [...byIndex.keys()])) {
    const outcome = byIndex.get(item.item_index);
    // A cancelled job keeps no text of what had not begun, so nothing of that is left to be read back.
    const keepsText = outcome !== undefined && isUnread(outcome) && item.input_bytes > 0;
    if (outcome && mayEnd(item, outcome)) changes.push({ item, outcome, keepsText });
  }
  for (const slice of slicesOf(changes, ITEMS_PER_STATEMENT)) await setOutcomes(state, job, slice);
  await changeJob(state, job, countsAfter(job, changes));
  return true;
}

function mayEnd({ status, input_bytes }: SelectedItem, outcome: ArticleOutcome): boolean {
  if (status !== 'UNKNOWN') return status === 'PENDING' || status === 'IN_FLIGHT';
  return input_bytes > 0 && (outcome.kind === 'updated' || outcome.kind === 'unknown') && !isUnread(outcome);
}

/** True for an unknown outcome whose article was not read. */
const isUnread = (outcome: ArticleOutcome): boolean =>
  outcome.kind === 'unknown' && (outcome.readBack ?? 'NOT_TRIED') === 'NOT_TRIED';

interface ItemChange {
  readonly item: SelectedItem;
  readonly outcome: ArticleOutcome;
  readonly keepsText: boolean;
}

/** SQLite reads these rows first, and finds the items by both columns of their key, only when the job is in each. */
const OUTCOME_COLUMNS = {
  job_id: 'text',
  n: 'integer',
  status: 'text',
  outcome: 'text',
  keeps_text: 'integer',
} as const;

export async function setOutcomes(
  { db, dialect }: State,
  { job_id }: LockedJob,
  changes: readonly ItemChange[],
): Promise<void> {
  const rows = changes.map(({ item, outcome, keepsText }) => ({
    job_id,
    n: item.item_index,
    status: OUTCOMES_BY_KIND[outcome.kind],
    outcome: encodeOutcome(outcome),
    keeps_text: keepsText ? 1 : 0,
  }));
  const source = dialect.jsonTable({ alias: 'k', rows, columns: OUTCOME_COLUMNS });
  await sql`
    update article_update_job_items as i set status = k.status, outcome = k.outcome,
      input = case when k.keeps_text = 1 then i.input end,
      input_bytes = case when k.keeps_text = 1 then i.input_bytes else 0 end
    from ${source} where i.job_id = k.job_id and i.item_index = k.n
  `.execute(db);
}

const COUNTS = {
  PENDING: null,
  IN_FLIGHT: 'in_flight',
  UPDATED: 'updated',
  FAILED: 'failed',
  UNKNOWN: 'unknown',
  NOT_ATTEMPTED: 'not_attempted',
} as const satisfies Record<ItemStatus, keyof JobRow | null>;

function countsAfter(job: LockedJob, changes: readonly ItemChange[]): Partial<JobRow> {
  const { in_flight, updated, failed, unknown, not_attempted } = job;
  const counts = { in_flight, updated, failed, unknown, not_attempted, unresolved: job.unresolved, bytes: job.bytes };
  for (const { item, outcome, keepsText } of changes) {
    const before = COUNTS[item.status];
    if (before !== null) counts[before] -= 1;
    if (item.status === 'UNKNOWN') counts.unresolved -= 1;
    counts[COUNTS[OUTCOMES_BY_KIND[outcome.kind]]] += 1;
    if (keepsText) counts.unresolved += 1;
    else counts.bytes -= item.input_bytes;
  }
  return counts;
}

/** The most bytes of texts that are read at one time, unless a single item has more. */
const MAX_TEXT_BYTES = 8_000_000;

export async function nextItems(access: StateAccess, run: Run, limit: number): Promise<readonly LedgerItem[] | null> {
  const items = await readItems(access, run, { status: 'PENDING', limit });
  return items?.map(({ index, update }) => ({ index, update })) ?? null;
}

export const unknownItems = (access: StateAccess, run: Run, limit: number): Promise<readonly UnknownItem[] | null> =>
  readItems(access, run, { status: 'UNKNOWN', limit });

type TextRow = Pick<ItemRow, 'item_index' | 'input' | 'begun_at'>;

interface TextSelection {
  readonly status: 'PENDING' | 'UNKNOWN';
  readonly limit: number;
}

/** Ends the items whose texts can't be decoded, unsent, and reads again: the job goes on without them. */
async function readItems(access: StateAccess, run: Run, selection: TextSelection): Promise<UnknownItem[] | null> {
  for (;;) {
    const rows = await readState(access, (state) => selectTexts(state, run, selection));
    if (rows === null) return null;
    const items: UnknownItem[] = [];
    const unreadable: IndexedOutcome[] = [];
    for (const { item_index: index, input, begun_at } of rows) {
      const update: Decoded<UnknownItem['update']> = decodeUpdate(input ?? '');
      if (update.ok) items.push({ index, update: update.value, begunAt: begun_at ?? 0 });
      else unreadable.push({ index, outcome: { ...unreadableOutcome(selection.status, update.error), articleId: '' } });
    }
    if (unreadable.length === 0) return items;
    const [first] = unreadable;
    access.log('error', 'items of a job cannot be read, and are not sent', {
      jobId: run.jobId,
      items: unreadable.length,
      reason: first?.outcome.details,
    });
    if (!(await changeRun(access, run, (state, job) => endItems(state, job, unreadable)))) return null;
  }
}

function unreadableOutcome(status: TextSelection['status'], reason: string): SharedOutcome {
  const kept = `the gateway cannot read what it kept of this item. ${reason}`;
  return status === 'PENDING'
    ? notAttempted(`Not sent, because ${kept}`, 'REJECTED')
    : { kind: 'unknown', details: `The outcome is unknown, and ${kept}`, readBack: 'NOT_READABLE' };
}

/**
 * Selects the first items of a status that have texts, by index, until their texts are too long together. Null where the
 * process does not run the job any more.
 */
async function selectTexts(
  state: State,
  run: Run,
  { status, limit }: TextSelection,
): Promise<readonly TextRow[] | null> {
  const { jobId } = run;
  const job = await findRun(state, run);
  if (job === null) return null;
  if (status === 'PENDING' && job.state !== 'RUNNING') return [];
  const { rows } = await sql<TextRow>`
    select item_index, input, begun_at from article_update_job_items
    where job_id = ${jobId} and item_index in (
      select item_index from (
        select item_index, sum(input_bytes) over (order by item_index) - input_bytes as bytes_before, input_bytes from (
          select item_index, input_bytes from article_update_job_items
          where job_id = ${jobId} and status = ${sql.lit(status)} and input_bytes > 0 order by item_index limit ${limit}
        ) as first_items
      ) as measured where bytes_before = 0 or bytes_before + input_bytes <= ${MAX_TEXT_BYTES}
    ) order by item_index
  `.execute(state.db);
  return rows;
}
