import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { NEEDS_NGINX, type Nginx, startNginx } from './support/nginx.ts';
import { type RunningGateway, startGatewayProcess } from './support/process.ts';
import { rawRequest, sendRaw } from './support/raw-http.ts';
import { CERTIFICATE } from './support/tls-front.ts';

const QUERY = '{ readerGroups(first: 1) { nodes { title } } }';
const FOUND = { data: { readerGroups: { nodes: [{ title: expect.any(String) }] } } };
const REJECTED = { errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] };

/** A gateway over the embedded store with a generated token, which no page may contain. */
let gateway: RunningGateway;
let cwd: string;
let nginx: Nginx | undefined;

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-proxied-'));
  gateway = await startGatewayProcess({ cwd });
});

afterAll(async () => {
  await gateway?.stop();
  await rm(cwd, { recursive: true });
});

afterEach(async () => {
  await nginx?.stop();
  nginx = undefined;
});

const target = () => new URL(gateway.url).host;

/** The simplest configuration. nginx then sends `127.0.0.1:4000` as the host. */
async function startPlain(settings = ''): Promise<string> {
  nginx = await startNginx(
    (port) => `server { listen 127.0.0.1:${port}; location / { proxy_pass http://${target()}; ${settings} } }`,
  );
  return `http://127.0.0.1:${nginx.port}`;
}

async function post(url: string, headers: Record<string, string>): Promise<unknown> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query: QUERY }),
  });
  return response.json();
}

describe('a gateway behind a plain proxy_pass of nginx', NEEDS_NGINX, () => {
  it('serves no page with a token, whatever host is requested', async () => {
    const url = await startPlain();
    for (const host of ['kb.example', '127.0.0.1:4000', 'localhost']) {
      const { body } = await sendRaw(url, rawRequest({ host, headers: ['Accept: text/html'] }));
      expect([body.includes('YogaGraphiQL'), body.includes(gateway.token)]).toEqual([true, false]);
    }
  });

  it('rejects a caller without a token, and accepts one in the headers that nginx passes on', async () => {
    const url = await startPlain();
    expect(await post(url, {})).toMatchObject(REJECTED);
    expect(await post(url, { 'x-api-token': gateway.token })).toEqual(FOUND);
    expect(await post(url, { authorization: `Bearer ${gateway.token}` })).toEqual(FOUND);
    // nginx drops header names with an underscore by default.
    expect(await post(url, { api_token: gateway.token })).toMatchObject(REJECTED);
  });

  it('accepts the header api_token with underscores_in_headers', async () => {
    nginx = await startNginx(
      (port) =>
        `underscores_in_headers on; server { listen 127.0.0.1:${port}; location / { proxy_pass http://${target()}; } }`,
    );
    expect(await post(`http://127.0.0.1:${nginx.port}`, { api_token: gateway.token })).toEqual(FOUND);
  });

  // The `Cache-Control: private` or `no-store` of every response made with a token prevents this.
  it('never serves the response of another caller when nginx caches', async () => {
    const url = await startPlain(
      'proxy_cache cache; proxy_cache_valid any 1m; add_header X-Cache $upstream_cache_status;',
    );
    for (const path of [`/graphql?query=${encodeURIComponent(QUERY)}`, '/v2/ProjectVersions']) {
      const headers = { 'x-api-token': gateway.token };
      const first = await fetch(url + path, { headers });
      const again = await fetch(url + path, { headers });
      expect([first, again].map((response) => response.headers.get('x-cache'))).toEqual(['MISS', 'MISS']);
      expect([first.status, again.status]).toEqual([200, 200]);
      const withoutToken = await fetch(url + path, { headers: { 'graphql-require-preflight': '1' } });
      expect(await withoutToken.text()).toMatch(/UNAUTHENTICATED|"success":false/u);
    }
  });
});

