import { type Fence, joinFences } from '../../base/fence.ts';
import type { SharedOutcome } from '../../domain/articles/article-outcomes.ts';
import type { IndexedOutcome, Ledger, LedgerItem, LedgerJob, Run, UnknownItem } from '../../state/ledger.ts';
import type { BoundToken } from '../caller-keys.ts';
import { ArticleReader } from './article-reader.ts';
import { afterUnknown, articleOf, ChunkSender, type NextStep, nextChunk } from './chunks.ts';
import type { JobContext } from './job-context.ts';
import { JobWaits } from './job-waits.ts';
import { readBack, unreadable } from './read-back.ts';

/** 'stop': the job has ended, or this process does not run it any more. */
type Step =
  | Exclude<NextStep, { kind: 'end' }>
  | { readonly kind: 'end'; readonly rest: SharedOutcome | null }
  | { readonly kind: 'skip-after-unknown'; readonly items: readonly LedgerItem[] }
  | 'stop';

const GO_ON: Step = { kind: 'go-on' };

/** Unknown items that are read back together. */
const READ_BACK_ITEMS = 100;

interface JobRunOptions {
  readonly context: JobContext;
  readonly run: Run;
  readonly job: LedgerJob;
  readonly token: BoundToken;
  readonly slots: StepSlots;
  /** Aborts where nothing more may begin. Calls in flight end, and are recorded. */
  readonly signal: AbortSignal;
  /** Aborts where outcomes that can't be recorded are given up. */
  readonly abandoned: AbortSignal;
}

/** One job, for as long as this process runs it. */
export class JobRun {
  readonly sender: ChunkSender;
  readonly waits: JobWaits;
  readonly #options: JobRunOptions;
  readonly #reader: ArticleReader;
  /** `Clock.monotonic` before which an unknown write may still land. */
  #readableAt: number;
  /** Chunks in a row of which nothing is known. */
  #unknownChunks = 0;
  #isCancelled = false;

  constructor(options: JobRunOptions) {
    const { context, run, job, token, signal } = options;
    this.#options = options;
    this.waits = new JobWaits({ context, run, signal }, job.waitingFor);
    this.sender = new ChunkSender({ context, jobId: run.jobId, token });
    this.#reader = new ArticleReader({ context, jobId: run.jobId, token, waits: this.waits, signal });
    this.#readableAt = context.clock.monotonic() + context.settings.callTimeoutMs;
  }

  /** Sends nothing more: also calls that wait for their connection are taken back. */
  cancel(): void {
    this.#isCancelled = true;
    this.waits.wake();
  }

  /** Ends when the job has ended, or this process does not run it any more. */
  async execute(): Promise<void> {
    const { slots, signal } = this.#options;
    let next: Step = GO_ON;
    while (next !== 'stop' && !signal.aborted) {
      next = await slots.run(() => this.#step());
      // Waits and read-backs hold no slot.
      while (next !== 'stop' && next.kind !== 'go-on') next = await this.#follow(next);
    }
  }

  async #step(): Promise<Step> {
    const { run, context } = this.#options;
    const { bulkSize } = context.settings;
    const items = await this.#persist((ledger) => ledger.nextItems(run, bulkSize));
    if (items === null) return 'stop';
    if (items.length === 0) return { kind: 'end', rest: null };
    const articles = [...new Set(items.map(articleOf))];
    const unknownArticles = await this.#persist((ledger) => ledger.unknownArticles(run, articles));
    if (unknownArticles === null) return 'stop';
    const chunk = nextChunk(items, unknownArticles, bulkSize);
    return chunk.length > 0 ? this.#send(chunk) : { kind: 'skip-after-unknown', items };
  }

