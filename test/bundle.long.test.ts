import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { callTool, connectTo } from './mcp/mcp-client.ts';
import { connectToProcess } from './mcp/mcp-process.ts';
import { type InstalledPackage, installPackage } from './support/installed-package.ts';
import { OTHER_SDK } from './support/other-sdk.ts';
import { openCollector, openGrpcCollector } from './support/otlp-collector.ts';
import { freePort } from './support/ports.ts';
import { paste, runGateway, startGatewayProcess } from './support/process.ts';

let installed: InstalledPackage;
/** With what exports by OTLP and Zipkin beside it. */
let exporting: InstalledPackage;

const { dependencies, peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));

beforeAll(async () => {
  installed = await installPackage();
  exporting = await installPackage(Object.entries(peerDependencies).map(([name, range]) => `${name}@${range}`));
});

afterAll(() => Promise.all([installed.remove(), exporting.remove()]));

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
async function start(settings: Readonly<Record<string, string>>, { folder, main } = installed) {
  const cwd = await mkdtemp(join(folder, 'cwd-'));
  const started = await startGatewayProcess({ cwd, main, settings: { NODE_COMPILE_CACHE: '', ...settings } });
  onTestFinished(async () => {
    await started.stop('SIGKILL');
  });
  return { cwd, ...started };
}

/** The files and modules of Node that a process loads, and the files of src and of packages that are bundled in them. */
async function loadedBy(settings: Readonly<Record<string, string>>): Promise<string> {
  const { cwd, stop } = await start({ ...preload(REPORTER), ...settings });
  expect((await stop()).code).toBe(0);
  const modules: string[] = JSON.parse(await readFile(join(cwd, 'loaded.json'), 'utf8'));
  const files = modules.filter((url) => /\/dist\/.*\.js$/u.test(url)).map((url) => fileURLToPath(url));
  return [...modules, ...(await Promise.all(files.map(sourcesOf))).flat()].join('\n');
}

/** The files of src and of packages that a bundled file holds, by its map. */
const sourcesOf = async (file: string): Promise<readonly string[]> =>
  existsSync(`${file}.map`) ? JSON.parse(await readFile(`${file}.map`, 'utf8')).sources : [];

const NEVER_LOADED = /\/node_modules\/(?:pg|@opentelemetry\/(?!api\/)|@modelcontextprotocol|graphql-yoga)\//u;

/** The files of the package among what a process loads. */
const filesIn = (loaded: string): readonly string[] =>
  loaded.split('\n').filter((line) => /^file:.*\/dist\/.*\.js$/u.test(line));

describe('a start of the bundled command', () => {
  it('loads no driver but that of SQLite, and nothing for calls to a service, over an embedded store', async () => {
    const loaded = await loadedBy({ DATABASE_URL: 'sqlite::memory:' });
    expect(loaded).toMatch(/NativeModule sqlite/u);
    expect(loaded).toMatch(/\/dist\/command\/local-backend-/u);
    expect(loaded).not.toMatch(NEVER_LOADED);
    expect(loaded).not.toMatch(/undici|\/dist\/command\/rest-backend-/u);
    expect(filesIn(loaded).length).toBeLessThan(30);
  });

  it('loads no database in front of the service', async () => {
    const loaded = await loadedBy({ UPSTREAM_URL });
    expect(loaded).toMatch(/\/dist\/command\/rest-backend-/u);
    expect(loaded).not.toMatch(NEVER_LOADED);
    expect(loaded).not.toMatch(/\/dist\/command\/(?:local-backend|open-database)-/u);
    expect(filesIn(loaded).length).toBeLessThan(20);
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
    const { url, token, stop } = await start({});
    expect(
      await paste(`curl -sS '${url}?query=%7BreaderGroups%7Bnodes%7Btitle%7D%7D%7D' -H 'X-Api-Token: ${token}'`),
    ).toContain('"readerGroups"');
    expect((await stop()).code).toBe(0);
  });

  it('serves metrics', async () => {
    const port = await freePort();
    const { stop } = await start({ UPSTREAM_URL, METRICS_PORT: String(port) });
    expect(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).toContain('kb_gateway_');
    expect((await stop()).code).toBe(0);
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
    const licences = await readFile(join(installed.home, 'dist/LICENCES.txt'), 'utf8');
    for (const name of ['got', 'graphql', 'kysely', 'zod']) {
      expect(licences).toMatch(new RegExp(`^${name} \\d.*, MIT\n\n.*MIT License`, 'imu'));
    }
    // A name and a licence without its text are short.
    const notices = licences.split(`\n\n${'-'.repeat(80)}\n\n`);
    expect(notices.filter((notice) => notice.length < 500)).toEqual([]);
  });

  it('names each package that it holds, which is a dependency of that very version, or needed by one', async () => {
    const { components } = JSON.parse(await readFile(join(installed.home, 'dist/bundled.cdx.json'), 'utf8'));
    const held = new Map<string, string>(components.map(({ name, version }: Component) => [name, version]));
    expect(held.get('got')).toBe(dependencies.got);
    const needed = await namesNeededBy(
      installed.folder,
      [...held.keys()].filter((name) => name in dependencies),
    );
    expect([...held.keys()].filter((name) => !(name in dependencies || needed.has(name)))).toEqual([]);
    // A program that imports the library shares these with it, in its own version.
    const shared = ['@opentelemetry/api', 'graphql'];
    const others = [...held].filter(([name]) => name in dependencies && !shared.includes(name));
    const lruCache = components.filter(({ name }: Component) => name === 'lru-cache');
    expect(lruCache).toHaveLength(1);
    expect(others.map(([name, version]) => [name, dependencies[name], version])).toEqual(
      others.map(([name, version]) => [name, version, version]),
    );
  });
});

