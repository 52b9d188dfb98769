import type { Backend } from '../../core/backend.ts';
import type { Clock } from '../../core/base/clock.ts';
import type { Log } from '../../core/base/log.ts';
import type { Caller } from '../../core/callers/caller.ts';
import { createRequestFacts } from '../../core/callers/request-facts.ts';
import type { RequestReport } from '../../core/callers/request-report.ts';
import type { BoundToken } from '../caller-keys.ts';
import type { LedgerSession } from '../ledger-session.ts';
import type { Ledger, LedgerJob, Run, StateRoom } from '../state/ledger.ts';

/** The settings of jobs. */
export interface JobSettings extends StateRoom {
  /** The most items of a job (`MAX_JOB_ITEMS`). */
  readonly maxItems: number;
  /** A job that is left open expires after so many milliseconds (`JOB_OPEN_SECONDS`). */
  readonly openMs: number;
  /** Results and keys are kept for so many milliseconds (`JOB_KEEP_DAYS`). */
  readonly keepMs: number;
  /** Items of one call (`UPSTREAM_BULK_SIZE`), or of one transaction of the store. */
  readonly bulkSize: number;
  /** The longest that one call may take (`UPSTREAM_TIMEOUT_MS`); 0 for the embedded store. */
  readonly callTimeoutMs: number;
}

/** All that runs jobs. */
export interface JobContext {
  readonly backend: Backend;
  readonly session: LedgerSession;
  readonly settings: JobSettings;
  readonly clock: Clock;
  readonly log: Log;
}

/** A job that this process has claimed, with its token. */
export interface ClaimedJob {
  readonly context: JobContext;
  readonly run: Run;
  readonly job: LedgerJob;
  readonly token: BoundToken;
  /** Aborts where nothing more may begin. Calls in flight end, and are recorded. */
  readonly signal: AbortSignal;
}

/** Thrown where this process does not run the job any more, or nothing more of it may begin. */
export class RunStopped extends Error {}

/** Calls a method of the ledger until it could be reached. Throws `RunStopped`, also where the method gives null or false. */
export async function persist<T>(
  { context, run, signal }: Pick<ClaimedJob, 'context' | 'run' | 'signal'>,
  use: (ledger: Ledger, run: Run) => Promise<T | null | false>,
): Promise<T> {
  const value = await context.session.persist((ledger) => use(ledger, run), signal);
  if (value === null || value === false) throw new RunStopped();
  return value;
}

/** The time beside the call itself: for its connection, and for the slowest of the calls before it. */
const CALL_MARGIN_MS = 30_000;

/**
 * The caller of one call of the job, or of a few reads. Its request has the ID of the job, and facts of its own, since
 * reads are kept with them.
 */
export function jobCaller({ context: { settings, clock }, run, token }: ClaimedJob, report?: RequestReport): Caller {
  const { apiToken, goesOnAlone } = token;
  const request = createRequestFacts({ id: run.jobId, ...(report && { report }) });
  request.tokens.add(apiToken);
  const requestTimeoutMs = 2 * settings.callTimeoutMs + CALL_MARGIN_MS;
  return {
    apiToken,
    ...(goesOnAlone && { sentToken: null }),
    address: '',
    request,
    deadline: clock.monotonic() + requestTimeoutMs,
    requestTimeoutMs,
    isBackground: true,
  };
}

const PASSING_ERRORS: ReadonlySet<string> = new Set([
  'unavailable',
  'rate-limited',
  'unauthenticated',
  'outcome-unknown',
]);

export type ProjectVersionsOf = () => ReturnType<Backend['projectVersions']>;

/** Reads the project versions once: what is read in a default language is also written in it, even if that changes. */
export function createProjectVersions(job: ClaimedJob): ProjectVersionsOf {
  let reading: ReturnType<ProjectVersionsOf> | null = null;
  return async () => {
    reading ??= job.context.backend.projectVersions(jobCaller(job));
    const versions = await reading;
    // What the service refuses for good is not asked again.
    if (!versions.ok && PASSING_ERRORS.has(versions.error.kind)) reading = null;
    return versions;
  };
}
