import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { shellWord, toPrintable } from '../../base/printable.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { print } from '../terminal.ts';
import type { ColumnMapping } from './article-rows.ts';
import { describeFailedRow, failedRowsOf, writeFailedRows } from './failed-rows.ts';
import { createGrowingPause, type GatewayAnswer, type GatewayClient, isPassing } from './gateway-client.ts';
import { CANCEL_JOB, READ_JOB, RESUME_JOB, readOutcomes, type ShownJob, SUBMIT_PART } from './job.ts';
import { UPDATE_EXITS, type UpdateRunOptions } from './options.ts';
import { articlesOf, type CheckedRun, type RowPart, type SendFailure, sendParts } from './parts.ts';
import { countTable, type JobProgress } from './progress.ts';

/** Submits the rows as a job, watches it to its end, and reports how each row ended. */
export async function updateFromFile(run: CheckedRun): Promise<Result<number, string>> {
  const { failedPath } = run.options;
  if (await exists(failedPath))
    return err(`${toPrintable(failedPath)} exists already: remove it, or name another file by --failed.`);
  const update = new FileUpdate(run);
  try {
    return await update.run();
  } catch (error) {
    if (!run.client.signal.aborted) throw error;
    return err(update.interruption());
  } finally {
    run.progress.stop();
  }
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** A request has at most 10 MiB. The rest is for the document, and for what the key and the brackets take. */
const FIRST_PART = { maxRows: 10_000, maxBytes: 8 * 1024 ** 2 };

/** Problems of the input, as the gateway tells them, that are printed. */
const MAX_LISTED_ISSUES = 100;

/** Failed rows that are also printed. */
const MAX_PRINTED_ROWS = 10;

class FileUpdate {
  readonly #run: CheckedRun;
  readonly #key: string;
  /** The job as it was last seen; null before the first part has arrived. */
  #job: ShownJob | null = null;

  constructor(run: CheckedRun) {
    this.#run = run;
    this.#key = JSON.stringify(run.options.key ?? keyOf(run));
  }

  async run(): Promise<Result<number, string>> {
    const { client, progress } = this.#run;
    const submitted = await this.#submit();
    if (!submitted.ok) return submitted;
    const ended = await watchJob(client, submitted.value, progress);
    progress.stop();
    return ended.ok ? this.#report(ended.value) : err(`${ended.error}\n${this.#howToComeBack(submitted.value)}`);
  }

  /** The text for Ctrl-C. A part that was in flight may have arrived. */
  interruption(): string {
    const isSubmitted = this.#job !== null && this.#job.state !== 'OPEN';
    const state = isSubmitted
      ? 'stopped watching; the job goes on.'
      : 'stopped while rows were submitted; the job goes on by itself only if the last of them arrived.';
    return `${state}\n${this.#howToComeBack(this.#job)}`;
  }

  /** Submits the rows as one job, in parts. A part whose answer is lost is sent again, with the same key. */
  async #submit(): Promise<Result<ShownJob, string>> {
    const sent = await sendParts(this.#run, FIRST_PART, (part) => this.#submitPart(part));
    if (!sent.ok) return err(await this.#afterFailure(sent.error));
    const { rows } = this.#run.checked;
    const job = this.#job;
    if (job?.summary.total === rows) return ok(job);
    const state = `has ${job?.summary.total ?? 0} items, and the file has ${rows} rows`;
    const message = `the job ${job?.id ?? ''} is ${job?.state ?? 'unknown'} and ${state}. For another job, use --key.`;
    return err(await this.#abandon(message));
  }

  /** False where the job was closed by an earlier run over the same file, so that it has all rows. */
  async #submitPart(part: RowPart): Promise<GatewayAnswer<boolean>> {
    const { options, checked, client, progress } = this.#run;
    const input = `{"startIndex":${part.startIndex},"moreToCome":${!part.isLast},"articles":${articlesOf(part)}}`;
    const { answer, attempts } = await client.repeat(SUBMIT_PART, `{"key":${this.#key},"input":${input}}`);
    if (!answer.ok) return answer;
    const { job, replayed } = answer.value.result;
    const isOfEarlierRun = this.#job === null && replayed && attempts === 1;
    if (isOfEarlierRun && !options.isResumed) {
      return err({ kind: 'refused', message: earlierJob(job), retryAfterMs: null, issues: [] });
    }
    if (this.#job === null) progress.note(`The job is ${job.id}.`);
    this.#job = job;
    progress.submitted(job, checked.rows);
    return ok(options.key !== null || job.state === 'OPEN');
  }

  async #afterFailure({ message, failure }: SendFailure): Promise<string> {
    if (failure === null) return this.#abandon(message);
    const { reason, part } = failure;
    const isRefusedLater = reason.kind === 'refused' && reason.issues.length === 0 && this.#job !== null;
    if (isPassing(reason) || isRefusedLater) return `${message}\n${this.#howToComeBack(this.#job)}`;
    const lines = reason.issues.slice(0, MAX_LISTED_ISSUES).map((issue) => {
      const index = Number(issue.path[issue.path.indexOf('articles') + 1]);
      const place = part.rows[index - part.startIndex]?.place ?? toPrintable(issue.path.join('.'));
      return `\n  ${place}: ${toPrintable(issue.message)}`;
    });
    return this.#abandon(message + lines.join(''));
  }

  /** Cancels a job that can't be completed by this file, which would only wait for its end. */
  async #abandon(message: string): Promise<string> {
    const job = this.#job;
    if (job?.state !== 'OPEN') return message;
    const cancelled = await this.#run.client.ask(CANCEL_JOB, JSON.stringify({ id: job.id }));
    return `${message}\n${cancelled.ok ? 'Nothing was updated.' : `The job ${job.id} is left open and will expire.`}`;
  }

  async #report(job: ShownJob): Promise<Result<number, string>> {
    if (job.state === 'EXPIRED') {
      return err(`the job ${job.id} has expired before all rows were submitted. Use --key and a new key.`);
    }
    const { total, updated, failed, unknown, notAttempted } = job.summary;
    print(countTable({ rows: total, updated, failed, unknown, 'not attempted': notAttempted }));
    if (updated === total) return ok(UPDATE_EXITS.done);
    const { failedPath, format, isForSpreadsheet } = this.#run.options;
    const listed: string[] = [];
    const file = { path: failedPath, format, jobId: job.id, isForSpreadsheet };
    const written = await writeFailedRows(file, this.#failedRows(job, listed));
    if (!written.ok) return err(`${toPrintable(failedPath)}: ${written.error}\n${this.#howToComeBack(job)}`);
    print(`\n${listed.join('')}`);
    print(`The rows that were not updated are in ${toPrintable(failedPath)}, with reasons.\n`);
    return ok(UPDATE_EXITS.notAllUpdated);
  }

  /** Lists the first rows on their way, as lines for people, and how many more there were. */
  async *#failedRows(job: ShownJob, listed: string[]) {
    const { rows, client } = this.#run;
    let count = 0;
    for await (const row of failedRowsOf(rows, readOutcomes(client, job.id))) {
      count += 1;
      if (count <= MAX_PRINTED_ROWS) listed.push(`${describeFailedRow(row)}\n`);
      yield row;
    }
    if (count > MAX_PRINTED_ROWS) listed.push(`and ${count - MAX_PRINTED_ROWS} more.\n`);
  }

  #howToComeBack(job: ShownJob | null): string {
    const { options } = this.#run;
    const url = `--url ${shellWord(options.address.url)}`;
    const back = `Come back:  kb-gateway bulk-update ${resumingArguments(options).join(' ')} ${url}`;
    if (job === null || job.done) return back;
    return `${back}\nCancel it:  kb-gateway bulk-update --cancel ${shellWord(job.id)} ${url}`;
  }
}

