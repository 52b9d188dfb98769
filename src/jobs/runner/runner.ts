import { MAX_CONCURRENT_STEPS } from '../../base/limits.ts';
import { Semaphore } from '../../base/semaphore.ts';
import type { JobWait } from '../../domain/articles/article-update-jobs.ts';
import type { Ledger, LedgerJob, Run } from '../../state/ledger.ts';
import type { JobContext } from './job-context.ts';
import { JobRun } from './job-run.ts';
import type { JobTokens } from './job-tokens.ts';
import type { Sweeper } from './sweeper.ts';

/** The pause between two looks at what there is to run. With it another process takes over within 15 s. */
const CLAIM_INTERVAL_MS = 2_000;

const MIN_CLAIM_INTERVAL_MS = 100;

/** How long a stop tries to record outcomes in a ledger that can't be reached. */
const MAX_RECORDING_MS = 5_000;

const STEPS = { total: MAX_CONCURRENT_STEPS, perKey: MAX_CONCURRENT_STEPS };

/** Each job that this process has claimed may wait for a step. */
const JOBS = { total: Number.POSITIVE_INFINITY, perKey: Number.POSITIVE_INFINITY };

/** Runs the jobs that this process has claimed. */
export class JobRunner {
  readonly #context: JobContext;
  readonly #tokens: JobTokens;
  readonly #sweeper: Sweeper;
  readonly #runs = new Map<string, JobRun>();
  /** The runs from their claim until they are released, with their executions. */
  readonly #held = new Map<Run, Promise<void>>();
  readonly #slots = new Semaphore({ slots: STEPS, waiting: JOBS });
  readonly #stopped = new AbortController();
  readonly #abandoned = new AbortController();
  #woken = new AbortController();
  #loop: Promise<void> | null = null;

  constructor(context: JobContext, tokens: JobTokens, sweeper: Sweeper) {
    this.#context = context;
    this.#tokens = tokens;
    this.#sweeper = sweeper;
  }

  /** Begins to claim jobs, and keeps the process alive in the ledger from now on. */
  start(): void {
    if (!this.#stopped.signal.aborted) this.#loop ??= this.#claimForever();
  }

  /** Looks at once for jobs to claim. */
  wake(): void {
    this.start();
    this.#woken.abort();
  }

  find(jobId: string): JobRun | null {
    return this.#runs.get(jobId) ?? null;
  }

  /** True while this process runs a job, or has yet to release one. */
  get isBusy(): boolean {
    return this.#held.size > 0;
  }

  /** The jobs that run here and wait for this, or for nothing. */
  countWaiting(wait: JobWait | null): number {
    return this.#runs.values().reduce((count, { waits }) => count + (waits.current === wait ? 1 : 0), 0);
  }

  /** Begins nothing more. Calls in flight end, and their outcomes are recorded. */
  async close(): Promise<void> {
    this.#stopped.abort();
    this.#woken.abort();
    this.#slots.close();
    const recorded = new AbortController();
    const giveUp = this.#context.clock
      .sleep(MAX_RECORDING_MS + this.#context.settings.callTimeoutMs, recorded.signal)
      .then(() => this.#abandoned.abort());
    await this.#loop;
    await this.#sweeper.stop();
    await Promise.all(this.#held.values());
    recorded.abort();
    await giveUp;
  }

  async #claimForever(): Promise<void> {
    const { session, clock } = this.#context;
    const stop = this.#stopped.signal;
    while (!stop.aborted) {
      this.#woken = new AbortController();
      try {
        const ledger = await session.openAlive();
        await this.#claim(ledger);
        void this.#sweeper.begin(ledger).catch((error: unknown) => this.#logFailure(error));
      } catch (error) {
        this.#logFailure(error);
      }
      // However often something comes in, the ledger is asked some times a second only.
      await clock.sleep(MIN_CLAIM_INTERVAL_MS, stop);
      await clock.sleep(CLAIM_INTERVAL_MS, AbortSignal.any([stop, this.#woken.signal]));
    }
  }

  async #claim(ledger: Ledger): Promise<void> {
    for (const { token } of this.#runs.values()) this.#tokens.keep(token);
    this.#tokens.forgetUnused();
    const claimed = await ledger.claim({
      owner: this.#context.session.owner,
      bindingKeys: this.#tokens.bindingKeys,
      held: [...this.#held.keys()],
    });
    for (const { job, ...run } of claimed) this.#held.set(run, this.#execute(run, job));
  }

  async #execute(run: Run, job: LedgerJob): Promise<void> {
    const { session, log } = this.#context;
    const { signal } = this.#stopped;
    const abandoned = this.#abandoned.signal;
    let jobRun: JobRun | null = null;
    try {
      const token = this.#tokens.get(job.bindingKey);
      jobRun = new JobRun({ context: this.#context, run, job, token, signal, abandoned }, this.#slots);
      this.#runs.set(run.jobId, jobRun);
      await jobRun.execute();
    } catch (error) {
      log('error', 'a job has failed unexpectedly, and is tried again', { requestId: run.jobId, error });
      await this.#context.clock.sleep(RETRY_AFTER_BUG_MS, signal);
    } finally {
      await session.record((ledger) => ledger.release(run), abandoned).catch((error) => this.#logFailure(error));
      // Its token is kept until it is released, and another run may have begun since then.
      if (this.#runs.get(run.jobId) === jobRun) this.#runs.delete(run.jobId);
      this.#held.delete(run);
    }
  }

  #logFailure(error: unknown): void {
    try {
      this.#context.session.onFailure(error);
    } catch (bug) {
      this.#context.log('error', 'the runner of jobs has failed unexpectedly', { error: bug });
    }
  }
}

const RETRY_AFTER_BUG_MS = 30_000;
