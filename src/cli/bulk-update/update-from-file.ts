import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { toPrintable } from '../../core/base/printable.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { print } from '../../server/process/terminal.ts';
import { EXIT_CODES } from '../command-options.ts';
import { countPublication, describeFailedRow, type FailedRow, writeFailedRows } from './failed-rows.ts';
import { type GatewayAnswer, type GatewayClient, pause } from './gateway-client.ts';
import { withSharedLast } from './input-rows.ts';
import { CANCEL_JOB, LIST_JOBS, READ_JOB, RESUME_JOB, readOutcomes, type ShownJob, SUBMIT_PART } from './job.ts';
import { type RowPart, type SendFailure, sendParts, type UpdateRun } from './parts.ts';
import { findChangingRows } from './preview.ts';
import { countTable, type JobProgress } from './progress.ts';

/** Submits the rows that change something as a job, watches it to its end, and reports how each row ended. */
export async function updateFromFile(run: UpdateRun): Promise<Result<number, string>> {
  const taken = takenPath(run.options.failedPath);
  if (taken !== null) return err(taken);
  const changing = run.options.key === null ? await changingRows(run) : ok(null);
  if (!changing.ok) return changing;
  const unchanged = changing.value === null ? 0 : run.input.rows.length - changing.value.length;
  if (changing.value?.length === 0) {
    print(countTable({ rows: unchanged, unchanged }));
    return ok(EXIT_CODES.done);
  }
  const rows = changing.value?.flatMap((position) => run.input.rows[position] ?? []) ?? run.input.rows;
  const input = { ...run.input, rows: withSharedLast(rows) };
  const update = new FileUpdate({ ...run, input }, { unchanged, positions: changing.value });
  try {
    return await update.run();
  } catch (error) {
    if (!run.client.signal.aborted) throw error;
    return err(update.interruption());
  } finally {
    run.progress.stop();
  }
}

/** The problem of an output path that exists already, even as a broken link; null where it is free. */
const takenPath = (path: string): string | null =>
  lstatSync(path, { throwIfNoEntry: false }) === undefined
    ? null
    : `${toPrintable(path)} exists already: remove it, or name another file by --failed.`;

/**
 * The positions of the rows that change something, after the unfinished jobs of the caller where the run is resumed. Null
 * where the gateway can't compare them, so that all are sent.
 */
async function changingRows(run: UpdateRun): Promise<Result<readonly number[] | null, string>> {
  const { client, options, progress } = run;
  if (options.isResumed) {
    const ended = await watchUnfinishedJobs(client, progress);
    progress.stop();
    if (!ended.ok) return ended;
  }
  const found = await findChangingRows(run);
  if (found.ok) return found;
  if (found.error.kind === 'again') return err(`${found.error.message} Nothing was sent.`);
  progress.note(`The rows can't be compared, so that all are sent: ${found.error.message}`);
  return ok(null);
}

async function watchUnfinishedJobs(client: GatewayClient, progress: JobProgress): Promise<Result<void, string>> {
  const listed = await client.repeat(LIST_JOBS, '{}');
  if (!listed.answer.ok) return err(listed.answer.error.message);
  for (const job of listed.answer.value.articleUpdateJobs.nodes) {
    // An open job goes on with the same rows, or expires.
    if (job.done || job.state === 'OPEN') continue;
    progress.note(`The job ${job.id} goes on.`);
    const ended = await watchJob(client, job, progress);
    if (!ended.ok) return ended;
  }
  return ok(undefined);
}

/** The first part. A request has at most 10 MiB, and the document, the key and the brackets take the rest. */
const FIRST_PART = { maxRows: 10_000, maxBytes: 8 * 1024 ** 2 };

/** The most problems of the input, as the gateway reports them, that are printed. */
const MAX_LISTED_ISSUES = 100;

/** The most failed rows that are printed. */
const MAX_PRINTED_ROWS = 10;

interface ChangingRows {
  /** The number of rows that are not sent, since they change nothing. */
  readonly unchanged: number;
  /** The positions in the file of those that are sent; null for all. */
  readonly positions: readonly number[] | null;
}

class FileUpdate {
  readonly #run: UpdateRun;
  readonly #rows: ChangingRows;
  #key: string;
  /** The job as it was last seen; null before the first part has arrived. */
  #job: ShownJob | null = null;

