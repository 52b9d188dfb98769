import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { ArticleOutcome, SharedOutcome } from '../../../core/articles/article-outcomes.ts';
import {
  addToHistory,
  type ItemSnapshot,
  type LastShared,
  restorabilityOf,
  revertKeyOf,
  type SharedHistory,
  withMadeVersion,
} from '../../../core/articles/article-reverts.ts';
import { type ItemFork, toDraft } from '../../../core/articles/forks.ts';
import { ok } from '../../../core/base/result.ts';
import { idKeyOf } from '../../../core/base/text.ts';
import {
  type Decoded,
  decodeHistory,
  decodeItemFork,
  decodeNoted,
  decodeOutcome,
  decodeRevertItem,
  decodeUpdate,
  encodeHistory,
  encodeItemFork,
  encodeNoted,
  encodeOutcome,
  encodeSnapshot,
  type RevertItem,
} from '../../../core/writes/codec.ts';
import type { RowOf } from '../../../store/database/dialect.ts';
import { slicesOf } from '../../../store/database/statements.ts';
import type {
  IndexedOutcome,
  ItemForks,
  ItemPhase,
  ItemSnapshots,
  LedgerItem,
  NotedItem,
  PartlyRestorable,
  PassedItem,
  Run,
  UnknownItem,
} from '../ledger.ts';
import { firstRow, isFull, readState, type State, type StateAccess } from '../state-access.ts';
import { ITEM_STATES, type ItemRow, type ItemStatus, type JobRow, PHASES } from '../tables.ts';
import { changeJob, changeRun, findRun, hasEnded, type LockedJob, notAttempted, OUTCOMES_BY_KIND } from './jobs.ts';

/** The most items without texts of one statement, which takes the event loop of SQLite for a few milliseconds. */
export const ITEMS_PER_STATEMENT = 500;

/** The articles among these that have an unknown item in the job. */
export async function unknownArticles({ db, dialect }: State, run: Run, articleIds: readonly string[]) {
  const found = new Set<string>();
  for (const slice of slicesOf([...new Set(articleIds.map(idKeyOf))], ITEMS_PER_STATEMENT)) {
    const keys = dialect.jsonTable({ alias: 'k', rows: slice.map((id) => ({ id })), columns: { id: 'text' } });
    const { rows } = await sql<{ article_key: string }>`
      select distinct article_key from article_update_job_items
      where job_id = ${run.jobId} and status in ('UNKNOWN', 'FORK_UNKNOWN') and article_key in (select k.id from ${keys})
    `.execute(db);
    for (const { article_key } of rows) found.add(article_key);
  }
  return found;
}

interface PhaseItems {
  readonly indexes: readonly number[];
  readonly phase: ItemPhase;
  readonly kept?: ItemSnapshots | undefined;
  readonly forks?: ItemForks['forks'] | undefined;
}

/** Records the intent to send items, with their snapshots. */
export async function beginItems(
  state: State,
  job: LockedJob,
  { indexes, phase, kept, forks }: PhaseItems,
): Promise<boolean | 'full'> {
  if (job.state !== 'RUNNING') return false;
  const { before, begun } = PHASES[phase];
  const items = await selectItems(state, job, indexes);
  if (items.some(({ status }) => status !== before && status !== begun)) {
    throw new Error('An item that has an outcome is not sent.');
  }
  const pending = items.filter(({ status }) => status === before);
  const isPending = new Set(pending.map(({ item_index }) => item_index));
  const keeps = new Map([...(kept?.items ?? [])].filter(([index]) => isPending.has(index)));
  const rows = await toKeptRows(state, job, keeps);
  const added = rows.reduce((sum, { before_bytes }) => sum + before_bytes, 0);
  if (kept !== undefined && (await isFull(state, { callerKey: job.caller_key, added }, kept.room))) return 'full';
  await setKept(state, rows);
  await setForks(state, job, forks ?? new Map());
  const restorable = job.restorable + rows.filter((row) => row.restorable > 0).length;
  const counted = { ...job, bytes: job.bytes + added, restorable };
  await moveItems(state, job, { items: pending, from: before, to: begun, counted });
  return true;
}

