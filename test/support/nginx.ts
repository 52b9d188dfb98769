import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { untilListening } from './listening-program.ts';
import { needs } from './needs.ts';
import { freePort } from './ports.ts';

const PATHS = ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/usr/local/bin/nginx', '/usr/bin/nginx'];

const nginxPath = PATHS.find((path) => existsSync(path));

export const NEEDS_NGINX = needs(nginxPath !== undefined, `there is no nginx at ${PATHS.join(', ')}`);

const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** The configuration around the servers: one process in the foreground that writes only to its folder. */
const configOf = (folder: string, http: string): string => `
daemon off;
master_process off;
pid ${folder}/nginx.pid;
events { worker_connections 256; }
http {
  access_log off;
  ${TEMPORARY.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  proxy_cache_path ${folder}/cache keys_zone=cache:1m;
  ${http}
}
`;

export interface Nginx {
  readonly port: number;
  stop(): Promise<void>;
}

/** Starts nginx on a free port of this machine; `httpOf` returns the content of the `http` block. */
export async function startNginx(httpOf: (port: number) => string): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'kb-gateway-nginx-'));
  const port = await freePort();
  const errors = join(folder, 'error.log');
  const config = join(folder, 'nginx.conf');
  await writeFile(config, configOf(folder, httpOf(port)));
  const child = spawn(nginxPath ?? 'nginx', ['-e', errors, '-p', folder, '-c', config], { stdio: 'ignore' });
  const readReason = () => readFile(errors, 'utf8');
  const { stop } = await untilListening({ name: 'nginx', child, port, folder, readReason });
  return { port, stop };
}
