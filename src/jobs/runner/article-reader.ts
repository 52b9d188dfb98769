import type { Article } from '../../domain/articles/articles.ts';
import type { ArticleUpdate } from '../../domain/articles/bulk-updates.ts';
import type { BackendErrorKind } from '../../domain/errors.ts';
import { type ClaimedJob, jobCaller, RunStopped } from './job-context.ts';
import type { JobWaits } from './job-waits.ts';

/** A read-back waits so long for a service that can't be reached. What can't be read then stays unknown. */
const MAX_SERVICE_WAIT_MS = 60 * 60_000;

export type ReadArticles = readonly (Article | null)[] | 'unauthenticated';

/** Reads the articles of updates for one job, and waits for the rate limit and for the service. */
export class ArticleReader {
  readonly #job: ClaimedJob;
  readonly #waits: JobWaits;
  /** `Clock.monotonic` when the service began to fail; null while it answers. */
  #failingSince: number | null = null;

  constructor(job: ClaimedJob, waits: JobWaits) {
    this.#job = job;
    this.#waits = waits;
  }

  /** An article that can't be read is null. Throws `RunStopped`. */
  async read(updates: readonly ArticleUpdate[]): Promise<ReadArticles> {
    if (updates.length === 0) return [];
    while (!this.#job.signal.aborted) {
      const result = await this.#readOnce(updates);
      if (result?.ok) return this.#onRead(result.value);
      const next = result === null ? 'give-up' : NEXT_STEPS[result.error.kind];
      if (next === 'stop') return 'unauthenticated';
      if (next === 'split') return this.#readHalves(updates);
      if (next === 'give-up' || this.#isOver(next)) return updates.map(() => null);
      const isLimited = result?.error.kind === 'rate-limited';
      await (isLimited ? this.#waits.forRateLimit(result.error.retryAfterSeconds) : this.#waits.forService());
    }
    throw new RunStopped();
  }

  async #onRead(articles: readonly (Article | null)[]): Promise<ReadArticles> {
    this.#failingSince = null;
    await this.#waits.end();
    return articles;
  }

  async #readHalves(updates: readonly ArticleUpdate[]): Promise<ReadArticles> {
    if (updates.length === 1) return [null];
    const middle = Math.ceil(updates.length / 2);
    const first = await this.read(updates.slice(0, middle));
    if (typeof first === 'string') return first;
    const second = await this.read(updates.slice(middle));
    return typeof second === 'string' ? second : [...first, ...second];
  }

  /** Null after a bug, which is logged. */
  async #readOnce(updates: readonly ArticleUpdate[]) {
    const { context, run } = this.#job;
    try {
      const extent = { withText: false, callsPerArticle: 0 };
      return await context.backend.articlesOfUpdates(jobCaller(this.#job), updates, extent);
    } catch (error) {
      context.log('error', 'articles of a job could not be read back', { requestId: run.jobId, error });
      return null;
    }
  }

  #isOver(step: 'wait' | 'wait-for-service'): boolean {
    if (step === 'wait') return false;
    const now = this.#job.context.clock.monotonic();
    this.#failingSince ??= now;
    return now - this.#failingSince >= MAX_SERVICE_WAIT_MS;
  }
}

const NEXT_STEPS = {
  unauthenticated: 'stop',
  'rate-limited': 'wait',
  unavailable: 'wait-for-service',
  'outcome-unknown': 'wait-for-service',
  'too-costly': 'split',
  'query-too-costly': 'split',
  forbidden: 'give-up',
  validation: 'give-up',
  rejected: 'give-up',
  'not-offered': 'give-up',
  'reader-group-not-found': 'give-up',
  'idempotency-conflict': 'give-up',
  'idempotency-in-progress': 'give-up',
  'job-not-found': 'give-up',
} as const satisfies Record<BackendErrorKind, string>;
