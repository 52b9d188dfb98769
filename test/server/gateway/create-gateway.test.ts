import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createGateway, type Gateway, type GatewayOptions } from '../../../src/index.ts';
import { type FaultyService, openFaultyService } from '../../support/faulty-service.ts';
import { INTEGRATIONS, NEEDS_INTEGRATIONS } from '../../support/mounts.ts';
import { portOf } from '../../support/ports.ts';

const STORE = { kind: 'store', databaseUrl: 'sqlite::memory:', apiTokens: ['t'], demoData: true } as const;
const NAMES = '{"query":"{ projectVersions { name } }"}';
const DEMO = { data: { projectVersions: [{ name: 'Fernlight 2' }, { name: 'Fernlight Classic' }] } };

type Send = (path: string, init?: RequestInit) => Promise<Response>;

/** What a test opens, in the order in which it is closed. */
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

function open(options: Partial<GatewayOptions> = {}): Gateway {
  const gateway = createGateway({ backend: STORE, log: { write: () => {} }, ...options });
  closers.push(gateway.close);
  return gateway;
}

/** Mounts a gateway in a server of node:http. */
async function mount(handle: Gateway['handle']): Promise<Send> {
  const server = createServer(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(async () => {
    server.closeAllConnections();
    await once(server.close(), 'close');
  });
  return (path, init) => fetch(`http://127.0.0.1:${portOf(server.address())}${path}`, init);
}

const WAYS = [
  ['handle', (gateway: Gateway) => mount(gateway.handle)],
  [
    'fetch',
    async (gateway: Gateway): Promise<Send> =>
      (path, init) =>
        gateway.fetch(new Request(`http://site.example${path}`, init)),
  ],
] as const;

const post = (body: RequestInit['body'], headers: Record<string, string> = { api_token: 't' }): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: body ?? null,
});

describe('createGateway', () => {
  it('warns of options that may not be what is meant, by their names', () => {
    const lines: { setting?: string; reason?: string }[] = [];
    const log = { write: (line: string) => void lines.push(JSON.parse(line)) };
    open({ backend: { kind: 'service', url: 'http://kb.example', timeoutMs: 30_001 }, log });
    expect(lines.map(({ setting, reason }) => `${setting} ${reason}`)).toEqual([
      'backend.url is http to another machine: tokens and texts go there unencrypted',
      expect.stringContaining('backend.timeoutMs is longer than limits.requestTimeoutMs, 30000, '),
    ]);
    const withVersion = () => open({ backend: { kind: 'service', url: 'https://kb.example/v2' }, log });
    expect(withVersion).toThrow('backend.url is "https://kb.example/v2"; allowed: the URL without its /v2 at the end');
  });
});