/** Polls a job until it is done. A paused job is resumed, but not twice at the same item. */
async function watchJob(
  client: GatewayClient,
  submitted: ShownJob,
  progress: JobProgress,
): Promise<Result<ShownJob, string>> {
  const id = JSON.stringify({ id: submitted.id });
  const pause = createGrowingPause(client.signal);
  let job = submitted;
  let resumedWith: number | null = null;
  while (!job.done) {
    if (job.state === 'PAUSED') {
      if (resumedWith === job.summary.pending) return err(`the job is paused again at once. ${PAUSE_REASONS}`);
      resumedWith = job.summary.pending;
      progress.note(`The job is paused, and goes on with your token. ${PAUSE_REASONS}`);
      const resumed = await client.repeat(RESUME_JOB, id);
      if (!resumed.answer.ok) return err(resumed.answer.error.message);
    }
    await pause();
    const { answer } = await client.repeat(READ_JOB, id);
    if (!answer.ok) return err(answer.error.message);
    if (answer.value.job === null) return err('the gateway does not know the job any more, or not for this token.');
    job = answer.value.job;
    progress.watched(job);
  }
  return ok(job);
}

const PAUSE_REASONS =
  'A job pauses where the gateway has no token for it: after a restart, after a change of the token or of UPSTREAM_URL, and when the service refuses the token.';

const earlierJob = ({ id, state, createdAt }: ShownJob): string =>
  [
    `this file was submitted before, as the job ${id} of ${createdAt}, which is ${state}. Nothing was sent now.`,
    'With --resume the command goes on with that job; with --key and a new key, all rows are sent once more.',
  ].join('\n');

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