  async #send(chunk: readonly LedgerItem[]): Promise<Step> {
    const { run, context, abandoned } = this.#options;
    if (this.#unknownChunks > 0) {
      const doubt = await this.sender.checkService();
      if (doubt.kind !== 'go-on') return doubt;
    }
    const indexes = chunk.map(({ index }) => index);
    const fence = await this.#begin(indexes);
    if (fence === null) return 'stop';
    const isCancelled = { isLate: () => this.#isCancelled };
    const result = await this.sender.send(chunk, joinFences([fence, isCancelled]));
    const { ended, withdrawn, next, isWhollyUnknown } = result;
    if (isWhollyUnknown) this.#unknownChunks += 1;
    else if (ended.length > 0) this.#unknownChunks = 0;
    if (ended.some(({ outcome }) => outcome.kind === 'unknown'))
      this.#readableAt = context.clock.monotonic() + context.settings.callTimeoutMs;
    const isRecorded = await context.session.record(async (ledger) => {
      const hasEnded = ended.length === 0 || (await ledger.endItems(run, ended));
      return hasEnded && (withdrawn.length === 0 || (await ledger.withdrawItems(run, withdrawn)));
    }, abandoned);
    if (isRecorded !== true) return 'stop';
    if (next.kind !== 'go-on') return next;
    if (this.#unknownChunks > 0) return { kind: 'wait', wait: 'SERVICE', retryAfterSeconds: null };
    return (await this.waits.end()) ? next : 'stop';
  }

  /**
   * Gives the fence of the call, or null where it must not be made. An attempt without an answer may have begun the items,
   * so the intent is taken back where the next one fails.
   */
  async #begin(indexes: readonly number[]): Promise<Fence | null> {
    const { run, context, abandoned } = this.#options;
    let attempts = 0;
    let fence: Fence | null = null;
    const hasBegun = await this.#persist((ledger) => {
      attempts += 1;
      fence = context.session.fence();
      return ledger.beginItems(run, indexes);
    });
    if (hasBegun === true && !this.#options.signal.aborted) return fence;
    if (hasBegun !== false || attempts > 1)
      await context.session.record((ledger) => ledger.withdrawItems(run, indexes), abandoned);
    return null;
  }

  /** Reads back what is unknown, and then skips the items whose articles remain so. */
  async #skipAfterUnknown(items: readonly LedgerItem[]): Promise<Step> {
    const stop = await this.#readBackAll();
    if (stop !== null) return stop;
    const { run } = this.#options;
    const articles = [...new Set(items.map(articleOf))];
    const unknownArticles = await this.#persist((ledger) => ledger.unknownArticles(run, articles));
    if (unknownArticles === null) return 'stop';
    const skipped = items.filter((item) => unknownArticles.has(articleOf(item))).map(afterUnknown);
    if (skipped.length === 0) return { kind: 'go-on' };
    return (await this.#persist((ledger) => ledger.endItems(run, skipped))) ? { kind: 'go-on' } : 'stop';
  }

  /** Null when nothing is unknown that could be read. */
  async #readBackAll(): Promise<'stop' | null> {
    const { run } = this.#options;
    for (;;) {
      const items = await this.#persist((ledger) => ledger.unknownItems(run, READ_BACK_ITEMS));
      if (items === null) return 'stop';
      if (items.length === 0) return null;
      const outcomes = await this.#readItems(items);
      if (outcomes === 'stop') return 'stop';
      if (!(await this.#persist((ledger) => ledger.endReadBack(run, outcomes)))) return 'stop';
    }
  }

  async #readItems(items: readonly UnknownItem[]): Promise<readonly IndexedOutcome[] | 'stop'> {
    const { run, context, signal } = this.#options;
    await this.waits.sleep(Math.max(0, this.#readableAt - context.clock.monotonic()));
    if (signal.aborted) return 'stop';
    const outcomes = await readBack({ reader: this.#reader, sleep: (ms) => this.waits.sleep(ms) }, items);
    if (outcomes === 'lost' || signal.aborted) return 'stop';
    if (outcomes !== 'unauthenticated') return outcomes;
    // A job that has ended is not paused, and nobody comes back for it.
    return (await this.#persist((ledger) => ledger.pause(run))) === false ? unreadable(items) : 'stop';
  }

  async #follow(step: Exclude<Step, 'stop' | { kind: 'go-on' }>): Promise<Step> {
    const { run } = this.#options;
    switch (step.kind) {
      case 'wait': {
        const { waits } = this;
        const isRunning = await (step.wait === 'SERVICE'
          ? waits.forService()
          : waits.forRateLimit(step.retryAfterSeconds));
        return isRunning ? { kind: 'go-on' } : 'stop';
      }
      case 'pause':
        await this.#persist((ledger) => ledger.pause(run));
        return 'stop';
      case 'skip-after-unknown':
        return this.#skipAfterUnknown(step.items);
      case 'end':
        return this.#finish(step.rest);
    }
  }

  async #finish(rest: SharedOutcome | null): Promise<Step> {
    const { run } = this.#options;
    const stop = await this.#readBackAll();
    if (stop !== null) return stop;
    await this.#persist((ledger) => ledger.end(run, rest && { ...rest, articleId: NO_ARTICLE }));
    return 'stop';
  }

  #persist<T>(use: (ledger: Ledger) => Promise<T>): Promise<T | null> {
    return this.#options.context.session.persist(use, this.#options.signal);
  }
}

/** The outcome of the rest is that of many articles. */
const NO_ARTICLE = '';

/** Bounds how many jobs hold items in memory at one time, in the order in which they ask. */
export class StepSlots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(size: number) {
    this.#free = size;
  }

  async run<T>(step: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await step();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
