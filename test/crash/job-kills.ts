import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ArticleUpdate } from '../../src/core/articles/bulk-updates.ts';
import { auditJob, type EndedJob, type JobAudit, joinAudits } from '../support/jobs/job-audit.ts';
import { createJobClient, isDone, type JobClient, pollUntil, whileAway } from '../support/jobs/job-client.ts';
import {
  CALLERS,
  type JobGatewayOptions,
  jobSettings,
  ownTokenOf,
  startJobGateway,
} from '../support/jobs/job-gateway.ts';
import { mixedItems } from '../support/jobs/job-items.ts';
import { openRecordingService, type RecordingService } from '../support/jobs/recording-service.ts';
import type { RunningGateway } from '../support/process.ts';
import { inFolder, interruptStart } from './gateways.ts';

export interface JobKillPlan {
  readonly kills: number;
  /** The state of the gateway; a SQLite file of its own without it. */
  readonly stateUrl?: string;
  /** `performance.now()` after which no further kill is made. */
  readonly until: number;
}

export interface JobKillReport {
  readonly audit: JobAudit;
  readonly jobs: number;
  readonly kills: number;
  /** The kills while the service had got a PUT and had not answered it. */
  readonly killsInFlight: number;
  /** The kills by their moment. */
  readonly moments: Readonly<Record<Moment, number>>;
  /** Other faults: requests that the service does not know, and errors in the logs of the gateways. */
  readonly surprises: readonly string[];
}

/**
 * When the gateway is killed: while the first PUT of a process is in flight, or its first call that publishes, at a random
 * time, while it takes a job, while it runs jobs of the process before it, and while it reads, as it does for what is unknown.
 */
const MOMENTS = ['in-flight', 'publishing', 'anytime', 'submitting', 'after-takeover', 'reading'] as const;
type Moment = (typeof MOMENTS)[number];

const ITEMS = 80;
const BULK_SIZE = 20;
/** Each job has articles of its own among these, as long as no more jobs than these run at one time. */
const JOBS_AT_ONCE = 15;
/** Milliseconds that the service takes for a bulk update, so that kills come before its answer. */
const LATENCY = { min: 30, max: 200 } as const;
/** A process is taken for dead after ten seconds: see docs/contract.md, "Jobs and idempotency keys". */
const LONGEST_TAKEOVER_MS = 15_000;
/** All jobs end within this time after the last kill. */
const LONGEST_END_MS = 180_000;

interface Scene {
  readonly cwd: string;
  readonly service: RecordingService;
  readonly gatewayOptions: JobGatewayOptions;
  readonly surprises: string[];
  readonly jobs: SubmittedJob[];
  /** The running gateway; the one before while it is started anew. */
  gateway: RunningGateway;
}

interface SubmittedJob {
  readonly client: JobClient;
  readonly articles: readonly ArticleUpdate[];
  readonly publishes: boolean;
  /** The ID of the job, once a gateway has answered. */
  readonly id: Promise<string>;
}

/**
 * Submits jobs to a gateway over a service that keeps a ledger, kills the gateway again and again while they run, and
 * compares what the jobs say in the end with that ledger.
 */
export const killWhileJobsRun = (plan: JobKillPlan): Promise<JobKillReport> =>
  inFolder(async (cwd) => {
    const latencyMs = () => randomInt(LATENCY.min, LATENCY.max);
    const service = await openRecordingService({ articles: JOBS_AT_ONCE * ITEMS, latencyMs });
    try {
      const stateUrl = plan.stateUrl ?? 'sqlite:state.db';
      const settings = { UPSTREAM_BULK_SIZE: `${BULK_SIZE}`, UPSTREAM_TIMEOUT_MS: '1500' };
      const gatewayOptions = { cwd, service, stateUrl, settings };
      const gateway = await startJobGateway(gatewayOptions);
      return await killInTurn(plan, { cwd, service, gatewayOptions, surprises: [], jobs: [], gateway });
    } finally {
      await service.close();
    }
  });

