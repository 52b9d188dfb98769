import { toPrintable } from '../../../base/printable.ts';
import { err, ok, type Result } from '../../../base/result.ts';
import type { CheckedRows } from '../rows/check-rows.ts';
import { halvesOf, PartLimits, partsOf, type RowPart } from '../rows/parts.ts';
import type { RowsOptions } from '../rows/read-rows.ts';
import { type GatewayClient, mutationPayload } from './gateway-client.ts';
import type { GatewayFailure } from './gateway-failures.ts';
import { type ShownJob, SUBMIT_PART } from './job-operations.ts';
import { type Patience, repeatCall } from './patience.ts';

export interface SubmitOptions {
  readonly rows: RowsOptions;
  readonly checked: CheckedRows;
  readonly key: string;
  /** True where the key follows from the file, so that a job with the key has these rows. */
  readonly isKeyOfFile: boolean;
  /** True where an earlier job of the key goes on. */
  readonly isResumed: boolean;
  readonly patience: Patience;
  readonly onProgress: (job: ShownJob) => void;
}

export interface SubmitFailure {
  readonly message: string;
  /** The job that has a part of the rows, if there is one. */
  readonly job: ShownJob | null;
  /** True where the same command with `--resume` may go on. */
  readonly canResume: boolean;
}

/** A request has at most 10 MiB. The rest is for the document, and for what the key and the brackets take. */
const FIRST_LIMITS = { maxRows: 10_000, maxBytes: 8 * 1024 ** 2 };

type Submitted = Result<ShownJob, SubmitFailure>;

/** Submits the rows of a file as one job, in parts. A part whose answer is lost is sent again, with the same key. */
export async function submitParts(client: GatewayClient, options: SubmitOptions): Promise<Submitted> {
  const limits = new PartLimits(FIRST_LIMITS);
  const submission = new Submission(client, options, limits);
  for await (const part of partsOf(options.rows, options.checked, limits)) {
    if (!part.ok) return submission.fail(part.error);
    const failure = await submission.send(part.value);
    if (failure !== null) return err(failure);
    if (submission.hasAllRows) break;
  }
  return submission.end();
}

class Submission {
  readonly #client: GatewayClient;
  readonly #options: SubmitOptions;
  readonly #limits: PartLimits;
  #job: ShownJob | null = null;

  constructor(client: GatewayClient, options: SubmitOptions, limits: PartLimits) {
    this.#client = client;
    this.#options = options;
    this.#limits = limits;
  }

  /** True where the job was closed by an earlier run over the same file. */
  get hasAllRows(): boolean {
    return this.#options.isKeyOfFile && this.#job !== null && this.#job.state !== 'OPEN';
  }

  /** Null when all of the part has arrived. */
  async send(part: RowPart): Promise<SubmitFailure | null> {
    const { patience, isResumed, onProgress } = this.#options;
    const variables = this.#variablesOf(part);
    const call = async () => mutationPayload(await this.#client.ask(SUBMIT_PART, variables));
    const { answer, attempts } = await repeatCall(call, patience);
    if (answer.ok) {
      const isOfEarlierRun = this.#job === null && answer.value.replayed && attempts === 1;
      if (isOfEarlierRun && !isResumed) return earlierJob(answer.value.job);
      this.#job = answer.value.job;
      onProgress(this.#job);
      return null;
    }
    if (answer.error.kind !== 'too-large' || part.rows.length < 2) return this.#failureOf(answer.error, part);
    this.#limits.halve(part);
    for (const half of halvesOf(part)) {
      const failure = await this.send(half);
      if (failure !== null || this.hasAllRows) return failure;
    }
    return null;
  }

  end(): Submitted {
    const { rows } = this.#options.checked;
    const job = this.#job;
    if (job?.summary.total === rows) return ok(job);
    const state = `has ${job?.summary.total ?? 0} items, and the file has ${rows} rows`;
    return this.fail(
      `the job ${job?.id ?? ''} is ${job?.state ?? 'unknown'} and ${state}. For another job, use --key.`,
    );
  }

  fail(message: string): Submitted {
    return err({ message, job: this.#job, canResume: false });
  }

  #variablesOf({ startIndex, rows, isLast }: RowPart): string {
    const articles = rows.map(({ json }) => json).join(',');
    const key = JSON.stringify(this.#options.key);
    return `{"key":${key},"input":{"startIndex":${startIndex},"moreToCome":${!isLast},"articles":[${articles}]}}`;
  }

  #failureOf({ kind, message, issues }: GatewayFailure, { startIndex, rows }: RowPart): SubmitFailure {
    const lines = issues.slice(0, MAX_LISTED_ISSUES).map((issue) => {
      const index = Number(issue.path[issue.path.indexOf('articles') + 1]);
      const line = rows[index - startIndex]?.line;
      return `\n  ${line === undefined ? toPrintable(issue.path.join('.')) : `line ${line}`}: ${toPrintable(issue.message)}`;
    });
    const isPassing = kind === 'unreachable' || kind === 'again';
    const canResume = isPassing || (kind === 'refused' && issues.length === 0 && this.#job !== null);
    return { message: message + lines.join(''), job: this.#job, canResume };
  }
}

const MAX_LISTED_ISSUES = 100;

const earlierJob = ({ id, state, createdAt }: ShownJob): SubmitFailure => ({
  message: [
    `this file was submitted before, as the job ${id} of ${createdAt}, which is ${state}. Nothing was sent now.`,
    'With --resume the command goes on with that job; with --key and a new key, all rows are sent once more.',
  ].join('\n'),
  job: null,
  canResume: false,
});
