import { freePort, type RunningProcess, startProcess } from '../harness/processes.ts';
import { callMethod } from '../harness/rpc.ts';
import { NODE_ARGS_OF_TARGETS, startLoad } from '../harness/setup.ts';
import { median, spread } from '../harness/statistics.ts';
import { withResource } from '../harness/with-resource.ts';
import { openDatabases } from '../store-peers/databases.ts';
import { type Engine, STORE_TARGETS, type StoreTarget } from '../store-peers/targets.ts';
import { exchangeOf, type StoreWorkload } from '../store-peers/workloads.ts';
import { type Pace, warmUpTarget } from './pace.ts';

/** The figures of one target over the store under one workload, as medians of the rounds. */
export interface StoreRow {
  readonly workload: string;
  readonly title: string;
  readonly engine: Engine;
  readonly target: string;
  /** CPU time of the process, without that of PostgreSQL, in microseconds. */
  readonly cpuPerRequest: number;
  readonly spread: number;
  readonly requestsPerSecond: number;
  readonly p50: number;
  readonly p99: number;
}

interface StoreProcess extends RunningProcess {
  readonly target: StoreTarget;
}

/** Measures the targets over the same content, one workload after the other, with all targets in turn in each round. */
export async function measureStore(workloads: readonly StoreWorkload[], pace: Pace): Promise<readonly StoreRow[]> {
  return withResource(new AsyncDisposableStack(), async (open) => {
    const databases = open.use(await openDatabases());
    const load = open.use(await startLoad());
    const processes: StoreProcess[] = [];
    for (const target of STORE_TARGETS) processes.push(open.use(await startOver(target, databases[target.engine])));
    const rows: StoreRow[] = [];
    for (const workload of workloads) rows.push(...(await measureWorkload({ workload, load, processes, pace })));
    return rows;
  });
}

interface WorkloadOptions {
  readonly workload: StoreWorkload;
  readonly load: RunningProcess;
  readonly processes: readonly StoreProcess[];
  readonly pace: Pace;
}

async function measureWorkload({ workload, load, processes, pace }: WorkloadOptions): Promise<readonly StoreRow[]> {
  const supported = processes.filter(({ target }) => exchangeOf(workload, target.dialect) !== null);
  const sample = (process: StoreProcess, milliseconds: number) => take(load, process, { workload, milliseconds });
  for (const process of supported) await warmUpTarget(pace.warmUp, (milliseconds) => sample(process, milliseconds));
  const samples = new Map(supported.map((process) => [process, [] as Sample[]]));
  for (let round = 0; round < pace.rounds; round += 1) {
    for (const [process, taken] of samples) taken.push(await sample(process, pace.sampleMs));
  }
  return Array.from(samples, ([{ target }, taken]) => rowOf(workload, target, taken));
}

async function startOver(target: StoreTarget, databaseUrl: string): Promise<StoreProcess> {
  const port = await freePort();
  const args = [...NODE_ARGS_OF_TARGETS, ...target.args];
  const env = { PORT: String(port), DATABASE_URL: databaseUrl, API_TOKEN: 'bench', DEMO_DATA: 'false' };
  return { ...(await startProcess({ role: 'gateway', args, env, port })), target };
}

type Sample = Pick<StoreRow, 'cpuPerRequest' | 'requestsPerSecond' | 'p50' | 'p99'> & { readonly requests: number };

async function take(
  load: RunningProcess,
  { child, port, target }: StoreProcess,
  { workload, milliseconds }: { readonly workload: StoreWorkload; readonly milliseconds: number },
): Promise<Sample> {
  const exchange = exchangeOf(workload, target.dialect);
  if (exchange === null) throw new Error(`${target.name} has no requests for ${workload.name}.`);
  const before = await callMethod(child, 'usage', null);
  const result = await callMethod(load.child, 'exchange', { ...exchange, port, milliseconds });
  const after = await callMethod(child, 'usage', null);
  if (result.failure !== null) throw new Error(`${target.name}, ${workload.name}: ${result.failure}`);
  return {
    ...result,
    cpuPerRequest: (after.cpuMicros - before.cpuMicros) / result.requests,
    requestsPerSecond: result.requests / result.seconds,
  };
}

function rowOf(workload: StoreWorkload, { engine, name }: StoreTarget, samples: readonly Sample[]): StoreRow {
  const middle = (pick: (sample: Sample) => number) => median(samples.map(pick));
  return {
    workload: workload.name,
    title: workload.title,
    engine,
    target: name,
    cpuPerRequest: middle(({ cpuPerRequest }) => cpuPerRequest),
    spread: spread(samples.map(({ cpuPerRequest }) => cpuPerRequest)),
    requestsPerSecond: middle(({ requestsPerSecond }) => requestsPerSecond),
    p50: middle(({ p50 }) => p50),
    p99: middle(({ p99 }) => p99),
  };
}
