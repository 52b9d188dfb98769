import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { silentLog } from '../../../src/core/base/log.ts';
import { createGateway, type Gateway, type GatewayOptions, type HostCaller } from '../../../src/index.ts';
import { readOptions } from '../../../src/server/gateway/read-options.ts';
import { openAccess } from '../../../src/server/process/access.ts';
import { json, openFaultyService } from '../../support/faulty-service.ts';
import { portOf } from '../../support/ports.ts';

const STORE = {
  kind: 'store',
  databaseUrl: 'sqlite::memory:',
  apiTokens: ['the-token-of-the-store'],
  demoData: true,
} as const;

const ALL_SCOPES = ['read', 'articles:write', 'groups:write'];

/** The sessions of the host, by their cookies. */
const SESSIONS: Readonly<Record<string, HostCaller>> = {
  editor: { subject: 'alice', scopes: ALL_SCOPES },
  other: { subject: 'bob', scopes: ALL_SCOPES },
  reader: { subject: 'carol', scopes: ['read', 'articles:writes', '\n', ''] },
  nameless: { scopes: ALL_SCOPES },
  empty: { subject: '', scopes: ALL_SCOPES },
};

const sessionOf = async ({ headers }: Request) => SESSIONS[headers.get('cookie') ?? ''] ?? null;

type Send = (path: string, init?: RequestInit) => Promise<Response>;

/** Mounts a gateway in a server of node:http. */
async function mount({ handle }: Gateway): Promise<Send> {
  const server = createServer(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    await once(server.close(), 'close');
  });
  return (path, init) => fetch(`http://127.0.0.1:${portOf(server.address())}${path}`, init);
}

const WAYS = [
  ['handle', mount],
  [
    'fetch',
    async (gateway: Gateway): Promise<Send> =>
      (path, init) =>
        gateway.fetch(new Request(`https://site.example${path}`, init)),
  ],
] as const;

const post = (query: string, cookie: string, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', cookie, ...headers },
  body: JSON.stringify({ query }),
});

const READ = '{ projectVersions { name } }';
const UPDATE = `mutation { result: bulkUpdateArticles(input: { articles: [{ articleId: "pair-a-lamp", order: 2 }] }) {
  __typename ... on MutationError { code } } }`;
const JOB = `mutation { result: submitArticleUpdateJob(idempotencyKey: "k", input: { articles: [{ articleId: "a", order: 2 }], moreToCome: true }) {
  __typename ... on MutationError { code } } }`;

/** A gateway until the end of the test, with its log. */
async function open(sendTo: (gateway: Gateway) => Promise<Send>, options: Partial<GatewayOptions> = {}) {
  const lines: string[] = [];
  const log = { write: (line: string) => lines.push(line) };
  const gateway = createGateway({ backend: STORE, authenticate: sessionOf, log, ...options });
  onTestFinished(gateway.close);
  const send = await sendTo(gateway);
  const ask = async (query: string, cookie: string, headers?: Record<string, string>) => {
    const response = await send('/graphql', post(query, cookie, headers));
    const { data, errors } = await response.json();
    const codes = errors?.map((error: { readonly extensions: { readonly code: string } }) => error.extensions.code);
    return { status: response.status, data, codes };
  };
  return { gateway, send, ask, lines };
}

