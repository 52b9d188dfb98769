import type { Backend } from '../core/backend.ts';
import type { Clock } from '../core/base/clock.ts';
import type { Log } from '../core/base/log.ts';
import type { Caller } from '../core/callers/caller.ts';
import { createRequestFacts } from '../core/callers/request-facts.ts';
import type { RequestReport } from '../core/callers/request-report.ts';
import type { JobCredential } from './caller-keys.ts';
import type { LedgerSession } from './ledger-session.ts';
import type { Ledger, LedgerJob, Run, StateRoom } from './state/ledger.ts';

/** The settings of jobs. */
export interface JobSettings extends StateRoom {
  readonly maxItems: number;
  /** A job that is left open expires after so many milliseconds (`JOB_OPEN_SECONDS`). */
  readonly openMs: number;
  /** Results and keys are kept for so many milliseconds (`JOB_KEEP_DAYS`). */
  readonly keepMs: number;
  /** Items of one call (`UPSTREAM_BULK_SIZE`), or of one transaction of the store. */
  readonly bulkSize: number;
  /** Whether the service is asked which articles are hidden, before updates that leave it out (`KEEP_HIDDEN`). */
  readonly keepsHidden: boolean;
  /** The longest that one call may take (`UPSTREAM_TIMEOUT_MS`); 0 for the embedded store. */
  readonly callTimeoutMs: number;
  /** How long a read of an article may not show what another process has written; 0 for the embedded store. */
  readonly readLagMs: number;
}

/** What all jobs of this process run with. */
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
  readonly token: JobCredential;
  /** Aborts when nothing more may begin. Calls in flight end, and are recorded. */
  readonly signal: AbortSignal;
  /** `Clock.monotonic` from which reads show what other processes wrote for this job, or for the one that it reverts. */
  readonly readsAreSureAt: number;
  /** Reads the project versions once for all calls of the job. */
  readonly projectVersions: ProjectVersionsOf;
}

/** Thrown where this process no longer runs the job, or nothing more may begin. */
export class RunStopped extends Error {}

/** Calls a method of the ledger until it could be reached. Throws `RunStopped` where the job is no longer run here. */
export async function persist<T>(
  { context, run, signal }: Pick<ClaimedJob, 'context' | 'run' | 'signal'>,
  use: (ledger: Ledger, run: Run) => Promise<T | null | false>,
): Promise<T> {
  const value = await context.session.persist((ledger) => use(ledger, run), signal);
  if (value === null || value === false) throw new RunStopped();
  return value;
}

/** The time of a call besides its own: for its connection, and for the slowest call before it. */
const CALL_MARGIN_MS = 30_000;

/**
 * The caller of one call of the job, or of a few reads. Its request has the ID of the job, and facts of its own, since
 * reads are kept with them.
 */
export function jobCaller(
  { context: { settings, clock }, run, token }: Pick<ClaimedJob, 'context' | 'run' | 'token'>,
  report?: RequestReport,
): Caller {
  const { apiToken, isUnattended } = token;
  const request = createRequestFacts({ id: run.jobId, ...(report && { report }) });
  request.tokens.add(apiToken);
  const requestTimeoutMs = 2 * settings.callTimeoutMs + CALL_MARGIN_MS;
  return {
    apiToken,
    ...(isUnattended && { sentToken: null }),
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

type ProjectVersionsOf = () => ReturnType<Backend['projectVersions']>;

/** Reads the project versions once, so that what is read in a default language is written in it, even if the default changes. */
export function createProjectVersions(job: Omit<ClaimedJob, 'projectVersions'>): ProjectVersionsOf {
  let reading: ReturnType<ProjectVersionsOf> | null = null;
  return async () => {
    reading ??= job.context.backend.projectVersions(jobCaller(job));
    const versions = await reading;
    // A lasting refusal is not asked for again.
    if (!versions.ok && PASSING_ERRORS.has(versions.error.kind)) reading = null;
    return versions;
  };
}
