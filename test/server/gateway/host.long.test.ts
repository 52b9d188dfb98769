import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const ENTRY = pathToFileURL(resolve('src/index.ts')).href;

/** Runs a host in a process of its own, and resolves to what it reports. What ends its process is in `stderr`. */
async function runHost(program: string): Promise<unknown> {
  const cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-host-'));
  await writeFile(join(cwd, 'host.mjs'), `import { createGateway } from '${ENTRY}';\n${program}`);
  const run = promisify(execFile)(process.execPath, ['host.mjs'], { cwd });
  const { stdout, stderr } = await run.finally(() => rm(cwd, { recursive: true }));
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

const COMMON = `
import { createServer } from 'node:http';
import { once } from 'node:events';
import { setTimeout as sleep, setImmediate as nextTick } from 'node:timers/promises';

const STORE = { kind: 'store', databaseUrl: 'sqlite::memory:', apiTokens: ['t'] };
const unexpected = [];
for (const event of ['unhandledRejection', 'uncaughtException'])
  process.on(event, (error) => unexpected.push(event + ': ' + error?.message));
const fail = () => {
  throw new Error('The host has patched this.');
};
`;

/** The deeds of a host on a request and its response, before it hands them over or while they are answered. */
const DEEDS = `
const DEEDS = {
  nothing: () => {},
  'ends the response before': (request, response) => response.end('host'),
  'begins the response before': (request, response) => response.write('host'),
  'destroys the response before': (request, response) => response.destroy(),
  'destroys the request before': (request) => request.destroy(),
  'destroys the socket before': ({ socket }) => socket.destroy(),
  'reads the body before': async (request) => {
    for await (const chunk of request);
  },
  'pauses the request': (request) => request.pause(),
  'sets an encoding': (request) => request.setEncoding('utf8'),
  'sets an encoding later': (request) => void setImmediate(() => request.setEncoding('utf8')),
  'pipes the request elsewhere': (request) => request.resume(),
  'patches writeHead': (request, response) => Object.assign(response, { writeHead: fail }),
  'patches setHeader': (request, response) => Object.assign(response, { setHeader: fail }),
  'patches end': (request, response) => Object.assign(response, { end: fail }),
  'patches all of it': (request, response) =>
    Object.assign(response, { writeHead: fail, setHeader: fail, end: fail, write: fail, destroy: fail }),
  'ends the response meanwhile': (request, response) => void queueMicrotask(() => response.end('host')),
  'begins the response meanwhile': (request, response) => void queueMicrotask(() => response.write('host')),
  'destroys the response meanwhile': (request, response) => void queueMicrotask(() => response.destroy()),
  'ends the response in the next turn': (request, response) => void setImmediate(() => response.end('host')),
  'destroys the request in the next turn': (request) => void setImmediate(() => request.destroy()),
  'removes the headers': (request) => void Object.defineProperty(request, 'headers', { value: null }),
  'removes the socket': (request) => void Object.defineProperty(request, 'socket', { value: null }),
};
`;

const LOGS = `
const LOGS = {
  throws: () => fail(),
  rejects: async () => fail(),
  'gives what looks like a promise': () => ({ then: (resolve, reject) => reject(new Error('The log has failed.')) }),
  'gives what fails as a promise': () => ({ then: fail }),
  'gives what cannot be looked at': () => Object.defineProperty({}, 'then', { get: fail }),
  'never ends': () => new Promise(() => {}),
};
`;

it('handle always resolves, and nothing that a host does ends its process', async () => {
  const report = await runHost(`${COMMON}${DEEDS}${LOGS}
const ends = [];
process.once('exit', () => process.stdout.write(JSON.stringify({ ends, unexpected })));
const path = '/graphql?query={__typename}';
for (const [logName, write] of Object.entries(LOGS)) {
  const gateway = createGateway({ backend: STORE, corsOrigins: ['http://a.example'], log: { level: 'debug', write }, shutdownGraceMs: 100 });
  // The behaviour of the log is independent of the other deeds of the host.
  const deeds = logName === 'rejects' ? Object.keys(DEEDS) : ['nothing', 'patches all of it', 'sets an encoding'];
  for (const name of deeds) {
    const deed = DEEDS[name];
    for (const target of [path, '/graphql', '/schema.graphql', '/health/live', '/mcp', '/v2/ProjectVersions']) {
      const handled = Promise.withResolvers();
      const server = createServer(async (request, response) => {
        // The errors that the host makes by itself are its own.
        response.on('error', () => {});
        await deed(request, response);
        response.removeAllListeners('error');
        gateway.handle(request, response).then(() => handled.resolve('resolved'), () => handled.resolve('rejected'));
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const body = target === path ? null : JSON.stringify({ query: '{ __typename }', x: 'x'.repeat(100_000) });
      const init = body === null ? {} : { method: 'POST', body };
      const headers = { api_token: 't', origin: 'http://a.example', 'content-type': 'application/json', connection: 'close' };
      const client = new AbortController();
      const answered = fetch('http://127.0.0.1:' + server.address().port + target, { ...init, headers, signal: client.signal })
        .then((answer) => answer.text())
        .catch(() => {});
      const end = await Promise.race([handled.promise, sleep(100_000, 'pending', { ref: false })]);
      if (end !== 'resolved' && ends.push([logName, name, target, end]) > 9) process.exit(0);
      await nextTick();
      client.abort();
      await answered;
      server.closeAllConnections();
      server.close();
    }
  }
  const closed = await Promise.race([gateway.close().then(() => 'closed'), sleep(100_000, 'pending', { ref: false })]);
  if (closed !== 'closed') ends.push([logName, closed]);
}
`);
  expect(report).toEqual({ ends: [], unexpected: [] });
});

it('handle resolves, whatever it is given', async () => {
  const report = await runHost(`${COMMON}
const gateway = createGateway({ backend: STORE, log: { write: fail } });
const hostile = new Proxy({}, { get: fail });
const ends = [];
for (const given of [[], [null, null], [{}, {}], [hostile, hostile], [{}, { on: fail, destroy: fail }]])
  ends.push(await gateway.handle(...given).then(() => 'resolved', () => 'rejected'));
await gateway.close();
process.stdout.write(JSON.stringify({ ends, unexpected }));`);
  expect(report).toEqual({ ends: Array(5).fill('resolved'), unexpected: [] });
});

it('fetch settles, whatever the request is', async () => {
  const report = await runHost(`${COMMON}
const gateway = createGateway({ backend: STORE, log: { write: fail }, shutdownGraceMs: 100 });
const url = 'http://a.example/graphql';
const headers = { api_token: 't', 'content-type': 'application/json' };
const post = (body, init = {}) => new Request(url, { method: 'POST', headers, body, duplex: 'half', ...init });
const stream = (start) => new ReadableStream({ start });
const used = post('{}');
await used.text();
const locked = post('{}');
locked.body.getReader();
const REQUESTS = {
  'a body that fails': () => post(stream((controller) => controller.error(new Error('failed')))),
  'a body that fails later': () => post(new ReadableStream({ pull: async (controller) => { await sleep(5); controller.error(new Error('failed')); } })),
  'a body of no bytes': () => post(stream((controller) => { controller.enqueue(7); controller.close(); })),
  'a body of text': () => post(stream((controller) => { controller.enqueue('{'); controller.close(); })),
  'a body that was read': () => used,
  'a body that somebody else reads': () => locked,
  'an aborted request': () => post('{}', { signal: AbortSignal.abort() }),
  'a request that is aborted meanwhile': () => post(stream(() => {}), { signal: AbortSignal.timeout(20) }),
  'a body that cannot be cancelled': () => post(new ReadableStream({ cancel: fail }), { signal: AbortSignal.timeout(20) }),
  'no request': () => null,
  'an object': () => ({}),
  'no URL': () => Object.defineProperty(post('{}'), 'url', { value: 'x' }),
  'a response that is cancelled': () => new Request('http://a.example/schema.graphql'),
};
await gateway.ready();
// Resources in memory alone keep no process alive.
const alive = setInterval(() => {}, 1_000);
const before = process.getActiveResourcesInfo().sort().join();
const pending = [];
for (const [name, request] of Object.entries(REQUESTS)) {
  const settled = gateway.fetch(request()).then((response) => response.body?.cancel(), () => {});
  if ((await Promise.race([settled.then(() => 'settled'), sleep(100_000, 'pending', { ref: false })])) === 'pending') pending.push(name);
}
for (let turn = 0; turn < 5_000 && process.getActiveResourcesInfo().sort().join() !== before; turn += 1) await sleep(20);
const after = process.getActiveResourcesInfo().sort().join();
await gateway.close();
clearInterval(alive);
process.stdout.write(JSON.stringify({ pending, unexpected, isSame: before === after || [before, after] }));`);
  expect(report).toEqual({ pending: [], unexpected: [], isSame: true });
});

it('a log on stdout that nobody reads any more does not end the process', async () => {
  const program = `${COMMON}
import { createGateway } from '${ENTRY}';
const gateway = createGateway({ backend: STORE, log: { level: 'info' } });
await once(process.stdin, 'data');
for (let count = 0; count < 3; count += 1) {
  await gateway.fetch(new Request('http://a.example/nothing')).then((answer) => answer.text());
  await sleep(60);
}
await gateway.close();
process.stdin.destroy();
// The lines on their way end after the gateway on a busy machine.
for (let turn = 0; turn < 5_000 && process.stdout.listenerCount('error') > 0; turn += 1) await sleep(20);
process.stderr.write(JSON.stringify([unexpected, process.stdout.listenerCount('error')]));`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program]);
  child.stdout.destroy();
  child.stdin.write('go');
  const [report] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect(JSON.parse(report)).toEqual([[], 0]);
});

