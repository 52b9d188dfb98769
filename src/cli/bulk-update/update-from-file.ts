import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { shellWord, toPrintable } from '../../base/printable.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { print } from '../terminal.ts';
import { type CheckedRun, UPDATE_EXITS } from './checked-run.ts';
import { mutationPayload } from './gateway/gateway-client.ts';
import { CANCEL_JOB, type ShownJob } from './gateway/job-operations.ts';
import { createPatience, type Patience } from './gateway/patience.ts';
import { type SubmitFailure, submitParts } from './gateway/submit-parts.ts';
import { PAUSE_REASONS, readOutcomes, watchJob } from './gateway/watch-job.ts';
import type { UpdateRunOptions } from './options.ts';
import { describeFailedRow, type FailedRow, failedRowsOf, writeFailedRows } from './report/failed-rows.ts';
import { createJobProgress, type JobProgress } from './report/progress.ts';
import { summaryTable } from './report/summary.ts';
import type { ColumnMapping } from './rows/columns.ts';

/** Submits the rows as a job, watches it to its end, and reports how each row ended. */
export async function updateFromFile(run: CheckedRun): Promise<Result<number, string>> {
  const { failedPath } = run.options;
  if (await exists(failedPath))
    return err(`${toPrintable(failedPath)} exists already: remove it, or name another file by --failed.`);
  const progress = createJobProgress();
  const update = new FileUpdate(run, progress);
  try {
    return await update.run();
  } catch (error) {
    if (!run.signal.aborted) throw error;
    return err(update.interruption());
  } finally {
    progress.stop();
  }
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** Failed rows that are also printed. */
const MAX_PRINTED_ROWS = 10;

class FileUpdate {
  readonly #run: CheckedRun;
  readonly #progress: JobProgress;
  readonly #patience: Patience;
  #job: ShownJob | null = null;

  constructor(run: CheckedRun, progress: JobProgress) {
    this.#run = run;
    this.#progress = progress;
    this.#patience = createPatience(run.signal, (text) => progress.note(text));
  }

  async run(): Promise<Result<number, string>> {
    const submitted = await this.#submit();
    if (!submitted.ok) return submitted;
    const ended = await watchJob(this.#run.client, submitted.value, {
      patience: this.#patience,
      onJob: (job, rateLimit) => this.#progress.watched(job, rateLimit),
      onResumed: () => this.#progress.note(`The job is paused, and goes on with your token. ${PAUSE_REASONS}`),
    });
    this.#progress.stop();
    if (!ended.ok) return err(`${ended.error}\n${this.#howToComeBack(submitted.value)}`);
    return this.#report(ended.value);
  }

  /** The text for Ctrl-C. A part that was in flight may have arrived. */
  interruption(): string {
    const isSubmitted = this.#job !== null && this.#job.state !== 'OPEN';
    const state = isSubmitted
      ? 'stopped watching; the job goes on.'
      : 'stopped while rows were submitted; the job goes on by itself only if the last of them arrived.';
    return `${state}\n${this.#howToComeBack(this.#job)}`;
  }

  async #submit(): Promise<Result<ShownJob, string>> {
    const { client, options, rows, checked } = this.#run;
    const submitted = await submitParts(client, {
      rows,
      checked,
      key: options.key ?? keyOf(this.#run),
      isKeyOfFile: options.key === null,
      isResumed: options.isResumed,
      patience: this.#patience,
      onProgress: (job) => {
        if (this.#job === null) this.#progress.note(`The job is ${job.id}.`);
        this.#job = job;
        this.#progress.submitted(job, checked.rows);
      },
    });
    return submitted.ok ? submitted : err(await this.#afterFailure(submitted.error));
  }

  /** A job that can't be completed by this file would only wait for its end. */
  async #afterFailure({ message, job, canResume }: SubmitFailure): Promise<string> {
    if (canResume) return `${message}\n${this.#howToComeBack(job)}`;
    if (job?.state !== 'OPEN') return message;
    const cancelled = mutationPayload(await this.#run.client.ask(CANCEL_JOB, JSON.stringify({ id: job.id })));
    return `${message}\n${cancelled.ok ? 'Nothing was updated.' : `The job ${job.id} is left open and will expire.`}`;
  }

  async #report(job: ShownJob): Promise<Result<number, string>> {
    if (job.state === 'EXPIRED') {
      return err(`the job ${job.id} has expired before all rows were submitted. Use --key and a new key.`);
    }
    print(summaryTable(job));
    if (job.summary.updated === job.summary.total) return ok(UPDATE_EXITS.done);
    const { rows, options, client } = this.#run;
    const failed = new PrintedRows(failedRowsOf(rows, readOutcomes(client, job.id, this.#patience)));
    const { failedPath, format, isForSpreadsheet } = options;
    const file = { path: failedPath, format, jobId: job.id, isForSpreadsheet };
    const written = await writeFailedRows(file, failed.rows());
    if (!written.ok) return err(`${toPrintable(options.failedPath)}: ${written.error}\n${this.#howToComeBack(job)}`);
    print(`${failed.text()}The rows that were not updated are in ${toPrintable(options.failedPath)}, with reasons.\n`);
    return ok(UPDATE_EXITS.notAllUpdated);
  }

  #howToComeBack(job: ShownJob | null): string {
    const { options } = this.#run;
    const url = `--url ${shellWord(options.address.url)}`;
    const back = `Come back:  kb-gateway bulk-update ${resumingArguments(options).join(' ')} ${url}`;
    if (job === null || job.done) return back;
    return `${back}\nCancel it:  kb-gateway bulk-update --cancel ${shellWord(job.id)} ${url}`;
  }
}

/** The arguments that lead to the same job, as words of a shell. */
function resumingArguments({
  path,
  format,
  mapping,
  key,
  failedPath,
  isForSpreadsheet,
}: UpdateRunOptions): readonly string[] {
  const columns = columnPairsOf(mapping).join(',');
  return [
    path === '-' ? '- (with the same input)' : shellWord(path),
    '--resume',
    `--format ${format}`,
    ...(columns === '' ? [] : [`--columns ${shellWord(columns)}`]),
    ...(key === null ? [] : [`--key ${shellWord(key)}`]),
    `--failed ${shellWord(failedPath)}`,
    ...(isForSpreadsheet ? ['--for-spreadsheet'] : []),
  ];
}

const columnPairsOf = (mapping: ColumnMapping): readonly string[] =>
  [...mapping].map(([column, field]) => `${column}=${field ?? ''}`);

/** A file that is given again with the same meaning of its columns has the same key. */
function keyOf({ checked, options: { format, mapping } }: CheckedRun): string {
  const columns = columnPairsOf(mapping).toSorted();
  return `bulk-update-${createHash('sha256')
    .update(JSON.stringify([format, columns, checked.digest]))
    .digest('hex')}`;
}

/** Keeps the first rows on their way, to print them. */
class PrintedRows {
  readonly #source: AsyncIterable<FailedRow>;
  readonly #lines: string[] = [];
  #count = 0;

  constructor(source: AsyncIterable<FailedRow>) {
    this.#source = source;
  }

  async *rows(): AsyncGenerator<FailedRow> {
    for await (const row of this.#source) {
      this.#count += 1;
      if (this.#lines.length < MAX_PRINTED_ROWS) this.#lines.push(`${describeFailedRow(row)}\n`);
      yield row;
    }
  }

  text(): string {
    const more = this.#count - this.#lines.length;
    return `\n${this.#lines.join('')}${more > 0 ? `and ${more} more.\n` : ''}`;
  }
}
