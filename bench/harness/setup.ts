import { join } from 'node:path';
import type { Dialect } from '../documents.ts';
import type { Target } from '../targets.ts';
import type { Operation } from '../workloads.ts';
import { BENCH_FOLDER, freePort, type RunningProcess, startProcess } from './processes.ts';
import { callMethod, type LoadResult } from './rpc.ts';

const inHarness = (file: string) => join(BENCH_FOLDER, 'harness', file);

/** A running target. */
export interface TargetProcess extends RunningProcess {
  readonly target: Target;
}

export interface SetupOptions {
  readonly targets: readonly Target[];
  readonly latencyMs: number;
  /** Settings of kb-gateway in addition to those of the target. The peers ignore them. */
  readonly settings: Readonly<Record<string, string>>;
}

/** One upstream, one load generator and all targets. Only one target is under load at a time. */
export interface Setup extends AsyncDisposable {
  readonly processes: readonly TargetProcess[];
  readonly load: RunningProcess;
  readonly upstream: RunningProcess;
  /** The number of calls that the upstream has received. */
  upstreamCalls(): Promise<number>;
}

export async function openSetup({ targets, latencyMs, settings }: SetupOptions): Promise<Setup> {
  const opening = new AsyncDisposableStack();
  try {
    const upstream = opening.use(await startUpstream(latencyMs));
    const load = opening.use(await startLoad());
    const upstreamUrl = `http://127.0.0.1:${upstream.port}`;
    const started = await Promise.allSettled(
      targets.map((target) => startTarget(target, { ...settings, UPSTREAM_URL: upstreamUrl })),
    );
    const processes = started.flatMap((outcome) =>
      outcome.status === 'fulfilled' ? [opening.use(outcome.value)] : [],
    );
    for (const outcome of started) if (outcome.status === 'rejected') throw outcome.reason;
    for (const targetProcess of processes) await runLoad(load, targetProcess, FIRST_REQUEST);
    return {
      processes,
      load,
      upstream,
      upstreamCalls: () => callMethod(upstream.child, 'calls', null),
      [Symbol.asyncDispose]: () => opening.disposeAsync(),
    };
  } catch (error) {
    await opening.disposeAsync();
    throw error;
  }
}

async function startUpstream(latencyMs: number, file = inHarness('upstream.ts')): Promise<RunningProcess> {
  const port = await freePort();
  const env = { PORT: String(port), UPSTREAM_LATENCY_MS: String(latencyMs) };
  return startProcess({ role: 'upstream', args: [file], env, port });
}

export const startLoad = (): Promise<RunningProcess> =>
  startProcess({ role: 'load', args: [inHarness('load.ts')], env: {}, port: null });

/**
 * Compiled, since a process that has loaded Node's compiler of TypeScript may run `process.nextTick` ten times slower for
 * as long as it lives, which takes a small request a tenth more CPU time. Users run no sources.
 */
export const COMPILED_PROBE = join(BENCH_FOLDER, 'results/probe.mjs');

/** The generator of open loops and the upstream beside it, compiled for the same reason: they take the times themselves. */
export const COMPILED_OPEN_LOOP = join(BENCH_FOLDER, 'results/open-loop.mjs');
export const COMPILED_UPSTREAM = join(BENCH_FOLDER, 'results/upstream.mjs');

/** An upstream and a generator of open loops that take the times of their calls and requests. */
export interface TimedSetup extends AsyncDisposable {
  readonly load: RunningProcess;
  readonly upstream: RunningProcess;
  readonly upstreamUrl: string;
}

export async function openTimedSetup(latencyMs: number): Promise<TimedSetup> {
  const opening = new AsyncDisposableStack();
  try {
    const upstream = opening.use(await startUpstream(latencyMs, COMPILED_UPSTREAM));
    const load = opening.use(await startProcess({ role: 'load', args: [COMPILED_OPEN_LOOP], env: {}, port: null }));
    const upstreamUrl = `http://127.0.0.1:${upstream.port}`;
    return { load, upstream, upstreamUrl, [Symbol.asyncDispose]: () => opening.disposeAsync() };
  } catch (error) {
    await opening.disposeAsync();
    throw error;
  }
}

/**
 * The options of Node of each target. V8's memory reducer is off: in a process without load for 100 seconds it collects
 * most compiled code too, which costs the next ten seconds. Here each target waits while others are under load, and is
 * measured as if it had not.
 */
export const NODE_ARGS_OF_TARGETS = ['--no-memory-reducer', '--import', COMPILED_PROBE];

export async function startTarget(target: Target, settings: Readonly<Record<string, string>>): Promise<TargetProcess> {
  const port = await freePort();
  const args = [...NODE_ARGS_OF_TARGETS, ...target.args(port)];
  const env = { ...settings, ...target.env, PORT: String(port) };
  return { ...(await startProcess({ role: 'gateway', args, env, port })), target };
}

/** A period of load. Optional fields that are absent set no bound. */
export interface LoadPhase {
  readonly operation: Operation;
  readonly items: number;
  readonly connections: number;
  readonly milliseconds: number;
  readonly pauseMs?: number;
  readonly requestsPerConnection?: number;
}

/**
 * The service accepts the token of the load by it. Until then few calls with a token are sent at a time, as decision 15
 * says.
 */
const FIRST_REQUEST: LoadPhase = {
  operation: 'bulk',
  items: 1,
  connections: 1,
  milliseconds: 5_000,
  requestsPerConnection: 1,
};

/** Puts load on a target. Throws if a response is not the expected one. */
export async function runLoad(
  load: RunningProcess,
  targetProcess: TargetProcess,
  phase: LoadPhase,
): Promise<LoadResult> {
  const dialect: Dialect = targetProcess.target.dialect;
  const { pauseMs = 0, requestsPerConnection = Number.MAX_SAFE_INTEGER } = phase;
  const job = { ...phase, pauseMs, requestsPerConnection, dialect, port: targetProcess.port };
  const result = await callMethod(load.child, 'load', job);
  if (result.failure !== null) throw new Error(`${targetProcess.target.name}: ${result.failure}`);
  return result;
}

/** Puts load on a target and measures its CPU time, in microseconds. */
export async function measure(load: RunningProcess, targetProcess: TargetProcess, phase: LoadPhase) {
  const before = await callMethod(targetProcess.child, 'usage', null);
  const result = await runLoad(load, targetProcess, phase);
  const after = await callMethod(targetProcess.child, 'usage', null);
  return { ...result, cpuMicros: after.cpuMicros - before.cpuMicros, peakRssBytes: after.peakRssBytes };
}