const KEPT_COLUMNS = {
  job_id: 'text',
  n: 'integer',
  before: 'text',
  before_bytes: 'integer',
  text_key: 'text',
  restorable: 'integer',
  shared: 'text?',
} as const;

type KeptRow = RowOf<typeof KEPT_COLUMNS>;

async function toKeptRows(
  state: State,
  { job_id }: LockedJob,
  items: ItemSnapshots['items'],
): Promise<readonly KeptRow[]> {
  const kept = [...items].map(([n, one]) => ({ n, kept: one, article: idKeyOf(one.update.articleId) }));
  const sharing = kept.filter(({ kept: one, n }) => addToHistory(null, one, n) !== null);
  const histories = new Map<string, SharedHistory>();
  for (const [article, { history }] of await lastShared(
    state,
    job_id,
    sharing.map(({ article }) => article),
  ))
    histories.set(article, history);
  return kept
    .sort((one, other) => one.n - other.n)
    .map(({ n, kept: one, article }) => {
      const before = encodeSnapshot(one);
      const history = addToHistory(histories.get(article) ?? null, one, n);
      if (history !== null) histories.set(article, history);
      const shared = history && encodeHistory(history);
      return {
        job_id,
        n,
        before,
        shared,
        before_bytes: Buffer.byteLength(before) + Buffer.byteLength(shared ?? ''),
        text_key: textHashOf(one),
        restorable: RESTORABLE[restorabilityOf(one)],
      };
    });
}

const RESTORABLE = { whole: 1, part: 2, none: 0 } as const;

const textHashOf = (kept: ItemSnapshot): string => hash('sha256', revertKeyOf(kept), 'base64url');

/** The history of the shared members of each article, after the last item of the job that has set one. Items that failed set nothing. */
export async function lastShared(
  { db, dialect }: State,
  jobId: string,
  articles: readonly string[],
): Promise<ReadonlyMap<string, LastShared>> {
  const found = new Map<string, LastShared>();
  for (const slice of slicesOf([...new Set(articles)], ITEMS_PER_STATEMENT)) {
    const keys = dialect.jsonTable({ alias: 'k', rows: slice.map((id) => ({ id })), columns: { id: 'text' } });
    const { rows } = await sql<Pick<ItemRow, 'item_index' | 'article_key' | 'status' | 'shared'>>`
      select i.item_index, i.article_key, i.status, i.shared from ${keys}
      join article_update_job_items as i on i.job_id = ${jobId} and i.item_index = (
        select l.item_index from article_update_job_items as l
        where l.job_id = ${jobId} and l.article_key = k.id and l.shared is not null and l.text_key is not null
        order by l.item_index desc limit 1
      )
    `.execute(db);
    for (const { item_index, article_key, status, shared } of rows) {
      const history = decodeHistory(shared ?? '');
      if (history.ok)
        found.set(article_key, { history: history.value, unknownIndex: status === 'UNKNOWN' ? item_index : null });
    }
  }
  return found;
}

async function setKept({ db, dialect }: State, kept: readonly KeptRow[]): Promise<void> {
  const sizes = { max: MAX_TEXT_BYTES, sizeOf: ({ before_bytes }: KeptRow) => before_bytes };
  for (const rows of slicesOf(kept, ITEMS_PER_STATEMENT, sizes)) {
    const source = dialect.jsonTable({ alias: 'k', rows, columns: KEPT_COLUMNS });
    await sql`
      update article_update_job_items as i set before = k.before, before_bytes = k.before_bytes, text_key = k.text_key,
        restorable = k.restorable, shared = k.shared
      from ${source} where i.job_id = k.job_id and i.item_index = k.n
    `.execute(db);
  }
}

