import { describe, expect, it, onTestFinished } from 'vitest';
import type { OnRequestEnd } from '../../src/server/http/request-end.ts';
import { TOKEN } from '../support/fixture-store.ts';
import type { Gateway } from '../support/gateway.ts';
import { rawRequest, sendRaw } from '../support/raw-http.ts';
import { callTool, connectTo, openMcpGateway } from './mcp-client.ts';

const APP = 'https://app.example';

const call = (name: string, args: object = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name, arguments: args } });

const HEAD = ['Content-Type: application/json', 'Accept: application/json, text/event-stream'];

interface Post {
  readonly method?: string;
  readonly host?: string;
  readonly headers?: readonly string[];
  readonly body?: string | Buffer;
}

/** Sends raw requests, since `fetch` does not let a program set the Origin header. */
const send = async (
  { url }: Gateway,
  {
    method = 'POST',
    host = 'a',
    headers = [`api_token: ${TOKEN}`, ...HEAD],
    body = call('list_project_versions'),
  }: Post = {},
) => {
  const answer = await sendRaw(
    url,
    rawRequest({ method, target: '/mcp', host, headers, body: method === 'POST' ? body : '' }),
  );
  return { ...answer, json: answer.body === '' ? null : JSON.parse(answer.body) };
};

const REVISION = '2026-07-28';

const refusal = (code: string) => ({ jsonrpc: '2.0', id: null, error: { data: { code } } });

