import { hash, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import {
  addToHistory,
  type IndexedTarget,
  mergeTargets,
  type RevertTarget,
  restoringUpdateOf,
  targetOf,
  withShared,
} from '../../../core/articles/article-reverts.ts';
import { setsUnlisted } from '../../../core/articles/bulk-updates.ts';
import { idKeyOf } from '../../../core/base/text.ts';
import {
  canonicalUpdate,
  decodeNoted,
  decodeOutcome,
  decodeSnapshot,
  decodeTarget,
  encodeOutcome,
  encodeRevertItem,
  encodeTarget,
} from '../../../core/writes/codec.ts';
import type {
  CopyResult,
  LedgerJob,
  LedgerRevert,
  RevertResult,
  Run,
  StateRoom,
  TargetPage,
  TargetsPage,
} from '../ledger.ts';
import { firstRow, isFull, ROW_BYTES, readState, type State, type StateAccess, writeState } from '../state-access.ts';
import type { ItemRow, JobRow } from '../tables.ts';
import { insertItems, insertJob, lockJobOfKey, NO_SNAPSHOT } from './append-part.ts';
import { lastShared } from './items.ts';
import {
  changeJob,
  changeRun,
  countJobs,
  isJobOf,
  isRunBy,
  type LockedJob,
  lockJob,
  notAttempted,
  toLedgerJob,
} from './jobs.ts';

/** The most indexes of one statement that looks for texts. */
const INDEXES = 1_000;

/** The most texts of one copy. */
const TARGETS = 100;

/** The most bytes of one copy, unless a single text has more. */
const MAX_COPIED_BYTES = 8_000_000;

/** Creates the job that reverts another one. */
export function beginRevert(access: StateAccess, revert: LedgerRevert): Promise<RevertResult> {
  const newId = randomUUID();
  return writeState(access, (state) => begin(state, revert, newId), revert);
}

async function begin(state: State, revert: LedgerRevert, newId: string): Promise<RevertResult> {
  const { callerKey, jobId, limits, publication } = revert;
  // A key belongs to its mutation. A space, which no key has, keeps those of reverts apart from those of submitted jobs.
  const idempotencyKey = ` ${revert.idempotencyKey}`;
  const known = (await lockJobOfKey(state, { callerKey, idempotencyKey })) ?? (await lockEarlierRevert(state, revert));
  if (known !== null) {
    const job = toLedgerJob(known);
    const isSame =
      job.revertOf === jobId &&
      isDeepStrictEqual(job.publication, publication) &&
      isDeepStrictEqual(job.ifPublished, revert.ifPublished);
    return isSame ? { kind: 'appended', job, replayed: known.job_id !== newId } : { kind: 'conflict', indexes: [] };
  }
  // Two reverts of one job wait for each other.
  const source = await lockJob(state, isJobOf(callerKey, jobId));
  if (source === null) return { kind: 'job-not-found' };
  if (source.ended_at === null || source.restorable === 0)
    return { kind: 'not-revertible', hasEnded: source.ended_at !== null };
  const isLive = sql`select 1 from article_update_jobs where revert_of = ${jobId} and ended_at is null`;
  if ((await firstRow(state, isLive)) !== null) return { kind: 'in-progress' };
  if (state.dialect.lockName !== null) await state.dialect.lockName(`jobs of ${callerKey}`).execute(state.db);
  if ((await countJobs(state, callerKey, 'not ended')) >= limits.maxJobs) return { kind: 'too-many-jobs' };
  const bytes = ROW_BYTES + Buffer.byteLength(publication?.message ?? '');
  const added = bytes + ROW_BYTES * source.restorable;
  if (await isFull(state, { callerKey, added }, limits)) return { kind: 'full' };
  await insertJob(state, { ...revert, idempotencyKey, jobId: newId, keepBefore: 'ALWAYS' }, { revert_of: jobId });
  const job = await lockJob(state, sql`j.job_id = ${newId}`);
  if (job === null) throw new Error('A job that was inserted is not there.');
  // What is not copied yet counts as pending, and as not attempted once the job was cancelled.
  const total = await countTexts(state, jobId);
  const changes = { state: 'RUNNING', owner: revert.owner, copied_from: source.total, total, bytes } as const;
  return { kind: 'appended', job: toLedgerJob(await changeJob(state, job, changes)), replayed: false };
}

async function countTexts(state: State, jobId: string): Promise<number> {
  const texts = sql<{ texts: number }>`
    select count(distinct text_key) as texts from article_update_job_items where job_id = ${jobId} and text_key is not null
  `;
  return (await firstRow(state, texts))?.texts ?? 0;
}

/** A revert that an earlier version began, which kept its key without the space. */
async function lockEarlierRevert(state: State, revert: LedgerRevert): Promise<LockedJob | null> {
  const job = await lockJobOfKey(state, revert);
  return job?.revert_of == null ? null : job;
}

export async function findRevert(state: State, callerKey: string, jobId: string): Promise<LedgerJob | null> {
  const latest = sql<JobRow>`
    select j.* from article_update_jobs as j where j.revert_of = ${jobId} and j.caller_key = ${callerKey}
    order by j.created_at desc, j.job_id desc limit 1
  `;
  const row = await firstRow(state, latest);
  return row && toLedgerJob(row);
}

/** The indexes of the last item of each text, the last first, within a range that bounds the time of the statement. */
async function lastItems(
  state: State,
  jobId: string,
  { from, to, limit }: { readonly from: number; readonly to: number; readonly limit: number },
): Promise<readonly number[]> {
  const { rows } = await sql<{ item_index: number }>`
    select i.item_index from article_update_job_items as i
    where i.job_id = ${jobId} and i.item_index >= ${from} and i.item_index < ${to} and i.text_key is not null
      and not exists (
        select 1 from article_update_job_items as l
        where l.job_id = i.job_id and l.text_key = i.text_key and l.item_index > i.item_index
      )
    order by i.item_index desc limit ${limit}
  `.execute(state.db);
  return rows.map(({ item_index }) => item_index);
}

/** What an ended job has made of texts. Nothing changes an ended job, so each item is read without a transaction. */
export async function revertTargets(
  access: StateAccess,
  jobId: string,
  { limit, before }: TargetPage,
): Promise<TargetsPage> {
  const targets: IndexedTarget[] = [];
  let bytes = 0;
  for (let to = before; to > 0; ) {
    const from = Math.max(0, to - INDEXES);
    // One more than the page has shows that there is a next page.
    const range = { from, to, limit: limit - targets.length + 1 };
    for (const index of await readState(access, (state) => lastItems(state, jobId, range))) {
      if (targets.length === limit || bytes > MAX_COPIED_BYTES) return { targets, next: index + 1 };
      const read = await readTarget(access, jobId, index);
      targets.push(await withAllTexts(access, jobId, { ...read.target, index }));
      bytes += read.bytes;
    }
    to = from;
  }
  return { targets, next: null };
}

type KeptRow = Pick<
  ItemRow,
  'item_index' | 'article_key' | 'status' | 'target' | 'outcome' | 'before' | 'before_bytes' | 'noted'
>;

/** Merges the items of a text, from its first one to its last. */
async function readTarget(access: StateAccess, jobId: string, lastIndex: number) {
  const readAfter = async (index: number) => {
    const next = sql<KeptRow>`
      select i.item_index, i.article_key, i.status, i.target, i.outcome, i.before, i.before_bytes, i.noted
      from article_update_job_items as i where i.job_id = ${jobId} and i.item_index > ${index} and i.text_key = (
        select l.text_key from article_update_job_items as l where l.job_id = ${jobId} and l.item_index = ${lastIndex}
      ) order by i.item_index limit 1
    `;
    const row = await readState(access, (state) => firstRow(state, next));
    if (row === null) throw new Error('An item of a job that is reverted is not there.');
    return row;
  };
  let row = await readAfter(-1);
  let target = toTarget(row);
  while (row.item_index < lastIndex) {
    row = await readAfter(row.item_index);
    target = mergeTargets(target, toTarget(row));
  }
  return { target, bytes: row.before_bytes };
}

async function withAllTexts(access: StateAccess, jobId: string, target: IndexedTarget): Promise<IndexedTarget> {
  if (addToHistory(null, target, target.index) === null) return target;
  const article = idKeyOf(target.update.articleId);
  const shared = (await readState(access, (state) => lastShared(state, jobId, [article]))).get(article);
  return shared === undefined ? target : withShared(target, shared);
}

function toTarget({ article_key, status, target, outcome: text, before, noted: note }: KeptRow): RevertTarget {
  const kept = decodeSnapshot(before ?? '');
  // A snapshot that can't be decoded puts nothing back.
  const named = decodeTarget(target);
  const snapshot = kept.ok ? kept.value : { update: named.ok ? named.value : { articleId: article_key }, image: null };
  const outcome = text === null ? null : decodeOutcome(text);
  const noted = note === null ? null : decodeNoted(note);
  return targetOf(snapshot, {
    isUnknown: status === 'UNKNOWN',
    outcome: outcome?.ok ? outcome.value : null,
    noted: noted?.ok ? noted.value : undefined,
  });
}

const NO_ROOM = encodeOutcome(
  notAttempted('Not put back, because the state has no room for its snapshot (MAX_STATE_BYTES).', 'UNAVAILABLE'),
);

/** The columns of an item that is not put back, since the state has no room for its snapshot. */
const NOT_COPIED = { status: 'NOT_ATTEMPTED', outcome: NO_ROOM, input: null, input_bytes: 0, hasText: false } as const;

/** Copies some items of the reverted job, and records how far it has come. */
export async function copyItems(access: StateAccess, run: Run, room: StateRoom): Promise<CopyResult | false> {
  const row = await readState(access, (state) => findCopy(state, run));
  if (row === null) return false;
  const { source, copied_from } = row;
  if (copied_from === null) return 'copied';
  const { targets, next } =
    source === null
      ? { targets: [], next: null }
      : await revertTargets(access, source, { limit: TARGETS, before: copied_from });
  const whole = targets.map(toItem);
  return changeRun(access, run, async (state, job) => {
    if (job.state !== 'RUNNING') return false;
    if (job.copied_from !== copied_from) return 'more';
    const { caller_key: callerKey, not_attempted } = job;
    const hasNoRoom = await isFull(state, { callerKey, added: bytesOf(whole) }, room);
    const items = hasNoRoom ? whole.map((item) => ({ ...item, ...NOT_COPIED })) : whole;
    const first = await nextIndex(state, job);
    const rows = items.map(({ hasText: _, ...item }, n) => ({ ...item, job_id: job.job_id, item_index: first + n }));
    const copied = first + rows.length;
    if (rows.length > 0) await insertItems(state, rows);
    await changeJob(state, job, {
      total: next === null ? copied : Math.max(job.total, copied),
      with_texts: job.with_texts + items.filter(({ hasText }) => hasText).length,
      not_attempted: not_attempted + (hasNoRoom ? items.length : 0),
      bytes: job.bytes + bytesOf(items),
      copied_from: next,
    });
    return next === null ? 'copied' : 'more';
  });
}

async function nextIndex(state: State, { job_id }: LockedJob): Promise<number> {
  const last = sql<{ last: number | null }>`
    select max(item_index) as last from article_update_job_items where job_id = ${job_id}
  `;
  return ((await firstRow(state, last))?.last ?? -1) + 1;
}

const bytesOf = (items: readonly Pick<ItemRow, 'input_bytes'>[]): number =>
  items.reduce((sum, { input_bytes }) => sum + ROW_BYTES + input_bytes, 0);

interface CopyRow {
  readonly source: string | null;
  readonly copied_from: number | null;
}

/** How far the copy of a run has come. The source is null where the reverted job was deleted meanwhile. */
const findCopy = (state: State, run: Run): Promise<CopyRow | null> =>
  firstRow(
    state,
    sql<CopyRow>`
      select j.copied_from, (
        select s.job_id from article_update_jobs as s where s.job_id = j.revert_of and s.caller_key = j.caller_key
      ) as source
      from article_update_jobs as j where ${isRunBy(state, run)}
    `,
  );

function toItem({ index: _, ...target }: IndexedTarget) {
  const update = restoringUpdateOf(target);
  const input = encodeRevertItem({ update, target });
  return {
    article_key: idKeyOf(update.articleId),
    status: 'PENDING' as const,
    begun_at: null,
    outcome: null,
    input,
    input_hash: hash('sha256', canonicalUpdate(update), 'base64url'),
    input_bytes: Buffer.byteLength(input),
    target: encodeTarget(update),
    ...NO_SNAPSHOT,
    hasText: setsUnlisted(update),
  };
}
