import { measure, openSetup, runLoad, type Setup, type TargetProcess } from '../harness/setup.ts';
import { median, spread } from '../harness/statistics.ts';
import { withResource } from '../harness/with-resource.ts';
import { type Target, UPSTREAM_ALONE } from '../targets.ts';
import { isRead, type Workload } from '../workloads.ts';
import { type Pace, warmUpTarget } from './pace.ts';

/** The figures of one target under one workload, as medians of the rounds. */
export interface WorkloadRow {
  readonly target: string;
  readonly kind: Target['kind'];
  /** CPU time of the process, in microseconds. */
  readonly cpuPerRequest: number;
  /** `cpuPerRequest` of each round. */
  readonly cpuOfRounds: readonly number[];
  /** The range of the rounds as a share of the median. */
  readonly spread: number;
  readonly rounds: number;
  readonly requestsPerSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly peakRssBytes: number;
  readonly upstreamCallsPerRequest: number;
}

/**
 * Requests per second between load generator and upstream without a gateway. Null when no upstream calls are made, and
 * for reads, which take several.
 */
export async function measureHarness(workload: Workload, pace: Pace): Promise<number | null> {
  if (workload.operation === 'typename' || isRead(workload.operation)) return null;
  return withResource(openSetup({ ...workload, targets: [] }), async (setup) => {
    const targetProcess = { ...setup.upstream, target: UPSTREAM_ALONE };
    await runLoad(setup.load, targetProcess, { ...workload, milliseconds: pace.warmUp.milliseconds });
    const { requests, seconds } = await runLoad(setup.load, targetProcess, {
      ...workload,
      milliseconds: pace.sampleMs,
    });
    return requests / seconds;
  });
}

interface Sample {
  readonly cpuPerRequest: number;
  readonly requestsPerSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly peakRssBytes: number;
  readonly upstreamCallsPerRequest: number;
}

/** Measures all targets in turn in each round, so that disturbances of the machine affect all of them. */
export async function measureWorkload(
  workload: Workload,
  { targets, pace }: { targets: readonly Target[]; pace: Pace },
): Promise<readonly WorkloadRow[]> {
  return withResource(
    openSetup({ ...workload, targets: targets.filter((target) => supports(target, workload)) }),
    async (setup) => {
      for (const targetProcess of setup.processes) {
        await warmUpTarget(pace.warmUp, (milliseconds) =>
          runLoad(setup.load, targetProcess, { ...workload, milliseconds }),
        );
      }
      const samples = new Map<TargetProcess, readonly Sample[]>(
        setup.processes.map((targetProcess) => [targetProcess, []]),
      );
      for (let round = 0; round < pace.rounds + pace.extraRounds; round += 1) {
        for (const [targetProcess, taken] of samples) {
          if (round >= pace.rounds && spreadOf(taken) <= pace.maxSpread) continue;
          samples.set(targetProcess, [...taken, await takeSample(setup, targetProcess, { workload, pace })]);
        }
      }
      return [...samples].map(([targetProcess, taken]) => summarise(targetProcess.target, taken));
    },
  );
}

/** Most baselines accept REST only, hence no query. */
function supports({ dialect, use }: Target, { name, operation }: Workload): boolean {
  if (use === 'W5') return name === 'W5';
  if (isRead(operation)) return use !== 'writes';
  return use !== 'reads' && (operation !== 'typename' || dialect !== 'rest');
}

async function takeSample(
  setup: Setup,
  targetProcess: TargetProcess,
  { workload, pace }: { workload: Workload; pace: Pace },
): Promise<Sample> {
  const callsBefore = await setup.upstreamCalls();
  const result = await measure(setup.load, targetProcess, { ...workload, milliseconds: pace.sampleMs });
  const calls = (await setup.upstreamCalls()) - callsBefore;
  return {
    ...result,
    cpuPerRequest: result.cpuMicros / result.requests,
    requestsPerSecond: result.requests / result.seconds,
    upstreamCallsPerRequest: calls / result.requests,
  };
}

const spreadOf = (samples: readonly Sample[]) => spread(samples.map(({ cpuPerRequest }) => cpuPerRequest));

function summarise({ name, kind }: Target, samples: readonly Sample[]): WorkloadRow {
  const middle = (pick: (sample: Sample) => number) => median(samples.map(pick));
  return {
    target: name,
    kind,
    cpuPerRequest: middle((sample) => sample.cpuPerRequest),
    cpuOfRounds: samples.map((sample) => sample.cpuPerRequest),
    spread: spreadOf(samples),
    rounds: samples.length,
    requestsPerSecond: middle((sample) => sample.requestsPerSecond),
    p50: middle((sample) => sample.p50),
    p99: middle((sample) => sample.p99),
    peakRssBytes: Math.max(...samples.map((sample) => sample.peakRssBytes)),
    upstreamCallsPerRequest: middle((sample) => sample.upstreamCallsPerRequest),
  };
}
