import { setTimeout as sleep } from 'node:timers/promises';
import { type ForwardProxy, openForwardProxy } from '../support/forward-proxy.ts';
import { auditJob, type JobAudit, joinAudits } from '../support/jobs/job-audit.ts';
import { createJobClient, isDone, type JobClient, type PolledJob, pollUntil } from '../support/jobs/job-client.ts';
import { ownTokenOf, startJobGateway } from '../support/jobs/job-gateway.ts';
import { plainItems } from '../support/jobs/job-items.ts';
import { openRecordingService, type RecordingService } from '../support/jobs/recording-service.ts';
import type { RunningGateway } from '../support/process.ts';
import { inFolder } from './gateways.ts';

export interface TwoGatewaysReport {
  readonly audit: JobAudit;
  /** PUTs of the gateway that did not run the job, before the one that did was ended. */
  readonly putsOfTheOther: number;
  /** Milliseconds from the end of the gateway that ran the job until the other sent its first PUT for it. */
  readonly takeoverMs: number;
  /** The state in which the other gateway showed the job of a caller's own token, after the end of the first. */
  readonly stateAfterEnd: PolledJob['state'];
  /** PUTs for that job before its caller resumed it. */
  readonly putsWhilePaused: number;
  /** PUTs of a gateway that was stopped for longer than the other waits, once it went on. */
  readonly putsAfterStop: number;
  readonly surprises: readonly string[];
}

const ITEMS = 400;
const BULK_SIZE = 10;
const LATENCY_MS = 250;
/** The PUTs that a gateway has sent for a job before it is ended. */
const PUTS_BEFORE = 4;
/** A gateway takes over within 15 s. */
const LONGEST_TAKEOVER_MS = 30_000;
const LONGEST_JOB_MS = 90_000;
/** Longer than the other gateway waits for a sign of life. */
const STOPPED_MS = 16_000;
/** A token of the service that the gateway does not hold. */
const TOKEN_OF_CALLER = 'service-token-of-a-caller';

/** A gateway whose calls to the service are counted, since they go through a proxy of its own. */
interface CountedGateway {
  readonly gateway: RunningGateway;
  readonly proxy: ForwardProxy;
  readonly puts: () => number;
}

interface Scene {
  readonly service: RecordingService;
  readonly start: () => Promise<CountedGateway>;
  readonly audits: JobAudit[];
}

/**
 * Two gateways share a state. One runs a job and is ended by `kill -9`, then again for a job of a caller's own token;
 * then one is stopped for a while, as a machine may be, and goes on.
 */
export const runTwoGateways = (stateUrl: string): Promise<TwoGatewaysReport> =>
  inFolder(async (cwd) => {
    const service = await openRecordingService({ articles: ITEMS, latencyMs: () => LATENCY_MS });
    const started: CountedGateway[] = [];
    const start = async () => {
      const one = await startCounted({ cwd, stateUrl, service });
      started.push(one);
      return one;
    };
    try {
      const scene: Scene = { service, start, audits: [] };
      const { survivor, ...takeover } = await endFirst(scene);
      const paused = await endFirstOfCaller(scene, survivor);
      const stopped = await stopForLong(scene, paused.survivor);
      const audit = joinAudits(scene.audits);
      const { stateAfterEnd, putsWhilePaused } = paused;
      return { ...takeover, stateAfterEnd, putsWhilePaused, ...stopped, audit, surprises: service.surprises };
    } finally {
      await Promise.all(started.map(({ gateway }) => gateway.stop('SIGKILL')));
      await Promise.all(started.map(({ proxy }) => proxy.close()));
      await service.close();
    }
  });

/** Loopback addresses need no proxy, so the service has the name that the proxies know. */
async function startCounted({ cwd, stateUrl, service }: Omit<Parameters<typeof startJobGateway>[0], 'settings'>) {
  const proxy = await openForwardProxy();
  const url = new URL(service.url);
  url.hostname = 'kb.test';
  const settings = {
    HTTP_PROXY: proxy.url,
    UPSTREAM_BULK_SIZE: `${BULK_SIZE}`,
    UPSTREAM_TIMEOUT_MS: '3000',
  };
  const gateway = await startJobGateway({ cwd, stateUrl, service: { url: url.origin }, settings });
  return { gateway, proxy, puts: () => proxy.forwarded.filter(({ method }) => method === 'PUT').length };
}

