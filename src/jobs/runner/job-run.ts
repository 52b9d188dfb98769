import type { SharedOutcome } from '../../core/articles/article-outcomes.ts';
import type { ItemSnapshot } from '../../core/articles/article-reverts.ts';
import { joinLeases, type Lease } from '../../core/base/lease.ts';
import { NotBegun, type Semaphore } from '../../core/base/semaphore.ts';
import { type ClaimedJob, jobCaller, persist, RunStopped } from '../job-context.ts';
import type { CallMeans, JobKind, NoteMeans, ReadChunk } from '../kinds/job-kind.ts';
import { kindsOfJob } from '../kinds/kinds-of-job.ts';
import {
  articleOf,
  GO_ON,
  type NextStep,
  nextStepAfterRead,
  type SentChunk,
  sentChunkOf,
  sortReports,
  WAIT_FOR_SERVICE,
} from '../kinds/sent-chunks.ts';
import type { IndexedOutcome, LedgerItem, PassedItem } from '../state/ledger.ts';
import { JobWaits } from './job-waits.ts';
import { afterUnknown, nextChunk } from './next-chunk.ts';
import { ReadBacks } from './read-backs.ts';
import type { Sweeper } from './sweeper.ts';

type Step =
  | Exclude<NextStep, { kind: 'end' }>
  | { readonly kind: 'end'; readonly rest: SharedOutcome | null }
  | { readonly kind: 'skip-after-unknown'; readonly items: readonly LedgerItem[] };

interface ComparedChunk {
  readonly items: readonly LedgerItem[];
  readonly ended: readonly IndexedOutcome[];
  readonly passed: readonly PassedItem[];
  /** Null where no snapshots are kept. */
  readonly snapshots: ReadonlyMap<number, ItemSnapshot> | null;
  /** The next step where no item is sent. */
  readonly next: NextStep;
}

const STATE_IS_FULL: Step = {
  kind: 'end',
  rest: {
    kind: 'not-attempted',
    details: 'Not sent, because the state has no room for its snapshot (MAX_STATE_BYTES).',
    reason: 'UNAVAILABLE',
    retryAfterSeconds: null,
  },
};

/** All jobs wait for their steps in one queue. */
const QUEUE = { key: '', deadline: Number.POSITIVE_INFINITY };

/**
 * One job, for as long as this process runs it. Each step asks a kind of the job the four questions of `JobKind` about one
 * chunk: the intent is recorded before the call, and the outcomes after it.
 */
export class JobRun {
  readonly job: ClaimedJob;
  readonly waits: JobWaits;
  /** The duration of the last call, in milliseconds; null before it. */
  callMs: number | null = null;
  readonly #slots: Semaphore;
  readonly #sweeper: Pick<Sweeper, 'freeRoom'>;
  readonly #kinds: ReturnType<typeof kindsOfJob>;
  readonly #readBacks: ReadBacks;
  /** True until all items of the job are there. */
  #isCopying: boolean;
  /** True after a chunk whose outcomes are all unknown, until the service has answered. */
  #isFailing = false;
  #isCancelled = false;
  #hasEnded = false;

  /** The slots bound how many jobs hold items in memory at one time. */
  constructor(job: ClaimedJob, slots: Semaphore, sweeper: Pick<Sweeper, 'freeRoom'>) {
    this.job = job;
    this.#slots = slots;
    this.#sweeper = sweeper;
    this.#kinds = kindsOfJob(job);
    this.waits = new JobWaits(job);
    this.#readBacks = new ReadBacks(job, this.waits);
    this.#isCopying = job.job.isCopying;
  }

  /** Sends nothing more, and takes back calls that wait for their connection. */
  cancel(): void {
    this.#isCancelled = true;
    this.waits.wake();
  }

  /** Ends when the job has ended, or this process does not run it any more. True where it has ended here. */
  async execute(): Promise<boolean> {
    try {
      await this.#waitForWritesOfOthers();
      for (let goesOn = true; goesOn; ) {
        const next = await this.#slots.run(QUEUE, () => this.#step());
        // Waits and read-backs hold no slot.
        goesOn = !(next instanceof NotBegun) && (await this.#follow(next));
      }
      return this.#hasEnded;
    } catch (error) {
      if (!(error instanceof RunStopped)) throw error;
      return false;
    }
  }

  /** What is read before a chunk shows then what other processes have written for the job. */
  async #waitForWritesOfOthers(): Promise<void> {
    if (this.#kinds.every(({ readBefore }) => readBefore === null)) return;
    const { context, readsAreSureAt } = this.job;
    await this.waits.sleep(Math.max(0, readsAreSureAt - context.clock.monotonic()));
  }

  async #step(): Promise<Step> {
    const [first] = this.#kinds;
    if (this.#isCopying && first.copyItems !== null) {
      this.#isCopying = (await first.copyItems()) === 'more';
      return GO_ON;
    }
    const found = await this.#nextItems();
    if (found === null) return { kind: 'end', rest: null };
    const { kind, items } = found;
    const unknown = kind.endsAfterUnknown ? await this.#unknownArticles(items) : new Set<string>();
    const chunk = nextChunk(items, unknown, kind);
    return chunk.length > 0 ? this.#send(kind, chunk) : { kind: 'skip-after-unknown', items };
  }

