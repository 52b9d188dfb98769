import type { SharedOutcome } from '../../core/articles/article-outcomes.ts';
import type { Backend } from '../../core/backend.ts';
import { type Fence, joinFences } from '../../core/base/fence.ts';
import { MAX_PUBLISHED_ITEMS } from '../../core/base/limits.ts';
import { err } from '../../core/base/result.ts';
import { NotBegun, type Semaphore } from '../../core/base/semaphore.ts';
import type { Caller } from '../../core/callers/caller.ts';
import { RequestSummary } from '../../core/callers/request-report.ts';
import type { ReservedCalls } from '../../core/rate-limit.ts';
import {
  type IndexedOutcome,
  ITEM_PHASES,
  type ItemPhase,
  type LedgerItem,
  type UnknownItem,
} from '../state/ledger.ts';
import { BeforeImages, needsProjectVersions, type ReadyChunk, readyAsIs } from './before-images.ts';
import {
  afterUnknown,
  articleOf,
  asPublications,
  chunkResultOf,
  GO_ON,
  type NextStep,
  nextChunk,
  nextStepAfterError,
  type SentChunk,
  WAIT_FOR_SERVICE,
} from './chunks.ts';
import {
  type ClaimedJob,
  createProjectVersions,
  jobCaller,
  type ProjectVersionsOf,
  persist,
  RunStopped,
} from './job-context.ts';
import { JobWaits } from './job-waits.ts';
import { ReadBacks, TokenRefused, unreadable } from './read-back.ts';

type Step =
  | Exclude<NextStep, { kind: 'end' }>
  | { readonly kind: 'end'; readonly rest: SharedOutcome | null }
  | { readonly kind: 'skip-after-unknown'; readonly items: readonly LedgerItem[] };

type BulkAnswer = ReturnType<Backend['bulkUpdateArticles']>;

/** Unknown items that are read back together. */
const READ_BACK_ITEMS = 100;

const STATE_IS_FULL: Step = {
  kind: 'end',
  rest: {
    kind: 'not-attempted',
    details: 'Not sent, because the state has no room for what stood there before (MAX_STATE_BYTES).',
    reason: 'UNAVAILABLE',
    retryAfterSeconds: null,
  },
};

/** Jobs take their steps in the order in which they ask. */
const TURN = { key: '', deadline: Number.POSITIVE_INFINITY };

/** One job, for as long as this process runs it. */
export class JobRun {
  readonly job: ClaimedJob;
  readonly waits: JobWaits;
  /** The duration of the last call, in milliseconds; null before it. */
  callMs: number | null = null;
  readonly #slots: Semaphore;
  readonly #projectVersions: ProjectVersionsOf;
  readonly #readBacks: ReadBacks;
  /** `Clock.monotonic` before which an unknown write may still land. */
  #readableAt: number;
  readonly #beforeImages: BeforeImages;
  /** True until all items of the job that this one reverts were copied. */
  #isCopying: boolean;
  readonly #maxPublishedItems: number;
  /** Items that are published together: half as many after finding their versions took too many reads. */
  #publishedItems: number;
  /** The reads that the last publication took before its call: at first those of a list, and of one article beside it. */
  #publicationReads = 2;
  /** True after a chunk of which nothing is known. */
  #isFailing = false;
  /** True from then on until the service has answered a read. */
  #mustCheckService = false;
  #isCancelled = false;

  /** The slots bound how many jobs hold items in memory at one time. */
  constructor(job: ClaimedJob, slots: Semaphore) {
    this.job = job;
    this.#slots = slots;
    this.waits = new JobWaits(job);
    this.#projectVersions = createProjectVersions(job);
    this.#readBacks = new ReadBacks(job, this.waits, this.#projectVersions);
    this.#beforeImages = new BeforeImages(job, this.#projectVersions);
    this.#isCopying = job.job.isCopying;
    this.#readableAt = this.#afterCalls();
    this.#maxPublishedItems = Math.min(job.context.settings.bulkSize, MAX_PUBLISHED_ITEMS);
    this.#publishedItems = this.#maxPublishedItems;
  }

