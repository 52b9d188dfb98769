import type { JobWait } from '../../domain/articles/article-update-jobs.ts';
import { DEFAULT_RETRY_AFTER_SECONDS } from '../../domain/rate-limit.ts';
import type { Run } from '../../state/ledger.ts';
import type { JobContext } from './job-context.ts';

/** A job looks again so often, in case more calls are allowed than was known. */
const MAX_RATE_LIMIT_WAIT_MS = 60_000;

const [FIRST_SERVICE_PAUSE_MS, MAX_SERVICE_PAUSE_MS] = [1_000, 30_000];

interface JobWaitsOptions {
  readonly context: Pick<JobContext, 'session' | 'clock'>;
  readonly run: Run;
  /** Ends each wait. */
  readonly signal: AbortSignal;
}

/** The waits of one job: for the rate limit until it is reset, and for the service in growing pauses. */
export class JobWaits {
  readonly #options: JobWaitsOptions;
  #recorded: JobWait | null;
  #pauses = 0;
  /** `Clock.monotonic`; null while the job does not wait. */
  #until: number | null = null;
  #woken = new AbortController();

  constructor(options: JobWaitsOptions, recorded: JobWait | null) {
    this.#options = options;
    this.#recorded = recorded;
  }

  /** The wait as it is recorded, which lasts until the service has answered a call. */
  get current(): JobWait | null {
    return this.#recorded;
  }

  /** Milliseconds that are left of the wait. */
  get leftMs(): number {
    return this.#until === null ? 0 : Math.max(0, this.#until - this.#options.context.clock.monotonic());
  }

  /** False when the process does not run the job any more. */
  forRateLimit(retryAfterSeconds: number | null): Promise<boolean> {
    const seconds = retryAfterSeconds ?? DEFAULT_RETRY_AFTER_SECONDS;
    const ms = Math.min(Math.max(seconds * 1_000, FIRST_SERVICE_PAUSE_MS), MAX_RATE_LIMIT_WAIT_MS);
    return this.#wait('RATE_LIMIT', ms);
  }

  forService(): Promise<boolean> {
    const ms = Math.min(FIRST_SERVICE_PAUSE_MS * 2 ** Math.min(this.#pauses, 5), MAX_SERVICE_PAUSE_MS);
    this.#pauses += 1;
    return this.#wait('SERVICE', ms);
  }

  /** Ends the present wait, since the job was cancelled. */
  wake(): void {
    this.#woken.abort();
  }

  /** A pause of the job's own choice. */
  sleep(ms: number): Promise<void> {
    return this.#options.context.clock.sleep(ms, this.#options.signal);
  }

  /** Called after a call that the service has answered. */
  async end(): Promise<boolean> {
    this.#pauses = 0;
    return this.#record(null);
  }

  async #wait(wait: JobWait, ms: number): Promise<boolean> {
    if (!(await this.#record(wait))) return false;
    const { context, signal } = this.#options;
    this.#woken = new AbortController();
    this.#until = context.clock.monotonic() + ms;
    await context.clock.sleep(ms, AbortSignal.any([signal, this.#woken.signal]));
    this.#until = null;
    return true;
  }

  async #record(wait: JobWait | null): Promise<boolean> {
    if (this.#recorded === wait) return true;
    const { context, run, signal } = this.#options;
    const isRunning = await context.session.persist((ledger) => ledger.setWaiting(run, wait), signal);
    if (isRunning) this.#recorded = wait;
    return isRunning === true;
  }
}