/** Withdraws the intent to send items. */
export async function withdrawItems(state: State, job: LockedJob, { indexes, phase }: PhaseItems): Promise<true> {
  const { before, begun } = PHASES[phase];
  await moveItems(state, job, { items: await selectItems(state, job, indexes), from: begun, to: before });
  return true;
}

type PhaseStatus = (typeof PHASES)[ItemPhase]['before' | 'begun'];

interface Move {
  readonly items: readonly SelectedItem[];
  readonly from: PhaseStatus;
  readonly to: PhaseStatus;
  /** The job with its changed counts. */
  readonly counted?: LockedJob;
}

/** Changes the status of those items that have the one status to the other. */
async function moveItems(state: State, job: LockedJob, { items, from, to, counted = job }: Move): Promise<void> {
  const moved = items.filter(({ status }) => status === from);
  await setStatus(state, job, { indexes: moved.map(({ item_index }) => item_index), status: to });
  await changeJob(state, job, {
    ...countsAfter(
      counted,
      moved.map((item) => ({ item, status: to, keepsText: true })),
    ),
    // The sweep may have passed their texts already.
    ...(hasEnded(job) && (to === 'PENDING' || to === 'TO_FORK') && moved.length > 0 && { text_cursor: 0 }),
  });
}

/** An item without its texts. */
export type SelectedItem = Pick<ItemRow, 'item_index' | 'status' | 'input_bytes' | 'before_bytes' | 'restorable'>;

/** The columns of `SelectedItem`. */
export const SELECTED_COLUMNS = sql`item_index, status, input_bytes, before_bytes, restorable`;

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
      select ${SELECTED_COLUMNS} from article_update_job_items
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
  readonly status: PhaseStatus;
}