  /** The next items of the last kind that has any: what has passed one kind passes the next before other items begin. */
  async #nextItems(): Promise<{ readonly kind: JobKind; readonly items: readonly LedgerItem[] } | null> {
    for (const kind of this.#kinds.toReversed()) {
      const limit = kind.maxItems + Number(kind.comparesRevisions);
      const items = await persist(this.job, (ledger, run) => ledger.nextItems(run, limit, kind.phase));
      if (items.length > 0) return { kind, items };
    }
    return null;
  }

  #unknownArticles(items: readonly LedgerItem[]): Promise<ReadonlySet<string>> {
    return persist(this.job, (ledger, run) => ledger.unknownArticles(run, items.map(articleOf)));
  }

  async #send(kind: JobKind, chunk: readonly LedgerItem[]): Promise<Step> {
    const read = (await kind.readBefore?.(chunk)) ?? (await this.#readNothing(chunk));
    try {
      const { items, ended, passed, snapshots, next: nextUnsent } = compareChunk(kind, read);
      if (ended.length > 0) await persist(this.job, (ledger, run) => ledger.endItems(run, ended));
      if (passed.length > 0) await persist(this.job, (ledger, run) => ledger.passItems(run, passed));
      if (items.length === 0) return nextUnsent;
      const begun = await this.#begin(kind, items, snapshots);
      if (begun === 'full') return STATE_IS_FULL;
      const notCancelled = { isExpired: () => this.#isCancelled };
      const lease = joinLeases([begun, notCancelled, read.lease]);
      const sent = await this.#call(kind, items, { lease, reserved: read.reserved });
      const next = await this.#record(kind, sent);
      await this.#note(kind, sent, { snapshots, reserved: read.reserved });
      return next;
    } finally {
      read.reserved?.release();
    }
  }

  /** After a chunk whose outcomes are all unknown, a read shows first whether the service answers again. */
  async #readNothing(items: readonly LedgerItem[]): Promise<ReadChunk> {
    if (!this.#isFailing) return { items, next: GO_ON };
    const versions = await this.job.context.backend.projectVersions(jobCaller(this.job));
    const next = versions.ok ? GO_ON : nextStepAfterRead(versions.error);
    if (next.kind === 'wait' || next.kind === 'pause') return { items: [], next };
    // Any other error is an answer of the service, too.
    this.#isFailing = false;
    return { items, next: GO_ON };
  }

  /**
   * Records the intent, and gives the lease of the call; 'full' where there is no room for the snapshots. Throws `RunStopped`
   * where the call must not be made. An attempt without an answer may have begun the items, so the intent is taken back then.
   */
  async #begin(
    { phase }: JobKind,
    items: readonly LedgerItem[],
    snapshots: ComparedChunk['snapshots'],
  ): Promise<Lease | undefined | 'full'> {
    const { run, context, signal } = this.job;
    const indexes = items.map(({ index }) => index);
    const forks = new Map(items.flatMap(({ index, fork }) => (fork === undefined ? [] : [[index, fork] as const])));
    const kept = snapshots === null ? phase : { items: snapshots, room: context.settings };
    const as = phase === 'fork' ? { forks } : kept;
    let lease: Lease | undefined;
    const begin = () =>
      context.session.persist((ledger) => {
        lease = context.session.lease();
        return ledger.beginItems(run, indexes, as);
      }, signal);
    let hasBegun = await begin();
    for (let isMoreLeft: boolean | null = true; hasBegun === 'full' && isMoreLeft === true; ) {
      isMoreLeft = await context.session.persist(() => this.#sweeper.freeRoom(), signal);
      hasBegun = await begin();
    }
    if (hasBegun === 'full') return 'full';
    if (hasBegun === true && !signal.aborted) return lease;
    await context.session.record((ledger) => ledger.withdrawItems(run, indexes, phase));
    throw new RunStopped();
  }

  async #call(kind: JobKind, items: readonly LedgerItem[], call: CallMeans): Promise<SentChunk> {
    const { context, run } = this.job;
    const startedAt = context.clock.monotonic();
    let sent: SentChunk;
    try {
      sent = await kind.send(items, call);
    } catch (error) {
      context.log('error', 'a call of a job has failed unexpectedly', { requestId: run.jobId, error });
      this.#readBacks.noteFailure(items);
      sent = sentChunkOf(items, null);
    }
    if (sent.ended.length > 0) this.callMs = context.clock.monotonic() - startedAt;
    return sent;
  }

  async #record(kind: JobKind, { ended, withdrawn, next, isWhollyUnknown }: SentChunk): Promise<Step> {
    if (ended.length > 0) this.#isFailing = isWhollyUnknown;
    if (ended.some(({ outcome }) => outcome.kind === 'unknown')) this.#readBacks.delay();
    const { context, run } = this.job;
    const { outcomes, passed } = sortReports(ended.map(({ item, outcome }) => kind.report(item, outcome)));
    const isRecorded = await context.session.record(async (ledger) => {
      const hasEnded = outcomes.length === 0 || (await ledger.endItems(run, outcomes));
      const havePassed = hasEnded && (passed.length === 0 || (await ledger.passItems(run, passed)));
      return havePassed && (withdrawn.length === 0 || (await ledger.withdrawItems(run, withdrawn, kind.phase)));
    });
    if (isRecorded !== true) throw new RunStopped();
    if (next.kind !== 'go-on') return next;
    if (this.#isFailing) return WAIT_FOR_SERVICE;
    await this.waits.end();
    return next;
  }

  /** Notes what the call has left. A job that has no call for the read goes on without. */
  async #note(kind: JobKind, sent: SentChunk, means: NoteMeans): Promise<void> {
    const notes = (await kind.note?.(sent, means)) ?? [];
    if (notes.length > 0) await persist(this.job, (ledger, run) => ledger.noteItems(run, notes));
  }

  /** Reads back what is unknown, and then skips the items whose articles remain so. */
  async #skipAfterUnknown(items: readonly LedgerItem[]): Promise<void> {
    await this.#readBackAll();
    const unknownArticles = await this.#unknownArticles(items);
    const skipped = items.filter((item) => unknownArticles.has(articleOf(item))).map(afterUnknown);
    if (skipped.length > 0) await persist(this.job, (ledger, run) => ledger.endItems(run, skipped));
  }

  async #readBackAll(): Promise<void> {
    for (const kind of this.#kinds) await this.#readBacks.readBackAll(kind);
  }

  async #pause(): Promise<false> {
    await persist(this.job, (ledger, run) => ledger.pause(run));
    return false;
  }

  /** True where the next step follows. */
  async #follow(step: Step): Promise<boolean> {
    switch (step.kind) {
      case 'go-on':
        return true;
      case 'wait':
        if (this.waits.isForeignForLong(step.isForeign ?? false)) return this.#pause();
        await this.waits.follow(step);
        return true;
      case 'skip-after-unknown':
        await this.#skipAfterUnknown(step.items);
        return true;
      case 'pause':
        return this.#pause();
      case 'end':
        await this.#readBackAll();
        // What was read back as updated may have another kind to pass.
        if (step.rest === null && (await this.#nextItems()) !== null) return true;
        // The outcome of the rest is that of many articles.
        await persist(this.job, (ledger, run) => ledger.end(run, step.rest && { ...step.rest, articleId: '' }));
        this.#hasEnded = true;
        return false;
    }
  }
}

/** Asks the kind what it compares. The runner waits where all items are to be read again later. */
function compareChunk(kind: JobKind, { items, articles, ended = [], next }: ReadChunk): ComparedChunk {
  if (kind.compare === null) return { items, ended, passed: [], snapshots: null, next };
  const sent: LedgerItem[] = [];
  const snapshots = new Map<number, ItemSnapshot>();
  const unsent: IndexedOutcome[] = [...ended];
  const passed: PassedItem[] = [];
  let delayed = 0;
  for (const item of items) {
    const { index, update } = item;
    const compared = kind.compare(item, articles?.get(index) ?? null);
    if (compared.kind === 'delay') delayed += 1;
    if (compared.kind === 'pass') passed.push({ index, fork: compared.fork });
    if (compared.kind === 'end') unsent.push({ index, outcome: { ...compared.outcome, articleId: update.articleId } });
    if (compared.kind !== 'send') continue;
    sent.push(compared.item);
    if (compared.snapshot !== null) snapshots.set(index, compared.snapshot);
  }
  const isDelayed = items.length > 0 && delayed === items.length;
  return { items: sent, ended: unsent, passed, snapshots, next: isDelayed ? WAIT_FOR_SERVICE : next };
}
