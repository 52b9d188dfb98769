import { setTimeout as sleep } from 'node:timers/promises';
import { type JobClient, type PolledJob, pollUntil } from '../../test/support/jobs/job-client.ts';
import { plainItems } from '../../test/support/jobs/job-items.ts';
import { list } from '../../test/support/repeat.ts';
import { percentile } from '../harness/statistics.ts';
import { type Figure, figure } from '../report/figures.ts';
import { CALLS_A_WINDOW, type Size } from '../report/size.ts';
import { inJobScene, type JobScene, startMeter, timed } from './scene.ts';

const POLLERS = 500;
const PAUSE_MS = 1_000;
/** Polls one after another, for the CPU time of one. */
const SERIAL_POLLS = 1_000;
const MAX_CPU_MS_A_POLL = 1;
/** The service allows fewer calls than the job has items, so that it waits all the time. */
const SETTINGS = { UPSTREAM_BULK_SIZE: '1' };
const LIMIT = { calls: CALLS_A_WINDOW, windowMs: 3_600_000 };
const FEW_ITEMS = 200;

/** Many clients that poll one job, and what a poll costs by the size of the job. */
export async function measurePollers(size: Size): Promise<readonly Figure[]> {
  const small = await withWaitingJob(FEW_ITEMS, async (scene, id) => [await cost(scene, id, FEW_ITEMS)]);
  const items = size.isFull ? 100_000 : 20_000;
  const large = await withWaitingJob(items, async (scene, id) => [
    await cost(scene, id, items),
    ...(await crowd(scene, id, size.isFull ? 60_000 : 10_000)),
  ]);
  return [...small, ...large];
}

function withWaitingJob<Value>(items: number, work: (scene: JobScene, id: string) => Promise<Value>): Promise<Value> {
  return inJobScene({ articles: items, limit: LIMIT, settings: SETTINGS }, async (scene) => {
    const { client } = scene;
    const articles = plainItems({ name: 'polled', count: items });
    const { id } = await client.submit({ idempotencyKey: 'polled', articles, partSize: 10_000 });
    const isWaiting = ({ waitingFor }: PolledJob) => waitingFor !== null;
    const { waitingFor } = await pollUntil(client, id, { isAs: isWaiting, untilMs: performance.now() + 60_000 });
    if (waitingFor === null) throw new Error('The job does not wait for the rate limit.');
    return work(scene, id);
  });
}

async function cost({ client, gateway }: JobScene, id: string, items: number): Promise<Figure> {
  await pollSerially(client, id);
  const meter = await startMeter(gateway);
  await pollSerially(client, id);
  const cpuMs = (await meter.cpuMs()) / SERIAL_POLLS;
  return figure(`CPU time of a poll, ${items} items`, cpuMs, { unit: 'ms', atMost: MAX_CPU_MS_A_POLL });
}

async function pollSerially(client: JobClient, id: string): Promise<void> {
  for (let poll = 0; poll < SERIAL_POLLS; poll += 1) await client.poll(id);
}

async function crowd({ client, gateway, service }: JobScene, id: string, forMs: number): Promise<readonly Figure[]> {
  const meter = await startMeter(gateway);
  const reads = service.reads();
  const until = performance.now() + forMs;
  const durations: number[] = [];
  const pollOn = async (poller: number) => {
    await sleep((poller * PAUSE_MS) / POLLERS);
    while (performance.now() < until) {
      durations.push(await timed(() => client.poll(id)));
      await sleep(PAUSE_MS);
    }
  };
  await Promise.all(list(POLLERS, pollOn));
  const sorted = durations.toSorted((one, other) => one - other);
  return [
    figure(`polls by ${POLLERS} clients`, durations.length),
    figure('CPU of the gateway', 100 * (await meter.cpuShare()), { unit: '%' }),
    figure('memory above idle', await meter.peakAboveIdleMb(), { unit: 'MB' }),
    figure('a poll, median', percentile(sorted, 0.5), { unit: 'ms' }),
    figure('a poll, p99', percentile(sorted, 0.99), { unit: 'ms' }),
    figure('reads of the service meanwhile', service.reads() - reads, { atMost: 0 }),
  ];
}
