import { isDeepStrictEqual } from 'node:util';
import type { ArticleOutcome, SharedOutcome } from '../../../src/core/articles/article-outcomes.ts';
import {
  addToHistory,
  type IndexedTarget,
  type ItemSnapshot,
  type LastShared,
  mergeTargets,
  type RevertTarget,
  restorabilityOf,
  restoringUpdateOf,
  revertKeyOf,
  targetOf,
  withMadeVersion,
  withShared,
} from '../../../src/core/articles/article-reverts.ts';
import type { ItemOutcome, JobCounts, JobState, JobWait } from '../../../src/core/articles/article-update-jobs.ts';
import { type ArticleUpdate, setsUnlisted } from '../../../src/core/articles/bulk-updates.ts';
import type { TextState } from '../../../src/core/articles/revisions.ts';
import { StateUnavailable } from '../../../src/core/state-unavailable.ts';
import { UNATTENDED_WAIT_MS } from '../../../src/jobs/state/jobs/claims.ts';
import type {
  AppendResult,
  BeginKeyResult,
  CopyResult,
  IndexedOutcome,
  ItemPhase,
  ItemSnapshots,
  Ledger,
  LedgerClaim,
  LedgerJob,
  LedgerKey,
  LedgerPart,
  LedgerRevert,
  NotedItem,
  PartlyRestorable,
  ResultPage,
  RevertResult,
  Run,
  StateRoom,
  TargetPage,
  TargetsPage,
  UnknownItem,
} from '../../../src/jobs/state/ledger.ts';

interface ModelItem {
  update: ArticleUpdate | null;
  readonly text: string;
  readonly hasText: boolean;
  readonly target: Pick<ArticleUpdate, 'articleId' | 'languageCode' | 'versionNumber'>;
  begunAt: number | null;
  /** While it is to be published, that of its update. */
  outcome: ArticleOutcome | null;
  /** How far its publication is; null where it has none, or has ended. */
  publication: 'waiting' | 'begun' | 'unknown' | null;
  /** What stood there before; null where nothing is kept. */
  kept: ItemSnapshot | null;
  /** Equal for items of one text. */
  textKey: string;
  noted: TextState | null;
  /** In a revert. */
  readonly revertTarget?: RevertTarget;
}

interface ModelJob {
  readonly jobId: string;
  readonly service: string;
  readonly part: LedgerPart;
  readonly items: ModelItem[];
  readonly createdAt: number;
  state: JobState;
  waitingFor: JobWait | null;
  rest: SharedOutcome | null;
  owner: string | null;
  number: number;
  changedAt: number;
  endedAt: number | null;
  readonly revertOf: string | null;
  copiedFrom: number | null;
  /** The number of items of a revert once all are copied. */
  readonly toCopy: number;
}

interface ModelKey extends LedgerKey {
  readonly service: string;
  readonly keyId: string;
  readonly createdAt: number;
  answer: string | null;
}

/** The disk of the model, which outlives the processes. */
export interface ModelState {
  readonly owners: Map<string, number>;
  readonly jobs: Map<string, ModelJob>;
  readonly keys: Map<string, ModelKey>;
  /** The IDs that were given. */
  ids: number;
}

export const emptyModelState = (): ModelState => ({ owners: new Map(), jobs: new Map(), keys: new Map(), ids: 0 });

const ROW_BYTES = 400;

const notAttempted = (details: string, reason: 'CANCELLED' | 'OUT_OF_TIME' | 'UNAVAILABLE'): SharedOutcome => ({
  kind: 'not-attempted',
  details,
  reason,
  retryAfterSeconds: null,
});

const ITEM_OUTCOMES = {
  updated: 'UPDATED',
  failed: 'FAILED',
  unknown: 'UNKNOWN',
  'not-attempted': 'NOT_ATTEMPTED',
} as const satisfies Record<ArticleOutcome['kind'], ItemOutcome>;

const COUNTS = { updated: 'updated', failed: 'failed', unknown: 'unknown', 'not-attempted': 'notAttempted' } as const;

const textOf = (update: ArticleUpdate): string =>
  JSON.stringify(
    Object.entries(update)
      .filter(([, value]) => value !== undefined)
      .sort(),
  );

const hasEnded = ({ state }: ModelJob): boolean =>
  state === 'COMPLETED' || state === 'CANCELLED' || state === 'EXPIRED';

const isInFlight = ({ begunAt, outcome, publication }: ModelItem): boolean =>
  (begunAt !== null && outcome === null) || publication === 'begun';

