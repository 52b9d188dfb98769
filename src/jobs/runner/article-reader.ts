import type { Article } from '../../domain/articles/articles.ts';
import type { ArticleUpdate } from '../../domain/articles/bulk-updates.ts';
import type { BackendError, BackendErrorKind } from '../../domain/errors.ts';
import type { BoundToken } from '../caller-keys.ts';
import { type JobContext, jobCaller } from './job-context.ts';
import type { JobWaits } from './job-waits.ts';

/** A read-back waits so long for a service that can't be reached. What can't be read then stays unknown. */
const MAX_SERVICE_WAIT_MS = 60 * 60_000;

/** Why a job can't go on. */
export type Stop = 'lost' | 'unauthenticated';

export type ReadArticles = readonly (Article | null)[] | Stop;

interface ArticleReaderOptions {
  readonly context: JobContext;
  readonly jobId: string;
  readonly token: BoundToken;
  readonly waits: JobWaits;
  readonly signal: AbortSignal;
}

/** Reads the articles of updates for one job, and waits for the rate limit and for the service. */
export class ArticleReader {
  readonly #options: ArticleReaderOptions;
  /** `Clock.monotonic` when the service began to fail; null while it answers. */
  #failingSince: number | null = null;

  constructor(options: ArticleReaderOptions) {
    this.#options = options;
  }

  /** An article that can't be read is null. */
  async read(updates: readonly ArticleUpdate[]): Promise<ReadArticles> {
    if (updates.length === 0) return [];
    while (!this.#options.signal.aborted) {
      const result = await this.#readOnce(updates);
      const articles = result?.ok ? await this.#onRead(result.value) : await this.#onError(result?.error, updates);
      if (articles !== 'again') return articles;
    }
    return 'lost';
  }

  async #onRead(articles: readonly (Article | null)[]): Promise<ReadArticles> {
    this.#failingSince = null;
    return (await this.#options.waits.end()) ? articles : 'lost';
  }

  /** The error is undefined after a bug. */
  async #onError(error: BackendError | undefined, updates: readonly ArticleUpdate[]): Promise<ReadArticles | 'again'> {
    const next = error === undefined ? 'give-up' : NEXT_STEPS[error.kind];
    if (next === 'stop') return 'unauthenticated';
    if (next === 'split' && updates.length > 1) return this.#readHalves(updates);
    if (error === undefined || next === 'split' || next === 'give-up' || this.#isOver(next))
      return updates.map(() => null);
    return (await this.#wait(error)) ? 'again' : 'lost';
  }

  async #readHalves(updates: readonly ArticleUpdate[]): Promise<ReadArticles> {
    const middle = Math.ceil(updates.length / 2);
    const first = await this.read(updates.slice(0, middle));
    if (typeof first === 'string') return first;
    const second = await this.read(updates.slice(middle));
    return typeof second === 'string' ? second : [...first, ...second];
  }

  /** Null after a bug, which is logged. */
  async #readOnce(updates: readonly ArticleUpdate[]) {
    const { context, jobId, token } = this.#options;
    const extent = { withText: false, callsPerArticle: 0 };
    try {
      return await context.backend.articlesOfUpdates(jobCaller(context, jobId, token), updates, extent);
    } catch (error) {
      context.log('error', 'articles of a job could not be read back', { requestId: jobId, error });
      return null;
    }
  }

  #wait(error: BackendError): Promise<boolean> {
    const { waits } = this.#options;
    return error.kind === 'rate-limited' ? waits.forRateLimit(error.retryAfterSeconds) : waits.forService();
  }

  #isOver(step: 'wait' | 'wait-for-service'): boolean {
    if (step === 'wait') return false;
    const now = this.#options.context.clock.monotonic();
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
