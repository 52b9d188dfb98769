import { setTimeout as sleep } from 'node:timers/promises';
import { memoryOf } from '../../test/abuse/measure/process-figures.ts';
import { callMethod, type Lag } from '../harness/rpc.ts';
import { percentile } from '../harness/statistics.ts';
import { type Figure, figure } from '../report/figures.ts';
import type { Size } from '../report/size.ts';
import { findDifferences } from './differences.ts';
import { type OpenLoopReport, runClosedLoop, runOpenLoop } from './load-generator.ts';
import { Mix } from './mix.ts';
import { type Behind, inOverloadScene, type OverloadScene } from './scene.ts';

/** Connections of the closed loops that look for the maximum. */
const CLIENTS = [32, 128, 512] as const;
const WARM_UP_MS = 5_000;
/** How long each number of connections is tried. */
const MAXIMUM_MS = 8_000;
/** So many that nearly all of them are refused. */
const FLOOD_CLIENTS = 1_024;
/** How many times the rate of the maximum arrives. */
const OVERLOAD = 2;
const REST_MS = 5_000;

/** Of the right answers that the refusals leave time for. */
const MIN_SHARE_ANSWERED = 0.9;
const MAX_MEMORY_MB = 400;
const MAX_REFUSAL_MS = 250;

/** Twice the load that saturates the gateway. */
export const measureLoad =
  (behind: Behind) =>
  ({ isFull }: Size): Promise<readonly Figure[]> =>
    inOverloadScene(behind, async (scene) => {
      const mix = new Mix();
      const milliseconds = isFull ? MAXIMUM_MS : 2_000;
      await runClosedLoop({ port: scene.gateway.port, mix, clients: 64, milliseconds: WARM_UP_MS });
      const before = await findMaximum(scene, mix, milliseconds);
      const refusalCpuSeconds = await measureRefusal(scene, mix, { before, milliseconds });
      const overload = await runOverload(scene, mix, { ...before, milliseconds: isFull ? 60_000 : 10_000 });
      const after = await measureClosedLoop(scene, mix, { clients: before.clients, milliseconds });
      const differences = await findDifferences(mix, scene.ledger);
      return figuresOf({ before, after, refusalCpuSeconds, overload, differences, isFull });
    });

interface Throughput {
  readonly clients: number;
  readonly perSecond: number;
  /** Right answers for each second of CPU time of the gateway. */
  readonly perCpuSecond: number;
}

async function findMaximum(scene: OverloadScene, mix: Mix, milliseconds: number): Promise<Throughput> {
  let maximum: Throughput = { clients: 0, perSecond: 0, perCpuSecond: 0 };
  for (const clients of CLIENTS) {
    const measured = await measureClosedLoop(scene, mix, { clients, milliseconds });
    if (measured.perSecond > maximum.perSecond) maximum = measured;
  }
  return maximum;
}

async function measureClosedLoop(
  scene: OverloadScene,
  mix: Mix,
  { clients, milliseconds }: { readonly clients: number; readonly milliseconds: number },
): Promise<Throughput> {
  const begun = performance.now();
  const cpuSeconds = await startCpuMeter(scene);
  const { counts } = await runClosedLoop({ port: scene.gateway.port, mix, clients, milliseconds });
  const perSecond = (counts.answered * 1_000) / (performance.now() - begun);
  return { clients, perSecond, perCpuSecond: counts.answered / (await cpuSeconds()) };
}

/** The CPU seconds of one refusal, where nearly all requests are refused. What the right answers have cost is left out. */
async function measureRefusal(
  scene: OverloadScene,
  mix: Mix,
  { before, milliseconds }: { readonly before: Throughput; readonly milliseconds: number },
): Promise<number> {
  const cpuSeconds = await startCpuMeter(scene);
  const { counts } = await runClosedLoop({ port: scene.gateway.port, mix, clients: FLOOD_CLIENTS, milliseconds });
  return ((await cpuSeconds()) - counts.answered / before.perCpuSecond) / counts.refused;
}

async function startCpuMeter({ gateway }: OverloadScene): Promise<() => Promise<number>> {
  const now = async () => (await callMethod(gateway.child, 'usage', null)).cpuMicros / 1e6;
  const before = await now();
  return async () => (await now()) - before;
}

interface Overload extends OpenLoopReport {
  /** Until the last answer. */
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly lag: Lag;
  /** CPU time of this process, as a share of the time that has passed. */
  readonly ownShare: number;
  readonly peakMb: number;
  readonly restMb: number;
}

