import type { Backend } from '../core/backend.ts';
import { type Clock, systemClock } from '../core/base/clock.ts';
import { lazily } from '../core/base/lazily.ts';
import type { Log } from '../core/base/log.ts';
import { type Metrics, noMetrics } from '../core/metrics.ts';
import type { IdempotencyKeys } from '../core/writes/idempotency-keys.ts';
import type { ArticleUpdateJobs } from './article-update-jobs.ts';
import type { GatewayCredentials } from './caller-keys.ts';
import type { JobSettings } from './job-context.ts';
import { JobRequests } from './job-requests.ts';
import { createLedgerJobs } from './ledger-article-update-jobs.ts';
import { LedgerSession } from './ledger-session.ts';
import { ProcessIdempotencyKeys } from './process-idempotency-keys.ts';
import { JobTokens } from './runner/job-tokens.ts';
import { JobRunner } from './runner/runner.ts';
import { Sweeper } from './runner/sweeper.ts';
import type { Ledger } from './state/ledger.ts';

/** What jobs run with. */
export interface JobsOptions {
  readonly backend: Backend;
  /** Opens the ledger of a service. It is called at the first use, and again after a failure. */
  readonly openLedger: (serviceUrl: string | null) => Promise<Ledger>;
  /** False where the state was never written. */
  readonly hasState?: () => boolean;
  /** True where the state is needed though this process runs no job in it. */
  readonly isNeeded?: () => boolean;
  readonly settings: JobSettings;
  readonly credentials: GatewayCredentials;
  readonly log: Log;
  readonly metrics?: Metrics;
  readonly clock?: Clock;
  /** Makes a name of this process that no other process has had. */
  readonly newOwner?: () => string;
}

/** Jobs and idempotency keys over one ledger. */
export interface Jobs {
  readonly articleUpdateJobs: ArticleUpdateJobs;
  readonly idempotencyKeys: IdempotencyKeys;
  /** Opens the ledger and resumes the jobs in it. It is called at the start where there is a state already. */
  start(): void;
  /** True while the state is needed and can't be used. */
  isFailing(): boolean;
  /** Begins nothing more, waits for the calls in flight and closes the ledger. The backend must still be open. */
  close(): Promise<void>;
}

/** Builds jobs and idempotency keys, which open their ledger at the first use. */
export function createJobs(options: JobsOptions): Jobs {
  const { backend, openLedger, settings, credentials, log } = options;
  const { clock = systemClock, newOwner = () => crypto.randomUUID(), hasState = () => true } = options;
  const session = new LedgerSession({
    openLedger: () => openLedger(credentials.serviceUrl),
    clock,
    owner: newOwner(),
    log,
  });
  const context = { backend, session, settings, clock, log };
  const tokens = new JobTokens(credentials, clock);
  const sweeper = new Sweeper(context);
  const runner = new JobRunner(context, tokens, sweeper);
  const metrics = options.metrics ?? noMetrics;
  metrics.observe('jobsSending', () => runner.countWaiting(null));
  metrics.observe('jobsWaitingForRateLimit', () => runner.countWaiting('RATE_LIMIT'));
  metrics.observe('jobsWaitingForService', () => runner.countWaiting('SERVICE'));
  metrics.observe('stateBytes', () => sweeper.usedBytes);
  metrics.observe('stateFailing', () => (session.isFailing ? 1 : 0));
  let isStarted = false;
  const idempotencyKeys = new ProcessIdempotencyKeys(context, runner, sweeper);
  return {
    articleUpdateJobs: createLedgerJobs(new JobRequests({ context, credentials, tokens, runner, sweeper, hasState })),
    idempotencyKeys,
    start: () => {
      isStarted = true;
      runner.start();
    },
    // Before the first heartbeat it counts as failing, since a database that is down may not answer for seconds.
    isFailing: () =>
      (session.isFailing || (isStarted && !session.hasSentHeartbeat)) &&
      (runner.isBusy || options.isNeeded?.() === true),
    close: lazily(async () => {
      await Promise.all([runner.close(), idempotencyKeys.close()]);
      await session.close();
    }),
  };
}
