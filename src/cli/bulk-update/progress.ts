import { createProgressBar, printError } from '../../server/process/terminal.ts';
import type { ShownJob } from './job.ts';

/** Shows on stderr how far a job is: as a bar on a terminal, else as a line from time to time. */
export class JobProgress {
  readonly #bar = createProgressBar('{step} [{bar}] {value} of {total}{status}', { alsoAsLines: true });

  submitted({ summary: { total } }: ShownJob, rows: number): void {
    this.#bar.show(total, rows, { step: 'submitting', status: '' });
  }

  watched(job: ShownJob): void {
    const { total, pending } = job.summary;
    this.#bar.show(total - pending, total, { step: 'updating', status: job.done ? '' : ` | ${statusOf(job)}` });
  }

  /** Prints a line above the bar. */
  note(text: string): void {
    this.stop();
    printError(`${text}\n`);
  }

  stop(): void {
    this.#bar.stop();
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
