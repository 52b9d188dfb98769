import { canShowProgress, createProgressBar, printError } from '../terminal.ts';
import type { ShownJob } from './job.ts';

/** The shortest time between two lines where there is no terminal, in milliseconds. */
const LINE_INTERVAL_MS = 10_000;

/** Shows on stderr how far a job is: as a bar on a terminal, else as lines. */
export class JobProgress {
  readonly #bar = canShowProgress() ? createProgressBar('{step} [{bar}] {value} of {total}{status}') : null;
  #lastText = '';
  #lastTime = Number.NEGATIVE_INFINITY;

  submitted({ summary: { total } }: ShownJob, rows: number): void {
    if (this.#bar === null) this.#showLine(`submitted ${total} of ${rows} rows`);
    else this.#bar.show(total, rows, { step: 'submitting', status: '' });
  }

  watched(job: ShownJob): void {
    const { total, pending } = job.summary;
    const ended = total - pending;
    const status = job.done ? null : statusOf(job);
    if (this.#bar === null) {
      this.#showLine(`${ended} of ${total} rows have ended${status === null ? '' : `, ${status}`}`, job.done);
    } else this.#bar.show(ended, total, { step: 'updating', status: status === null ? '' : ` | ${status}` });
  }

  /** Prints a line that stays. */
  note(text: string): void {
    this.stop();
    printError(`${text}\n`);
  }

  stop(): void {
    this.#bar?.stop();
  }

  #showLine(text: string, isForced = false): void {
    const time = performance.now();
    if (text === this.#lastText || (!isForced && time - this.#lastTime < LINE_INTERVAL_MS)) return;
    this.#lastText = text;
    this.#lastTime = time;
    this.note(text);
  }
}

const WAITS: Readonly<Record<string, string>> = {
  RATE_LIMIT: "waits for the service's rate limit",
  SERVICE: 'waits for the service',
};

const statusOf = (job: ShownJob): string =>
  [
    ...(job.state === 'RUNNING' ? [] : [job.state.toLowerCase()]),
    ...(job.waitingFor === null ? [] : [WAITS[job.waitingFor] ?? 'waits']),
    job.estimatedEndAt === null ? 'the end is not known' : `ends about ${timeOf(job.estimatedEndAt)}`,
  ].join(', ');

function timeOf(text: string): string {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? 'an unknown time' : date.toLocaleTimeString('en-GB');
}

/** A table for people of how many rows ended in each way. */
export const countTable = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name.padEnd(15)}${`${count}`.padStart(9)}\n`)
    .join('');