interface Component {
  readonly name: string;
  readonly version: string;
}

/** The names of all packages that packages need, directly or through others. */
async function namesNeededBy(folder: string, names: readonly string[]): Promise<ReadonlySet<string>> {
  const lock = JSON.parse(await readFile(join(folder, 'node_modules/.package-lock.json'), 'utf8'));
  const needs = new Map<string, string[]>();
  for (const [path, entry] of Object.entries<{ dependencies?: object }>(lock.packages)) {
    const name = path.replace(/^.*node_modules\//u, '');
    needs.set(name, [...(needs.get(name) ?? []), ...Object.keys(entry.dependencies ?? {})]);
  }
  const found = new Set<string>();
  const add = (name: string): void => {
    for (const other of needs.get(name) ?? []) {
      if (found.has(other)) continue;
      found.add(other);
      add(other);
    }
  };
  names.forEach(add);
  return found;
}

const QUERY = { method: 'POST', body: JSON.stringify({ query: 'query Versions { projectVersions { name } }' }) };

/** Asks the gateway, which is to export what it does to the collector, and stops it. */
async function askAndStop(settings: Readonly<Record<string, string>>) {
  const { url, stop } = await start({ DATABASE_URL: 'sqlite::memory:', API_TOKEN: 't', ...settings }, exporting);
  const headers = { 'content-type': 'application/json', api_token: 't', traceparent: TRACEPARENT };
  expect((await fetch(url, { ...QUERY, headers })).status).toBe(200);
  const ended = await stop();
  expect(ended.code).toBe(0);
  expect(ended.stdout + ended.stderr).not.toContain('telemetry has a problem');
  return ended;
}

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACEPARENT = `00-${TRACE_ID}-00f067aa0ba902b7-01`;

describe('the package, with its optional peers', () => {
  it('gives requests the IDs of traces', async () => {
    const { url, printed, stop } = await start(
      {
        UPSTREAM_URL,
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:9/v1/traces',
        OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: '100',
      },
      exporting,
    );
    expect((await fetch(new URL('/schema.graphql', url))).status).toBe(200);
    expect((await stop()).code).toBe(0);
    expect(printed()).toMatch(/"path":"\/schema\.graphql".*"traceId":"[0-9a-f]{32}"/u);
  });

  it.each([
    ['http/json', 'application/json'],
    ['http/protobuf', 'application/x-protobuf'],
    ['grpc', 'application/grpc'],
  ])('exports metrics and traces by OTLP over %s', async (protocol, type) => {
    const { url, exports } = await (protocol === 'grpc' ? openGrpcCollector() : openCollector());
    await askAndStop({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_PROTOCOL: protocol });
    expect(new Set(exports.map(({ headers }) => headers['content-type']))).toEqual(new Set([type]));
    const sent = (signal: RegExp) => exports.filter(({ path }) => signal.test(path)).map(({ body }) => body);
    expect(sent(/metrics/iu).join()).toContain('http.server.request.duration');
    expect(sent(/trace/iu).join()).toContain('POST /graphql');
  });

  it('exports traces to Zipkin and the console, and metrics to the console', async () => {
    const { url, exports } = await openCollector();
    const { stdout } = await askAndStop({
      OTEL_TRACES_EXPORTER: 'zipkin,console',
      OTEL_EXPORTER_ZIPKIN_ENDPOINT: `${url}/api/v2/spans`,
      OTEL_METRICS_EXPORTER: 'console',
    });
    expect(exports.map(({ path }) => path)).toContain('/api/v2/spans');
    expect(exports.map(({ body }) => body).join()).toContain(TRACE_ID);
    expect(stdout).toContain(`traceId: '${TRACE_ID}'`);
    expect(stdout).toContain("name: 'http.server.request.duration'");
  });

  it.each([
    ['b3', { b3: `${TRACE_ID}-00f067aa0ba902b7-1` }],
    ['b3multi', { 'x-b3-traceid': TRACE_ID, 'x-b3-spanid': '00f067aa0ba902b7', 'x-b3-sampled': '1' }],
  ])('reads the headers of the propagator %s', async (propagator, headers) => {
    const { url } = await openCollector();
    const settings = { OTEL_PROPAGATORS: propagator, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${url}/v1/traces` };
    const gateway = await start({ DATABASE_URL: 'sqlite::memory:', ...settings }, exporting);
    await (await fetch(new URL('/schema.graphql', gateway.url), { headers })).text();
    expect((await gateway.stop()).log).toContain(`"traceId":"${TRACE_ID}"`);
  });

  it('gives its spans to an SDK of others, which the process was started with', async () => {
    const { url, stop } = await start({ DATABASE_URL: 'sqlite::memory:', ...preload(OTHER_SDK) });
    await (await fetch(new URL('/schema.graphql', url))).text();
    expect((await stop()).stdout).toContain("name: 'GET /schema.graphql'");
  });
});

describe('the package, with nothing beside what npm installs with it', () => {
  it.each([
    ['traces', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:9' }, ['sdk-node']],
    [
      'metrics and traces',
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
      ['sdk-node', 'exporter-metrics-otlp-grpc'],
    ],
    ['traces to Zipkin', { OTEL_TRACES_EXPORTER: 'zipkin' }, ['sdk-node']],
  ])('says which packages an export of %s needs', async (_, settings, names) => {
    const { folder, main } = installed;
    const failed = await runGateway(['serve'], {
      cwd: folder,
      main,
      settings: { PORT: '0', UPSTREAM_URL, ...settings },
    });
    const packages = names.map((name) => `'@opentelemetry/${name}@${peerDependencies[`@opentelemetry/${name}`]}'`);
    const message = 'The settings OTEL_* ask for an export that needs packages which are not installed: npm install';
    expect(failed).toEqual({ code: 1, stdout: '', stderr: `kb-gateway: ${message} ${packages.join(' ')}\n` });
  });

  it('exports metrics to the console', async () => {
    const settings = { DATABASE_URL: 'sqlite::memory:', OTEL_METRICS_EXPORTER: 'console' };
    const { url, stop } = await start(settings);
    await (await fetch(new URL('/schema.graphql', url))).text();
    expect((await stop()).stdout).toContain("name: 'http.server.request.duration'");
  });

  it('serves the tools of MCP, by HTTP and by stdio', async () => {
    const { url, token } = await start({ DATABASE_URL: 'sqlite::memory:' });
    const overHttp = await connectTo(new URL(url).origin, { api_token: token });
    expect((await callTool(overHttp, 'list_project_versions')).isError).toBe(false);
    const cwd = await mkdtemp(join(installed.folder, 'cwd-'));
    const { client } = await connectToProcess(cwd, { DATABASE_URL: 'sqlite::memory:' }, { main: installed.main });
    expect((await callTool(client, 'list_project_versions')).isError).toBe(false);
  });

  it('serves GraphiQL', async () => {
    const { url } = await start({ DATABASE_URL: 'sqlite::memory:' });
    const page = await (await fetch(url, { headers: { accept: 'text/html' } })).text();
    expect(page.includes('GraphiQL')).toBe(true);
  });
});
