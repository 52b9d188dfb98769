import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Spent } from './probe.ts';
import { forgetPeak, memoryOf, threadTimeOf } from './process-figures.ts';

/** What some work has cost the gateway. */
export interface Cost extends Spent {
  /** Resident memory at its highest, and by how much that is above what was there before. */
  readonly peakMb: number;
  readonly growthMb: number;
  /** `died`: the process is gone. `cut off`: it was ended, because the work would not end. */
  readonly end: 'answered' | 'died' | 'cut off';
}

/** A gateway in a process of its own, with a probe in it. */
export interface MeasuredGateway {
  /** Without a path. */
  readonly origin: string;
  readonly pid: number;
  isAlive(): boolean;
  /** What the work has cost. The signal is aborted where the gateway is ended before the work is. */
  measure<T>(work: (signal: AbortSignal) => Promise<T>): Promise<readonly [Cost, T | null]>;
  /** The last of what it has logged. */
  log(): string;
  stop(): Promise<void>;
}

/** Work that takes longer is ended, by the CPU time of the thread; where the system tells none, by the time of the wall. */
const MOST_CPU_MS = 20_000;
const MOST_WALL_MS = 150_000;
const LOOK_MS = 100;
const LOG_LENGTH = 20_000;

const PROBE = new URL('./probe.ts', import.meta.url).href;
const MAIN = resolve('src/main.ts');

export async function startMeasuredGateway(
  cwd: string,
  settings: Readonly<Record<string, string>>,
): Promise<MeasuredGateway> {
  const args = [...(await imageFlags()), '--import', PROBE, MAIN, 'serve'];
  const env = { NODE_ENV: 'production', PORT: '0', ...settings };
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  const ended = once(child, 'exit');
  let log = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk) => {
    log = (log + chunk).slice(-LOG_LENGTH);
  });
  const origin = await Promise.race([originOf(child), ended.then(() => null)]);
  if (origin === null) throw new Error(`serve ended: ${log}`);
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  return {
    origin,
    pid: child.pid ?? 0,
    isAlive,
    measure: (work) => measure({ child, isAlive }, work),
    log: () => log,
    stop: async () => {
      if (!isAlive()) return;
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** The flags that the image gives to Node. */
async function imageFlags(): Promise<readonly string[]> {
  const [, command = '[]'] = /^CMD (\["node".*\])$/mu.exec(await readFile(resolve('Dockerfile'), 'utf8')) ?? [];
  const args: readonly string[] = JSON.parse(command);
  return args.filter((arg) => arg.startsWith('--'));
}

function originOf(child: ChildProcess): Promise<string> {
  let printed = '';
  return new Promise((done) => {
    child.stdout?.setEncoding('utf8').on('data', (chunk) => {
      printed += chunk;
      const [, origin] = /listening on (http:\/\/[^\s/]+)\/graphql/u.exec(printed) ?? [];
      if (origin !== undefined && printed.includes('\n')) done(origin);
    });
  });
}

interface Measuring {
  readonly child: ChildProcess;
  isAlive(): boolean;
}

async function measure<T>(
  { child, isAlive }: Measuring,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<readonly [Cost, T | null]> {
  const pid = child.pid ?? 0;
  await told<unknown>(child, 'reset');
  await forgetPeak(pid);
  const { nowMb: beforeMb } = await memoryOf(pid);
  const begunAt = { cpu: await threadTimeOf(pid), wall: performance.now() };
  const cut = new AbortController();
  let peakMb = beforeMb;
  let busyMs = 0;
  const costOf = (end: Cost['end'], spent: Spent): Cost => ({ ...spent, peakMb, growthMb: peakMb - beforeMb, end });
  const done = work(cut.signal).then(async (value) => {
    const spent = isAlive() ? await told<Spent>(child, 'spent') : null;
    return spent && { value, spent };
  });
  for (;;) {
    const finished = await Promise.race([done, sleep(LOOK_MS, 'pending' as const)]);
    const memory = await memoryOf(pid);
    peakMb = Math.max(peakMb, memory.peakMb, memory.nowMb);
    if (finished !== 'pending' && finished !== null) return [costOf('answered', finished.spent), finished.value];
    busyMs = Math.max(busyMs, (await threadTimeOf(pid)) - begunAt.cpu);
    const isTooLong = busyMs > MOST_CPU_MS || performance.now() - begunAt.wall > MOST_WALL_MS;
    if (finished === 'pending' && isAlive() && !isTooLong) continue;
    const end = finished === 'pending' && isAlive() ? 'cut off' : 'died';
    child.kill('SIGKILL');
    cut.abort();
    await done.catch(() => null);
    return [costOf(end, { holdMs: busyMs, cpuMs: busyMs }), null];
  }
}

/** Tells the probe something, and waits for its answer; null where the process ends instead. */
async function told<T>(child: ChildProcess, message: string): Promise<T | null> {
  const { promise, resolve: settle } = Promise.withResolvers<T | null>();
  const giveUp = () => settle(null);
  child.once('message', settle).once('exit', giveUp);
  child.send(message, (error) => error && giveUp());
  const answer = await promise;
  child.off('message', settle).off('exit', giveUp);
  return answer;
}
