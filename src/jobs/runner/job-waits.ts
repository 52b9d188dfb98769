import type { JobWait } from '../../core/articles/article-update-jobs.ts';
import { DEFAULT_RETRY_AFTER_SECONDS } from '../../core/rate-limit.ts';
import { type ClaimedJob, persist, RunStopped } from '../job-context.ts';
import type { NextStep } from '../kinds/sent-chunks.ts';

/** The longest pause for the rate limit, in case more calls are allowed meanwhile. */
const MAX_RATE_LIMIT_WAIT_MS = 60_000;

const FIRST_SERVICE_PAUSE_MS = 1_000;
const MAX_SERVICE_PAUSE_MS = 30_000;

/** After so long of answers that are not the service's, the job is paused. */
const MAX_FOREIGN_MS = 60 * 60_000;

/**
 * The waits of one job: for the rate limit until it is reset, and for the service in growing pauses. They throw `RunStopped`
 * when the process does not run the job any more.
 */
export class JobWaits {
  readonly #job: ClaimedJob;
  /** The recorded wait. It lasts until the service has answered a call. */
  current: JobWait | null;
  #pauses = 0;
  /** `Clock.monotonic` of the first in a row of answers that are not the service's; null where there is none. */
  #foreignSince: number | null = null;
  #woken = new AbortController();

  constructor(job: ClaimedJob) {
    this.#job = job;
    this.current = job.job.waitingFor;
  }

  /** Waits for the rate limit, or for the service, each time for longer. */
  async follow({ wait, retryAfterSeconds }: Extract<NextStep, { kind: 'wait' }>): Promise<void> {
    const isForService = wait === 'SERVICE';
    const ms = isForService
      ? FIRST_SERVICE_PAUSE_MS * 2 ** this.#pauses
      : Math.max((retryAfterSeconds ?? DEFAULT_RETRY_AFTER_SECONDS) * 1_000, FIRST_SERVICE_PAUSE_MS);
    if (isForService) this.#pauses += 1;
    await this.#record(wait);
    const { context, signal } = this.#job;
    this.#woken = new AbortController();
    const pauseMs = Math.min(ms, isForService ? MAX_SERVICE_PAUSE_MS : MAX_RATE_LIMIT_WAIT_MS);
    await context.clock.sleep(pauseMs, AbortSignal.any([signal, this.#woken.signal]));
  }

  /** True once answers that are not the service's have come for long. */
  isForeignForLong(isForeign: boolean): boolean {
    const now = this.#job.context.clock.monotonic();
    this.#foreignSince = isForeign ? (this.#foreignSince ?? now) : null;
    return this.#foreignSince !== null && now - this.#foreignSince >= MAX_FOREIGN_MS;
  }

  /** Ends the present wait, since the job was cancelled. */
  wake(): void {
    this.#woken.abort();
  }

  /** Pauses without a recorded wait. */
  async sleep(ms: number): Promise<void> {
    const { context, signal } = this.#job;
    await context.clock.sleep(ms, signal);
    if (signal.aborted) throw new RunStopped();
  }

  /** Ends the recorded wait, after a call that the service has answered. */
  async end(): Promise<void> {
    this.#pauses = 0;
    this.#foreignSince = null;
    await this.#record(null);
  }

  async #record(wait: JobWait | null): Promise<void> {
    if (this.current === wait) return;
    await persist(this.#job, (ledger, run) => ledger.setWaiting(run, wait));
    this.current = wait;
  }
}
