import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { rawIn } from '../../support/unprintables.ts';
import type { Spent } from './probe.ts';
import { memoryOf, resetPeak, threadTimeOf } from './process-figures.ts';

/** The cost of some work of the gateway. */
export interface Cost extends Spent {
  /** The highest resident memory, and its growth over the memory before. */
  readonly peakMb: number;
  readonly growthMb: number;
  /** `died`: the process ended. `cut off`: it was killed because the work did not end. */
  readonly end: 'answered' | 'died' | 'cut off';
}

/** A gateway in a process of its own, with a probe in it. */
export interface MeasuredGateway {
  /** The URL without a path. */
  readonly origin: string;
  readonly pid: number;
  isAlive(): boolean;
  /** Measures the cost of the work. The signal is aborted when the gateway is killed before the work ends. */
  measure<T>(work: (signal: AbortSignal) => Promise<T>): Promise<readonly [Cost, T | null]>;
  /**
   * The characters in its output that control a terminal, since the last call. Waits a little for the line of a request,
   * since a log writes those of some milliseconds together.
   */
  takeRawInLog(): Promise<readonly string[]>;
  /** The end of its log. */
  log(): string;
  stop(): Promise<void>;
}

/** Longer work is killed, by the CPU time of the thread; by wall time on systems that do not report CPU time. */
const MAX_CPU_MS = 20_000;
const MAX_WALL_MS = 150_000;
const POLL_MS = 100;
const LOG_LENGTH = 20_000;
const MAX_LOG_WAIT_MS = 200;
const LOG_POLL_MS = 5;

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
  let unread = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk) => {
      log = (log + chunk).slice(-LOG_LENGTH);
      unread += chunk;
    });
  }
  const origin = await Promise.race([originOf(child), ended.then(() => null)]);
  if (origin === null) throw new Error(`serve ended: ${log}`);
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  return {
    origin,
    pid: child.pid ?? 0,
    isAlive,
    measure: (work) => measure({ child, isAlive }, work),
    takeRawInLog: async () => {
      const until = performance.now() + MAX_LOG_WAIT_MS;
      const isWritten = () => unread.includes('"message":"request"') || performance.now() > until;
      while (isAlive() && !isWritten()) await sleep(LOG_POLL_MS);
      const lines = unread;
      unread = '';
      return rawIn(lines);
    },
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
    const read = (chunk: string) => {
      printed += chunk;
      const [, origin] = /"url":"(http:\/\/[^\s/"]+)\/graphql"/u.exec(printed) ?? [];
      if (origin === undefined || !printed.includes('\n')) return;
      child.stdout?.off('data', read);
      done(origin);
    };
    child.stdout?.setEncoding('utf8').on('data', read);
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
  await sendMessage<unknown>(child, 'reset');
  await resetPeak(pid);
  const { nowMb: beforeMb } = await memoryOf(pid);
  const begunAt = { cpu: await threadTimeOf(pid), wall: performance.now() };
  const cut = new AbortController();
  let peakMb = beforeMb;
  let busyMs = 0;
  const costOf = (end: Cost['end'], spent: Spent): Cost => ({ ...spent, peakMb, growthMb: peakMb - beforeMb, end });
  const done = work(cut.signal).then(async (value) => {
    const spent = isAlive() ? await sendMessage<Spent>(child, 'spent') : null;
    return spent && { value, spent };
  });
  for (;;) {
    const finished = await Promise.race([done, sleep(POLL_MS, 'pending' as const)]);
    const memory = await memoryOf(pid);
    peakMb = Math.max(peakMb, memory.peakMb, memory.nowMb);
    if (finished !== 'pending' && finished !== null) return [costOf('answered', finished.spent), finished.value];
    busyMs = Math.max(busyMs, (await threadTimeOf(pid)) - begunAt.cpu);
    const isTooLong = busyMs > MAX_CPU_MS || performance.now() - begunAt.wall > MAX_WALL_MS;
    if (finished === 'pending' && isAlive() && !isTooLong) continue;
    const end = finished === 'pending' && isAlive() ? 'cut off' : 'died';
    child.kill('SIGKILL');
    cut.abort();
    await done.catch(() => null);
    return [costOf(end, { holdMs: busyMs, cpuMs: busyMs }), null];
  }
}

/** Sends a message to the probe and returns its response; null when the process ends instead. */
async function sendMessage<T>(child: ChildProcess, message: string): Promise<T | null> {
  const { promise, resolve: settle } = Promise.withResolvers<T | null>();
  const giveUp = () => settle(null);
  child.once('message', settle).once('exit', giveUp);
  child.send(message, (error) => error && giveUp());
  const answer = await promise;
  child.off('message', settle).off('exit', giveUp);
  return answer;
}
