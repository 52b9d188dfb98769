import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { untilListening } from './listening-program.ts';
import { needs } from './needs.ts';
import { freePort } from './ports.ts';

const PATHS = ['/usr/sbin/pgbouncer', '/usr/local/sbin/pgbouncer', '/usr/local/bin/pgbouncer', '/usr/bin/pgbouncer'];

const pgbouncerPath = PATHS.find((path) => existsSync(path));

export const NEEDS_PGBOUNCER = needs(pgbouncerPath !== undefined, `there is no pgbouncer at ${PATHS.join(', ')}`);

const configOf = (server: URL, port: number, mode: string): string => `
[databases]
* = host=${server.hostname} port=${server.port || '5432'} user=${server.username} password=${server.password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
`;

/** Starts PgBouncer in front of a database. The URL is that of the database through it. */
export async function startPgbouncer(
  databaseUrl: string,
  mode: 'session' | 'transaction',
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'kb-gateway-pgbouncer-'));
  const port = await freePort();
  const config = join(folder, 'pgbouncer.ini');
  await writeFile(config, configOf(new URL(databaseUrl), port, mode));
  // PgBouncer refuses to run as root.
  await chmod(folder, 0o755);
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn(pgbouncerPath ?? 'pgbouncer', [...user, config], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (data) => {
    said += data;
  });
  const { stop } = await untilListening({ name: 'PgBouncer', child, port, folder, readReason: async () => said });
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;
  return { url: url.href, stop };
}
