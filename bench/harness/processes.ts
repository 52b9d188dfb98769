import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** The absolute paths of the folder of the benchmark and of the repository. */
export const BENCH_FOLDER = fileURLToPath(new URL('..', import.meta.url));
export const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

/** How long a process may take to start, in milliseconds. */
const START_TIMEOUT_MS = 60_000;
const POLL_MS = 10;
/** Characters of a process's output that are kept to explain a failure. */
const KEPT_OUTPUT = 4_000;

/** Determines the core of a process: the gateway has one for itself. */
export type Role = 'gateway' | 'load' | 'upstream';

/** Processes are pinned to cores on Linux only, where `taskset` is part of util-linux. */
export const isPinned = process.platform === 'linux' && cpus().length > 1;

export const CORES: Record<Role, number> =
  cpus().length > 2 ? { gateway: 0, load: 1, upstream: 2 } : { gateway: 0, load: 1, upstream: 1 };

export interface ProcessOptions {
  readonly role: Role;
  /** The arguments of Node: its options, a file, and the arguments of the file. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Null when the process does not listen. */
  readonly port: number | null;
  /** Tells whether the process has started: it accepts connections on its port when this is absent. */
  readonly hasStarted?: (port: number) => Promise<boolean>;
}

export interface RunningProcess extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly port: number;
}

/** Starts Node on the core of its role, and waits until it has started. The process always ends with the benchmark. */
export async function startProcess(options: ProcessOptions): Promise<RunningProcess> {
  const { role, args, env, port, hasStarted = acceptsConnections } = options;
  const [command, ...before] = isPinned ? ['taskset', '-c', String(CORES[role]), process.execPath] : [process.execPath];
  const child = spawn(command ?? process.execPath, [...before, '--disable-warning=DEP0205', ...args], {
    cwd: BENCH_FOLDER,
    env: { ...inheritedEnv(), ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const output = keepOutput(child);
  if (port !== null) await waitUntil(() => hasStarted(port), child, output);
  return { child, port: port ?? 0, [Symbol.asyncDispose]: () => stopProcess(child) };
}

/** Excludes everything that could change a target: NODE_OPTIONS and settings of kb-gateway. */
const inheritedEnv = () => ({ PATH: process.env['PATH'] ?? '', NODE_ENV: 'production' });

function keepOutput(child: ChildProcess): () => string {
  let kept = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      kept = (kept + text).slice(-KEPT_OUTPUT);
    });
  }
  return () => kept;
}

async function waitUntil(hasStarted: () => Promise<boolean>, child: ChildProcess, output: () => string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await hasStarted())) {
    if (child.exitCode !== null) throw new Error(`${child.spawnargs.join(' ')} ended at once:\n${output()}`);
    if (Date.now() > deadline) throw new Error(`${child.spawnargs.join(' ')} does not start:\n${output()}`);
    await delay(POLL_MS);
  }
}

function acceptsConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => {
      // Linux connects a socket to itself if it picks the port that is not yet listened to as the local port.
      const isItself = socket.localPort === socket.remotePort;
      socket.destroy();
      resolve(!isItself);
    });
    socket.once('error', () => resolve(false));
  });
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** Below the ephemeral ports, so that no outgoing connection takes the port before the process listens on it. */
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
