import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type InstalledPackage, installPackage } from './support/installed-package.ts';
import { freePort } from './support/ports.ts';
import { paste, startGatewayProcess } from './support/process.ts';

let installed: InstalledPackage;

beforeAll(async () => {
  installed = await installPackage();
});

afterAll(() => installed.remove());

/** Reports at the exit, in a file, the modules that a process has loaded. */
const REPORTER = `
import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
const urls = [];
registerHooks({ load: (url, context, next) => { urls.push(url); return next(url, context); } });
process.on('exit', () => writeFileSync('loaded.json', JSON.stringify([...urls, ...process.moduleLoadList])));
`;
const preload = (code: string) => ({ NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(code)}"` });

/** An address where nothing listens. */
const UPSTREAM_URL = 'http://127.0.0.1:9';

/** Starts the command in a folder of its own, without what other tests have compiled. */
async function start(settings: Readonly<Record<string, string>>) {
  const { folder, main } = installed;
  const cwd = await mkdtemp(join(folder, 'cwd-'));
  const started = await startGatewayProcess({ cwd, main, settings: { NODE_COMPILE_CACHE: '', ...settings } });
  onTestFinished(async () => {
    await started.stop('SIGKILL');
  });
  return { cwd, ...started };
}

async function loadedBy(settings: Readonly<Record<string, string>>): Promise<string> {
  const { cwd, stop } = await start({ ...preload(REPORTER), ...settings });
  expect((await stop()).code).toBe(0);
  const modules: string[] = JSON.parse(await readFile(join(cwd, 'loaded.json'), 'utf8'));
  return modules.join('\n');
}

const NEVER_LOADED = /undici|\/node_modules\/(?:pg|graphql|@opentelemetry|@modelcontextprotocol)\/|\/yoga-server-/u;

describe('a start of the bundled command', () => {
  it('loads no driver but that of SQLite, and nothing for calls to a service, over an embedded store', async () => {
    const loaded = await loadedBy({ DATABASE_URL: 'sqlite::memory:' });
    expect(loaded).toMatch(/NativeModule sqlite/u);
    expect(loaded).toMatch(/\/dist\/command\/local-backend-/u);
    expect(loaded).not.toMatch(NEVER_LOADED);
    expect(loaded).not.toMatch(/\/dist\/command\/rest-backend-/u);
  });

  it('loads no database in front of the service', async () => {
    const loaded = await loadedBy({ UPSTREAM_URL });
    expect(loaded).toMatch(/\/dist\/command\/rest-backend-/u);
    expect(loaded).not.toMatch(NEVER_LOADED);
    expect(loaded).not.toMatch(/\/dist\/command\/(?:local-backend|open-database)-/u);
  });

  it('keeps what Node compiled in the folder of the package, and goes on where it cannot', async () => {
    const cache = join(installed.home, '.compile-cache');
    await rm(cache, { recursive: true, force: true });
    expect((await (await start({ UPSTREAM_URL })).stop()).code).toBe(0);
    expect(await readdir(cache)).toHaveLength(1);
    await rm(cache, { recursive: true });
    await writeFile(cache, '');
    await chmod(cache, 0o400);
    expect((await (await start({ UPSTREAM_URL })).stop()).code).toBe(0);
    await rm(cache);
  });

  it('serves the embedded store', async () => {
    const { command, stop } = await start({});
    expect(await paste(command)).toContain('"readerGroups"');
    expect((await stop()).code).toBe(0);
  });

  it('serves metrics, and gives requests the IDs of traces, where the settings ask for both', async () => {
    const port = await freePort();
    const { url, printed, stop } = await start({
      UPSTREAM_URL,
      METRICS_PORT: String(port),
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:9/v1/traces',
      OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: '100',
    });
    expect((await fetch(new URL('/schema.graphql', url))).status).toBe(200);
    expect(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).toContain('kb_gateway_');
    expect((await stop()).code).toBe(0);
    expect(printed()).toMatch(/"path":"\/schema\.graphql".*"traceId":"[0-9a-f]{32}"/u);
  });

  it('makes its calls through a node:http that was instrumented before', async () => {
    const instrument = `
import { createRequire } from 'node:module';
const http = createRequire('/')('node:http');
const { request } = http;
http.request = (...args) => { process.stderr.write('instrumented\\n'); return request(...args); };
`;
    const { url, stop } = await start({ ...preload(instrument), UPSTREAM_URL });
    const headers = { 'content-type': 'application/json', api_token: 't' };
    const body = JSON.stringify({ query: '{ projectVersions { name } }' });
    await fetch(url, { method: 'POST', headers, body });
    expect((await stop()).stderr).toContain('instrumented');
  });

  it('has maps to the lines of its sources, and the licences of what it holds', async () => {
    const files = await readdir(join(installed.home, 'dist/command'));
    const maps = files.filter((file) => file.endsWith('.js.map'));
    const texts = await Promise.all(maps.map((file) => readFile(join(installed.home, 'dist/command', file), 'utf8')));
    expect(texts.flatMap((text) => JSON.parse(text).sources)).toContain('../../src/cli/serve.ts');
    const licences = await readFile(join(installed.home, 'dist/command/LICENCES.txt'), 'utf8');
    for (const name of ['got', 'graphql', 'kysely', 'zod']) {
      expect(licences).toMatch(new RegExp(`^${name} \\d.*, MIT\n\n.*MIT License`, 'imu'));
    }
  });
});
