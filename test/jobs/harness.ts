import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import type { ArticleUpdateJob, JobItemOutcome } from '../../src/core/articles/article-update-jobs.ts';
import type { ArticleUpdate } from '../../src/core/articles/bulk-updates.ts';
import type { Backend } from '../../src/core/backend.ts';
import { silentLog } from '../../src/core/base/log.ts';
import type { Result } from '../../src/core/base/result.ts';
import type { Caller } from '../../src/core/callers/caller.ts';
import { StateUnavailable } from '../../src/core/state-unavailable.ts';
import { withPipeline } from '../../src/core/writes/pipeline.ts';
import { createJobs, type Jobs, type JobsOptions } from '../../src/jobs/create-jobs.ts';
import type { Ledger } from '../../src/jobs/state/ledger.ts';
import { openLedger } from '../../src/jobs/state/open-ledger.ts';
import { mergeWrites } from '../../src/service/merging/merging.ts';
import { fastClock } from '../support/fast-clock.ts';
import type { FaultyService } from '../support/faulty-service.ts';
import { openBackendTo, openScene } from '../support/rest-scene.ts';
import { serveWritable, type WritableService } from '../support/writable-service.ts';

/** Time for jobs passes so many times faster than for everything else. Their heartbeats last for half a second of the test. */
const SPEED = 20;

export const SETTINGS: JobsOptions['settings'] = {
  maxItems: 1_000,
  maxBytes: 100_000_000,
  openMs: 60_000,
  keepMs: 86_400_000,
  bulkSize: 3,
  // As in `openBackendTo`.
  keepsHidden: false,
  callTimeoutMs: 1_000,
  readLagMs: 1_000,
};

/** A folder for a state, which is deleted after the test. */
export function stateUrl(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kb-jobs-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return `sqlite:${join(folder, 'state.db')}`;
}

type GatewayOptions = Partial<JobsOptions> &
  Pick<JobsOptions, 'backend' | 'credentials'> & {
    readonly url: string;
    /** The clock of the ledger: another process counts as dead once it has passed. */
    readonly now?: () => number;
    /** Aborts where the ledger can't be reached any more. */
    readonly crashed?: AbortSignal;
  };

/** The jobs of one gateway over the state at the URL. */
export function openGateway({ url, now = Date.now, crashed, log = silentLog, ...options }: GatewayOptions): Jobs {
  const open = async (serviceUrl: string | null) =>
    failingAfter(await openLedger({ url, setting: 'STATE_URL', serviceUrl, log, now }), crashed);
  const jobs = createJobs({
    openLedger: open,
    settings: SETTINGS,
    log,
    clock: fastClock(SPEED),
    ...options,
  });
  onTestFinished(() => jobs.close());
  return jobs;
}

/** No method has an effect once the signal has aborted, as after a `kill -9`. */
const failingAfter = (ledger: Ledger, crashed: AbortSignal | undefined): Ledger =>
  new Proxy(ledger, {
    get: (target, name, receiver) => {
      if (crashed?.aborted && name !== 'close' && name !== 'then')
        throw new StateUnavailable('The gateway has crashed.');
      return Reflect.get(target, name, receiver);
    },
  });

export interface JobScene {
  readonly service: FaultyService;
  readonly writable: WritableService;
  readonly backend: Backend;
  readonly caller: Caller;
  readonly url: string;
  readonly jobs: Jobs;
  /** Ends the gateway without a trace. */
  crash(): void;
  /** Another gateway over the same state, which knows no token of a caller. As a rule, a crashed one counts as dead. */
  openOther(other?: Partial<GatewayOptions>): Jobs;
}

/** A gateway in front of a service whose articles can be written. Calls have at most three items. */
export async function openJobScene(
  articleIds: readonly string[],
  options: Partial<JobsOptions> &
    Pick<GatewayOptions, 'now'> & { readonly ownToken?: string; readonly timeoutMs?: number } = {},
): Promise<JobScene> {
  // Only a call that gets no answer ends by its time.
  const { ownToken = null, timeoutMs = 60_000, ...more } = options;
  // Reads of articles lag for as long as calls take here at most, as they do by the defaults.
  const scene = await openScene({ bulkSize: 3, timeoutMs, readLagsMs: { list: 60_000, article: 1_000 } });
  const { service, caller } = scene;
  const writable = serveWritable(service, articleIds);
  const backend = withPipeline(scene.backend, { merging: mergeWrites({ maxItems: 3 }) });
  const credentials = { serviceUrl: service.url, ownToken };
  const url = stateUrl();
  const openOther = (other: Partial<GatewayOptions> = {}) => {
    const otherBackend = openBackendTo(service, { bulkSize: 3, timeoutMs });
    onTestFinished(() => otherBackend.close());
    return openGateway({ url, backend: otherBackend, credentials, now: () => Date.now() + 20_000, ...more, ...other });
  };
  const crashed = new AbortController();
  const jobs = openGateway({ url, backend, credentials, crashed: crashed.signal, ...more });
  return { service, writable, backend, caller, url, jobs, openOther, crash: () => crashed.abort() };
}

export function unwrap<T>(result: Result<T, { readonly message: string }>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

/** Submits a job in one part. */
export async function submit(
  { jobs, caller }: Pick<JobScene, 'jobs' | 'caller'>,
  updates: readonly ArticleUpdate[],
  idempotencyKey = 'key',
): Promise<ArticleUpdateJob> {
  const part = { idempotencyKey, startIndex: 0, moreToCome: false, updates };
  return unwrap(await jobs.articleUpdateJobs.submit(caller, part)).job;
}

export async function find({ jobs, caller }: Pick<JobScene, 'jobs' | 'caller'>, jobId: string) {
  const job = unwrap(await jobs.articleUpdateJobs.find(caller, jobId));
  if (job === null) throw new Error('There is no such job.');
  return job;
}

/** Polls the job until it is as expected. */
export const untilJob = (scene: Pick<JobScene, 'jobs' | 'caller'>, jobId: string, expected: object) =>
  vi.waitFor(async () => expect(await find(scene, jobId)).toMatchObject(expected), { timeout: 120_000, interval: 10 });

export async function outcomesOf(
  { jobs, caller }: Pick<JobScene, 'jobs' | 'caller'>,
  jobId: string,
): Promise<readonly JobItemOutcome['outcome'][]> {
  const request = { page: { limit: 100 }, outcomes: null };
  const page = unwrap(await jobs.articleUpdateJobs.results(caller, jobId, request));
  return page.edges.map(({ node }) => node.outcome);
}