const isToPublish = ({ publication }: ModelItem): boolean => publication === 'waiting';

const isPending = ({ begunAt, outcome }: ModelItem): boolean => begunAt === null && outcome === null;

const isReadBack = (outcome: ArticleOutcome): boolean =>
  outcome.kind === 'updated' || (outcome.kind === 'unknown' && (outcome.readBack ?? 'NOT_TRIED') !== 'NOT_TRIED');

const isUnresolved = ({ outcome, update, publication }: ModelItem): boolean =>
  (outcome?.kind === 'unknown' && update !== null) || publication === 'unknown';

const isActive = (job: ModelJob): boolean =>
  job.state === 'RUNNING' || job.items.some(isInFlight) || (job.state !== 'PAUSED' && job.items.some(isUnresolved));

/** The outcome of an item; in a job that has ended, also of one that has not begun. */
function outcomeOf(job: ModelJob, item: ModelItem): ArticleOutcome | null {
  if (item.publication === 'begun' || (isToPublish(item) && !hasEnded(job))) return null;
  if (item.outcome?.kind === 'updated' && job.part.publication !== undefined) {
    const publication = isToPublish(item) ? 'NOT_ATTEMPTED' : (item.outcome.publication ?? 'UNKNOWN');
    return { ...item.outcome, publication };
  }
  if (item.outcome !== null || !hasEnded(job) || !isPending(item) || job.rest === null) return item.outcome;
  return { ...job.rest, articleId: item.target.articleId };
}

function countsOf(job: ModelJob): JobCounts {
  const total = Math.max(job.items.length, job.copiedFrom === null ? 0 : job.toCopy);
  const counts = { total, pending: 0, updated: 0, failed: 0, unknown: 0, notAttempted: 0 };
  counts[hasEnded(job) ? 'notAttempted' : 'pending'] = total - job.items.length;
  for (const item of job.items) {
    const outcome = outcomeOf(job, item);
    counts[outcome === null ? 'pending' : COUNTS[outcome.kind]] += 1;
  }
  return counts;
}

const toLedgerJob = (job: ModelJob): LedgerJob => ({
  jobId: job.jobId,
  name: job.part.name ?? null,
  credentialHash: job.part.credentialHash,
  publication: job.part.publication,
  keepBefore: job.part.keepBefore ?? 'NEVER',
  revertOf: job.revertOf,
  isCopying: job.copiedFrom !== null,
  withTexts: job.items.filter(({ hasText }) => hasText).length,
  restorable: job.items.filter(({ kept }) => kept !== null && restorabilityOf(kept) !== 'none').length,
  state: job.state,
  waitingFor: job.waitingFor,
  counts: countsOf(job),
  createdAt: job.createdAt,
  endedAt: job.endedAt,
});

/**
 * The ledger as plain maps: the storage of the simulation. It has no timers and no randomness, so that a run can be
 * repeated. The suite of the ledger ties it to the databases.
 */
export class ModelLedger implements Ledger {
  readonly #state: ModelState;
  readonly #now: () => number;
  readonly #service: string;
  #isClosed = false;

  constructor(state: ModelState, now: () => number, serviceUrl: string | null = null) {
    this.#state = state;
    this.#now = now;
    this.#service = serviceUrl ?? '';
  }

  async heartbeat(owner: string, forMs: number): Promise<void> {
    this.#requireOpen();
    this.#state.owners.set(owner, this.#now() + forMs);
  }

