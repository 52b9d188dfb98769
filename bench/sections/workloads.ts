import { measure, openStage, type Player, putLoad, type Stage } from '../harness/setup.ts';
import { median, spread } from '../harness/statistics.ts';
import { NOTHING_BETWEEN, type Subject } from '../targets.ts';
import type { Workload } from '../workloads.ts';
import type { Pace } from './pace.ts';

/** What one subject did under one workload: medians of its rounds. */
export interface Row {
  readonly subject: string;
  readonly kind: Subject['kind'];
  /** CPU time of the process, in microseconds. */
  readonly cpuPerRequest: number;
  /** How far the rounds lie apart, as a share of the median. */
  readonly spread: number;
  readonly rounds: number;
  readonly requestsPerSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly peakRssBytes: number;
  readonly upstreamCallsPerRequest: number;
}

/** How many requests a second load and upstream manage with nothing between them; null where no upstream is asked. */
export async function measureRig(workload: Workload, pace: Pace): Promise<number | null> {
  if (workload.operation === 'typename') return null;
  await using stage = await openStage({ ...workload, subjects: [] });
  const player = { ...stage.upstream, subject: NOTHING_BETWEEN };
  await putLoad(stage.load, player, { ...workload, milliseconds: pace.warmUpMs });
  const { requests, seconds } = await putLoad(stage.load, player, { ...workload, milliseconds: pace.sampleMs });
  return requests / seconds;
}

interface Sample {
  readonly cpuPerRequest: number;
  readonly requestsPerSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly peakRssBytes: number;
  readonly upstreamCallsPerRequest: number;
}

/** Every subject in turn, round after round, so that what disturbs the machine disturbs all of them. */
export async function measureWorkload(
  workload: Workload,
  { subjects, pace }: { subjects: readonly Subject[]; pace: Pace },
): Promise<readonly Row[]> {
  // The floors speak REST: there is no query for them to answer.
  const able = subjects.filter(({ dialect }) => workload.operation !== 'typename' || dialect !== 'rest');
  await using stage = await openStage({ ...workload, subjects: able });
  for (const player of stage.players) {
    await putLoad(stage.load, player, { ...workload, milliseconds: pace.warmUpMs });
  }
  const samples = new Map<Player, readonly Sample[]>(stage.players.map((player) => [player, []]));
  for (let round = 0; round < pace.rounds + pace.extraRounds; round += 1) {
    for (const [player, taken] of samples) {
      if (round >= pace.rounds && spreadOf(taken) <= pace.maxSpread) continue;
      samples.set(player, [...taken, await takeSample(stage, player, { workload, pace })]);
    }
  }
  return [...samples].map(([player, taken]) => summarise(player.subject, taken));
}

async function takeSample(
  stage: Stage,
  player: Player,
  { workload, pace }: { workload: Workload; pace: Pace },
): Promise<Sample> {
  const callsBefore = await stage.upstreamCalls();
  const result = await measure(stage.load, player, { ...workload, milliseconds: pace.sampleMs });
  const calls = (await stage.upstreamCalls()) - callsBefore;
  return {
    ...result,
    cpuPerRequest: result.cpuMicros / result.requests,
    requestsPerSecond: result.requests / result.seconds,
    upstreamCallsPerRequest: calls / result.requests,
  };
}

const spreadOf = (samples: readonly Sample[]) => spread(samples.map(({ cpuPerRequest }) => cpuPerRequest));

function summarise({ name, kind }: Subject, samples: readonly Sample[]): Row {
  const middle = (pick: (sample: Sample) => number) => median(samples.map(pick));
  return {
    subject: name,
    kind,
    cpuPerRequest: middle((sample) => sample.cpuPerRequest),
    spread: spreadOf(samples),
    rounds: samples.length,
    requestsPerSecond: middle((sample) => sample.requestsPerSecond),
    p50: middle((sample) => sample.p50),
    p99: middle((sample) => sample.p99),
    peakRssBytes: Math.max(...samples.map((sample) => sample.peakRssBytes)),
    upstreamCallsPerRequest: middle((sample) => sample.upstreamCallsPerRequest),
  };
}
