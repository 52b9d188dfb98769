import { canShowProgress, createProgressBar, type ProgressBar, printError } from '../../terminal.ts';
import type { ShownJob, ShownRateLimit } from '../gateway/job-operations.ts';

/** The shortest time between two lines where there is no terminal, in milliseconds. */
const LINE_INTERVAL_MS = 10_000;

/** Shows on stderr how far a job is: as a bar on a terminal, else as lines. */
export interface JobProgress {
  submitted(job: ShownJob, rows: number): void;
  watched(job: ShownJob, rateLimit: ShownRateLimit | null): void;
  /** A line that stays. */
  note(text: string): void;
  stop(): void;
}

export const createJobProgress = (): JobProgress => (canShowProgress() ? new JobBar() : new JobLines());

class JobLines implements JobProgress {
  readonly #rate = new UpdateRate();
  #lastText = '';
  #lastTime = Number.NEGATIVE_INFINITY;

  submitted({ summary }: ShownJob, rows: number): void {
    this.#show(`submitted ${summary.total} of ${rows} rows`);
  }

  watched(job: ShownJob, rateLimit: ShownRateLimit | null): void {
    const { total, pending } = job.summary;
    const text = `${total - pending} of ${total} rows have ended${job.done ? '' : `, ${statusOf(job, rateLimit, this.#rate)}`}`;
    this.#show(text, job.done);
  }

  note(text: string): void {
    printError(`${text}\n`);
  }

  stop(): void {}

  #show(text: string, isForced = false): void {
    const time = performance.now();
    if (text === this.#lastText || (!isForced && time - this.#lastTime < LINE_INTERVAL_MS)) return;
    this.#lastText = text;
    this.#lastTime = time;
    this.note(text);
  }
}

class JobBar implements JobProgress {
  readonly #bar: ProgressBar = createProgressBar('{step} [{bar}] {value} of {total}{status}');
  readonly #rate = new UpdateRate();

  submitted({ summary }: ShownJob, rows: number): void {
    this.#bar.show(summary.total, rows, { step: 'submitting', status: '' });
  }

  watched(job: ShownJob, rateLimit: ShownRateLimit | null): void {
    const { total, pending } = job.summary;
    const status = job.done ? '' : ` | ${statusOf(job, rateLimit, this.#rate)}`;
    this.#bar.show(total - pending, total, { step: 'updating', status });
  }

  note(text: string): void {
    this.#bar.stop();
    printError(`${text}\n`);
  }

  stop(): void {
    this.#bar.stop();
  }
}

/** Items that ended in a second, since the first look at the job. */
class UpdateRate {
  #start: { readonly time: number; readonly ended: number } | null = null;

  /** Null as long as nothing has ended since the first look. */
  of({ summary: { total, pending } }: ShownJob): number | null {
    const now = { time: performance.now(), ended: total - pending };
    this.#start ??= now;
    const seconds = (now.time - this.#start.time) / 1_000;
    const ended = now.ended - this.#start.ended;
    return seconds > 0 && ended > 0 ? ended / seconds : null;
  }
}

const WAITS: Readonly<Record<string, string>> = {
  RATE_LIMIT: "waits for the service's rate limit",
  SERVICE: 'waits for the service',
};

function statusOf(job: ShownJob, rateLimit: ShownRateLimit | null, rates: UpdateRate): string {
  const rate = rates.of(job);
  const { limit = null, remaining = null } = rateLimit ?? {};
  return [
    ...(job.state === 'RUNNING' ? [] : [job.state.toLowerCase()]),
    ...(job.waitingFor === null ? [] : [WAITS[job.waitingFor] ?? 'waits']),
    ...(rate === null ? [] : [`${rate < 10 ? rate.toFixed(1) : Math.round(rate)}/s`]),
    job.estimatedEndAt === null ? 'the end is not known' : `ends about ${timeOf(job.estimatedEndAt)}`,
    ...(remaining === null ? [] : [`budget ${remaining}${limit === null ? '' : ` of ${limit}`} calls`]),
  ].join(', ');
}

function timeOf(text: string): string {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? 'an unknown time' : date.toLocaleTimeString('en-GB');
}
