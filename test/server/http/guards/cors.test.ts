import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { MAX_REFUSED_ORIGINS } from '../../../../src/core/base/limits.ts';
import { openFixtureStore, TOKEN } from '../../../support/fixture-store.ts';
import { type Gateway, startGateway } from '../../../support/gateway.ts';
import { type RawAnswer, rawRequest, sendRaw } from '../../../support/raw-http.ts';

const APP = 'https://app.example';
const QUERY = '{"query":"{ __typename }"}';

const corsHeaders = ({ headers }: RawAnswer) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));

/** Sends a raw request, since `fetch` does not let a program set the Origin header. */
const send = ({ url }: Gateway, method: string, headers: readonly string[]) =>
  sendRaw(url, rawRequest({ method, headers, body: method === 'POST' ? QUERY : '' }));

const preflight = (gateway: Gateway, origin: string, headers = 'content-type,api_token') =>
  send(gateway, 'OPTIONS', [
    `Origin: ${origin}`,
    'Access-Control-Request-Method: POST',
    `Access-Control-Request-Headers: ${headers}`,
  ]);

const post = (gateway: Gateway, origin: string, contentType = 'application/json') =>
  send(gateway, 'POST', [`Origin: ${origin}`, `Content-Type: ${contentType}`]);

describe('CORS, as it is by default', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway({ backend: await openFixtureStore(), local: true, token: TOKEN });
  });
  afterAll(() => gateway.close());

  it('lets no page of another origin send preflight requests or read responses', async () => {
    for (const origin of [APP, gateway.url, 'null']) {
      const preflighted = await preflight(gateway, origin);
      expect([preflighted.status, corsHeaders(preflighted)]).toEqual([405, {}]);
      expect(corsHeaders(await post(gateway, origin))).toEqual({});
    }
  });
});

describe('CORS for two origins', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway({
      backend: await openFixtureStore(),
      local: true,
      token: TOKEN,
      corsOrigins: [APP, 'http://localhost:5173'],
    });
  });
  afterAll(() => gateway.close());

  it.each([APP, 'http://localhost:5173'])('tells %s what it may send', async (origin) => {
    const answer = await preflight(gateway, origin);
    expect([answer.status, answer.headers.get('vary'), answer.body]).toEqual([204, 'Origin', '']);
    expect(corsHeaders(answer)).toEqual({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': 'content-type,api_token',
      'access-control-expose-headers': 'retry-after, x-request-id, age, cache-status, ratelimit-policy, ratelimit',
      'access-control-max-age': '7200',
    });
  });

  it('lets them send whatever headers they ask for', async () => {
    const asked = 'apollographql-client-name,baggage,sentry-trace,x-datadog-trace-id,x-requested-with';
    expect((await preflight(gateway, APP, asked)).headers.get('access-control-allow-headers')).toBe(asked);
  });

  // Plain POSTs take the fast path; the same media type in another spelling does not.
  it.each(['application/json', 'application/json;  charset=utf-8'])(
    'lets them read responses to %s',
    async (contentType) => {
      const answer = await post(gateway, APP, contentType);
      expect([answer.status, answer.headers.get('vary')]).toEqual([200, 'Origin']);
      expect(corsHeaders(answer)).toEqual({
        'access-control-allow-origin': APP,
        'access-control-expose-headers': 'retry-after, x-request-id, age, cache-status, ratelimit-policy, ratelimit',
      });
    },
  );

  it('lets them read errors', async () => {
    const answer = await post(gateway, APP, 'application/xml');
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([415, APP]);
  });

  it.each([
    'https://app.example.evil.example',
    'https://evil-app.example',
    'https://sub.app.example',
    'http://app.example',
    'https://app.example:8443',
    'https://app.example/',
    'HTTPS://APP.EXAMPLE',
    'https://app.example, http://localhost:5173',
    'http://localhost',
    'null',
    '*',
    '',
  ])('lets %j neither send preflight requests nor read responses', async (origin) => {
    const preflighted = await preflight(gateway, origin);
    expect([preflighted.status, corsHeaders(preflighted), preflighted.headers.get('vary')]).toEqual([
      405,
      {},
      'Origin',
    ]);
    expect(corsHeaders(await post(gateway, origin))).toEqual({});
  });

  it('sends Vary: Origin for a request without an Origin, too', async () => {
    expect((await send(gateway, 'POST', ['Content-Type: application/json'])).headers.get('vary')).toBe('Origin');
  });

  it('has no effect on other routes', async () => {
    for (const target of [
      '/v2/readers',
      '/schema.graphql',
      '/possible-types.json',
      '/health/ready',
      '/graphql/',
      '/GRAPHQL',
    ]) {
      const answer = await sendRaw(gateway.url, rawRequest({ target, headers: [`Origin: ${APP}`] }));
      expect(corsHeaders(answer)).toEqual({});
    }
  });
});