describe('/mcp', () => {
  // As in https://github.com/WordPress/mcp-adapter/issues/267
  it.each([
    ['{', -32_700],
    ['[]', -32_600],
    ['"text"', -32_600],
    ['{"jsonrpc":"1.0","id":1,"method":"ping"}', -32_600],
  ])('has the code of JSON-RPC for %s', async (body, code) => {
    const { status, json } = await send(await openMcpGateway(), { body });
    expect([status, json.error.code]).toEqual([400, code]);
  });

  it('responds in JSON to one message, without a session, and lets nobody keep the response', async () => {
    const gateway = await openMcpGateway();
    const { status, headers, json } = await send(gateway, {
      headers: [`Authorization: Bearer ${TOKEN}`, 'X-Request-Id: request-1', ...HEAD],
    });
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      'application/json',
      'no-store',
    ]);
    expect([headers.get('x-request-id'), headers.get('mcp-session-id')]).toEqual(['request-1', undefined]);
    expect(json).toMatchObject({ id: 7, result: { isError: false, structuredContent: { projectVersions: [{}, {}] } } });
  });

  it('asks for a token before it reads anything', async () => {
    const gateway = await openMcpGateway();
    for (const headers of [HEAD, [...HEAD, 'api_token: wrong']]) {
      const { status, headers: sent, json } = await send(gateway, { headers });
      expect([status, sent.get('www-authenticate')]).toEqual([401, 'Bearer']);
      expect(json).toMatchObject(refusal('UNAUTHENTICATED'));
    }
    await expect(connectTo(gateway.url, {})).rejects.toThrow();
  });

  it('takes POST only, and JSON of one message', async () => {
    const gateway = await openMcpGateway({ maxBodyBytes: 10_000 });
    const token = `api_token: ${TOKEN}`;
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const answer = await send(gateway, { method });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    }
    const deep = `${'['.repeat(4_000)}${']'.repeat(4_000)}`;
    const cases: readonly (readonly [number, Post])[] = [
      [415, { headers: [token, 'Content-Type: text/plain'] }],
      [413, { body: 'x'.repeat(10_001) }],
      [400, { body: '{' }],
      [400, { body: '' }],
      [400, { body: Buffer.from([0x22, 0xff, 0x22]) }],
      [400, { body: deep }],
      [400, { body: `[${call('list_project_versions')}]` }],
      [400, { body: '{"method":"tools/list"}' }],
      [400, { body: '{"jsonrpc":"2.0","id":{},"method":"tools/list"}' }],
      [400, { headers: [token, ...HEAD, 'Mcp-Protocol-Version: 1.0'] }],
    ];
    for (const [status, post] of cases) {
      const answer = await send(gateway, post);
      expect([status, answer.json]).toMatchObject([
        answer.status,
        { jsonrpc: '2.0', error: { code: expect.any(Number) } },
      ]);
      expect(answer.body).not.toMatch(/node_modules|\.ts:\d/u);
    }
  });

  it.each([null, 'application/json', '*/*', 'text/event-stream'])(
    'responds in JSON to a client that accepts %s',
    async (accept) => {
      const gateway = await openMcpGateway();
      const headers = [`api_token: ${TOKEN}`, 'Content-Type: application/json'];
      if (accept !== null) headers.push(`Accept: ${accept}`);
      const { status, json } = await send(gateway, { headers });
      expect([status, json]).toMatchObject([200, { id: 7, result: { isError: false } }]);
    },
  );

  it('opens no stream to a client of the revision of 2026 that would subscribe', async () => {
    const gateway = await openMcpGateway();
    const method = 'subscriptions/listen';
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': REVISION,
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const { status, json } = await send(gateway, {
      headers: [`api_token: ${TOKEN}`, ...HEAD, `Mcp-Protocol-Version: ${REVISION}`, `Mcp-Method: ${method}`],
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 7,
        method,
        params: { _meta, notifications: { toolsListChanged: true } },
      }),
    });
    expect([status, json]).toMatchObject([200, { id: 7, error: { code: expect.any(Number) } }]);
  });

  it('answers requests that no tool is called by', async () => {
    const gateway = await openMcpGateway();
    const answers = [
      { method: 'resources/list' },
      { method: 'tools/call', params: { name: 7 } },
      { method: 'tools/call', params: { name: 'list_project_versions', arguments: [] } },
    ].map(async (message) => {
      const { status, json } = await send(gateway, { body: JSON.stringify({ jsonrpc: '2.0', id: 7, ...message }) });
      return [status, typeof json.error.code];
    });
    expect(await Promise.all(answers)).toEqual([
      [200, 'number'],
      [200, 'number'],
      [200, 'number'],
    ]);
    const notification = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
    expect(await send(gateway, { body: notification })).toMatchObject({ status: 202, body: '' });
  });

  it('takes no message of a page of another origin, also after DNS rebinding', async () => {
    const gateway = await openMcpGateway({ corsOrigins: [APP] });
    const { host } = new URL(gateway.url);
    for (const origin of ['https://evil.example', 'null', `http://${host}`, 'http://evil.example:4000']) {
      const answer = await send(gateway, { headers: [`api_token: ${TOKEN}`, `Origin: ${origin}`, ...HEAD] });
      expect([answer.status, answer.json]).toMatchObject([403, refusal('CSRF_PREVENTED')]);
      expect(answer.headers.get('access-control-allow-origin')).toBeUndefined();
    }
    const listed = await send(gateway, { headers: [`api_token: ${TOKEN}`, `Origin: ${APP}`, ...HEAD] });
    expect([listed.status, listed.headers.get('access-control-allow-origin')]).toEqual([200, APP]);
    const preflight = await send(gateway, {
      method: 'OPTIONS',
      headers: [
        `Origin: ${APP}`,
        'Access-Control-Request-Method: POST',
        'Access-Control-Request-Headers: mcp-protocol-version',
      ],
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('mcp-protocol-version');
  });

  // As the suite of the protocol demands: dns-rebinding-protection of @modelcontextprotocol/conformance.
  it.each(['localhost:4000', '127.0.0.1', '[::1]:4000'])('takes messages of its own pages at %s', async (host) => {
    const gateway = await openMcpGateway();
    const statusOf = async (origin: string) =>
      (await send(gateway, { host, headers: [`api_token: ${TOKEN}`, `Origin: ${origin}`, ...HEAD] })).status;
    expect(await statusOf(`http://${host}`)).toBe(200);
    expect(await statusOf('http://localhost:1')).toBe(403);
    expect(await statusOf('http://evil.example')).toBe(403);
  });

  it('takes no message of a page whose host was rebound to this machine', async () => {
    const host = 'evil.example:4000';
    const headers = [`api_token: ${TOKEN}`, `Origin: http://${host}`, ...HEAD];
    expect((await send(await openMcpGateway(), { host, headers })).status).toBe(403);
  });

  it('counts towards the rate limit of its caller', async () => {
    const gateway = await openMcpGateway({ callerRequestsPerMinute: 2 });
    const statuses = [];
    for (let request = 0; request < 3; request++) statuses.push(await send(gateway));
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(statuses[2]?.headers.has('retry-after')).toBe(true);
    expect(statuses[2]?.json).toMatchObject(refusal('RATE_LIMITED'));
  });

  it('is in the log and the metrics with the operation of the tool', async () => {
    const ends: Parameters<OnRequestEnd>[0][] = [];
    const gateway = await openMcpGateway({ onRequestEnd: [(end) => ends.push(end)] });
    const client = await connectTo(gateway.url, { api_token: TOKEN });
    await callTool(client, 'find_articles', { first: 1 });
    await expect.poll(() => ends.map(({ summary }) => summary.operation?.name)).toContain('FindArticles');
    expect(new Set(ends.map(({ httpRoute }) => httpRoute))).toEqual(new Set(['/mcp']));
  });

  it('is not served where it is off', async () => {
    const gateway = await openMcpGateway({ mcpWrites: null });
    expect((await send(gateway)).status).toBe(404);
  });

  it('keeps the calls of many clients apart', async () => {
    const gateway = await openMcpGateway({ mcpWrites: 'on' });
    const clients = await Promise.all(Array.from({ length: 8 }, () => connectTo(gateway.url, { api_token: TOKEN })));
    onTestFinished(async () => {
      await Promise.all(clients.map((client) => client.close()));
    });
    const articles = await Promise.all(
      clients.map((client, index) => callTool(client, 'read_article', { articleId: `a${(index % 3) + 1}` })),
    );
    expect(articles.map(({ result }) => result)).toMatchObject(
      clients.map((_, index) => ({ article: { articleId: `a${(index % 3) + 1}` } })),
    );
  });
});
