import { sql } from 'kysely';
import type { ColumnTypes } from '../../database/dialect.ts';
import { slicesOf } from '../../database/statements.ts';
import type { ArticleOutcome } from '../../domain/articles/article-outcomes.ts';
import { encodeOutcome } from '../codec.ts';
import type { IndexedOutcome, Run } from '../ledger.ts';
import { type State, type StateAccess, writeState } from '../state-access.ts';
import type { ItemStatus } from '../tables/tables.ts';
import { addUsage } from '../usage.ts';
import { changeJob, type JobRow, type LockedJob, lockRun, OUTCOMES_BY_KIND } from './job-rows.ts';
import { ITEMS_PER_STATEMENT, type SelectedItem, selectItems } from './run-items.ts';

/** Items that have an outcome keep it. */
export const endItems = (access: StateAccess, run: Run, outcomes: readonly IndexedOutcome[]): Promise<boolean> =>
  record(access, run, {
    outcomes,
    mayChange: ({ status }) => status === 'PENDING' || status === 'IN_FLIGHT',
    keepsText: isUnresolved,
  });

/** An unknown outcome whose article was not read. */
const isUnresolved = (outcome: ArticleOutcome): boolean =>
  outcome.kind === 'unknown' && (outcome.readBack ?? 'NOT_TRIED') === 'NOT_TRIED';

/** Items that were read back, or are not unknown, stay as they are. */
export async function endReadBack(
  access: StateAccess,
  run: Run,
  outcomes: readonly IndexedOutcome[],
): Promise<boolean> {
  if (outcomes.some(({ outcome }) => outcome.kind !== 'updated' && outcome.kind !== 'unknown')) {
    throw new Error('Reading back turns an unknown outcome into an updated one and into nothing else.');
  }
  const mayChange = ({ status, input_bytes }: SelectedItem) => status === 'UNKNOWN' && input_bytes > 0;
  return record(access, run, { outcomes, mayChange, keepsText: () => false });
}

interface Recording {
  readonly outcomes: readonly IndexedOutcome[];
  readonly mayChange: (item: SelectedItem) => boolean;
  readonly keepsText: (outcome: ArticleOutcome) => boolean;
}

const record = (access: StateAccess, run: Run, { outcomes, mayChange, keepsText }: Recording): Promise<boolean> =>
  writeState(access, async (state) => {
    const job = await lockRun(state, run);
    if (job === null) return false;
    const byIndex = new Map(outcomes.map(({ index, outcome }) => [index, outcome]));
    const items = await selectItems(state, run, [...byIndex.keys()]);
    const changes: ItemChange[] = [];
    for (const item of items) {
      const outcome = byIndex.get(item.item_index);
      if (outcome && mayChange(item)) changes.push({ item, outcome, keepsText: keepsText(outcome) });
    }
    for (const slice of slicesOf(changes, ITEMS_PER_STATEMENT)) await setOutcomes(state, run, slice);
    await changeJob(state, job, countsAfter(job, changes));
    const freed = changes.filter((change) => !change.keepsText);
    await addUsage(state, -freed.reduce((sum, { item }) => sum + item.input_bytes, 0));
    return true;
  });

interface ItemChange {
  readonly item: SelectedItem;
  readonly outcome: ArticleOutcome;
  readonly keepsText: boolean;
}

/** SQLite reads these rows first, and finds the items by both columns of their key, only when the job is in each. */
interface OutcomeRow {
  readonly job_id: string;
  readonly n: number;
  readonly status: ItemStatus;
  readonly outcome: string;
  readonly keeps_text: number;
}

const OUTCOME_COLUMNS: ColumnTypes<OutcomeRow> = {
  job_id: 'text',
  n: 'integer',
  status: 'text',
  outcome: 'text',
  keeps_text: 'integer',
};

export async function setOutcomes(
  { db, dialect }: State,
  { jobId }: Pick<Run, 'jobId'>,
  changes: readonly ItemChange[],
): Promise<void> {
  const rows = changes.map(({ item, outcome, keepsText }) => ({
    job_id: jobId,
    n: item.item_index,
    status: OUTCOMES_BY_KIND[outcome.kind],
    outcome: encodeOutcome(outcome),
    keeps_text: keepsText ? 1 : 0,
  }));
  const source = dialect.jsonTable<OutcomeRow, 'k'>({ alias: 'k', rows, columns: OUTCOME_COLUMNS });
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
  const counts = { in_flight, updated, failed, unknown, not_attempted, unresolved: job.unresolved };
  for (const { item, outcome, keepsText } of changes) {
    const before = COUNTS[item.status];
    if (before !== null) counts[before] -= 1;
    if (item.status === 'UNKNOWN') counts.unresolved -= 1;
    counts[COUNTS[OUTCOMES_BY_KIND[outcome.kind]]] += 1;
    if (keepsText) counts.unresolved += 1;
  }
  return counts;
}