describe('deploy/nginx/kb-gateway.conf', NEEDS_NGINX, () => {
  /** The shipped file, with other addresses and another certificate. */
  async function startShipped(limits: readonly (readonly [string, string])[] = []): Promise<number> {
    const file = await readFile('deploy/nginx/kb-gateway.conf', 'utf8');
    const changes = (port: number): readonly (readonly [string, string])[] => [
      ['server 127.0.0.1:4000;', `server ${target()};`],
      ['listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`],
      ['/etc/nginx/tls/kb.example.crt', CERTIFICATE],
      ['/etc/nginx/tls/kb.example.key', CERTIFICATE.replace(/crt$/u, 'key')],
      ...limits,
    ];
    nginx = await startNginx((port) =>
      changes(port).reduce((config, [from, to]) => {
        expect(config.split(from)).toHaveLength(2);
        return config.replace(from, to);
      }, file),
    );
    return nginx.port;
  }

  interface Sent {
    readonly path: string;
    readonly headers?: Record<string, string>;
    readonly body?: string;
  }

  interface ProxiedResponse {
    readonly status: number | undefined;
    readonly retryAfter: string | undefined;
    readonly location: string | undefined;
    readonly body: string;
  }

  async function send(port: number, { path, headers = {}, body }: Sent) {
    const method = body === undefined ? 'GET' : 'POST';
    const ca = await readFile(CERTIFICATE);
    const sent = request({ host: '127.0.0.1', port, path, method, ca, agent: false, headers });
    const answered = new Promise<ProxiedResponse>((resolve, reject) => {
      sent.on('error', reject).on('response', async (response) => {
        const { statusCode, headers: received } = response;
        const { location } = received;
        resolve({ status: statusCode, retryAfter: received['retry-after'], location, body: await text(response) });
      });
    });
    sent.end(body);
    return answered;
  }

  const JSON_BODY = { 'content-type': 'application/json' };

  it('terminates TLS, and passes on what callers use', async () => {
    const port = await startShipped();
    const query = { path: '/graphql', headers: JSON_BODY, body: JSON.stringify({ query: QUERY }) };
    const token = { 'x-api-token': gateway.token };
    const answer = await send(port, { ...query, headers: { ...JSON_BODY, ...token } });
    expect(JSON.parse(answer.body)).toEqual(FOUND);
    expect(JSON.parse((await send(port, query)).body)).toMatchObject(REJECTED);
    expect((await send(port, { path: '/schema.graphql' })).body).toContain('type Mutation');
    expect((await send(port, { path: '/possible-types.json' })).body).toContain('"AccessScope"');
    expect((await send(port, { path: '/v2/ProjectVersions' })).status).toBe(401);
    expect((await send(port, { path: '/v2/ProjectVersions', headers: token })).status).toBe(200);
    const page = await send(port, { path: '/graphql', headers: { accept: 'text/html' } });
    expect([page.body.includes('YogaGraphiQL'), page.body.includes(gateway.token)]).toEqual([true, false]);
  });

  /** The changes that the file names for a gateway below a path. */
  const IN_PREFIX: readonly (readonly [string, string])[] = [
    ['^(?<kb_path>/(?:graphql', '^/kb(?<kb_path>/(?:graphql'],
    ['^(?<kb_path>/console', '^/kb(?<kb_path>/console'],
    ['^(?<kb_path>/mcp', '^/kb(?<kb_path>/mcp'],
    ['^(?<kb_path>/v2', '^/kb(?<kb_path>/v2'],
    ['proxy_cache off;', 'proxy_cache off; proxy_redirect / /kb/;'],
  ];

  it.each([
    ['at the root', '', []],
    ['below a path', '/kb', IN_PREFIX],
  ] as const)('serves the console and all that it needs %s', async (_name, prefix, changes) => {
    const port = await startShipped(changes);
    const html = { accept: 'text/html' };
    const page = await send(port, { path: `${prefix}/console`, headers: html });
    expect([page.status, page.body.toLowerCase().includes('<!doctype html>')]).toEqual([200, true]);
    const files = [...page.body.matchAll(/(?:src|href)="\.?\/?([\w./-]+)"/gu)].map(([, name = '']) => name);
    expect(files.length).toBeGreaterThan(0);
    const base = new URL(`https://a${prefix}/console`);
    for (const name of files) {
      const { pathname } = new URL(name, base);
      expect([pathname, (await send(port, { path: pathname })).status]).toEqual([pathname, 200]);
    }
    const token = { 'x-api-token': gateway.token };
    const query = { headers: { ...JSON_BODY, ...token }, body: JSON.stringify({ query: QUERY }) };
    expect(JSON.parse((await send(port, { path: `${prefix}/graphql`, ...query })).body)).toEqual(FOUND);
    expect((await send(port, { path: `${prefix}/v2/ProjectVersions`, headers: token })).status).toBe(200);
    const start = await send(port, { path: `${prefix}/`, headers: html });
    const target = new URL(start.location ?? '', `http://127.0.0.1:${port}${prefix}/`);
    expect([start.status, target.pathname]).toEqual([302, `${prefix}/graphql`]);
    if (prefix !== '') expect((await send(port, { path: '/console', headers: html })).status).toBe(404);
  });

  it('ends connections that send their headers or body too slowly', async () => {
    const port = await startShipped([
      ['client_header_timeout 10s', 'client_header_timeout 1s'],
      ['client_body_timeout 10s', 'client_body_timeout 1s'],
    ]);
    const ca = await readFile(CERTIFICATE);
    const unfinished = ['', 'Host: a\r\nContent-Length: 9\r\n\r\n{'].map((rest) => {
      const socket = connect({ host: '127.0.0.1', port, ca, servername: 'localhost' }).on('error', () => {});
      socket.write(`POST /graphql HTTP/1.1\r\n${rest}`);
      socket.resume();
      return new Promise((resolve) => socket.once('close', resolve));
    });
    await Promise.all(unfinished);
  });

  it('tells callers over its limits when to come back', async () => {
    const port = await startShipped([
      ['rate=20r/s', 'rate=1r/m'],
      ['burst=100 nodelay', 'burst=1 nodelay'],
    ]);
    const answers: ProxiedResponse[] = [];
    for (let sent = 0; sent < 3; sent += 1) answers.push(await send(port, { path: '/possible-types.json' }));
    expect(answers.map(({ status, retryAfter }) => [status, retryAfter])).toEqual([
      [200, undefined],
      [200, undefined],
      [429, '1'],
    ]);
  });

  it('does not expose the health checks of the gateway', async () => {
    const port = await startShipped();
    expect((await send(port, { path: '/health/ready' })).status).toBe(404);
    expect((await send(port, { path: '/./health/ready' })).status).toBe(404);
  });

  it('lets the gateway report what is too large', async () => {
    const port = await startShipped();
    const query = ' '.repeat(65_537) + QUERY;
    const { body } = await send(port, { path: '/graphql', headers: JSON_BODY, body: JSON.stringify({ query }) });
    expect(body).toContain('65536');
  });
});
