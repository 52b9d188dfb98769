import { LRUCache } from 'lru-cache';
import type { JobWait } from '../../core/articles/article-update-jobs.ts';
import { MAX_CONCURRENT_STEPS } from '../../core/base/limits.ts';
import { Semaphore } from '../../core/base/semaphore.ts';
import { createProjectVersions, type JobContext } from '../job-context.ts';
import type { Ledger } from '../state/ledger.ts';
import { JobRun } from './job-run.ts';
import type { JobTokens } from './job-tokens.ts';
import type { Sweeper } from './sweeper.ts';

/** The pause between two claims, so that another process takes over within 15 s. */
const CLAIM_INTERVAL_MS = 2_000;

/** The shortest pause between two claims, however often a request asks for one. */
const MIN_CLAIM_INTERVAL_MS = 100;

/** How long a stop tries to record outcomes while the ledger can't be reached. */
const MAX_RECORDING_MS = 5_000;

const STEPS = { total: MAX_CONCURRENT_STEPS, perKey: MAX_CONCURRENT_STEPS };

/** The number of jobs that wait for a step is not bounded. */
const JOBS = { total: Number.POSITIVE_INFINITY, perKey: Number.POSITIVE_INFINITY };

const MAX_WHOLE_JOBS = 1_000;

/** Runs the jobs that this process has claimed. */
export class JobRunner {
  readonly #context: JobContext;
  readonly #tokens: JobTokens;
  readonly #sweeper: Sweeper;
  /** The executions of the runs, from their claim until they are released. */
  readonly #runs = new Map<JobRun, Promise<void>>();
  readonly #slots = new Semaphore({ slots: STEPS, waiting: JOBS });
  /** Some of the jobs that this process alone has run, from their beginning to their end. */
  readonly #wholeJobs = new LRUCache<string, true>({ max: MAX_WHOLE_JOBS });
  readonly #stopped = new AbortController();
  #woken = new AbortController();
  #loop: Promise<void> | null = null;

  constructor(context: JobContext, tokens: JobTokens, sweeper: Sweeper) {
    this.#context = context;
    this.#tokens = tokens;
    this.#sweeper = sweeper;
  }

  /** Begins to claim jobs and to send heartbeats. */
  start(): void {
    if (!this.#stopped.signal.aborted) this.#loop ??= this.#claimForever();
  }

  /** Claims at once. */
  wake(): void {
    this.start();
    this.#woken.abort();
  }

  /** The last run of a job in this process; null where there is none. A run before it may still be releasing the job. */
  find(jobId: string): JobRun | null {
    return [...this.#runs.keys()].findLast(({ job }) => job.run.jobId === jobId) ?? null;
  }

  /** True while this process runs a job, or has yet to release one. */
  get isBusy(): boolean {
    return this.#runs.size > 0;
  }

  /** The number of jobs of this process with this wait; null counts those that do not wait. */
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
        const ledger = await session.openWithHeartbeat();
        await this.#claim(ledger);
        void this.#sweeper.begin(ledger).catch((error: unknown) => this.#logFailure(error));
      } catch (error) {
        this.#logFailure(error);
      }
      await clock.sleep(MIN_CLAIM_INTERVAL_MS, stop);
      await clock.sleep(CLAIM_INTERVAL_MS, AbortSignal.any([stop, this.#woken.signal]));
    }
  }

  async #claim(ledger: Ledger): Promise<void> {
    for (const { job } of this.#runs.keys()) this.#tokens.keep(job.token);
    this.#tokens.forgetUnused();
    const claimed = await ledger.claim({
      owner: this.#context.session.owner,
      credentialHashes: this.#tokens.credentialHashes,
      held: [...this.#runs.keys()].map(({ job }) => job.run),
    });
    const { clock, settings } = this.#context;
    const signal = this.#stopped.signal;
    for (const { job, ...run } of claimed) {
      const token = this.#tokens.get(job.credentialHash);
      const mayLag = run.number > 1 || (job.revertOf !== null && !this.#wholeJobs.has(job.revertOf));
      const readsAreSureAt = clock.monotonic() + (mayLag ? settings.readLagMs : 0);
      const claim = { context: this.#context, run, job, token, signal, readsAreSureAt };
      const jobRun = new JobRun(
        { ...claim, projectVersions: createProjectVersions(claim) },
        this.#slots,
        this.#sweeper,
      );
      this.#runs.set(jobRun, this.#execute(jobRun));
    }
  }

  async #execute(jobRun: JobRun): Promise<void> {
    const { session, clock, log } = this.#context;
    const { run } = jobRun.job;
    try {
      if ((await jobRun.execute()) && run.number === 1) this.#wholeJobs.set(run.jobId, true);
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

/** The pause before a job that has failed by a bug is claimed again. */
const RETRY_AFTER_BUG_MS = 30_000;