describe('the log of refused origins', () => {
  const logged: unknown[][] = [];
  let gateway: Gateway;
  beforeAll(async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const log = (...line: unknown[]) => logged.push(line);
    gateway = await startGateway({ backend: await openFixtureStore(), local: true, token: TOKEN, log });
  });
  // The next test begins in another minute.
  afterEach(() => {
    logged.length = 0;
    vi.advanceTimersByTime(60_000);
  });
  afterAll(async () => {
    vi.useRealTimers();
    await gateway.close();
  });

  const lineOf = (origin: string, asked: { readonly method?: string; readonly headers?: string } = {}) => [
    'warn',
    'a web page was refused',
    { origin, reason: 'CORS_ORIGINS does not list its origin', route: 'graphql', ...asked },
  ];
  const ASKED = { method: 'POST', headers: 'content-type,api_token' };

  it('has each refusal once in a minute, with what a preflight request asked for', async () => {
    await preflight(gateway, APP);
    await preflight(gateway, APP);
    await post(gateway, APP);
    await post(gateway, 'null');
    expect(logged).toEqual([lineOf(APP, ASKED), lineOf(APP), lineOf('null')]);
    vi.advanceTimersByTime(59_999);
    await post(gateway, APP);
    expect(logged).toHaveLength(3);
    vi.advanceTimersByTime(1);
    await post(gateway, APP);
    expect(logged.slice(3)).toEqual([lineOf(APP)]);
  });

  it('has a method and a route that pages may not ask for', async () => {
    const lines: unknown[][] = [];
    const log = (...line: unknown[]) => lines.push(line);
    const backend = await openFixtureStore();
    const listing = await startGateway({ backend, local: true, token: TOKEN, log, corsOrigins: [APP] });
    const headers = [`Origin: ${APP}`, 'Access-Control-Request-Method: PUT'];
    for (const target of ['/graphql', '/v2/articles/bulkupdate'])
      await sendRaw(listing.url, rawRequest({ method: 'OPTIONS', target, headers }));
    await preflight(listing, APP);
    await listing.close();
    const refused = { origin: APP, method: 'PUT' };
    expect(lines.map(([, , fields]) => fields)).toEqual([
      { ...refused, route: 'graphql', reason: 'pages send GET and POST alone' },
      { ...refused, route: 'facade', reason: 'pages of other origins call /graphql and /mcp alone' },
    ]);
  });

  it('has neither pages of the gateway itself, nor what is too long for a line, nor a token', async () => {
    const own = { method: 'POST', body: QUERY, host: 'kb.example' };
    await sendRaw(gateway.url, rawRequest({ ...own, headers: ['Origin: https://kb.example'] }));
    // A proxy may have replaced the host.
    await send(gateway, 'POST', [`Origin: ${APP}`, 'Sec-Fetch-Site: same-origin', 'Content-Type: application/json']);
    await post(gateway, `https://${'a'.repeat(4_000)}.example`);
    await send(gateway, 'POST', ['Origin: https://my-secret-token.example', 'api_token: my-secret-token']);
    await sendRaw(gateway.url, rawRequest({ target: '/schema.graphql', headers: [`Origin: ${APP}`] }));
    expect(logged).toEqual([]);
  });

  it('is bounded, however many origins are made up', async () => {
    for (let index = 0; index <= MAX_REFUSED_ORIGINS; index++) await post(gateway, `https://${index}.example`);
    expect(logged).toHaveLength(MAX_REFUSED_ORIGINS);
    vi.advanceTimersByTime(60_000);
    await post(gateway, APP);
    expect(logged.at(-1)).toEqual(lineOf(APP));
  });
});