  constructor(run: UpdateRun, rows: ChangingRows) {
    this.#run = run;
    this.#rows = rows;
    this.#key = run.options.key ?? keyOf(run, rows);
  }

  async run(): Promise<Result<number, string>> {
    const { client, progress } = this.#run;
    const submitted = await this.#submit();
    if (!submitted.ok) return submitted;
    const ended = await watchJob(client, submitted.value, progress);
    progress.stop();
    return ended.ok ? this.#report(ended.value) : err(`${ended.error}\n${this.#comeBack}`);
  }

  get #comeBack(): string {
    return `Come back with: ${this.#run.options.resumeCommand}`;
  }

  /** The message after Ctrl-C. A part that was in flight may have arrived. */
  interruption(): string {
    const isSubmitted = this.#job !== null && this.#job.state !== 'OPEN';
    const state = isSubmitted
      ? 'stopped watching; the job goes on.'
      : 'stopped while rows were submitted; the job goes on by itself only if the last of them arrived.';
    return `${state}\n${this.#comeBack}`;
  }

  /** Submits the rows as one job, in parts. A part whose answer is lost is sent again, with the same key. */
  async #submit(): Promise<Result<ShownJob, string>> {
    const { rows } = this.#run.input;
    const sent = await sendParts(rows, FIRST_PART, (part) => this.#submitPart(part));
    if (!sent.ok) return err(await this.#afterFailure(sent.error));
    const job = this.#job;
    if (job?.summary.total === rows.length) return ok(job);
    const state = `has ${job?.summary.total ?? 0} items, and the file has ${rows.length} rows`;
    const message = `the job ${job?.id ?? ''} is ${job?.state ?? 'unknown'} and ${state}. For another job, use --key.`;
    return err(await this.#abandon(message));
  }

  /** False where an earlier run over the same file has closed the job, so that it has all rows. */
  async #submitPart(part: RowPart): Promise<GatewayAnswer<boolean>> {
    const { options, input: file, client, progress } = this.#run;
    const input = {
      ...this.#publishing,
      ...(options.keepsBefore && { keepBefore: 'ALWAYS' }),
      startIndex: part.startIndex,
      moreToCome: !part.isLast,
      articles: part.rows.map(({ update }) => update),
    };
    const { answer, attempts } = await client.repeat(SUBMIT_PART, JSON.stringify({ key: this.#key, input }));
    if (!answer.ok) return answer;
    const { job, replayed } = answer.value.result;
    const isOfEarlierRun = this.#job === null && replayed && attempts === 1;
    if (isOfEarlierRun && options.key === null && job.done) {
      // The job has ended, and something has changed since: its rows change something again.
      this.#key = chainedKey(this.#key, job.id);
      return this.#submitPart(part);
    }
    const goesOn = options.isResumed || (options.key === null && job.state === 'OPEN');
    if (isOfEarlierRun && !goesOn)
      return err({ kind: 'refused', message: earlierJob(job), retryAfterMs: 0, issues: [] });
    if (this.#job === null) progress.note(`The job is ${job.id}.`);
    this.#job = job;
    progress.submitted(job, file.rows.length);
    return ok(options.key !== null || job.state === 'OPEN');
  }

  /** The input members of the publication and of forks, empty where there are none: an older gateway does not know them. */
  get #publishing(): object {
    const { publication, ifPublished } = this.#run.options;
    const { userId, message: publishMessage } = publication ?? {};
    return { ...ifPublished, ...(publication && { publish: true, userId, publishMessage }) };
  }

  async #afterFailure({ reason: { kind, message, issues }, part }: SendFailure): Promise<string> {
    const isRefusedLater = kind === 'refused' && issues.length === 0 && this.#job !== null;
    if (kind === 'again' || isRefusedLater) return `${message}\n${this.#comeBack}`;
    const lines = issues.slice(0, MAX_LISTED_ISSUES).map((issue) => {
      const index = Number(issue.path[issue.path.indexOf('articles') + 1]);
      const place = part.rows[index - part.startIndex]?.place ?? toPrintable(issue.path.join('.'));
      return `\n  ${place}: ${toPrintable(issue.message)}`;
    });
    return this.#abandon(message + lines.join(''));
  }

  /** Cancels a job that this file can't complete, since it would only wait until it expires. */
  async #abandon(message: string): Promise<string> {
    const job = this.#job;
    if (job?.state !== 'OPEN') return message;
    const cancelled = await this.#run.client.ask(CANCEL_JOB, JSON.stringify({ id: job.id }));
    return `${message}\n${cancelled.ok ? 'Nothing was updated.' : `The job ${job.id} is left open and will expire.`}`;
  }

  async #report(job: ShownJob): Promise<Result<number, string>> {
    if (job.state === 'EXPIRED')
      return err(`the job ${job.id} has expired before all rows were submitted. Use --key and a new key.`);
    const { total, updated, failed, unknown, notAttempted } = job.summary;
    const { unchanged, positions } = this.#rows;
    const compared = positions === null ? {} : { unchanged };
    print(
      countTable({ rows: total + unchanged, ...compared, updated, failed, unknown, 'not attempted': notAttempted }),
    );
    const { failedPath, format, isForSpreadsheet, publication } = this.#run.options;
    if (updated === total && publication === null) return ok(EXIT_CODES.done);
    const listed: string[] = [];
    const publications: Record<string, number> = {};
    const rows = this.#failedRows(job, { listed, publications });
    const first = await rows.next();
    const file = { path: failedPath, format, jobId: job.id, isForSpreadsheet };
    const written = first.done ? ok(undefined) : await writeFailedRows(file, withFirst(first.value, rows));
    if (!written.ok) return err(`${toPrintable(failedPath)}: ${written.error}\n${this.#comeBack}`);
    print(countTable(publications));
    if (first.done) return ok(EXIT_CODES.done);
    print(`\n${listed.join('')}`);
    const ends = publication === null ? 'updated' : 'updated or not published';
    print(`The rows that were not ${ends} are in ${toPrintable(failedPath)}, with reasons.\n`);
    return ok(EXIT_CODES.partly);
  }

  /** Yields the failed rows, the first of them as printed lines, with the number of the others. Counts the published ones. */
  async *#failedRows(job: ShownJob, { listed, publications }: RowReport): AsyncGenerator<FailedRow> {
    const { input, client, options } = this.#run;
    let count = 0;
    for await (const outcome of readOutcomes(client, job.id, options.publication !== null)) {
      countPublication(publications, outcome);
      const row = input.rows[outcome.index];
      if (row === undefined || outcome.publication === 'PUBLISHED') continue;
      count += 1;
      if (count <= MAX_PRINTED_ROWS) listed.push(`${describeFailedRow({ row, outcome })}\n`);
      yield { row, outcome };
    }
    if (count > MAX_PRINTED_ROWS) listed.push(`and ${count - MAX_PRINTED_ROWS} more.\n`);
  }
}

