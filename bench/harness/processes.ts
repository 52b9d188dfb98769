import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { cpus } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** The bench's own folder, and the repository around it. */
export const BENCH_FOLDER = fileURLToPath(new URL('..', import.meta.url));
export const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

/** How long a process may take to listen, in milliseconds. */
const START_TIMEOUT_MS = 60_000;
const POLL_MS = 25;
/** What is kept of what a process says, in characters, to explain why it failed. */
const KEPT_OUTPUT = 4_000;

/** Who runs where: what is measured has a core for itself. */
export type Role = 'gateway' | 'load' | 'upstream';

/** Cores are only told apart on Linux, where `taskset` is part of util-linux. */
export const isPinned = process.platform === 'linux' && cpus().length > 1;

const CORES: Record<Role, number> =
  cpus().length > 2 ? { gateway: 0, load: 1, upstream: 2 } : { gateway: 0, load: 1, upstream: 1 };

export interface ProcessOptions {
  readonly role: Role;
  /** What Node is given: its own options, a file, and what follows. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Null: the process does not listen. */
  readonly port: number | null;
}

export interface RunningProcess extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly port: number;
}

/** Starts Node on the core of its role, and waits until it listens. It ends with the bench, whatever happens. */
export async function startProcess({ role, args, env, port }: ProcessOptions): Promise<RunningProcess> {
  const [command, ...before] = isPinned ? ['taskset', '-c', String(CORES[role]), process.execPath] : [process.execPath];
  const child = spawn(command ?? process.execPath, [...before, '--disable-warning=DEP0205', ...args], {
    cwd: BENCH_FOLDER,
    env: { ...inherited(), ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const output = keepOutput(child);
  if (port !== null) await listening(child, port, output);
  return { child, port: port ?? 0, [Symbol.asyncDispose]: () => stop(child) };
}

/** Nothing that might turn a subject's settings: no NODE_OPTIONS, none of ours. */
const inherited = () => ({ PATH: process.env['PATH'] ?? '', NODE_ENV: 'production' });

function keepOutput(child: ChildProcess): () => string {
  let kept = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      kept = (kept + text).slice(-KEPT_OUTPUT);
    });
  }
  return () => kept;
}

async function listening(child: ChildProcess, port: number, output: () => string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`${child.spawnargs.join(' ')} ended at once:\n${output()}`);
    if (Date.now() > deadline) throw new Error(`${child.spawnargs.join(' ')} does not listen:\n${output()}`);
    await wait(POLL_MS);
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => {
      // Linux connects a socket to itself where it picks as its own port the one that nobody listens to yet.
      const isItself = socket.localPort === socket.remotePort;
      socket.destroy();
      resolve(!isItself);
    });
    socket.once('error', () => resolve(false));
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** Below the ports that systems give to outgoing connections, so that none of those takes it before its process does. */
const PORTS = { from: 20_000, to: 32_000 } as const;

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.to);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