it('a start that fails leaves nothing open, at whatever step', async () => {
  const report = await runHost(`${COMMON}
import { readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
// Node opens these when a module first looks at them.
const streams = [process.stdin, process.stdout, process.stderr];
writeFileSync('file', '');
writeFileSync('invalid.json', '{"a":"{ nothing }"}');
const demo = { ...STORE, databaseUrl: 'sqlite:demo.db' };
const empty = createGateway({ backend: demo, log: { write: () => {} } });
await empty.ready();
await empty.close();
const file = new DatabaseSync('demo.db');
file.exec("CREATE TRIGGER refused BEFORE INSERT ON articles BEGIN SELECT RAISE(ABORT, 'refused'); END");
file.close();
const taken = createServer().listen(0, '127.0.0.1');
await once(taken, 'listening');
const { port } = taken.address();
const service = { kind: 'service', url: 'http://127.0.0.1:9', apiToken: 's', apiTokens: ['t'] };
const metrics = { port: 0 };
const FAILING = {
  documents: { backend: STORE, metrics, trustedDocuments: { path: 'missing.json' } },
  'wrong documents': { backend: STORE, metrics, trustedDocuments: { path: 'invalid.json' } },
  audit: { backend: STORE, metrics, audit: { path: 'file/audit.log' } },
  store: { backend: { ...STORE, databaseUrl: 'sqlite:file/kb.db' }, metrics },
  'a store that is down': { backend: { ...STORE, databaseUrl: 'postgres://u:p@127.0.0.1:9/kb' }, metrics },
  demo: { backend: { ...demo, demoData: true }, metrics },
  key: { backend: STORE, metrics, clients: { publicKey: 'missing.pem', issuer: 'i', audience: 'a' } },
  port: { backend: service, metrics: { port } },
  state: { backend: service, metrics, state: { url: 'postgres://u:p@127.0.0.1:9/state' } },
};
/** The files that are open, where the system tells them. */
const files = () => {
  try {
    const paths = readdirSync('/proc/self/fd').map((fd) => {
      try {
        return readlinkSync('/proc/self/fd/' + fd);
      } catch {
        return '';
      }
    });
    return paths.filter((path) => path.startsWith(process.cwd()));
  } catch {
    return [];
  }
};
const listeners = () => process.eventNames().map((name) => String(name) + ' ' + process.listenerCount(name));
const opened = () => [...process.getActiveResourcesInfo(), ...files(), ...listeners()].sort().join();
const reports = {};
for (const [name, options] of Object.entries(FAILING)) {
  const before = opened();
  const gateway = createGateway({ ...options, log: { write: () => {} } });
  const end = await gateway.ready().then(() => 'opened', () => 'failed');
  if (end === 'opened') await gateway.close();
  // Closed resources go in the next turns of the event loop.
  for (let turn = 0; turn < 5_000 && opened() !== before; turn += 1) await sleep(20);
  reports[name] = before === opened() ? end : { end, before, after: opened() };
}
taken.close();
process.stdout.write(JSON.stringify({ reports, unexpected }));`);
  const names = [
    'documents',
    'wrong documents',
    'audit',
    'store',
    'a store that is down',
    'demo',
    'key',
    'port',
    'state',
  ];
  const reports = Object.fromEntries(names.map((name) => [name, 'failed']));
  // A shared state that is down keeps no gateway from starting: it is tried again until the gateway is closed.
  expect(report).toEqual({ reports: { ...reports, state: 'opened' }, unexpected: [] });
});
