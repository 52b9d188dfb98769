import { join } from 'node:path';
import type { LoadResult } from '../rig/load-job.ts';
import type { Subject } from '../targets.ts';
import type { Dialect, Operation } from '../workloads.ts';
import { BENCH_FOLDER, freePort, type RunningProcess, startProcess } from './processes.ts';
import { ask } from './rpc.ts';

const inRig = (file: string) => join(BENCH_FOLDER, 'rig', file);

/** What is under measurement, running. */
export interface Player extends RunningProcess {
  readonly subject: Subject;
}

export interface StageOptions {
  readonly subjects: readonly Subject[];
  readonly latencyMs: number;
  /** Settings of ours beside those of the subject; the peers know none of them. */
  readonly settings: Readonly<Record<string, string>>;
}

/** One upstream, one load generator, and the subjects side by side; each idle but when it is its turn. */
export interface Stage extends AsyncDisposable {
  readonly players: readonly Player[];
  readonly load: RunningProcess;
  readonly upstream: RunningProcess;
  /** Calls that the upstream has answered so far. */
  upstreamCalls(): Promise<number>;
}

export async function openStage({ subjects, latencyMs, settings }: StageOptions): Promise<Stage> {
  await using opening = new AsyncDisposableStack();
  const upstream = opening.use(await startUpstream(latencyMs));
  const load = opening.use(await startLoad());
  const upstreamUrl = `http://127.0.0.1:${upstream.port}`;
  const started = await Promise.allSettled(
    subjects.map((subject) => startSubject(subject, { ...settings, UPSTREAM_URL: upstreamUrl })),
  );
  const players = started.flatMap((outcome) => (outcome.status === 'fulfilled' ? [opening.use(outcome.value)] : []));
  for (const outcome of started) if (outcome.status === 'rejected') throw outcome.reason;
  const open = opening.move();
  return {
    players,
    load,
    upstream,
    upstreamCalls: () => ask(upstream.child, 'calls', null),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

async function startUpstream(latencyMs: number): Promise<RunningProcess> {
  const port = await freePort();
  const env = { PORT: String(port), UPSTREAM_LATENCY_MS: String(latencyMs) };
  return startProcess({ role: 'upstream', args: [inRig('upstream.ts')], env, port });
}

export const startLoad = (): Promise<RunningProcess> =>
  startProcess({ role: 'load', args: [inRig('load.ts')], env: {}, port: null });

export async function startSubject(subject: Subject, settings: Readonly<Record<string, string>>): Promise<Player> {
  const port = await freePort();
  const args = ['--import', inRig('probe.ts'), ...subject.args(port)];
  const env = { ...settings, ...subject.env, PORT: String(port) };
  return { ...(await startProcess({ role: 'gateway', args, env, port })), subject };
}

/** A stretch of load; whatever is left out is not bounded. */
export interface Stretch {
  readonly operation: Operation;
  readonly items: number;
  readonly connections: number;
  readonly milliseconds: number;
  readonly pauseMs?: number;
  readonly requestsPerConnection?: number;
}

/** Puts load on a player. Throws where an answer was not what it should be. */
export async function putLoad(load: RunningProcess, player: Player, stretch: Stretch): Promise<LoadResult> {
  const dialect: Dialect = player.subject.dialect;
  const { pauseMs = 0, requestsPerConnection = Number.MAX_SAFE_INTEGER } = stretch;
  const job = { ...stretch, pauseMs, requestsPerConnection, dialect, port: player.port };
  const result = await ask(load.child, 'load', job);
  if (result.failure !== null) throw new Error(`${player.subject.name}: ${result.failure}`);
  return result;
}

/** A stretch of load and the CPU time that it cost the player, in microseconds. */
export async function measure(load: RunningProcess, player: Player, stretch: Stretch) {
  const before = await ask(player.child, 'usage', null);
  const result = await putLoad(load, player, stretch);
  const after = await ask(player.child, 'usage', null);
  return { ...result, cpuMicros: after.cpuMicros - before.cpuMicros, peakRssBytes: after.peakRssBytes };
}