interface RowReport {
  readonly listed: string[];
  readonly publications: Record<string, number>;
}

async function* withFirst<T>(first: T, others: AsyncIterable<T>): AsyncGenerator<T> {
  yield first;
  yield* others;
}

/** Polls a job until it is done. A paused job is resumed, but not twice at the same item. */
export async function watchJob(
  client: GatewayClient,
  submitted: ShownJob,
  progress: JobProgress,
): Promise<Result<ShownJob, string>> {
  const id = JSON.stringify({ id: submitted.id });
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
    await pause(client.signal);
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
    `these rows were submitted before, as the job ${id} of ${createdAt}, which is ${state}. Nothing was sent now.`,
    'With --resume the command waits for that job; with --key and a new key, all rows are sent once more.',
  ].join('\n');

/** The key of the job. The same rows of the same file with the same options have the same key. */
function keyOf({ input: { digest }, options }: UpdateRun, { positions }: ChangingRows): string {
  const { format, mapping, publication, keepsBefore, ifPublished, ignoresRevisions } = options;
  const columns = [...mapping].map(([column, field]) => `${column}=${field ?? ''}`).toSorted();
  const text = JSON.stringify([format, columns, digest, publication, keepsBefore, ifPublished, ignoresRevisions]);
  const hash = createHash('sha256').update(text);
  for (const position of positions ?? []) hash.update(`,${position}`);
  return `bulk-update-${hash.digest('hex')}`;
}

const chainedKey = (key: string, jobId: string): string =>
  `bulk-update-${createHash('sha256').update(`${key} ${jobId}`).digest('hex')}`;