async function setStatus({ db, dialect }: State, { job_id, now }: LockedJob, { indexes, status }: StatusChange) {
  const begunAt = ITEM_STATES[status].count === 'in_flight' ? now : null;
  const forgets =
    status === 'PENDING'
      ? sql`, before = null, before_bytes = 0, text_key = null, restorable = 0, shared = null`
      : sql``;
  for (const slice of slicesOf(indexes, ITEMS_PER_STATEMENT)) {
    await sql`
      update article_update_job_items set status = ${status}, begun_at = cast(${begunAt} as bigint) ${forgets}
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

/** Records outcomes. An item with an outcome keeps it, unless it is unknown and was not read back yet. */
export async function endItems(state: State, job: LockedJob, outcomes: readonly IndexedOutcome[]): Promise<true> {
  const byIndex = new Map(outcomes.map((one) => [one.index, one]));
  const changes: EndedItem[] = [];
  for (const item of await selectItems(state, job, [...byIndex.keys()])) {
    const one = byIndex.get(item.item_index);
    if (one === undefined || !mayEnd(item, one)) continue;
    const { outcome } = one;
    // The sweep may have deleted the text after the job was cancelled, and then nothing can be read back.
    const keepsText = isUnread(outcome) && item.input_bytes > 0;
    const isFork = item.status === 'FORKING' && isUnread(outcome);
    changes.push({ item, outcome, status: isFork ? 'FORK_UNKNOWN' : statusAfter(job, one), keepsText });
  }
  for (const slice of slicesOf(changes, ITEMS_PER_STATEMENT)) await setOutcomes(state, job, slice);
  await changeJob(state, job, countsAfter(job, changes));
  return true;
}

/** Has items be updated next that have passed the fork, with their drafts; or be forked next, where they have no draft yet. */
export async function passItems(state: State, job: LockedJob, passed: readonly PassedItem[]): Promise<true> {
  const forks = new Map(passed.map(({ index, fork }) => [index, fork]));
  const changes: ItemChange[] = [];
  for (const item of await selectItems(state, job, [...forks.keys()])) {
    const fork = forks.get(item.item_index);
    const isToFork = fork != null && fork.draftVersionNumber === undefined;
    const mayPass = isToFork ? item.status === 'PENDING' : FORK_STATUSES.has(item.status);
    if (mayPass) changes.push({ item, status: isToFork ? 'TO_FORK' : 'PENDING', keepsText: true });
    else forks.delete(item.item_index);
  }
  for (const status of ['TO_FORK', 'PENDING'] as const) {
    const indexes = changes.filter((change) => change.status === status).map(({ item }) => item.item_index);
    await setStatus(state, job, { indexes, status });
  }
  await setForks(state, job, forks);
  if (job.keep_before !== 'NEVER') await moveTexts(state, job, forks);
  await changeJob(state, job, {
    ...countsAfter(job, changes),
    // The sweep may have passed their texts already.
    ...(hasEnded(job) && changes.length > 0 && { text_cursor: 0 }),
  });
  return true;
}

const FORK_STATUSES: ReadonlySet<ItemStatus> = new Set(Object.values(PHASES.fork));

const FORK_COLUMNS = { n: 'integer', fork: 'text?' } as const;

async function setForks(
  { db, dialect }: State,
  { job_id }: LockedJob,
  forks: ReadonlyMap<number, ItemFork | null>,
): Promise<void> {
  const all = [...forks].map(([n, fork]) => ({ n, fork: fork && encodeItemFork(fork) }));
  for (const rows of slicesOf(all, ITEMS_PER_STATEMENT)) {
    const source = dialect.jsonTable({ alias: 'k', rows, columns: FORK_COLUMNS });
    await sql`
      update article_update_job_items as i set fork = k.fork
      from ${source} where i.job_id = ${job_id} and i.item_index = k.n
    `.execute(db);
  }
}

/** Has items that changed a version which was then published and forked be of the text of its draft. */
async function moveTexts(
  { db, dialect }: State,
  { job_id }: LockedJob,
  forks: ReadonlyMap<number, ItemFork | null>,
): Promise<void> {
  for (const slice of slicesOf([...forks.keys()], ITEMS_PER_STATEMENT)) {
    const { rows } = await sql<Pick<ItemRow, 'item_index' | 'article_key'>>`
      select item_index, article_key from article_update_job_items
      where job_id = ${job_id} and item_index in (select k.n from ${indexTable(dialect, slice)})
    `.execute(db);
    for (const { item_index, article_key: articleId } of rows) {
      const { languageCode, versionNumber, draftVersionNumber } = forks.get(item_index) ?? {};
      if (draftVersionNumber === undefined) continue;
      const keyOf = (version: number | undefined) =>
        textHashOf({ update: { articleId, languageCode, versionNumber: version }, image: null });
      await sql`
        update article_update_job_items set text_key = ${keyOf(draftVersionNumber)}
        where job_id = ${job_id} and text_key = ${keyOf(versionNumber)}
      `.execute(db);
    }
  }
}

const NOTED_COLUMNS = { job_id: 'text', n: 'integer', noted: 'text' } as const;

/** Notes what calls have left of texts. Where the service has made a version, the items before it are of that one, too. */
export async function noteItems({ db, dialect }: State, { job_id }: LockedJob, items: readonly NotedItem[]) {
  const notes = items.map(({ index, noted }) => ({ job_id, n: index, noted: encodeNoted(noted) }));
  for (const rows of slicesOf(notes, ITEMS_PER_STATEMENT)) {
    const source = dialect.jsonTable({ alias: 'k', rows, columns: NOTED_COLUMNS });
    await sql`
      update article_update_job_items as i set noted = k.noted
      from ${source} where i.job_id = k.job_id and i.item_index = k.n
    `.execute(db);
  }
  for (const { noted, snapshot } of items) {
    if (snapshot === null || snapshot.image?.versionNumber === noted.versionNumber) continue;
    await sql`
      update article_update_job_items set text_key = ${textHashOf(withMadeVersion(snapshot, noted))}
      where job_id = ${job_id} and text_key = ${textHashOf(snapshot)}
    `.execute(db);
  }
  return true as const;
}

/** The most items that are listed of those of which a revert puts back a part. */
const MAX_LISTED = 100;

/** The items of which a revert can put back only a part. */
export async function partlyRestorable(state: State, jobId: string): Promise<PartlyRestorable> {
  const isPart = sql`from article_update_job_items where job_id = ${jobId} and restorable = 2`;
  const counted = await firstRow(state, sql<{ total: number }>`select count(*) as total ${isPart}`);
  const { rows } = await sql<Pick<ItemRow, 'item_index'>>`
    select item_index ${isPart} order by item_index limit ${MAX_LISTED}
  `.execute(state.db);
  return { indexes: rows.map(({ item_index }) => item_index), total: counted?.total ?? 0 };
}

/** The drafts that the job has made of the articles. */
export async function forksOf({ db, dialect }: State, { jobId }: Run, articleIds: readonly string[]) {
  const found = new Map<string, ItemFork[]>();
  for (const slice of slicesOf([...new Set(articleIds.map(idKeyOf))], ITEMS_PER_STATEMENT)) {
    const keys = dialect.jsonTable({ alias: 'k', rows: slice.map((id) => ({ id })), columns: { id: 'text' } });
    const { rows } = await sql<Pick<ItemRow, 'article_key' | 'fork'>>`
      select article_key, fork from article_update_job_items
      where job_id = ${jobId} and fork is not null and article_key in (select k.id from ${keys})
    `.execute(db);
    for (const { article_key, fork } of rows) {
      const decoded = decodeItemFork(fork ?? '');
      if (decoded.ok && decoded.value.draftVersionNumber !== undefined)
        found.set(article_key, [...(found.get(article_key) ?? []), decoded.value]);
    }
  }
  return found;
}

function mayEnd({ status, input_bytes }: SelectedItem, { outcome, isToBeRead = false }: IndexedOutcome): boolean {
  if (outcome.kind === 'updated' && outcome.publication !== undefined) {
    if (status !== 'PUBLICATION_UNKNOWN') return status === 'TO_PUBLISH' || status === 'PUBLISHING';
    return !isToBeRead && (outcome.publication === 'PUBLISHED' || outcome.publication === 'UNKNOWN');
  }
  if (status === 'FORK_UNKNOWN') return outcome.kind === 'unknown' && !isUnread(outcome);
  if (status !== 'UNKNOWN')
    return status === 'PENDING' || status === 'IN_FLIGHT' || status === 'TO_FORK' || status === 'FORKING';
  return input_bytes > 0 && (outcome.kind === 'updated' || outcome.kind === 'unknown') && !isUnread(outcome);
}

function statusAfter({ publish_user_id }: LockedJob, { outcome, isToBeRead }: IndexedOutcome): ItemStatus {
  if (outcome.kind !== 'updated' || publish_user_id === null) return OUTCOMES_BY_KIND[outcome.kind];
  if (outcome.publication === undefined) return 'TO_PUBLISH';
  return isToBeRead ? 'PUBLICATION_UNKNOWN' : 'UPDATED';
}

/** True for an unknown outcome whose article was not read. */
const isUnread = (outcome: ArticleOutcome): boolean =>
  outcome.kind === 'unknown' && (outcome.readBack ?? 'NOT_TRIED') === 'NOT_TRIED';

interface ItemChange {
  readonly item: SelectedItem;
  /** The status after the change. */
  readonly status: ItemStatus;
  readonly keepsText: boolean;
}

interface EndedItem extends ItemChange {
  readonly outcome: ArticleOutcome;
}

/** Each row has the job, since SQLite finds the items by both columns of their key only then. */
const OUTCOME_COLUMNS = {
  job_id: 'text',
  n: 'integer',
  status: 'text',
  outcome: 'text',
  keeps_text: 'integer',
  keeps_before: 'integer',
} as const;

/** Writes statuses and outcomes by one statement. */
export async function setOutcomes(
  { db, dialect }: State,
  { job_id }: LockedJob,
  changes: readonly EndedItem[],
): Promise<void> {
  const rows = changes.map(({ item, status, outcome, keepsText }) => ({
    job_id,
    n: item.item_index,
    status,
    outcome: encodeOutcome(outcome),
    keeps_text: keepsText ? 1 : 0,
    keeps_before: ITEM_STATES[status].keepsSnapshot ? 1 : 0,
  }));
  const source = dialect.jsonTable({ alias: 'k', rows, columns: OUTCOME_COLUMNS });
  await sql`
    update article_update_job_items as i set status = k.status, outcome = k.outcome,
      input = case when k.keeps_text = 1 then i.input end,
      input_bytes = case when k.keeps_text = 1 then i.input_bytes else 0 end,
      before = case when k.keeps_before = 1 then i.before end,
      before_bytes = case when k.keeps_before = 1 then i.before_bytes else 0 end,
      text_key = case when k.keeps_before = 1 then i.text_key end,
      restorable = case when k.keeps_before = 1 then i.restorable else 0 end,
      shared = case when k.keeps_before = 1 then i.shared end
    from ${source} where i.job_id = k.job_id and i.item_index = k.n
  `.execute(db);
}

function countsAfter(job: LockedJob, changes: readonly ItemChange[]): Partial<JobRow> {
  const { in_flight, to_publish, updated, failed, unknown, not_attempted, unresolved, bytes, restorable } = job;
  const counts = { in_flight, to_publish, updated, failed, unknown, not_attempted, unresolved, bytes, restorable };
  for (const { item, status, keepsText } of changes) {
    const [before, after] = [ITEM_STATES[item.status], ITEM_STATES[status]];
    if (before.count !== null) counts[before.count] -= 1;
    if (after.count !== null) counts[after.count] += 1;
    if (before.isUnresolved) counts.unresolved -= 1;
    if (after.isUnresolved && (status !== 'UNKNOWN' || keepsText)) counts.unresolved += 1;
    const forgets = Number(!after.keepsSnapshot);
    counts.bytes -= (keepsText ? 0 : item.input_bytes) + forgets * item.before_bytes;
    counts.restorable -= forgets * Number(item.restorable > 0);
  }
  return counts;
}

/** The most bytes of texts of one statement, unless a single item has more. */
const MAX_TEXT_BYTES = 8_000_000;

interface PhaseSelection {
  readonly limit: number;
  readonly phase: ItemPhase;
}

/** The next items that have not begun. */
export async function nextItems(
  access: StateAccess,
  run: Run,
  { limit, phase }: PhaseSelection,
): Promise<readonly LedgerItem[] | null> {
  const items = await readItems(access, run, { status: PHASES[phase].before, limit });
  return items?.map(({ ageMs: _, ...item }) => item) ?? null;
}

/** Items that are yet to be read back. */
export const unknownItems = (access: StateAccess, run: Run, { limit, phase }: PhaseSelection) =>
  readItems(access, run, { status: PHASES[phase].unknown, limit });

type TextRow = Pick<ItemRow, 'item_index' | 'outcome' | 'fork' | 'noted'> & {
  readonly text: string | null;
  readonly age_ms: number | null;
};

interface SelectedTexts {
  readonly texts: readonly TextRow[];
  /** True where the texts are those of a revert. */
  readonly isRevert: boolean;
}

interface TextSelection {
  readonly status: (typeof PHASES)[ItemPhase]['before' | 'unknown'];
  readonly limit: number;
}

/** Reads items. Those whose texts can't be decoded end unsent, and the job continues with the others. */
async function readItems(
  access: StateAccess,
  run: Run,
  selection: TextSelection,
): Promise<readonly UnknownItem[] | null> {
  for (;;) {
    const rows = await readState(access, (state) => selectTexts(state, run, selection));
    if (rows === null) return null;
    const items: UnknownItem[] = [];
    const unreadable: IndexedOutcome[] = [];
    for (const row of rows.texts) {
      const item = decodeRow(rows.isRevert, row);
      if (item.ok) items.push(item.value);
      else {
        const outcome = { ...unreadableOutcome(selection.status, item.error), articleId: '' };
        unreadable.push({ index: row.item_index, outcome });
      }
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

/** The item of a row, which goes to the draft that was made of its version. */
function decodeRow(
  isRevert: boolean,
  { item_index: index, text, age_ms, outcome, fork, noted: note }: TextRow,
): Decoded<UnknownItem> {
  const item = decodeItem(isRevert, text ?? '');
  if (!item.ok) return item;
  const made = fork === null ? ok(undefined) : decodeItemFork(fork);
  if (!made.ok) return made;
  const update = toDraft(item.value.update, made.value);
  const noted = note === null ? null : decodeNoted(note);
  const ageMs = age_ms ?? 0;
  return ok({
    index,
    ...item.value,
    update,
    ageMs,
    ...(made.value && { fork: made.value }),
    ...(noted?.ok && { noted: noted.value }),
    ...updatedOf(outcome, update),
  });
}

function decodeItem(isRevert: boolean, text: string): Decoded<Partial<RevertItem> & Pick<RevertItem, 'update'>> {
  if (isRevert) return decodeRevertItem(text);
  const update = decodeUpdate(text);
  return update.ok ? ok({ update: update.value }) : update;
}

/** The outcome of an item that was updated. */
function updatedOf(kept: string | null, { articleId }: UnknownItem['update']): Pick<LedgerItem, 'outcome'> {
  const decoded = kept === null ? null : decodeOutcome(kept);
  return decoded?.ok && decoded.value.kind === 'updated' ? { outcome: { ...decoded.value, articleId } } : {};
}

function unreadableOutcome(status: TextSelection['status'], reason: string): SharedOutcome {
  const kept = `the gateway cannot read what it kept of this item. ${reason}`;
  switch (status) {
    case 'TO_FORK':
    case 'PENDING':
      return notAttempted(`Not sent, because ${kept}`, 'REJECTED');
    case 'FORK_UNKNOWN':
    case 'UNKNOWN':
      return { kind: 'unknown', details: `The outcome is unknown, and ${kept}`, readBack: 'NOT_READABLE' };
    case 'TO_PUBLISH':
      return { kind: 'updated', details: `Not published, because ${kept}`, publication: 'NOT_ATTEMPTED' };
    case 'PUBLICATION_UNKNOWN':
      return { kind: 'updated', details: `Whether it was published is unknown, and ${kept}`, publication: 'UNKNOWN' };
  }
}

/**
 * Selects the first items of a status, by index, until their texts are too long together. Null where the process no longer
 * runs the job.
 */
async function selectTexts(state: State, run: Run, { status, limit }: TextSelection): Promise<SelectedTexts | null> {
  const { jobId } = run;
  const job = await findRun(state, run);
  if (job === null) return null;
  if ((status === 'TO_FORK' || status === 'PENDING' || status === 'TO_PUBLISH') && job.state !== 'RUNNING')
    return { texts: [], isRevert: false };
  const { text } = ITEM_STATES[status];
  const isOfInput = text === 'input';
  const hasText = isOfInput ? sql`and input_bytes > 0` : sql``;
  const { rows } = await sql<TextRow>`
    select item_index, ${sql.ref(text)} as text, ${state.clock} - begun_at as age_ms, outcome, fork, noted
    from article_update_job_items
    where job_id = ${jobId} and item_index in (
      select item_index from (
        select item_index, sum(input_bytes) over (order by item_index) - input_bytes as bytes_before, input_bytes from (
          select item_index, input_bytes from article_update_job_items
          where job_id = ${jobId} and status = ${sql.lit(status)} ${hasText} order by item_index limit ${limit}
        ) as first_items
      ) as measured where bytes_before = 0 or bytes_before + input_bytes <= ${MAX_TEXT_BYTES}
    ) order by item_index
  `.execute(state.db);
  return { texts: rows, isRevert: isOfInput && job.revertOf !== null };
}
