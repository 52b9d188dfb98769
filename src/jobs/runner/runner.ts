import type { JobWait } from '../../core/articles/article-update-jobs.ts';
import { MAX_CONCURRENT_STEPS } from '../../core/base/limits.ts';
import { Semaphore } from '../../core/base/semaphore.ts';
import { createProjectVersions, type JobContext } from '../job-context.ts';
import type { Ledger } from '../state/ledger.ts';
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
  /** The runs from their claim until they are released, with their executions. */
  readonly #runs = new Map<JobRun, Promise<void>>();
  readonly #slots = new Semaphore({ slots: STEPS, waiting: JOBS });
  readonly #stopped = new AbortController();
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

  /** The last run of a job: one before it may still be releasing the job. */
  find(jobId: string): JobRun | null {
    return [...this.#runs.keys()].findLast(({ job }) => job.run.jobId === jobId) ?? null;
  }

  /** True while this process runs a job, or has yet to release one. */
  get isBusy(): boolean {
    return this.#runs.size > 0;
  }

  /** The jobs that run here and wait for this, or for nothing. */
  countWaiting(wait: JobWait | null): number {
    return this.#runs.keys().reduce((count, { waits }) => count + (waits.current === wait ? 1 : 0), 0);
  }

  /** Begins nothing more. Calls in flight end, and their outcomes are recorded. */
  async close(): Promise<void> {
    this.#stopped.abort();
    this.#woken.abort();
    this.#slots.close();
    const { session, settings } = this.#context;
    await session.recordWithin(MAX_RECORDING_MS + settings.callTimeoutMs, this.#end());
  }

  async #end(): Promise<void> {
    await this.#loop;
    await this.#sweeper.stop();
    await Promise.all(this.#runs.values());
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
    for (const { job } of this.#runs.keys()) this.#tokens.keep(job.token);
    this.#tokens.forgetUnused();
    const claimed = await ledger.claim({
      owner: this.#context.session.owner,
      bindingKeys: this.#tokens.bindingKeys,
      held: [...this.#runs.keys()].map(({ job }) => job.run),
    });
    const signal = this.#stopped.signal;
    for (const { job, ...run } of claimed) {
      const token = this.#tokens.get(job.bindingKey);
      const claim = { context: this.#context, run, job, token, signal };
      const jobRun = new JobRun({ ...claim, projectVersions: createProjectVersions(claim) }, this.#slots);
      this.#runs.set(jobRun, this.#execute(jobRun));
    }
  }

  async #execute(jobRun: JobRun): Promise<void> {
    const { session, clock, log } = this.#context;
    const { run } = jobRun.job;
    try {
      await jobRun.execute();
    } catch (error) {
      log('error', 'a job has failed unexpectedly, and is tried again', { requestId: run.jobId, error });
      await clock.sleep(RETRY_AFTER_BUG_MS, this.#stopped.signal);
    } finally {
      await session.record((ledger) => ledger.release(run)).catch((error) => this.#logFailure(error));
      this.#runs.delete(jobRun);
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