async function killInTurn(plan: JobKillPlan, scene: Scene): Promise<JobKillReport> {
  const { service, surprises, jobs } = scene;
  const moments: Record<Moment, number> = {
    'in-flight': 0,
    publishing: 0,
    anytime: 0,
    submitting: 0,
    'after-takeover': 0,
    reading: 0,
  };
  let kills = 0;
  let killsInFlight = 0;
  try {
    while (kills < plan.kills && performance.now() < plan.until) {
      const moment = MOMENTS[kills % MOMENTS.length] ?? 'in-flight';
      submitNext(scene, plan.until);
      await AWAIT[moment](scene);
      if (service.inFlight() > 0) killsInFlight += 1;
      await endGateway(scene, 'SIGKILL');
      moments[moment] += 1;
      kills += 1;
      if (kills % 4 === 0) await interruptStart(scene.cwd, jobSettings(scene.gatewayOptions));
      scene.gateway = await startJobGateway(scene.gatewayOptions);
    }
    const ended = await endedJobs(scene);
    const audit = joinAudits(ended.map((job) => auditJob(service, job)));
    return { audit, jobs: jobs.length, kills, killsInFlight, moments, surprises: [...surprises, ...service.surprises] };
  } finally {
    await endGateway(scene, 'SIGKILL');
  }
}

/** Submits a job in two parts. The client goes on with its key when the gateway is killed meanwhile. */
function submitNext(scene: Scene, until: number): void {
  const number = scene.jobs.length;
  const name = `job-${number}`;
  const articles = mixedItems({ name, count: ITEMS, firstArticle: (number % JOBS_AT_ONCE) * ITEMS });
  const client = createJobClient(() => scene.gateway.url, ownTokenOf(number % CALLERS));
  const publishes = number % 3 > 0;
  const submission = { idempotencyKey: name, articles, partSize: ITEMS / 2, publish: publishes };
  const untilMs = until + LONGEST_END_MS;
  const id = whileAway(untilMs, () => client.submit(submission)).then((submitted) => submitted.id);
  // The rejection is reported where the job is awaited.
  id.catch(() => {});
  scene.jobs.push({ client, articles, publishes, id });
}

/** Waits until the last job is there, but no longer than a takeover may take. */
const untilSubmitted = ({ jobs }: Scene): Promise<unknown> =>
  Promise.race([jobs.at(-1)?.id, sleep(LONGEST_TAKEOVER_MS)]);

const AWAIT: Readonly<Record<Moment, (scene: Scene) => Promise<void>>> = {
  'in-flight': async ({ service }) => {
    await service.nextPut(LONGEST_TAKEOVER_MS);
    await sleep(randomInt(LATENCY.min));
  },
  publishing: async ({ service }) => {
    await service.nextPublication(LONGEST_TAKEOVER_MS);
    await sleep(randomInt(LATENCY.min));
  },
  anytime: async (scene) => {
    await untilSubmitted(scene);
    await sleep(randomInt(1_500));
  },
  submitting: async () => {
    await sleep(randomInt(60));
  },
  'after-takeover': async (scene) => {
    await untilSubmitted(scene);
    await sleep(LONGEST_TAKEOVER_MS - randomInt(4_000));
  },
  reading: async (scene) => {
    await untilSubmitted(scene);
    await scene.service.nextRead(LONGEST_TAKEOVER_MS);
    await sleep(randomInt(LATENCY.min));
  },
};

async function endedJobs({ jobs }: Scene): Promise<readonly EndedJob[]> {
  const untilMs = performance.now() + LONGEST_END_MS;
  const ended: EndedJob[] = [];
  for (const { client, articles, publishes, id } of jobs) {
    const job = await pollUntil(client, await id, { isAs: isDone, untilMs });
    ended.push({ job, articles, publishes, results: await client.results(job.id) });
  }
  return ended;
}

async function endGateway({ gateway, surprises }: Scene, signal: NodeJS.Signals): Promise<void> {
  const { log, stderr } = await gateway.stop(signal);
  surprises.push(...log.split('\n').filter((line) => line.includes('"level":"error"')));
  if (stderr !== '') surprises.push(stderr);
}
