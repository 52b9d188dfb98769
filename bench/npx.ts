import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort, REPOSITORY } from './harness/processes.ts';
import { median } from './harness/statistics.ts';
import { describeMachine } from './report/machine.ts';
import { toMarkdown } from './report/tables.ts';

/*
 * `npm run bench:npx` measures npx from the command to the first answer of GraphQL: npm has the packages in its cache, and
 * none is installed.
 */

const INSTALLATIONS = 7;

/** The variables that `npm run` adds would have npx look into this repository, and use its settings. */
const ENVIRONMENT = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(?:npm_|INIT_CWD$)/iu.test(name)),
);

/** Installs the packed package and its dependencies from the cache, serves, and ends when GraphQL has answered. */
async function measureNpx(tarball: string, folder: string): Promise<number> {
  const port = await freePort();
  rmSync(join(folder, 'cache/_npx'), { recursive: true, force: true });
  const settings = {
    PORT: String(port),
    DATABASE_URL: 'sqlite::memory:',
    API_TOKEN: 'token',
    npm_config_cache: join(folder, 'cache'),
    // npm asks the registry again about what it has had for more than five minutes, which would measure the network.
    npm_config_prefer_offline: 'true',
  };
  const begun = performance.now();
  const child = spawn('npx', ['--yes', '--package', tarball, 'kb-gateway', 'serve'], {
    cwd: folder,
    env: { ...ENVIRONMENT, ...settings },
    stdio: 'ignore',
    // npx starts a shell, which starts the gateway: they end together.
    detached: true,
  });
  const ended = once(child, 'exit');
  try {
    while (!(await answersGraphql(port))) {
      if (child.exitCode !== null) throw new Error(`npx ended with ${child.exitCode}.`);
      await delay(10);
    }
    return performance.now() - begun;
  } finally {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    await ended;
  }
}

async function answersGraphql(port: number): Promise<boolean> {
  const url = `http://127.0.0.1:${port}/graphql?query={__typename}`;
  const response = await fetch(url, { headers: { api_token: 'token' } }).catch(() => null);
  return (await response?.text()) === '{"data":{"__typename":"Query"}}';
}

const folder = mkdtempSync(join(tmpdir(), 'kb-gateway-npx-'));
try {
  const args = ['pack', '--json', '--pack-destination', folder];
  const packed = execFileSync('npm', args, { cwd: REPOSITORY, encoding: 'utf8' });
  const [, name = ''] = /"filename": "(?<name>[^"]+)"/u.exec(packed) ?? [];
  const times: number[] = [];
  // The first one fills the cache, and does not count.
  for (let index = 0; index <= INSTALLATIONS; index += 1) times.push(await measureNpx(join(folder, name), folder));
  const [first = 0, ...counted] = times.map((time) => Math.round(time));
  const rows = [[median(counted), Math.max(...counted), first].map((time) => time.toLocaleString('en-US'))];
  const head = [`median of ${INSTALLATIONS}, in ms`, 'longest', 'with an empty cache'];
  process.stdout.write(`${toMarkdown({ head, rows })}\n\n${describeMachine()}\n`);
} finally {
  rmSync(folder, { recursive: true });
}
