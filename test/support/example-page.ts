import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { startIssuer } from '../../examples/web/local/issuer.ts';
import { needs } from './needs.ts';
import { startGatewayProcess } from './process.ts';

const WEB = 'examples/web';
const TSC = 'node_modules/typescript/bin/tsc';
const VITE = 'node_modules/vite/bin/vite.js';

/** The page has packages of its own. */
export const NEEDS_PAGE_PACKAGES = needs(
  existsSync(join(WEB, VITE)),
  `the packages of ${WEB} are not installed (npm ci --prefix ${WEB})`,
);

const run = (args: readonly string[]) => promisify(execFile)(process.execPath, args, { cwd: WEB });

/** The output of the compiler; empty when there is no error. */
export const checkPageTypes = (): Promise<string> =>
  run([TSC]).then(
    ({ stdout }) => stdout,
    ({ stdout, message }) => stdout || message,
  );

export interface Site {
  readonly url: string;
  /** The password of everybody who may sign in. */
  readonly password: string;
  stop(): Promise<void>;
}

/**
 * Builds the page and serves it on a free port, with an issuer of JWTs and a gateway of its own: with these settings, or
 * over the demo.
 */
export async function startPage(own: Readonly<Record<string, string>> = {}): Promise<Site> {
  const cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-web-'));
  await run([VITE, 'build', '--outDir', join(cwd, 'page'), '--emptyOutDir']);
  const issuer = await startIssuer();
  const settings = {
    DATABASE_URL: 'sqlite::memory:',
    PERSISTED_DOCUMENTS: resolve(WEB, 'src/generated/persisted-documents.json'),
    PERSISTED_DOCUMENTS_MODE: 'only',
    ...issuer.settings,
    ...own,
  };
  const gateway = await startGatewayProcess({ cwd, settings });
  const args = [VITE, 'preview', '--outDir', join(cwd, 'page'), '--port', '0'];
  const env = { GATEWAY_URL: gateway.url, ISSUER_URL: issuer.url, NO_COLOR: '1' };
  const child = spawn(process.execPath, args, { cwd: WEB, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<undefined>((done) => child.once('close', () => done(undefined)));
  const url = await Promise.race([printedUrl(child), ended]);
  const stop = async () => {
    child.kill();
    issuer.close();
    await Promise.all([ended, gateway.stop()]);
    await rm(cwd, { recursive: true });
  };
  if (url !== undefined) return { url, password: issuer.password, stop };
  await stop();
  throw new Error(`vite preview ended with ${child.exitCode}.`);
}

export interface Example extends Site {
  /** The output so far. */
  printed(): string;
}

/** Starts what `npm run example` starts, with these settings alone. */
export async function startExample(settings: Readonly<Record<string, string>>): Promise<Example> {
  const env = { ...settings, NO_COLOR: '1' };
  const child = spawn(process.execPath, ['local/start.ts'], { cwd: WEB, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<void>((done) => child.once('close', done));
  let printed = '';
  const started = new Promise<void>((done) => {
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      printed += chunk;
      if (/^Sign in as .*\n/mu.test(printed)) done();
    });
  });
  await Promise.race([started, ended]);
  const [, url = '', password = ''] = /^The page: (\S+)\/#password=(\S+)$/mu.exec(printed) ?? [];
  if (url === '') throw new Error(`local/start.ts ended with ${child.exitCode}.`);
  const stop = async () => {
    child.kill();
    await ended;
  };
  return { url, password, stop, printed: () => printed };
}

/** The issues of what the page shows that axe-core calls serious or critical, each with its first element. */
export async function seriousIssues(page: Page): Promise<readonly string[]> {
  await page.evaluate(await readFile(join(WEB, 'node_modules/axe-core/axe.min.js'), 'utf8'));
  const { violations }: AxeResults = await page.evaluate('axe.run()');
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

/** What has to be scrolled sideways: the page itself, or a table. */
export const wideParts = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('.wide')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(({ tagName, scrollWidth, clientWidth }) => `${tagName} has ${scrollWidth} pixels in ${clientWidth}`),
  );

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
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