describe.each(WAYS)('a mounted gateway, by %s', (_way, sendTo) => {
  it('answers GraphQL, REST and files under its base path, and nothing outside', async () => {
    const send = await sendTo(open({ basePath: '/api/kb' }));
    const answer = await send('/api/kb/graphql', post(NAMES));
    expect(answer.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/u);
    expect(await answer.json()).toEqual(DEMO);
    const got = await send('/api/kb/graphql?query={__typename}', { headers: { api_token: 't' } });
    expect(await got.json()).toEqual({ data: { __typename: 'Query' } });
    const rest = await send('/api/kb/v2/ProjectVersions', { headers: { api_token: 't' } });
    expect(await rest.json()).toMatchObject({ success: true });
    for (const path of ['/api/kb', '/api/kb/', '/api/kb?from=here']) {
      const page = await send(path, { headers: { accept: 'text/html' }, redirect: 'manual' });
      // A proxy may have taken `/docs` off the address that the browser knows.
      const { href } = new URL(page.headers.get('location') ?? '', `http://site.example/docs${path}`);
      expect([page.status, href]).toEqual([302, 'http://site.example/docs/api/kb/graphql']);
    }
    const head = await send('/api/kb/schema.graphql', { method: 'HEAD' });
    expect([head.status, Number(head.headers.get('content-length')) > 1_000, await head.text()]).toEqual([
      200,
      true,
      '',
    ]);
    const outside = ['/graphql', '/api/kbx/graphql', '/api/kb/api/kb/graphql', '/'];
    for (const path of outside) expect((await send(path, post(NAMES))).status, path).toBe(404);
  });

  it('has the console under its base path, unless an option turns it off', { tags: 'long' }, async () => {
    const send = await sendTo(open({ basePath: '/api/kb' }));
    const page = await send('/api/kb/console');
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const [, script = ''] = /src="(console\/[^"]+\.js)"/u.exec(await page.text()) ?? [];
    const { pathname } = new URL(script, 'http://site.example/api/kb/console');
    expect([pathname.startsWith('/api/kb/console/'), (await send(pathname)).status]).toEqual([true, 200]);
    const slash = await send('/api/kb/console/', { redirect: 'manual' });
    expect(new URL(slash.headers.get('location') ?? '', 'http://site.example/api/kb/console/').pathname).toBe(
      '/api/kb/console',
    );
    const without = await sendTo(open({ basePath: '/api/kb', console: false }));
    expect((await without('/api/kb/console')).status).toBe(404);
  });

  it('holds its limit of the body, whatever the sender says of its length', async () => {
    const send = await sendTo(open({ limits: { maxBodyBytes: 1_000 } }));
    const tooLong = JSON.stringify({ query: '{ __typename }', operationName: 'x'.repeat(2_000) });
    const streamed = new Blob([tooLong]).stream();
    const bodies = [post(tooLong), { ...post(streamed), duplex: 'half' } as RequestInit];
    for (const init of bodies) {
      const refused = await send('/graphql', init);
      expect([refused.status, await refused.json()]).toMatchObject([
        413,
        { errors: [{ message: 'The request body must have at most 1000 bytes.' }] },
      ]);
    }
    expect((await send('/graphql', post(NAMES))).status).toBe(200);
  });

  it('refuses what comes after its close', async () => {
    const gateway = open();
    const send = await sendTo(gateway);
    expect(await (await send('/graphql', post(NAMES))).json()).toEqual(DEMO);
    await gateway.close();
    const refused = await send('/graphql', post(NAMES));
    expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toMatchObject([
      503,
      expect.stringMatching(/^\d+$/u),
      { errors: [{ message: 'The gateway is closed.', extensions: { code: 'UNAVAILABLE' } }] },
    ]);
    await expect(gateway.ready()).rejects.toThrow('The gateway is closed.');
  });

  it('says that it could not be opened, logs why, and tries again', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kb-gateway-mounted-'));
    await writeFile(join(folder, 'file'), '');
    const lines: string[] = [];
    const databaseUrl = `sqlite:${folder}/file/kb.db`;
    const gateway = open({ backend: { ...STORE, databaseUrl }, log: { write: (line) => lines.push(line) } });
    const send = await sendTo(gateway);
    const refused = await send('/graphql', post(NAMES));
    expect([refused.status, await refused.json()]).toMatchObject([
      503,
      { errors: [{ message: 'The gateway could not be opened.' }] },
    ]);
    expect(lines.join('')).toContain('the gateway cannot be opened');
    await expect(gateway.ready()).rejects.toThrow(`${folder}/file`);
    await rm(join(folder, 'file'));
    expect(await (await send('/graphql', post(NAMES))).json()).toEqual(DEMO);
    await gateway.close();
    await rm(folder, { recursive: true });
  });
});

