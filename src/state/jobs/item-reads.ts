import { sql } from 'kysely';
import type { SharedOutcome } from '../../domain/articles/article-outcomes.ts';
import { type Decoded, decodeUpdate } from '../codec.ts';
import type { IndexedOutcome, LedgerItem, Run, UnknownItem } from '../ledger.ts';
import { readState, type State, type StateAccess } from '../state-access.ts';
import type { StateTables } from '../tables/tables.ts';
import { endItems, endReadBack } from './end-items.ts';
import { selectRun } from './job-reads.ts';

/** The most bytes of texts that are read at one time, unless a single item has more. */
const MAX_TEXT_BYTES = 8_000_000;

export async function nextItems(access: StateAccess, run: Run, limit: number): Promise<readonly LedgerItem[] | null> {
  const items = await readItems(access, run, { status: 'PENDING', limit });
  return items?.map(({ index, update }) => ({ index, update })) ?? null;
}

export const unknownItems = (access: StateAccess, run: Run, limit: number): Promise<readonly UnknownItem[] | null> =>
  readItems(access, run, { status: 'UNKNOWN', limit });

type TextRow = Pick<StateTables['article_update_job_items'], 'item_index' | 'input' | 'begun_at'>;

interface TextSelection {
  readonly status: 'PENDING' | 'UNKNOWN';
  readonly limit: number;
}

/** Ends the items whose texts can't be decoded, unsent, and reads again: the job goes on without them. */
async function readItems(access: StateAccess, run: Run, selection: TextSelection): Promise<UnknownItem[] | null> {
  for (;;) {
    const rows = await readState(access, (state) => selectRunTexts(state, run, selection));
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
    const end = selection.status === 'PENDING' ? endItems : endReadBack;
    if (!(await end(access, run, unreadable))) return null;
  }
}

function unreadableOutcome(status: TextSelection['status'], reason: string): SharedOutcome {
  const kept = `the gateway cannot read what it kept of this item. ${reason}`;
  return status === 'PENDING'
    ? { kind: 'not-attempted', details: `Not sent, because ${kept}`, reason: 'REJECTED', retryAfterSeconds: null }
    : { kind: 'unknown', details: `The outcome is unknown, and ${kept}`, readBack: 'NOT_READABLE' };
}

/** Null where the process does not run the job any more. */
async function selectRunTexts(state: State, run: Run, selection: TextSelection): Promise<readonly TextRow[] | null> {
  const job = await selectRun(state, run);
  if (job === null) return null;
  return selection.status === 'PENDING' && job.state !== 'RUNNING' ? [] : selectTexts(state, run, selection);
}

/** Selects the first items of a status that have texts, by index, until their texts are too long together. */
async function selectTexts({ db }: State, { jobId }: Run, { status, limit }: TextSelection) {
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
  `.execute(db);
  return rows;
}