async function endFirst(scene: Scene) {
  const first = await scene.start();
  const other = await scene.start();
  const submitted = await submit(first, { name: 'taken over', token: ownTokenOf(0) });
  const [worker, survivor] = await workerOf(scene, [first, other]);
  const putsOfTheOther = survivor.puts();
  await worker.gateway.stop('SIGKILL');
  const takeoverMs = await untilNextPut(scene, survivor);
  await finish(scene, survivor, submitted);
  return { survivor, putsOfTheOther, takeoverMs };
}

async function endFirstOfCaller(scene: Scene, before: CountedGateway) {
  const first = await scene.start();
  const submitted = await submit(first, { name: 'paused', token: TOKEN_OF_CALLER });
  const [worker, survivor] = await workerOf(scene, [first, before]);
  await worker.gateway.stop('SIGKILL');
  const client = clientOf(survivor, TOKEN_OF_CALLER);
  const putsBefore = survivor.puts();
  const untilMs = performance.now() + LONGEST_TAKEOVER_MS;
  const { state } = await pollUntil(client, submitted.id, { isAs: (job) => job.state === 'PAUSED', untilMs });
  const putsWhilePaused = survivor.puts() - putsBefore;
  await client.resume(submitted.id);
  await finish(scene, survivor, submitted);
  return { survivor, stateAfterEnd: state, putsWhilePaused };
}

async function stopForLong(scene: Scene, before: CountedGateway) {
  const first = await scene.start();
  const submitted = await submit(first, { name: 'stopped', token: ownTokenOf(1) });
  const [worker, survivor] = await workerOf(scene, [first, before]);
  process.kill(worker.gateway.pid, 'SIGSTOP');
  const putsBefore = worker.puts();
  await sleep(STOPPED_MS);
  process.kill(worker.gateway.pid, 'SIGCONT');
  await finish(scene, survivor, submitted);
  return { putsAfterStop: worker.puts() - putsBefore };
}

interface Submitted {
  readonly id: string;
  readonly token: string;
  readonly articles: ReturnType<typeof plainItems>;
}

const clientOf = ({ gateway }: CountedGateway, token: string): JobClient => createJobClient(() => gateway.url, token);

async function submit(
  gateway: CountedGateway,
  { name, token }: { readonly name: string; readonly token: string },
): Promise<Submitted> {
  const articles = plainItems({ name, count: ITEMS });
  const { id } = await clientOf(gateway, token).submit({
    idempotencyKey: name.replaceAll(' ', '-'),
    articles,
    partSize: ITEMS,
  });
  return { id, token, articles };
}

/** The gateway that runs the job, once it has sent some PUTs, and the other one. */
async function workerOf(
  { service }: Scene,
  [one, other]: readonly [CountedGateway, CountedGateway],
): Promise<readonly [CountedGateway, CountedGateway]> {
  const before = { one: one.puts(), other: other.puts() };
  const until = performance.now() + LONGEST_TAKEOVER_MS;
  while (performance.now() < until) {
    await service.nextPut(until - performance.now());
    if (one.puts() >= before.one + PUTS_BEFORE) return [one, other];
    if (other.puts() >= before.other + PUTS_BEFORE) return [other, one];
  }
  throw new Error('No gateway runs the job.');
}

async function untilNextPut({ service }: Scene, { puts }: CountedGateway): Promise<number> {
  const begun = performance.now();
  const elapsed = () => performance.now() - begun;
  const before = puts();
  while (puts() === before) {
    if (elapsed() > LONGEST_TAKEOVER_MS) throw new Error('The other gateway sent nothing.');
    await service.nextPut(LONGEST_TAKEOVER_MS - elapsed());
  }
  return elapsed();
}

async function finish({ service, audits }: Scene, gateway: CountedGateway, submitted: Submitted): Promise<void> {
  const { id, token, articles } = submitted;
  const client = clientOf(gateway, token);
  const job = await pollUntil(client, id, { isAs: isDone, untilMs: performance.now() + LONGEST_JOB_MS });
  audits.push(auditJob(service, { job, articles, results: await client.results(id) }));
}