async function runOverload(
  scene: OverloadScene,
  mix: Mix,
  { perSecond, milliseconds }: { readonly perSecond: number; readonly milliseconds: number },
): Promise<Overload> {
  const { port, child } = scene.gateway;
  const cpuSeconds = await startCpuMeter(scene);
  await callMethod(child, 'startLag', null);
  const own = process.cpuUsage();
  const begun = performance.now();
  const report = await runOpenLoop({ port, mix, perSecond: OVERLOAD * perSecond, milliseconds });
  const seconds = (performance.now() - begun) / 1_000;
  const { user, system } = process.cpuUsage(own);
  const lag = await callMethod(child, 'stopLag', null);
  const usedSeconds = await cpuSeconds();
  await sleep(REST_MS);
  const { nowMb, peakMb } = await memoryOf(child.pid ?? 0);
  const ownShare = (user + system) / 1e6 / seconds;
  return { ...report, seconds, cpuSeconds: usedSeconds, lag, ownShare, peakMb, restMb: nowMb };
}

interface Measured {
  /** The most that the gateway answers where nobody waits, before the overload, and the same clients after it. */
  readonly before: Throughput;
  readonly after: Throughput;
  readonly refusalCpuSeconds: number;
  readonly overload: Overload;
  readonly differences: readonly string[];
  readonly isFull: boolean;
}

function figuresOf(measured: Measured): readonly Figure[] {
  const { tally } = measured.overload;
  if (tally.example !== '') console.log(`A wrong answer: ${tally.example}`);
  for (const difference of measured.differences.slice(0, 5)) console.log(difference);
  return [...throughputOf(measured), ...endingsOf(measured), ...costsOf(measured)];
}

/** The speed of the machine changes within a minute, so the overload is compared with the mean of before and after. */
function throughputOf({ before, after, refusalCpuSeconds, overload, isFull }: Measured): readonly Figure[] {
  const { sentPerSecond, answeredPerSecond, tally, cpuSeconds } = overload;
  const lessThan = (most: number, now: number) => Math.max(0, 100 * (1 - now / most));
  const most = (before.perSecond + after.perSecond) / 2;
  const mostPerCpuSecond = (before.perCpuSecond + after.perCpuSecond) / 2;
  const refusalCost = refusalCpuSeconds * mostPerCpuSecond;
  // The share r of a right answer's CPU time that a refusal takes leaves time for (1 - 2r) / (1 - r) of the most.
  const minShare = (MIN_SHARE_ANSWERED * (1 - OVERLOAD * refusalCost)) / (1 - refusalCost);
  return [
    figure(`right answers at most, ${before.clients} connections`, before.perSecond, { unit: '/s' }),
    figure('  again after the overload', after.perSecond, { unit: '/s' }),
    figure('requests that arrived', sentPerSecond, { unit: '/s' }),
    figure('right answers', answeredPerSecond, { unit: '/s' }),
    figure('  less than at most', lessThan(most, answeredPerSecond), {
      unit: '%',
      ...atMost(100 * (1 - minShare), isFull),
    }),
    figure('  CPU time of a refusal over that of a right answer (r)', refusalCost),
    figure('  less for a second of CPU time', lessThan(mostPerCpuSecond, tally.counts.answered / cpuSeconds), {
      unit: '%',
    }),
  ];
}

function endingsOf({ overload, differences, isFull }: Measured): readonly Figure[] {
  const { tally, notSent } = overload;
  const { counts } = tally;
  const [answered, refused] = [tally.answeredMs, tally.refusedMs].map((all) => Float64Array.from(all).sort());
  const quantile = (of: Float64Array | undefined, share: number) => percentile(of ?? [], share);
  return [
    figure('refused with 503', counts.refused),
    figure('refused with 429', counts.limited),
    figure('answered that there is no room for a call', counts.unavailable),
    figure('answered wrongly', counts.wrong, { atMost: 0 }),
    figure('without an answer', counts.lost, { atMost: 0 }),
    figure('not sent for want of connections', notSent, { atMost: 0 }),
    figure('refusals without Retry-After', tally.withoutRetryAfter, { atMost: 0 }),
    figure('outcomes that are not those behind the gateway', differences.length, { atMost: 0 }),
    figure('time to a refusal, p50', quantile(refused, 0.5), { unit: 'ms' }),
    figure('time to a refusal, p99', quantile(refused, 0.99), { unit: 'ms', ...atMost(MAX_REFUSAL_MS, isFull) }),
    figure('time to a right answer, p50', quantile(answered, 0.5), { unit: 'ms' }),
    figure('time to a right answer, p99', quantile(answered, 0.99), { unit: 'ms' }),
  ];
}

const costsOf = ({ overload, isFull }: Measured): readonly Figure[] => [
  figure('requests in flight at most', overload.mostInFlight),
  figure('resident memory, peak', overload.peakMb, { unit: 'MB', ...atMost(MAX_MEMORY_MB, isFull) }),
  figure('resident memory, five seconds later', overload.restMb, { unit: 'MB' }),
  figure('event loop lag, p99', overload.lag.p99, { unit: 'ms' }),
  figure('CPU of the gateway', (100 * overload.cpuSeconds) / overload.seconds, { unit: '%' }),
  figure('CPU of the clients and the service', 100 * overload.ownShare, { unit: '%' }),
];

/** The bounds on time and memory hold at full size only. */
const atMost = (bound: number, isFull: boolean) => (isFull ? { atMost: bound } : {});
