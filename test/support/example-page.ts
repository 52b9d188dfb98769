import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startGatewayProcess } from './process.ts';

const WEB = 'examples/web';
const TSC = 'node_modules/typescript/bin/tsc';
const VITE = 'node_modules/vite/bin/vite.js';

/** The page has packages of its own, which `npm ci` installs in its folder; without them its tests are skipped. */
export const hasPagePackages = existsSync(join(WEB, VITE));

const run = (args: readonly string[]) => promisify(execFile)(process.execPath, args, { cwd: WEB });

/** The output of the compiler; empty when there is no error. */
export const checkPageTypes = (): Promise<string> =>
  run([TSC]).then(
    ({ stdout }) => stdout,
    ({ stdout, message }) => stdout || message,
  );

export interface Site {
  readonly url: string;
  stop(): Promise<void>;
}

/** Builds the page and serves it on a free port, with a gateway of its own over the demo behind `/graphql`. */
export async function startPage(token: string): Promise<Site> {
  const cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-web-'));
  await run([VITE, 'build', '--outDir', join(cwd, 'page'), '--emptyOutDir']);
  const gateway = await startGatewayProcess({ cwd, settings: { DATABASE_URL: 'sqlite::memory:', API_TOKEN: token } });
  const args = [VITE, 'preview', '--outDir', join(cwd, 'page'), '--port', '0'];
  const env = { GATEWAY_URL: gateway.url, NO_COLOR: '1' };
  const child = spawn(process.execPath, args, { cwd: WEB, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<undefined>((done) => child.once('close', () => done(undefined)));
  const url = await Promise.race([printedUrl(child), ended]);
  if (url === undefined) {
    await gateway.stop();
    throw new Error(`vite preview ended with ${child.exitCode}.`);
  }
  return {
    url,
    stop: async () => {
      child.kill();
      await Promise.all([ended, gateway.stop()]);
      await rm(cwd, { recursive: true });
    },
  };
}

const printedUrl = (child: ChildProcess): Promise<string> =>
  new Promise((found) => {
    let printed = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk) => {
      printed += chunk;
      const url = /http:\/\/[\d.]+:\d+(?=\/\s)/u.exec(printed)?.[0];
      if (url !== undefined) found(url);
    });
  });
