import { type ArrivalsResult, callMethod, type ServiceCall, type TimedAnswer } from '../harness/rpc.ts';
import { openTimedSetup, startLoad, startTarget, type TargetProcess, type TimedSetup } from '../harness/setup.ts';
import { type Percentiles, percentilesOf } from '../harness/statistics.ts';
import { withResource } from '../harness/with-resource.ts';
import { type MixedRequest, mixedRequests, planRequests } from '../mixed-requests.ts';
import { HIVE, MERCURIUS, OURS, OURS_ALONE, type Target, UPSTREAM_ALONE } from '../targets.ts';
import { type Pace, warmUpTarget } from './pace.ts';

/** What a gateway adds to the time of the service, of all rounds together, in milliseconds. */
export interface LatencyRow {
  readonly target: string;
  readonly requests: number;
  /** The time of an answer less that of the service's calls for it, and less the wait for a shared call. */
  readonly added: Percentiles;
  readonly addedToReads: Percentiles;
  readonly addedToWrites: Percentiles;
  /** The share of the updates that waited until another call of their token had ended, to be sent with others. */
  readonly waitingShare: number;
  /** How long these waited. */
  readonly waits: Percentiles;
  /** The whole time of an answer. */
  readonly answered: Percentiles;
  readonly callsPerRequest: number;
  /** CPU time of the process, in microseconds. */
  readonly cpuPerRequest: number;
  /** How much later than planned requests were sent, which is no part of any of these times. */
  readonly sentLate: Percentiles;
}

const SERVICE_MS = 50;
const CLIENTS = 20;
const TOKENS = Array.from({ length: 5 }, (_, number) => `token-${number}`);
const PER_SECOND = 50;
/** Connections on which requests go in turn. */
const CONNECTIONS = 40;
/** Rounds are this much longer than the samples of other sections, since so few requests come in a second. */
const LENGTH_IN_SAMPLES = 8;
const MAX_ROUNDS = 2;

/** Clients that send as fast as they are answered before the measurement, so that V8 has compiled what runs. */
const WARM_UP = { connections: 100, requestsEach: 200 } as const;
/** Requests that are measured have higher numbers than those of the warm-up, and each round has numbers of its own. */
const NUMBERS_OF_ROUND = 100_000;

const TARGETS: readonly Target[] = [OURS, OURS_ALONE, MERCURIUS, HIVE, UPSTREAM_ALONE];

/** Clients that come at random times, whether or not others have been answered. */
export async function measureLatency(pace: Pace): Promise<readonly LatencyRow[]> {
  return withResource(openTimedSetup(SERVICE_MS), (setup) =>
    withResource(new AsyncDisposableStack(), async (open) => {
      const processes: TargetProcess[] = [];
      for (const target of TARGETS) processes.push(await openTarget(setup, target, open));
      for (const targetProcess of processes) await warmUp(targetProcess, pace);
      const rounds = new Map<TargetProcess, Round[]>(processes.map((one) => [one, []]));
      for (let number = 0; number < Math.min(pace.rounds, MAX_ROUNDS); number += 1) {
        for (const [targetProcess, taken] of rounds)
          taken.push(await measureRound(setup, targetProcess, { number, pace }));
      }
      return Array.from(rounds, ([{ target }, taken]) => rowOf(target, taken));
    }),
  );
}

async function openTarget(setup: TimedSetup, target: Target, open: AsyncDisposableStack): Promise<TargetProcess> {
  if (target === UPSTREAM_ALONE) return { ...setup.upstream, target };
  return open.use(await startTarget(target, { UPSTREAM_URL: setup.upstreamUrl }));
}

async function warmUp({ port, target }: TargetProcess, { warmUp: pace }: Pace): Promise<void> {
  let from = 0;
  const requestsOf = (connection: number) => {
    const token = TOKENS[connection % TOKENS.length] ?? '';
    from += WARM_UP.requestsEach;
    return mixedRequests(target.dialect, { from, count: WARM_UP.requestsEach, token }).map(({ request }) => request);
  };
  await withResource(startLoad(), ({ child }) =>
    warmUpTarget(pace, async (milliseconds) => {
      const connections = Array.from({ length: WARM_UP.connections }, (_, connection) => requestsOf(connection));
      const result = await callMethod(child, 'exchange', { port, milliseconds, connections, marks: {} });
      if (result.failure !== null) throw new Error(`${target.name}: ${result.failure}`);
      return result;
    }),
  );
}

/** A request, its answer, and what of its time was the service's. */
interface Measured {
  readonly request: MixedRequest;
  readonly answeredMs: number;
  readonly waitMs: number;
  readonly addedMs: number;
  readonly sentLateMs: number;
}

interface Round {
  readonly measured: readonly Measured[];
  readonly calls: number;
  readonly cpuMicros: number;
}

