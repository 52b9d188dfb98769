import { createHash, randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { type ArticleUpdate, setsUnlisted } from '../../../core/articles/bulk-updates.ts';
import { idKeyOf } from '../../../core/base/text.ts';
import { canonicalUpdate, encodeTarget, encodeUpdate } from '../../../core/writes/codec.ts';
import { slicesOf } from '../../../store/database/statements.ts';
import type { AppendResult, LedgerPart } from '../ledger.ts';
import { isFull, ROW_BYTES, type State, type StateAccess, writeState } from '../state-access.ts';
import { ITEM_COLUMNS, type ItemRow, type JobRow } from '../tables.ts';
import { changeJob, countJobs, type LockedJob, lockJob, toLedgerJob } from './jobs.ts';

/** The most items with texts of one statement, which takes the event loop of SQLite for about 10 ms. */
const SLICE_LENGTH = 100;

const MAX_CONFLICTS = 100;

/** An item with its hash and its length. Its row is encoded when it is inserted, so that few rows are in memory. */
interface HashedItem extends Pick<ItemRow, 'input_hash' | 'input_bytes'> {
  readonly update: ArticleUpdate;
}

interface HashedPart extends LedgerPart {
  /** The ID that the job gets where the part creates it. */
  readonly jobId: string;
  readonly items: readonly HashedItem[];
}

export async function appendPart(access: StateAccess, part: LedgerPart): Promise<AppendResult> {
  const items = await hashItems(part.updates);
  const jobId = randomUUID();
  return writeState(access, (state) => append(state, { ...part, jobId, items }), part);
}

/** Hashes the items before the transaction, in slices between which other requests run. */
async function hashItems(updates: readonly ArticleUpdate[]): Promise<readonly HashedItem[]> {
  const items: HashedItem[] = [];
  for (const slice of slicesOf(updates, SLICE_LENGTH)) {
    for (const update of slice) {
      const hash = createHash('sha256').update(canonicalUpdate(update)).digest('base64url');
      items.push({ update, input_hash: hash, input_bytes: Buffer.byteLength(encodeUpdate(update)) });
    }
    await setImmediate();
  }
  return items;
}

async function append(state: State, part: HashedPart): Promise<AppendResult> {
  const job = await lockJobOfKey(state, part);
  if (job !== null) return appendToJob(state, job, part);
  if (part.startIndex > 0) return { kind: 'gap', nextIndex: 0 };
  // First parts of one caller wait for each other, so that one key creates one job, and the limit of jobs holds.
  if (state.dialect.lockName !== null) {
    await state.dialect.lockName(`jobs of ${part.callerKey}`).execute(state.db);
    const created = await lockJobOfKey(state, part);
    if (created !== null) return appendToJob(state, created, part);
  }
  return createJob(state, part);
}

export const lockJobOfKey = (
  state: State,
  { callerKey, idempotencyKey }: Pick<LedgerPart, 'callerKey' | 'idempotencyKey'>,
): Promise<LockedJob | null> =>
  lockJob(
    state,
    sql`j.caller_key = ${callerKey} and j.service = ${state.service} and j.idempotency_key = ${idempotencyKey}`,
  );

async function createJob(state: State, part: HashedPart): Promise<AppendResult> {
  const { callerKey, limits, items, jobId } = part;
  if (items.length > limits.maxItems) return { kind: 'too-many-items' };
  if ((await countJobs(state, callerKey, 'not ended')) >= limits.maxJobs) return { kind: 'too-many-jobs' };
  const texts = Buffer.byteLength(`${part.name ?? ''}${part.publication?.message ?? ''}`);
  const bytes = ROW_BYTES + texts + bytesOf(items);
  if (await isFull(state, { callerKey, added: bytes }, limits)) return { kind: 'full' };
  await insertJob(state, part);
  const job = await lockJob(state, sql`j.job_id = ${jobId}`);
  if (job === null) throw new Error('A job that was inserted is not there.');
  return addItems(state, job, { part, added: items, bytes });
}

type InsertedPart = Omit<LedgerPart, 'startIndex' | 'moreToCome' | 'updates'> & { readonly jobId: string };

export async function insertJob(
  { db, clock, service }: State,
  part: InsertedPart,
  more: Partial<JobRow> = {},
): Promise<void> {
  await db
    .insertInto('article_update_jobs')
    .values({
      job_id: part.jobId,
      caller_key: part.callerKey,
      service,
      idempotency_key: part.idempotencyKey,
      binding_key: part.credentialHash,
      goes_on_alone: part.isUnattended ? 1 : 0,
      name: part.name ?? null,
      publish_user_id: part.publication?.userId ?? null,
      publish_message: part.publication?.message ?? null,
      keep_before: part.keepBefore ?? 'NEVER',
      if_published: part.ifPublished?.kind ?? 'UPDATE',
      fork_user_id: part.ifPublished?.userId ?? null,
      revert_of: null,
      copied_from: null,
      with_texts: 0,
      restorable: 0,
      ...more,
      state: 'OPEN',
      waiting_for: null,
      total: 0,
      in_flight: 0,
      to_publish: 0,
      updated: 0,
      failed: 0,
      unknown: 0,
      not_attempted: 0,
      unresolved: 0,
      rest_outcome: null,
      owner: null,
      run_number: 0,
      created_at: clock,
      changed_at: clock,
      ended_at: null,
      text_cursor: null,
      bytes: 0,
    })
    .execute();
}

async function appendToJob(state: State, job: LockedJob, part: HashedPart): Promise<AppendResult> {
  const { items, startIndex, moreToCome, limits } = part;
  const { name, publication, keepBefore, ifPublished, revertOf } = toLedgerJob(job);
  const isSame =
    (part.name ?? null) === name &&
    isDeepStrictEqual(part.publication, publication) &&
    isDeepStrictEqual(part.ifPublished, ifPublished) &&
    (part.keepBefore ?? 'NEVER') === keepBefore;
  if (!isSame || revertOf !== null) return { kind: 'conflict', indexes: [] };
  if (startIndex > job.total) return { kind: 'gap', nextIndex: job.total };
  const added = items.slice(job.total - startIndex);
  const differing = await findDiffering(state, job, part);
  const isOpen = job.state === 'OPEN';
  const refused = isOpen ? [] : added.slice(0, MAX_CONFLICTS).map((_, n) => job.total + n);
  const indexes = [...differing, ...refused].slice(0, MAX_CONFLICTS);
  if (indexes.length > 0) return { kind: 'conflict', indexes };
  if (!isOpen || (added.length === 0 && moreToCome)) {
    // The job has this ID where this part created it, and the answer to the commit was lost.
    return { kind: 'appended', job: toLedgerJob(job), replayed: job.job_id !== part.jobId };
  }
  if (job.total + added.length > limits.maxItems) return { kind: 'too-many-items' };
  const bytes = bytesOf(added);
  if (added.length > 0 && (await isFull(state, { callerKey: job.caller_key, added: bytes }, limits)))
    return { kind: 'full' };
  return addItems(state, job, { part, added, bytes });
}

const bytesOf = (items: readonly HashedItem[]): number =>
  items.reduce((sum, { input_bytes }) => sum + ROW_BYTES + input_bytes, 0);

/** The first indexes whose items differ from those that were submitted before. */
async function findDiffering({ db }: State, job: LockedJob, part: HashedPart): Promise<readonly number[]> {
  const { items, startIndex } = part;
  const { rows } = await sql<Pick<ItemRow, 'item_index' | 'input_hash'>>`
    select item_index, input_hash from article_update_job_items
    where job_id = ${job.job_id} and item_index >= ${startIndex} and item_index < ${startIndex + items.length}
    order by item_index
  `.execute(db);
  return rows
    .filter(({ item_index, input_hash }) => items[item_index - startIndex]?.input_hash !== input_hash)
    .slice(0, MAX_CONFLICTS)
    .map(({ item_index }) => item_index);
}

interface Addition {
  readonly part: HashedPart;
  readonly added: readonly HashedItem[];
  readonly bytes: number;
}

async function addItems(state: State, job: LockedJob, { part, added, bytes }: Addition): Promise<AppendResult> {
  let index = job.total;
  for (const items of slicesOf(added, SLICE_LENGTH)) {
    await insertItems(
      state,
      items.map((item, n) => toRow(job, index + n, item)),
    );
    index += items.length;
  }
  const isOwn = job.binding_key === part.credentialHash;
  const changed = await changeJob(state, job, {
    total: index,
    changed_at: job.now,
    bytes: job.bytes + bytes,
    with_texts: job.with_texts + added.filter(({ update }) => setsUnlisted(update)).length,
    ...(!part.moreToCome && { state: 'RUNNING', owner: isOwn ? part.owner : null }),
  });
  return { kind: 'appended', job: toLedgerJob(changed), replayed: false };
}

const toRow = (
  { job_id, if_published }: LockedJob,
  item_index: number,
  { update, input_hash, input_bytes }: HashedItem,
): ItemRow => ({
  job_id,
  item_index,
  article_key: idKeyOf(update.articleId),
  status: firstStatusOf(if_published),
  begun_at: null,
  input_hash,
  input_bytes,
  target: encodeTarget(update),
  outcome: null,
  input: encodeUpdate(update),
  ...NO_SNAPSHOT,
});

const firstStatusOf = (ifPublished: JobRow['if_published']): 'PENDING' | 'TO_FORK' =>
  ifPublished === 'UPDATE' ? 'PENDING' : 'TO_FORK';

/** The columns of an item without a snapshot and without a fork. */
export const NO_SNAPSHOT = {
  before: null,
  before_bytes: 0,
  text_key: null,
  restorable: 0,
  shared: null,
  fork: null,
  noted: null,
} as const;

export async function insertItems({ db, dialect }: State, rows: readonly ItemRow[]): Promise<void> {
  const names = sql.join(Object.keys(ITEM_COLUMNS).map((name) => sql.ref(name)));
  const source = dialect.jsonTable({ alias: 'k', rows, columns: ITEM_COLUMNS });
  await sql`insert into article_update_job_items (${names}) select ${names} from ${source}`.execute(db);
}