describe.each(WAYS)('a gateway whose host knows its callers, by %s', (_way, sendTo) => {
  it('lets a caller do what its scopes permit, and nobody else anything', async () => {
    const { ask } = await open(sendTo);
    expect((await ask(READ, 'reader')).data).toEqual({
      projectVersions: [{ name: 'Fernlight 2' }, { name: 'Fernlight Classic' }],
    });
    expect((await ask(UPDATE, 'editor')).data).toEqual({ result: { __typename: 'BulkUpdateArticlesPayload' } });
    expect((await ask(UPDATE, 'reader')).data).toEqual({
      result: { __typename: 'AuthenticationError', code: 'FORBIDDEN' },
    });
    expect((await ask(UPDATE, 'nobody')).data).toEqual({
      result: { __typename: 'AuthenticationError', code: 'UNAUTHENTICATED' },
    });
    // A token, as API tokens alone would be enough without `authenticate`, replaces no session.
    const headers = { 'x-api-token': 'the-token-of-the-store', authorization: 'Bearer the-token-of-the-store' };
    expect(await ask(READ, 'nobody', headers)).toMatchObject({
      data: { projectVersions: null },
      codes: ['UNAUTHENTICATED'],
    });
  });

  it.each([
    [true, { data: { __schema: { queryType: { name: 'Query' } } } }],
    [false, { data: undefined, codes: ['UNAUTHENTICATED'] }],
  ])('tells the schema to nobody as the option introspection says: %s', async (introspection, expected) => {
    const { ask } = await open(sendTo, { introspection });
    expect(await ask('{ __schema { queryType { name } } }', 'nobody')).toMatchObject(expected);
  });

  it('keeps jobs and keys for subjects, and none for callers without one', async () => {
    const { ask } = await open(sendTo);
    for (const cookie of ['nameless', 'empty'])
      expect((await ask(JOB, cookie)).data).toEqual({
        result: { __typename: 'AuthenticationError', code: 'FORBIDDEN' },
      });
    expect((await ask(UPDATE, 'nameless')).data).toEqual({ result: { __typename: 'BulkUpdateArticlesPayload' } });
    expect((await ask(JOB, 'editor')).data).toEqual({ result: { __typename: 'SubmitArticleUpdateJobPayload' } });
    const jobsOf = async (cookie: string) =>
      (await ask('{ articleUpdateJobs { totalCount nodes { id } } }', cookie)).data;
    expect((await jobsOf('editor')).articleUpdateJobs.nodes).toHaveLength(1);
    expect((await jobsOf('other')).articleUpdateJobs.nodes).toHaveLength(0);
  });

  it('lends its token of the service to callers whom the host knows, and sends nothing of their sessions', async () => {
    const service = await openFaultyService();
    onTestFinished(() => service.close());
    service.on('GET /v2/ProjectVersions', json(200, { data: [], success: true, errors: [] }));
    const backend = {
      kind: 'service',
      url: service.url,
      apiToken: 'the-key-of-the-gateway',
      readCacheSeconds: 0,
    } as const;
    const { ask } = await open(sendTo, { backend });
    expect(await ask(READ, 'nobody')).toMatchObject({ codes: ['UNAUTHENTICATED'] });
    expect(service.received).toEqual([]);
    await ask(READ, 'reader', { authorization: 'Bearer session' });
    await ask(READ, 'reader', { 'x-api-token': 'of-the-caller' });
    expect(service.received.map(({ headers }) => headers['api_token'])).toEqual([
      'the-key-of-the-gateway',
      'of-the-caller',
    ]);
    expect(JSON.stringify(service.received)).not.toMatch(/session|reader|cookie/iu);
  });

  it('asks with the request of the caller without its body, and for GraphQL and MCP alone', async () => {
    const asked: Request[] = [];
    const authenticate = async (request: Request) => {
      asked.push(request);
      for (const name of [...request.headers.keys()]) request.headers.delete(name);
      expect(await request.text()).toBe('');
      return { subject: 'alice', scopes: ['read'] };
    };
    const { send } = await open(sendTo, { authenticate, basePath: '/kb', mcp: { http: true } });
    const others = [
      '/health/live',
      '/health/ready',
      '/schema.graphql',
      '/possible-types.json',
      '/v2/ProjectVersions',
      '/x',
    ];
    for (const path of others) await (await send(`/kb${path}`, { headers: { cookie: 'editor' } })).text();
    await (await send('/kb/graphql', { headers: { accept: 'text/html' } })).text();
    for (const method of ['OPTIONS', 'PUT']) await send('/kb/graphql', { method });
    expect(asked).toEqual([]);
    const answer = await send('/kb/graphql?x=%20y', post(READ, 'editor', { 'x-own': 'ä' }));
    expect(await answer.json()).toMatchObject({ data: { projectVersions: [{}, {}] } });
    await send('/kb/mcp', post('', 'editor'));
    expect(asked.map(({ method, url, body }) => [method, new URL(url).pathname, new URL(url).search, body])).toEqual([
      ['POST', '/kb/graphql', '?x=%20y', null],
      ['POST', '/kb/mcp', '', null],
    ]);
    expect(asked[0]?.url).toMatch(/^(?:http:\/\/127\.0\.0\.1:\d+|https:\/\/site\.example)\/kb\/graphql/u);
  });

  it('answers 500 without a text of the host where it fails, or gives anything else, and logs why', async () => {
    const SECRET = 'a text of the host';
    const answers: (() => unknown)[] = [
      () => {
        throw new Error(SECRET);
      },
      () => {
        throw SECRET;
      },
      async () => Promise.reject(new Error(SECRET)),
      () => Promise.reject(undefined),
      () =>
        Object.defineProperty({}, 'then', {
          get: () => {
            throw new Error(SECRET);
          },
        }),
      () =>
        new Proxy(
          {},
          {
            get: (_target, name) => {
              if (name !== 'then') throw new Error(SECRET);
            },
          },
        ),
      () => undefined,
      () => 'alice',
      () => true,
      () => [],
      () => ({}),
      () => ({ subject: 'alice' }),
      () => ({ subject: 7, scopes: ALL_SCOPES }),
      () => ({ subject: 'x'.repeat(1_025), scopes: ALL_SCOPES }),
      () => ({ subject: 'alice', scopes: 'read articles:write' }),
      () => ({ subject: 'alice', scopes: new Set(ALL_SCOPES) }),
      () => ({ subject: 'alice', scopes: ['read', null] }),
    ];
    let answer: () => unknown = () => null;
    const authenticate = (() => answer()) as unknown as NonNullable<GatewayOptions['authenticate']>;
    const { send, lines } = await open(sendTo, { authenticate, mcp: { http: true } });
    for (answer of answers) {
      for (const path of ['/graphql', '/mcp']) {
        const response = await send(path, post(READ, SECRET.replaceAll(' ', '-')));
        const text = await response.text();
        expect([response.status, text.includes('INTERNAL'), text.includes(SECRET)], `${answer}`).toEqual([
          500,
          true,
          false,
        ]);
      }
    }
    const causes = lines.map((line) => JSON.parse(line).error.message);
    expect(causes).toHaveLength(2 * answers.length);
    expect(new Set(causes)).toEqual(
      new Set([
        'authenticate has failed',
        SECRET,
        'authenticate must give null or { subject, scopes }: a text of at most 1024 characters, and an array of texts',
      ]),
    );
    answer = () => ({ subject: 'x'.repeat(1_024), scopes: ['read'], more: 1 });
    expect((await send('/graphql', post(READ, ''))).status).toBe(200);
  });

  it('waits for the host no longer than the deadline of the request, and tells it so', { tags: 'long' }, async () => {
    let signal: AbortSignal | undefined;
    const authenticate = (request: Request) => {
      ({ signal } = request);
      return new Promise<never>(() => {});
    };
    const { ask, lines } = await open(sendTo, { authenticate, limits: { requestTimeoutMs: 2_000 } });
    expect(await ask(READ, 'editor')).toMatchObject({ codes: ['UNAVAILABLE'] });
    expect(signal?.aborted).toBe(true);
    expect(lines.join('')).toContain('authenticate has not answered in time');
  });

  it('tells the host when the client has gone, and waits for it no more', async () => {
    const [asked, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const authenticate = ({ signal }: Request) => {
      signal.addEventListener('abort', () => told.resolve());
      asked.resolve();
      return new Promise<never>(() => {});
    };
    const { gateway, send, lines } = await open(sendTo, { authenticate, limits: { requestTimeoutMs: 3_600_000 } });
    const leaving = new AbortController();
    const left = send('/graphql', { ...post(READ, 'editor'), signal: leaving.signal });
    const failed = expect(left).rejects.toThrow();
    await asked.promise;
    leaving.abort();
    await Promise.all([failed, told.promise]);
    await gateway.close();
    expect(lines).toEqual([]);
  });
});

describe('the tools of MCP', () => {
  it('are those that the scopes of the session permit, and none for nobody', async () => {
    const { send } = await open(mount, { mcp: { http: true, writes: 'on' } });
    const list = async (cookie: string) => {
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', cookie };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
      return send('/mcp', { method: 'POST', headers, body });
    };
    const toolsOf = async (cookie: string): Promise<readonly string[]> =>
      (await (await list(cookie)).json()).result.tools.map(({ name }: { readonly name: string }) => name);
    expect((await list('nobody')).status).toBe(401);
    expect(await toolsOf('reader')).not.toContain('update_articles');
    expect(await toolsOf('editor')).toContain('update_articles');
  });
});

it('a gateway in front of the service whose host knows its callers generates no token of its own', async () => {
  const backend = { kind: 'service', url: 'http://127.0.0.1:9', apiToken: 'the-key-of-the-gateway' } as const;
  const config = readOptions({ backend, authenticate: sessionOf });
  if (!config.ok) throw new Error(config.error);
  expect(await openAccess(config.value, silentLog, sessionOf)).toMatchObject({
    value: { tokens: [], clients: { apiToken: 'the-key-of-the-gateway' } },
  });
});