async function measureRound(
  { load, upstream }: TimedSetup,
  { target, port, child }: TargetProcess,
  { number, pace }: { readonly number: number; readonly pace: Pace },
): Promise<Round> {
  const requests = planRequests({
    dialect: target.dialect,
    from: NUMBERS_OF_ROUND * (number + 1),
    seconds: (pace.sampleMs * LENGTH_IN_SAMPLES) / 1_000,
    perSecond: PER_SECOND,
    tokens: TOKENS,
    clients: CLIENTS,
  });
  const arrivals = requests.map(({ atMs, request, mark }) => ({ atMs, request, mark }));
  const cpuMicros = async () => (target === UPSTREAM_ALONE ? 0 : (await callMethod(child, 'usage', null)).cpuMicros);
  await callMethod(upstream.child, 'recordedCalls', null);
  const cpuBefore = await cpuMicros();
  const result = await callMethod(load.child, 'arrivals', { port, connections: CONNECTIONS, arrivals });
  const calls = await callMethod(upstream.child, 'recordedCalls', null);
  if (result.failure !== null) throw new Error(`${target.name}: ${result.failure}`);
  if (result.answers.length < requests.length) throw new Error(`${target.name} has left requests without an answer.`);
  return {
    measured: measuredOf({ target, requests, result, calls }),
    calls: calls.length,
    cpuMicros: (await cpuMicros()) - cpuBefore,
  };
}

interface Exchanged {
  readonly target: Target;
  readonly requests: readonly MixedRequest[];
  readonly result: ArrivalsResult;
  readonly calls: readonly ServiceCall[];
}

function measuredOf({ target, requests, result, calls }: Exchanged): readonly Measured[] {
  const callsOf = Map.groupBy(
    calls.flatMap((call) => call.subjects.map((subject) => ({ subject, call }))),
    ({ subject }) => subject,
  );
  const isMerging = target === OURS;
  return result.answers.flatMap((answer) => {
    const request = requests[answer.index];
    if (request === undefined) return [];
    const own = (callsOf.get(request.subject) ?? []).map(({ call }) => call);
    const answeredMs = answer.answeredAt - answer.sentAt;
    const waitMs = isMerging && request.kind === 'bulk' ? waitForShared(answer, { request, own, calls }) : 0;
    const addedMs = answeredMs - waitMs - serviceTime(own);
    const sentLateMs = result.delays[answer.index] ?? 0;
    return [{ request, answeredMs, waitMs, addedMs, sentLateMs }];
  });
}

/** Milliseconds in which the service had at least one of the calls. */
export function serviceTime(calls: readonly Pick<ServiceCall, 'receivedAt' | 'answeredAt'>[]): number {
  let [total, until] = [0, Number.NEGATIVE_INFINITY];
  for (const { receivedAt, answeredAt } of calls.toSorted((one, other) => one.receivedAt - other.receivedAt)) {
    total += Math.max(0, answeredAt - Math.max(receivedAt, until));
    until = Math.max(until, answeredAt);
  }
  return total;
}

interface SharedWait {
  readonly request: Pick<MixedRequest, 'token'>;
  /** The calls that the request needed. */
  readonly own: readonly ServiceCall[];
  readonly calls: readonly ServiceCall[];
}

/**
 * Milliseconds from the sending of an update until the last call has ended that it waited for: one with its token that was
 * under way when it was sent, and had ended before its own began.
 */
export function waitForShared({ sentAt }: Pick<TimedAnswer, 'sentAt'>, { request, own, calls }: SharedWait): number {
  const begunAt = Math.min(...own.map(({ receivedAt }) => receivedAt));
  const ends = calls
    .filter(({ isBulkUpdate, token }) => isBulkUpdate && token === request.token)
    .filter(({ receivedAt, answeredAt }) => receivedAt < sentAt && answeredAt > sentAt && answeredAt <= begunAt)
    .map(({ answeredAt }) => answeredAt);
  return Math.max(sentAt, ...ends) - sentAt;
}

function rowOf({ name }: Target, rounds: readonly Round[]): LatencyRow {
  const measured = rounds.flatMap((round) => round.measured);
  const added = (of: readonly Measured[]) => percentilesOf(of.map(({ addedMs }) => addedMs));
  const sum = (of: (round: Round) => number) => rounds.reduce((total, round) => total + of(round), 0);
  const { read = [], bulk = [], group = [] } = Object.groupBy(measured, ({ request }) => request.kind);
  const waits = bulk.map(({ waitMs }) => waitMs).filter((waitMs) => waitMs > 0);
  return {
    target: name,
    requests: measured.length,
    added: added(measured),
    addedToReads: added(read),
    addedToWrites: added([...bulk, ...group]),
    waitingShare: waits.length / bulk.length,
    waits: percentilesOf(waits),
    answered: percentilesOf(measured.map(({ answeredMs }) => answeredMs)),
    callsPerRequest: sum(({ calls }) => calls) / measured.length,
    cpuPerRequest: sum((round) => round.cpuMicros) / measured.length,
    sentLate: percentilesOf(measured.map(({ sentLateMs }) => sentLateMs)),
  };
}