describe.each(WAYS)('a request in flight, by %s', (_way, sendTo) => {
  let service: FaultyService;
  beforeAll(async () => {
    service = await openFaultyService();
  });
  afterAll(() => service.close());

  it('ends when its client goes', async () => {
    const begun = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<string>();
    service.onAny(() => begun.resolve());
    const write = (line: string) => {
      if (line.includes('"message":"request"')) ended.resolve(line);
    };
    const send = await sendTo(
      open({ backend: { kind: 'service', url: service.url }, log: { level: 'info', write }, shutdownGraceMs: 0 }),
    );
    const client = new AbortController();
    const answer = send('/graphql', { ...post(NAMES), signal: client.signal });
    await begun.promise;
    client.abort();
    await expect(answer).rejects.toThrow('aborted');
    expect(JSON.parse(await ended.promise)).toMatchObject({ status: null, isComplete: false });
  });

  it('is waited for by close, within the grace', async () => {
    const [begun, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    service.onAny(async (response) => {
      begun.resolve();
      await release.promise;
      response.writeHead(404).end();
    });
    const gateway = open({ backend: { kind: 'service', url: service.url } });
    const send = await sendTo(gateway);
    const answer = send('/graphql', post(NAMES));
    await begun.promise;
    const closed = gateway.close();
    expect((await send('/graphql', post(NAMES))).status).toBe(503);
    release.resolve();
    expect(await (await answer).json()).toMatchObject({ errors: [{}] });
    await closed;
  });

  it('is ended by close after the grace', async () => {
    const begun = Promise.withResolvers<void>();
    service.onAny(() => begun.resolve());
    const gateway = open({ backend: { kind: 'service', url: service.url }, shutdownGraceMs: 0 });
    const send = await sendTo(gateway);
    const answer = send('/graphql', post(NAMES)).catch(() => 'no answer');
    await begun.promise;
    await gateway.close();
    expect(await answer).toBe('no answer');
  });
});

describe('gateways in one process', () => {
  it('share nothing', async () => {
    const [one, other] = [open(), open({ backend: { ...STORE, apiTokens: ['u'], demoData: false } })];
    const ask = async (gateway: Gateway, token: string) => {
      const request = new Request('http://site.example/graphql', post(NAMES, { api_token: token }));
      return (await gateway.fetch(request)).json();
    };
    expect(await ask(one, 't')).toEqual(DEMO);
    expect(await ask(other, 'u')).toEqual({ data: { projectVersions: [] } });
    expect(await ask(other, 't')).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
    await one.close();
    expect(await ask(other, 'u')).toEqual({ data: { projectVersions: [] } });
  });
});

describe('handle', () => {
  it('reports a body that was read before, instead of waiting for it', async () => {
    const lines: string[] = [];
    const gateway = open({ log: { write: (line) => lines.push(line) } });
    const send = await mount(async (request, response) => {
      for await (const _chunk of request);
      await gateway.handle(request, response);
    });
    expect((await send('/graphql', post(NAMES))).status).toBe(500);
    expect(lines.join('')).toContain('The gateway needs the body as it was sent');
  });
});

const EXPRESS = join(INTEGRATIONS, 'express/index.js');

describe('handle, where Express has removed the path', NEEDS_INTEGRATIONS, () => {
  it('answers both kinds of requests', async () => {
    const { default: express } = await import(EXPRESS);
    const app = express();
    app.use('/kb', open().handle);
    const send = await mount(app);
    expect(await (await send('/kb/graphql', post(NAMES))).json()).toEqual(DEMO);
    const got = await send('/kb/graphql?query={__typename}', { headers: { api_token: 't' } });
    expect(await got.json()).toEqual({ data: { __typename: 'Query' } });
    const page = await send('/kb', { headers: { accept: 'text/html' }, redirect: 'manual' });
    expect(new URL(page.headers.get('location') ?? '', 'http://site.example/kb').pathname).toBe('/kb/graphql');
  });
});

describe('fetch', () => {
  it('takes no second request out of a body', async () => {
    const gateway = open();
    const smuggled = `POST /graphql HTTP/1.1\r\nHost: x\r\n\r\n`;
    const body = `${NAMES}${smuggled}`;
    const headers = { api_token: 't', 'content-length': `${NAMES.length}`, connection: 'keep-alive' };
    const answer = await gateway.fetch(new Request('http://site.example/graphql', post(body, headers)));
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { errors: [{ message: expect.stringContaining('The request body is not JSON') }] },
    ]);
  });

  it('sends the body of every method as a body', async () => {
    const request = new Request('http://site.example/graphql', { ...post(NAMES), method: 'DELETE' });
    expect((await open().fetch(request)).status).toBe(405);
  });

  it.each([
    ['an unknown method', { method: 'FOO' }, { status: 400, text: /^$/u }],
    [
      'headers that are too large',
      { headers: { 'x-large': 'x'.repeat(20_000) } },
      { status: 431, text: /MAX_HEADER_BYTES/u },
    ],
  ])('answers what cannot be read as a request: %s', async (_case, init, { status, text }) => {
    const answer = await open().fetch(new Request('http://site.example/graphql', init));
    expect([answer.status, await answer.text()]).toEqual([status, expect.stringMatching(text)]);
    expect(answer.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/u);
  });

  it('answers before a body begins that is not needed', async () => {
    const init = { ...post(new ReadableStream()), duplex: 'half' } as RequestInit;
    expect((await open().fetch(new Request('http://site.example/nothing', init))).status).toBe(404);
  });

  it('counts callers by their token, whatever address it is told', async () => {
    const gateway = open({ limits: { callerRequestsPerMinute: 1 } });
    const statusFrom = async (clientAddress: string, token: string) => {
      const request = new Request('http://site.example/graphql', post(NAMES, { api_token: token }));
      return (await gateway.fetch(request, { clientAddress })).status;
    };
    expect(await statusFrom('192.0.2.1', 'one')).toBe(200);
    expect(await statusFrom('192.0.2.1', 'one')).toBe(429);
    expect(await statusFrom('198.51.100.1', 'one')).toBe(429);
    expect(await statusFrom('192.0.2.1', 'another')).toBe(200);
  });
});
