import { callMethod } from '../harness/rpc.ts';
import { openTimedSetup, startTarget, type TargetProcess, type TimedSetup } from '../harness/setup.ts';
import { median } from '../harness/statistics.ts';
import { withResource } from '../harness/with-resource.ts';
import { planRequests } from '../mixed-requests.ts';
import { HIVE, MERCURIUS, OURS, type Target } from '../targets.ts';
import type { Pace } from './pace.ts';

/** What a deploy looks like: a new process, and within a second many requests with tokens that it has never seen. */
export interface BurstsRow {
  readonly target: string;
  /** New tokens in each burst. */
  readonly tokens: number;
  /** The first requests of the process. */
  readonly first: Burst;
  /** The medians of the bursts after it, each with new tokens again. */
  readonly later: Burst;
}

interface Burst {
  /** Milliseconds from the first request of the burst to its last answer. */
  readonly lastAnswerMs: number;
  /** CPU time of the process, in microseconds. */
  readonly cpuPerRequest: number;
  /** Requests that were not answered as they should. */
  readonly refused: number;
}

const SERVICE_MS = 50;
const TOKENS = [1, 20, 200] as const;
const REQUESTS = 200;
const SECONDS = 1;
const LATER_BURSTS = 2;
/** Clients, each with a connection of its own. */
const CLIENTS = 200;
const TARGETS: readonly Target[] = [OURS, MERCURIUS, HIVE];

export async function measureBursts(pace: Pace): Promise<readonly BurstsRow[]> {
  return withResource(openTimedSetup(SERVICE_MS), async (setup) => {
    const rows: BurstsRow[] = [];
    for (const tokens of TOKENS) {
      const bursts = new Map<Target, Burst[][]>(TARGETS.map((target) => [target, []]));
      for (let round = 0; round < pace.rounds; round += 1)
        for (const [target, taken] of bursts) taken.push(await measureStart(setup, target, tokens));
      for (const [{ name: target }, taken] of bursts) {
        const first = medianOf(taken.flatMap((one) => one.slice(0, 1)));
        const later = medianOf(taken.flatMap((one) => one.slice(1)));
        rows.push({ target, tokens, first, later });
      }
    }
    return rows;
  });
}

/** The bursts at a process that has just started. */
async function measureStart(setup: TimedSetup, target: Target, tokens: number): Promise<Burst[]> {
  return withResource(startTarget(target, { UPSTREAM_URL: setup.upstreamUrl }), async (targetProcess) => {
    const bursts: Burst[] = [];
    for (let number = 0; number <= LATER_BURSTS; number += 1)
      bursts.push(await measureBurst(setup, targetProcess, { number, tokens }));
    return bursts;
  });
}

async function measureBurst(
  { load }: TimedSetup,
  { child, port, target }: TargetProcess,
  { number, tokens }: { readonly number: number; readonly tokens: number },
): Promise<Burst> {
  const requests = planRequests({
    dialect: target.dialect,
    from: (number + 1) * 10 * REQUESTS,
    seconds: SECONDS,
    perSecond: REQUESTS,
    tokens: Array.from({ length: tokens }, (_, token) => `burst-${number}-token-${token}`),
    clients: CLIENTS,
  });
  const arrivals = requests.map(({ atMs, request, mark }) => ({ atMs, request, mark }));
  const before = await callMethod(child, 'usage', null);
  const { answers, failure } = await callMethod(load.child, 'arrivals', { port, connections: CLIENTS, arrivals });
  const after = await callMethod(child, 'usage', null);
  const refused = requests.length - answers.filter(({ isRight }) => isRight).length;
  if (failure !== null) console.error(`${target.name}, ${tokens} tokens: ${failure}`);
  const begunAt = Math.min(...answers.map(({ sentAt }) => sentAt));
  return {
    lastAnswerMs: Math.max(...answers.map(({ answeredAt }) => answeredAt)) - begunAt,
    cpuPerRequest: (after.cpuMicros - before.cpuMicros) / requests.length,
    refused,
  };
}

const medianOf = (bursts: readonly Burst[]): Burst => ({
  lastAnswerMs: median(bursts.map(({ lastAnswerMs }) => lastAnswerMs)),
  cpuPerRequest: median(bursts.map(({ cpuPerRequest }) => cpuPerRequest)),
  refused: Math.max(...bursts.map(({ refused }) => refused)),
});