  #afterCalls(): number {
    const { clock, settings } = this.job.context;
    return clock.monotonic() + settings.callTimeoutMs;
  }

  /** Sends nothing more: also calls that wait for their connection are taken back. */
  cancel(): void {
    this.#isCancelled = true;
    this.waits.wake();
  }

  /** Ends when the job has ended, or this process does not run it any more. */
  async execute(): Promise<void> {
    try {
      for (let goesOn = true; goesOn; ) {
        const next = await this.#slots.run(TURN, () => this.#step());
        // Waits and read-backs hold no slot.
        goesOn = !(next instanceof NotBegun) && (await this.#follow(next));
      }
    } catch (error) {
      if (!(error instanceof RunStopped)) throw error;
    }
  }

  async #step(): Promise<Step> {
    const { bulkSize } = this.job.context.settings;
    if (this.#isCopying) return this.#copy();
    const updated = await this.#toPublish();
    if (updated.length > 0) return this.#send(nextChunk(updated, new Set(), bulkSize), 'publication');
    const items = await persist(this.job, (ledger, run) => ledger.nextItems(run, bulkSize));
    if (items.length === 0) return { kind: 'end', rest: null };
    const chunk = nextChunk(items, await this.#unknownArticles(items), bulkSize);
    return chunk.length > 0 ? this.#send(chunk, 'update') : { kind: 'skip-after-unknown', items };
  }

  /** Copies items of the job that this one reverts. Nothing is sent before all of them are there. */
  async #copy(): Promise<Step> {
    const { settings } = this.job.context;
    const copied = await persist(this.job, (ledger, run) => ledger.copyItems(run, settings));
    if (copied === 'full') return STATE_IS_FULL;
    this.#isCopying = copied === 'more';
    return GO_ON;
  }

  /** The items that are published before anything else is updated. */
  async #toPublish(): Promise<readonly LedgerItem[]> {
    if (this.job.job.publication === undefined) return [];
    return persist(this.job, (ledger, run) => ledger.nextItems(run, this.#publishedItems, 'publication'));
  }

  #unknownArticles(items: readonly LedgerItem[]): Promise<ReadonlySet<string>> {
    return persist(this.job, (ledger, run) => ledger.unknownArticles(run, items.map(articleOf)));
  }

  async #send(next: readonly LedgerItem[], phase: ItemPhase): Promise<Step> {
    // What reads before it writes needs no other call to find out whether the service answers.
    if (phase === 'publication') return this.#publish(next);
    if (this.job.job.keepBefore === 'NEVER') return this.#sendPlain(next);
    return this.#beforeImages.read(next, (ready, reserved) => this.#sendReady(ready, reserved));
  }

  async #sendPlain(next: readonly LedgerItem[]): Promise<Step> {
    if (this.#mustCheckService) {
      const doubt = await this.#checkService();
      if (doubt.kind !== 'go-on') return doubt;
      this.#mustCheckService = false;
    }
    return this.#sendReady(readyAsIs(next));
  }

  async #sendReady(ready: ReadyChunk, reserved?: ReservedCalls): Promise<Step> {
    if (ready.ended.length > 0) await persist(this.job, (ledger, run) => ledger.endItems(run, ready.ended));
    if (ready.items.length === 0) return ready.next;
    const fence = await this.#begin(ready, 'update');
    if (fence === 'full') return STATE_IS_FULL;
    const isCancelled = { isLate: () => this.#isCancelled };
    const sent = await this.#call(ready.items, 'update', {
      fence: joinFences([fence, isCancelled, ready.fence]),
      reserved,
    });
    const after = await this.#record(ready.items, 'update', sent);
    const isUnused = sent.withdrawn.length === ready.items.length && after.kind === 'wait';
    if (!isUnused || ready.kept === undefined) return after;
    if (after.wait === 'RATE_LIMIT') this.#beforeImages.halve(ready.items, true);
    else if (ready.fence?.isLate() && this.#beforeImages.halve(ready.items)) return GO_ON;
    return after;
  }

  async #record(chunk: readonly LedgerItem[], phase: ItemPhase, sent: SentChunk): Promise<Step> {
    const { withdrawn, next, isWhollyUnknown } = sent;
    const ended = phase === 'update' ? sent.ended : asPublications(chunk, sent.ended);
    if (isWhollyUnknown || ended.length > 0)
      [this.#isFailing, this.#mustCheckService] = [isWhollyUnknown, isWhollyUnknown];
    if (sent.ended.some(({ outcome }) => outcome.kind === 'unknown')) this.#readableAt = this.#afterCalls();
    const { context, run } = this.job;
    const isRecorded = await context.session.record(async (ledger) => {
      const hasEnded = ended.length === 0 || (await ledger.endItems(run, ended));
      return hasEnded && (withdrawn.length === 0 || (await ledger.withdrawItems(run, withdrawn, phase)));
    });
    if (isRecorded !== true) throw new RunStopped();
    if (next.kind !== 'go-on') return next;
    if (this.#isFailing) return WAIT_FOR_SERVICE;
    await this.waits.end();
    return next;
  }

  /** The reads of the publication and its call belong to one step of the rate limit, as those of kept items do. */
  async #publish(chunk: readonly LedgerItem[]): Promise<Step> {
    const versions = needsProjectVersions(chunk) ? await this.#projectVersions() : null;
    if (versions?.ok === false) {
      const next = nextStepAfterError(versions.error);
      if (next.kind === 'wait' || next.kind === 'pause') return next;
    }
    const wanted = { least: 2, most: this.#publicationReads + 1 };
    const reserved = await this.job.context.backend.reserveCalls?.(jobCaller(this.job), wanted);
    const error = reserved?.ok === false ? reserved.error : null;
    if (error !== null && error.kind !== 'too-costly') return nextStepAfterError(error);
    const calls = reserved?.ok ? reserved.value : undefined;
    try {
      const fence = await this.#begin(readyAsIs(chunk), 'publication');
      if (fence === 'full') return STATE_IS_FULL;
      const fences = joinFences([fence, { isLate: () => this.#isCancelled }]);
      const sent =
        error === null
          ? await this.#call(chunk, 'publication', { fence: fences, reserved: calls })
          : this.#resultOf(chunk, 'publication', err(error));
      return await this.#record(chunk, 'publication', sent);
    } finally {
      calls?.release();
    }
  }

  async #call(
    chunk: readonly LedgerItem[],
    phase: ItemPhase,
    means: Pick<Caller, 'fence' | 'reserved'>,
  ): Promise<SentChunk> {
    const { context, run, job } = this.job;
    const startedAt = context.clock.monotonic();
    const updates = chunk.map(({ update }) => update);
    const summary = new RequestSummary();
    const caller = { ...jobCaller(this.job, summary), ...means };
    let result: SentChunk;
    try {
      const { publication } = job;
      const answer =
        phase === 'update' || publication === undefined
          ? context.backend.bulkUpdateArticles(caller, updates)
          : context.backend.publishArticles(caller, {
              items: updates,
              userId: publication.userId,
              message: publication.message ?? undefined,
              projectVersions: this.#projectVersions,
            });
      result = this.#resultOf(chunk, phase, await answer);
    } catch (error) {
      context.log('error', 'a call of a job has failed unexpectedly', { requestId: run.jobId, error });
      result = chunkResultOf(chunk, null);
    }
    if (phase === 'publication') this.#publicationReads = Math.max(1, summary.readCalls);
    if (result.ended.length > 0) this.callMs = context.clock.monotonic() - startedAt;
    return result;
  }

  #resultOf(chunk: readonly LedgerItem[], phase: ItemPhase, answer: Awaited<BulkAnswer>): SentChunk {
    if (phase === 'update') return chunkResultOf(chunk, answer);
    const refusal = answer.ok ? null : answer.error.kind;
    // The reads may have used up what the rate limit has left for the call.
    const isTooMuch = refusal === 'too-costly' || refusal === 'rate-limited';
    this.#publishedItems = isTooMuch ? Math.ceil(chunk.length / 2) : this.#maxPublishedItems;
    if (refusal !== 'too-costly' || chunk.length === 1) return chunkResultOf(chunk, answer);
    return { ended: [], withdrawn: chunk.map(({ index }) => index), next: GO_ON, isWhollyUnknown: false };
  }

  /**
   * Asks whether the service answers again, by a read: another write to a service that fails would only be unknown as
   * well. Other errors than these say that it does.
   */
  async #checkService(): Promise<NextStep> {
    const versions = await this.job.context.backend.projectVersions(jobCaller(this.job));
    if (versions.ok || versions.error.kind === 'forbidden') return GO_ON;
    if (versions.error.kind === 'outcome-unknown') return WAIT_FOR_SERVICE;
    return nextStepAfterError(versions.error);
  }

  /**
   * Gives the fence of the call. Throws `RunStopped` where it must not be made. An attempt without an answer may have begun
   * the items, so the intent is taken back then. 'full': there is no room for what is kept of them.
   */
  async #begin({ items, kept }: ReadyChunk, phase: ItemPhase): Promise<Fence | undefined | 'full'> {
    const { run, context, signal } = this.job;
    const indexes = items.map(({ index }) => index);
    let fence: Fence | undefined;
    const hasBegun = await context.session.persist((ledger) => {
      fence = context.session.fence();
      return ledger.beginItems(run, indexes, kept ?? phase);
    }, signal);
    if (hasBegun === 'full') return 'full';
    if (hasBegun === true && !signal.aborted) return fence;
    await context.session.record((ledger) => ledger.withdrawItems(run, indexes, phase));
    throw new RunStopped();
  }

  /** Reads back what is unknown, and then skips the items whose articles remain so. */
  async #skipAfterUnknown(items: readonly LedgerItem[]): Promise<void> {
    await this.#readBackAll();
    const unknownArticles = await this.#unknownArticles(items);
    const skipped = items.filter((item) => unknownArticles.has(articleOf(item))).map(afterUnknown);
    if (skipped.length > 0) await persist(this.job, (ledger, run) => ledger.endItems(run, skipped));
  }

  /** Ends when nothing is unknown that could be read. */
  async #readBackAll(): Promise<void> {
    const phases = this.job.job.publication === undefined ? (['update'] as const) : ITEM_PHASES;
    for (const phase of phases)
      for (;;) {
        const items = await persist(this.job, (ledger, run) => ledger.unknownItems(run, READ_BACK_ITEMS, phase));
        if (items.length === 0) break;
        const outcomes = await this.#readItems(items, phase);
        await persist(this.job, (ledger, run) => ledger.endItems(run, outcomes));
      }
  }

  async #readItems(items: readonly UnknownItem[], phase: ItemPhase): Promise<readonly IndexedOutcome[]> {
    const { run, context, signal } = this.job;
    await this.waits.sleep(Math.max(0, this.#readableAt - context.clock.monotonic()));
    try {
      return await this.#readBacks.outcomesOf(items, phase);
    } catch (error) {
      if (!(error instanceof TokenRefused)) throw error;
    }
    const isPaused = await context.session.persist((ledger) => ledger.pause(run), signal);
    // A job that has ended is not paused, and nobody comes back for it.
    if (isPaused === false) return unreadable(items, phase);
    throw new RunStopped();
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
        await (step.wait === 'SERVICE' ? this.waits.forService() : this.waits.forRateLimit(step.retryAfterSeconds));
        return true;
      case 'skip-after-unknown':
        await this.#skipAfterUnknown(step.items);
        return true;
      case 'pause':
        return this.#pause();
      case 'end':
        await this.#readBackAll();
        // What was read back as updated is to be published as well.
        if (step.rest === null && (await this.#toPublish()).length > 0) return true;
        // The outcome of the rest is that of many articles.
        await persist(this.job, (ledger, run) => ledger.end(run, step.rest && { ...step.rest, articleId: '' }));
        return false;
    }
  }
}