  async usedBytes(): Promise<number> {
    return this.#bytesOf(() => true);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }

  async sweep({ openMs, keepMs }: { readonly openMs: number; readonly keepMs: number }): Promise<boolean> {
    this.#requireOpen();
    const now = this.#now();
    const jobs = [...this.#state.jobs.values()];
    const idleJobs = (state: JobState, forMs: number) =>
      jobs.filter((job) => job.state === state && job.changedAt <= now - forMs);
    for (const job of idleJobs('OPEN', openMs)) this.#end(job, 'EXPIRED', notAttempted('Left open.', 'OUT_OF_TIME'));
    for (const job of idleJobs('PAUSED', keepMs))
      this.#end(job, 'CANCELLED', notAttempted('Left paused.', 'CANCELLED'));
    for (const job of jobs.filter(hasEnded)) forgetTexts(job, isPending);
    for (const { jobId, endedAt } of jobs) {
      if (endedAt !== null && endedAt <= now - keepMs) this.#state.jobs.delete(jobId);
    }
    for (const key of this.#state.keys.values()) {
      const endsAt = Math.min(key.createdAt + keepMs, key.createdAt + (key.lifetimeMs ?? keepMs));
      if (endsAt <= now) this.#state.keys.delete(key.keyId);
    }
    return false;
  }

  async appendPart(part: LedgerPart): Promise<AppendResult> {
    this.#requireOpen();
    const { callerKey, idempotencyKey, startIndex, updates, limits } = part;
    const jobs = this.#jobsOf(callerKey);
    const isSameKey = ({ part: other, service }: ModelJob) =>
      other.idempotencyKey === idempotencyKey && service === this.#service;
    const job = jobs.find(isSameKey);
    if (job !== undefined) return this.#appendTo(job, part);
    if (startIndex > 0) return { kind: 'gap', nextIndex: 0 };
    if (updates.length > limits.maxItems) return { kind: 'too-many-items' };
    if (jobs.filter(({ endedAt }) => endedAt === null).length >= limits.maxJobs) return { kind: 'too-many-jobs' };
    const created: ModelJob = {
      ...{
        jobId: this.#newId('job'),
        service: this.#service,
        part,
        items: [],
        createdAt: this.#now(),
        state: 'OPEN' as const,
      },
      ...{ waitingFor: null, rest: null, owner: null, number: 0, changedAt: this.#now(), endedAt: null },
      ...{ revertOf: null, copiedFrom: null, toCopy: 0 },
    };
    const result = this.#addItems(created, updates, part);
    if (result.kind === 'appended') this.#state.jobs.set(created.jobId, created);
    return result;
  }

  #appendTo(job: ModelJob, part: LedgerPart): AppendResult {
    const { startIndex, updates, moreToCome, limits } = part;
    const { length } = job.items;
    const isNamed = part.name === job.part.name;
    const isSame = isNamed && isDeepStrictEqual(part.publication, job.part.publication) && job.revertOf === null;
    if (!isSame || (part.keepBefore ?? 'NEVER') !== (job.part.keepBefore ?? 'NEVER'))
      return { kind: 'conflict', indexes: [] };
    if (startIndex > length) return { kind: 'gap', nextIndex: length };
    const isOpen = job.state === 'OPEN';
    const differs = (update: ArticleUpdate, index: number) => {
      const item = job.items[index];
      return item === undefined ? !isOpen : item.text !== textOf(update);
    };
    const indexes = updates.flatMap((update, n) => (differs(update, startIndex + n) ? [startIndex + n] : []));
    if (indexes.length > 0) return { kind: 'conflict', indexes: indexes.slice(0, 100) };
    const added = updates.slice(length - startIndex);
    if (!isOpen || (added.length === 0 && moreToCome)) {
      return { kind: 'appended', job: toLedgerJob(job), replayed: true };
    }
    if (length + added.length > limits.maxItems) return { kind: 'too-many-items' };
    return this.#addItems(job, added, part);
  }

  #addItems(job: ModelJob, updates: readonly ArticleUpdate[], part: LedgerPart): AppendResult {
    const items = updates.map((update) => toItem(update));
    const bytes = items.reduce((sum, item) => sum + bytesOf(item), 0);
    if (items.length > 0 && this.#isFull(part.callerKey, bytes, part.limits)) return { kind: 'full' };
    job.items.push(...items);
    job.changedAt = this.#now();
    if (!part.moreToCome) {
      job.state = 'RUNNING';
      job.owner = part.credentialHash === job.part.credentialHash ? part.owner : null;
    }
    return { kind: 'appended', job: toLedgerJob(job), replayed: false };
  }

  #isFull(callerKey: string, added: number, { maxBytes, hasOneCaller }: StateRoom): boolean {
    const left = maxBytes - this.#bytesOf(() => true) - added;
    return left < 0 || (!hasOneCaller && this.#bytesOf((other) => other === callerKey) + added > 3 * left);
  }

  #bytesOf(counts: (callerKey: string) => boolean): number {
    const jobs = [...this.#state.jobs.values()].filter(({ part }) => counts(part.callerKey));
    const keys = [...this.#state.keys.values()].filter(({ callerKey }) => counts(callerKey));
    const sizes = [
      ...jobs.flatMap(({ part, items }) => [rowBytesOf(part), ...items.map(bytesOf)]),
      ...keys.map(({ answer }) => ROW_BYTES + (answer?.length ?? 0)),
    ];
    return sizes.reduce((sum, bytes) => sum + bytes, 0);
  }

  async findJob(callerKey: string, jobId: string): Promise<LedgerJob | null> {
    this.#requireOpen();
    const job = this.#jobOf(callerKey, jobId);
    return job && toLedgerJob(job);
  }

  async listJobs(callerKey: string, { limit, after }: { readonly limit: number; readonly after: string | null }) {
    this.#requireOpen();
    const jobs = this.#jobsOf(callerKey).reverse();
    const index = jobs.findIndex(({ jobId }) => jobId === after);
    if (after !== null && index < 0) return [];
    return jobs.slice(index + 1, index + 1 + limit).map(toLedgerJob);
  }

  async countJobs(callerKey: string): Promise<number> {
    this.#requireOpen();
    return this.#jobsOf(callerKey).length;
  }

  async results(jobId: string, { limit, after, outcomes }: ResultPage) {
    this.#requireOpen();
    const job = this.#state.jobs.get(jobId);
    if (job === undefined) return [];
    const ended = job.items.flatMap((item, index) => {
      const outcome = outcomeOf(job, item);
      const isWanted = outcome !== null && (outcomes?.includes(ITEM_OUTCOMES[outcome.kind]) ?? true);
      return isWanted && index > after ? [{ index, outcome, target: item.target }] : [];
    });
    return ended.slice(0, limit);
  }

  async cancel(callerKey: string, jobId: string): Promise<LedgerJob | null> {
    this.#requireOpen();
    const job = this.#jobOf(callerKey, jobId);
    if (job === null) return null;
    if (!hasEnded(job)) this.#end(job, 'CANCELLED', notAttempted('Cancelled.', 'CANCELLED'));
    return toLedgerJob(job);
  }

  async resume(callerKey: string, jobId: string, run: { readonly owner: string; readonly credentialHash: string }) {
    this.#requireOpen();
    const job = this.#jobOf(callerKey, jobId);
    if (job === null) return null;
    if (job.state === 'PAUSED' && job.part.credentialHash === run.credentialHash) {
      job.state = 'RUNNING';
      job.owner = run.owner;
      job.number += 1;
    }
    return toLedgerJob(job);
  }

  async beginRevert(revert: LedgerRevert): Promise<RevertResult> {
    this.#requireOpen();
    const { callerKey, jobId, limits } = revert;
    // Keys of reverts are apart from those of submitted jobs.
    const idempotencyKey = ` ${revert.idempotencyKey}`;
    const jobs = this.#jobsOf(callerKey);
    const known = jobs.find(({ part, service }) => part.idempotencyKey === idempotencyKey && service === this.#service);
    if (known !== undefined) {
      const isSame = known.revertOf === jobId && isDeepStrictEqual(known.part.publication, revert.publication);
      return isSame ? { kind: 'appended', job: toLedgerJob(known), replayed: true } : { kind: 'conflict', indexes: [] };
    }
    const source = this.#jobOf(callerKey, jobId);
    if (source === null) return { kind: 'job-not-found' };
    const { endedAt, restorable } = toLedgerJob(source);
    if (endedAt === null || restorable === 0) return { kind: 'not-revertible', hasEnded: endedAt !== null };
    if (jobs.some((job) => job.revertOf === jobId && job.endedAt === null)) return { kind: 'in-progress' };
    if (jobs.filter((job) => job.endedAt === null).length >= limits.maxJobs) return { kind: 'too-many-jobs' };
    if (this.#isFull(callerKey, ROW_BYTES * (1 + restorable), limits)) return { kind: 'full' };
    const start = { startIndex: 0, moreToCome: false, updates: [] } as const;
    const toCopy = new Set(source.items.flatMap(({ kept, textKey }) => (kept === null ? [] : [textKey]))).size;
    const part = { ...revert, ...start, idempotencyKey, keepBefore: 'ALWAYS' } as const;
    const job: ModelJob = {
      ...{ jobId: this.#newId('job'), service: this.#service, part, items: [], createdAt: this.#now() },
      ...{ state: 'RUNNING', waitingFor: null, rest: null, owner: revert.owner, number: 0, changedAt: this.#now() },
      ...{ endedAt: null, revertOf: jobId, copiedFrom: source.items.length, toCopy },
    };
    this.#state.jobs.set(job.jobId, job);
    return { kind: 'appended', job: toLedgerJob(job), replayed: false };
  }

  async findRevert(callerKey: string, jobId: string): Promise<LedgerJob | null> {
    this.#requireOpen();
    const job = this.#jobsOf(callerKey).findLast(({ revertOf }) => revertOf === jobId);
    return job === undefined ? null : toLedgerJob(job);
  }

  async revertTargets(jobId: string, { limit, before }: TargetPage): Promise<TargetsPage> {
    this.#requireOpen();
    const items = this.#state.jobs.get(jobId)?.items ?? [];
    const merged = new Map<string, IndexedTarget>();
    const shared = new Map<string, LastShared>();
    for (const [index, { kept, outcome, noted, textKey }] of items.entries()) {
      if (kept === null) continue;
      const article = kept.update.articleId.toLowerCase();
      const history = addToHistory(shared.get(article)?.history ?? null, kept, index);
      if (history !== null) shared.set(article, { history, unknownIndex: outcome?.kind === 'unknown' ? index : null });
      const made = { isUnknown: outcome?.kind === 'unknown', outcome, noted: noted ?? undefined };
      const target = targetOf(kept, made);
      const earlier = merged.get(textKey);
      merged.set(textKey, { ...(earlier ? mergeTargets(earlier, target) : target), index });
    }
    const targets = [...merged.values()]
      .filter(({ index }) => index < before)
      .sort((a, b) => b.index - a.index)
      .map((target) => {
        const last = shared.get(target.update.articleId.toLowerCase());
        return last === undefined ? target : withShared(target, last);
      });
    const page = targets.slice(0, limit);
    return { targets: page, next: targets.length > limit ? (page.at(-1)?.index ?? 0) : null };
  }

  async copyItems(run: Run, room: StateRoom): Promise<CopyResult | false> {
    const job = this.#jobOfRun(run);
    if (job === null) return false;
    const { revertOf, copiedFrom } = job;
    if (revertOf === null || copiedFrom === null) return 'copied';
    if (job.state !== 'RUNNING') return false;
    const { targets, next } = await this.revertTargets(revertOf, { limit: 100, before: copiedFrom });
    const items = targets.map(({ index: _, ...target }) => toItem(restoringUpdateOf(target), target));
    const added = items.reduce((sum, item) => sum + bytesOf(item), 0);
    if (this.#isFull(job.part.callerKey, added, room))
      for (const item of items) {
        item.update = null;
        item.outcome = { ...notAttempted('No room.', 'UNAVAILABLE'), articleId: item.target.articleId };
      }
    job.items.push(...items);
    job.copiedFrom = next;
    return next === null ? 'copied' : 'more';
  }

  async claim({ owner, credentialHashes, held }: LedgerClaim): Promise<readonly (Run & { readonly job: LedgerJob })[]> {
    this.#requireOpen();
    if (!this.#isAlive(owner)) return [];
    const claimed: (Run & { readonly job: LedgerJob })[] = [];
    for (const job of this.#state.jobs.values()) {
      const isOwn = job.owner === owner;
      const isHeld = held.some(({ jobId, number }) => jobId === job.jobId && number === job.number);
      const isLeft = isOwn ? !isHeld : !this.#isAlive(job.owner);
      const concerns =
        this.#needsProcess(job) || credentialHashes.has(job.part.credentialHash) || job.items.some(isInFlight);
      if (!isLeft || !isActive(job) || !(isOwn || concerns) || !this.#takeOver(job, owner, credentialHashes)) continue;
      claimed.push({ jobId: job.jobId, owner, number: job.number, job: toLedgerJob(job) });
    }
    return claimed;
  }

  #takeOver(job: ModelJob, owner: string, credentialHashes: ReadonlySetLike<string>): boolean {
    for (const item of job.items.filter(isInFlight)) {
      if (item.publication === 'begun') {
        item.publication = 'unknown';
        continue;
      }
      const details = 'The process ended before the outcome was recorded.';
      item.outcome = { kind: 'unknown', details, articleId: item.target.articleId };
    }
    const hasWork = job.state === 'RUNNING' || (hasEnded(job) && job.items.some(isUnresolved));
    const isTaken = hasWork && credentialHashes.has(job.part.credentialHash);
    const changedAt = job.state === 'PAUSED' ? job.changedAt : this.#now();
    if (!isTaken && this.#needsProcess(job)) this.#giveUp(job);
    if (!isTaken) job.changedAt = changedAt;
    job.owner = isTaken ? owner : null;
    job.number += 1;
    job.waitingFor = null;
    this.#settle(job);
    return isTaken;
  }

  #needsProcess({ part, owner, changedAt }: ModelJob): boolean {
    const leftAt = owner === null ? changedAt : (this.#state.owners.get(owner) ?? 0);
    return !part.isUnattended || leftAt <= this.#now() - UNATTENDED_WAIT_MS;
  }

  #giveUp(job: ModelJob): void {
    for (const item of hasEnded(job) ? job.items.filter(isUnresolved) : []) {
      if (item.outcome?.kind === 'unknown') item.outcome = { ...item.outcome, readBack: 'NOT_READABLE' };
      item.update = null;
      item.publication = null;
    }
    if (job.state !== 'RUNNING') return;
    job.state = 'PAUSED';
    job.changedAt = this.#now();
  }

  async release(run: Run): Promise<boolean> {
    const job = this.#jobOfRun(run);
    if (job === null) return false;
    job.owner = null;
    if (job.state !== 'PAUSED') job.changedAt = this.#now();
    return true;
  }

  async nextItems(run: Run, limit: number, phase: ItemPhase = 'update') {
    const job = this.#jobOfRun(run);
    if (job === null) return null;
    if (job.state !== 'RUNNING') return [];
    if (phase === 'publication') return publicationsOf(job, 'waiting', limit).map(({ ageMs: _, ...item }) => item);
    return readTogether(itemsOf(job, isPending).slice(0, limit)).map(({ ageMs: _, ...item }) => item);
  }

  async unknownArticles(run: Run, articleIds: readonly string[]): Promise<ReadonlySet<string>> {
    this.#requireOpen();
    const asked = new Set(articleIds.map((id) => id.toLowerCase()));
    const unknown = (this.#state.jobs.get(run.jobId)?.items ?? []).filter(({ outcome }) => outcome?.kind === 'unknown');
    return new Set(unknown.map(({ target }) => target.articleId.toLowerCase()).filter((id) => asked.has(id)));
  }

  async beginItems(
    run: Run,
    indexes: readonly number[],
    as: ItemPhase | ItemSnapshots = 'update',
  ): Promise<boolean | 'full'> {
    const [phase, kept] = typeof as === 'string' ? [as] : ['update' as const, as];
    const job = this.#jobOfRun(run);
    if (job === null || job.state !== 'RUNNING') return false;
    const items = indexes.map((index) => itemAt(job, index));
    if (phase === 'publication') {
      if (items.some(({ publication }) => publication !== 'waiting' && publication !== 'begun'))
        throw new Error('An item that is not to be published is not sent.');
      for (const item of items) item.publication = 'begun';
      return true;
    }
    if (items.some(({ outcome }) => outcome !== null)) throw new Error('An item that has an outcome is not sent.');
    const pending = indexes.filter((index) => itemAt(job, index).begunAt === null);
    const images = new Map(pending.map((index) => [index, kept?.items.get(index) ?? null]));
    const added = [...images.values()].reduce((sum, image) => sum + (image ? JSON.stringify(image).length : 0), 0);
    if (kept !== undefined && this.#isFull(job.part.callerKey, added, kept.room)) return 'full';
    for (const [index, image] of images)
      Object.assign(itemAt(job, index), { kept: image, textKey: image ? revertKeyOf(image) : '' });
    for (const item of items) item.begunAt ??= this.#now();
    return true;
  }

  async withdrawItems(run: Run, indexes: readonly number[], phase: ItemPhase = 'update'): Promise<boolean> {
    const job = this.#jobOfRun(run);
    if (job === null) return false;
    for (const item of indexes.map((index) => itemAt(job, index)))
      if (phase === 'update' && item.outcome === null) Object.assign(item, { begunAt: null, kept: null });
      else if (phase === 'publication' && item.publication === 'begun') item.publication = 'waiting';
    this.#settle(job);
    return true;
  }

  async endItems(run: Run, outcomes: readonly IndexedOutcome[]): Promise<boolean> {
    const job = this.#jobOfRun(run);
    if (job === null) return false;
    const changes = outcomes.map(({ index, ...ended }) => ({ item: itemAt(job, index), ...ended }));
    for (const { item, outcome, isToBeRead = false } of changes) {
      if (outcome.kind === 'updated' && outcome.publication !== undefined) {
        endPublication(item, outcome, isToBeRead);
        continue;
      }
      if (item.outcome !== null && !(isUnresolved(item) && isReadBack(outcome))) continue;
      endUpdate(item, outcome, job);
    }
    this.#settle(job);
    return true;
  }

  async noteItems(run: Run, items: readonly NotedItem[]): Promise<boolean> {
    const job = this.#jobOfRun(run);
    if (job === null) return false;
    for (const { index, noted, snapshot } of items) {
      itemAt(job, index).noted = noted;
      if (snapshot === null) continue;
      const [before, after] = [snapshot, withMadeVersion(snapshot, noted)].map(revertKeyOf);
      for (const item of job.items) if (item.textKey === before) item.textKey = after ?? '';
    }
    return true;
  }

  async partlyRestorable(jobId: string): Promise<PartlyRestorable> {
    this.#requireOpen();
    const items = this.#state.jobs.get(jobId)?.items ?? [];
    const indexes = items.flatMap(({ kept }, index) => (kept && restorabilityOf(kept) === 'part' ? [index] : []));
    return { indexes: indexes.slice(0, 100), total: indexes.length };
  }

  /** No job of the model forks. */
  async passItems(run: Run): Promise<boolean> {
    return this.#jobOfRun(run) !== null;
  }

  async forksOf(): Promise<ReadonlyMap<string, readonly never[]>> {
    return new Map();
  }

  async unknownItems(run: Run, limit: number, phase: ItemPhase = 'update') {
    const job = this.#jobOfRun(run);
    if (job !== null && phase === 'publication') return publicationsOf(job, 'unknown', limit);
    return job && readTogether(itemsOf(job, isUnresolved).slice(0, limit));
  }

  async setWaiting(run: Run, wait: JobWait | null): Promise<boolean> {
    const job = this.#jobOfRun(run);
    if (job?.state === 'RUNNING') job.waitingFor = wait;
    return job !== null;
  }

  async pause(run: Run): Promise<boolean> {
    const job = this.#jobOfRun(run);
    if (job === null || hasEnded(job)) return false;
    if (job.state !== 'PAUSED') job.changedAt = this.#now();
    job.state = 'PAUSED';
    job.waitingFor = null;
    this.#settle(job);
    return true;
  }

  async end(run: Run, rest: ArticleOutcome | null): Promise<boolean> {
    const job = this.#jobOfRun(run);
    if (job === null) return false;
    if (hasEnded(job)) return true;
    if (rest === null && job.copiedFrom !== null) throw new Error('Items are yet to be copied.');
    if (rest === null && job.items.some((item) => item.outcome === null || item.publication === 'waiting')) {
      throw new Error('A job that has items without an outcome is not completed.');
    }
    this.#end(job, 'COMPLETED', rest);
    return true;
  }

  async beginKey(key: LedgerKey): Promise<BeginKeyResult> {
    this.#requireOpen();
    const found = this.#state.keys.values().find((other) => other.service === this.#service && isSameKey(other, key));
    if (found !== undefined) return this.#foundKey(found, key);
    if (!this.#isAlive(key.owner)) throw new StateUnavailable('The last heartbeat of this process has expired.');
    if (this.#isFull(key.callerKey, ROW_BYTES, key)) return { kind: 'full' };
    const keyId = this.#newId('key');
    this.#state.keys.set(keyId, { ...key, keyId, service: this.#service, createdAt: this.#now(), answer: null });
    return { kind: 'begun', keyId };
  }

  #foundKey({ keyId, inputHash, answer, owner }: ModelKey, key: LedgerKey): BeginKeyResult {
    if (inputHash !== key.inputHash) return { kind: 'conflict' };
    if (answer !== null) return { kind: 'ended', answer };
    return this.#isAlive(owner) ? { kind: 'in-flight', keyId, isOwn: owner === key.owner } : { kind: 'lost', keyId };
  }

  async endKey(keyId: string, answer: string): Promise<string | null> {
    this.#requireOpen();
    const key = this.#state.keys.get(keyId);
    if (key === undefined) return null;
    key.answer ??= answer;
    return key.answer;
  }

  async forgetKey(keyId: string): Promise<void> {
    this.#requireOpen();
    if (this.#state.keys.get(keyId)?.answer === null) this.#state.keys.delete(keyId);
  }

  #requireOpen(): void {
    if (this.#isClosed) throw new StateUnavailable('The ledger is closed.');
  }

  #newId(prefix: string): string {
    this.#state.ids += 1;
    return `${prefix}-${this.#state.ids}`;
  }

  #isAlive(owner: string | null): boolean {
    return owner !== null && (this.#state.owners.get(owner) ?? 0) > this.#now();
  }

  #jobsOf(callerKey: string): ModelJob[] {
    return [...this.#state.jobs.values()].filter(({ part }) => part.callerKey === callerKey);
  }

  #jobOf(callerKey: string, jobId: string): ModelJob | null {
    const job = this.#state.jobs.get(jobId);
    return job?.part.callerKey === callerKey ? job : null;
  }

  #jobOfRun({ jobId, owner, number }: Run): ModelJob | null {
    this.#requireOpen();
    const job = this.#state.jobs.get(jobId);
    return job?.owner === owner && job.number === number && this.#isAlive(owner) ? job : null;
  }

  #end(job: ModelJob, state: JobState, rest: SharedOutcome | null): void {
    job.state = state;
    job.rest = rest;
    job.waitingFor = null;
    this.#settle(job);
  }

  #settle(job: ModelJob): void {
    const isIdle = !job.items.some(isInFlight);
    const isOver = hasEnded(job) && isIdle && !job.items.some(isUnresolved);
    job.endedAt = isOver ? (job.endedAt ?? this.#now()) : null;
    if (job.state === 'PAUSED' && isIdle) job.owner = null;
  }
}

function forgetTexts(job: ModelJob, isForgotten: (item: ModelItem) => boolean): void {
  for (const item of job.items.filter(isForgotten)) item.update = null;
}

function toItem(update: ArticleUpdate, revertTarget?: RevertTarget): ModelItem {
  const { articleId, languageCode, versionNumber } = update;
  const target = {
    articleId,
    ...(languageCode !== undefined && { languageCode }),
    ...(versionNumber !== undefined && { versionNumber }),
  };
  return {
    ...{ update, text: textOf(update), target, begunAt: null, outcome: null, publication: null, kept: null },
    ...{ textKey: '', noted: null },
    ...{ hasText: setsUnlisted(update), ...(revertTarget && { revertTarget }) },
  };
}

const bytesOf = ({ update, kept }: ModelItem): number =>
  ROW_BYTES + (update === null ? 0 : JSON.stringify(update).length) + (kept === null ? 0 : JSON.stringify(kept).length);

const rowBytesOf = ({ name = '' }: LedgerPart): number => ROW_BYTES + Buffer.byteLength(name);

const isSameKey = (a: LedgerKey, b: LedgerKey): boolean =>
  a.callerKey === b.callerKey && a.operation === b.operation && a.idempotencyKey === b.idempotencyKey;

function itemAt(job: ModelJob, index: number): ModelItem {
  const item = job.items[index];
  if (item === undefined) throw new Error('An item that is to be changed is not there.');
  return item;
}

type UpdatedOutcome = Extract<ArticleOutcome, { kind: 'updated' }>;

function endUpdate(item: ModelItem, outcome: ArticleOutcome, { part }: ModelJob): void {
  item.outcome = outcome;
  if (outcome.kind === 'failed' || outcome.kind === 'not-attempted') item.kept = null;
  if (outcome.kind !== 'unknown' || isReadBack(outcome)) item.update = null;
  if (outcome.kind === 'updated' && part.publication !== undefined) item.publication = 'waiting';
}

function endPublication(item: ModelItem, outcome: UpdatedOutcome, isToBeRead: boolean): void {
  const isRead = item.publication === 'unknown' && !isToBeRead && READ_PUBLICATIONS.has(outcome.publication ?? '');
  if (item.publication !== 'waiting' && item.publication !== 'begun' && !isRead) return;
  item.outcome = outcome;
  item.publication = isToBeRead ? 'unknown' : null;
}

const READ_PUBLICATIONS: ReadonlySet<string> = new Set(['PUBLISHED', 'UNKNOWN']);

const publicationsOf = (job: ModelJob, status: 'waiting' | 'unknown', limit: number): readonly UnknownItem[] =>
  job.items
    .flatMap(({ outcome, publication, target, noted }, index) =>
      publication === status && outcome?.kind === 'updated'
        ? [{ index, update: target, outcome, ageMs: 0, ...(noted && { noted }) }]
        : [],
    )
    .slice(0, limit);

const itemsOf = (job: ModelJob, isWanted: (item: ModelItem) => boolean) =>
  job.items.flatMap((item, index) =>
    item.update !== null && isWanted(item)
      ? [
          {
            ...{ index, update: item.update, ageMs: 0 },
            ...(item.revertTarget && { target: item.revertTarget }),
          },
        ]
      : [],
  );

const MAX_TEXT_BYTES = 8_000_000;

/** The first of the items whose texts are read at one time. */
function readTogether<T extends { readonly update: ArticleUpdate }>(items: readonly T[]): readonly T[] {
  let bytes = 0;
  const end = items.findIndex(({ update }, position) => {
    bytes += JSON.stringify(update).length;
    return position > 0 && bytes > MAX_TEXT_BYTES;
  });
  return end === -1 ? items : items.slice(0, end);
}
