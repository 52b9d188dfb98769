import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFixtureStore, TOKEN } from '../../support/fixture-store.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import { type RawAnswer, rawRequest, sendRaw } from '../../support/raw-http.ts';

const APP = 'https://app.example';
const QUERY = '{"query":"{ __typename }"}';

const corsHeaders = ({ headers }: RawAnswer) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));

/** `fetch` does not let a program say where it comes from, as a browser does. */
const send = ({ url }: Gateway, method: string, headers: readonly string[]) =>
  sendRaw(url, rawRequest({ method, headers, body: method === 'POST' ? QUERY : '' }));

const preflight = (gateway: Gateway, origin: string, asked = 'content-type,api_token') =>
  send(gateway, 'OPTIONS', [
    `Origin: ${origin}`,
    'Access-Control-Request-Method: POST',
    `Access-Control-Request-Headers: ${asked}`,
  ]);

const post = (gateway: Gateway, origin: string, contentType = 'application/json') =>
  send(gateway, 'POST', [`Origin: ${origin}`, `Content-Type: ${contentType}`]);

describe('CORS, as it is by default', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway({ backend: await openFixtureStore(), local: true, token: TOKEN });
  });
  afterAll(() => gateway.close());

  it('lets no page of another origin ask or read', async () => {
    for (const origin of [APP, gateway.url, 'null']) {
      const asked = await preflight(gateway, origin);
      expect([asked.status, corsHeaders(asked)]).toEqual([405, {}]);
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

  it.each([APP, 'http://localhost:5173'])('answers what %s may send', async (origin) => {
    const answer = await preflight(gateway, origin);
    expect([answer.status, answer.headers.get('vary'), answer.body]).toEqual([204, 'Origin', '']);
    expect(corsHeaders(answer)).toEqual({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': 'content-type, api_token, x-api-token, authorization, graphql-require-preflight',
      'access-control-expose-headers': 'retry-after',
      'access-control-max-age': '7200',
    });
  });

  // Plain POSTs take a short way through the gateway; the same media type, written otherwise, does not.
  it.each(['application/json', 'application/json;  charset=utf-8'])(
    'lets them read answers to %s',
    async (contentType) => {
      const answer = await post(gateway, APP, contentType);
      expect([answer.status, answer.headers.get('vary')]).toEqual([200, 'Origin']);
      expect(corsHeaders(answer)).toEqual({
        'access-control-allow-origin': APP,
        'access-control-expose-headers': 'retry-after',
      });
    },
  );

  it('lets them read refusals', async () => {
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
  ])('lets %j neither ask nor read', async (origin) => {
    const asked = await preflight(gateway, origin);
    expect([asked.status, corsHeaders(asked), asked.headers.get('vary')]).toEqual([405, {}, 'Origin']);
    expect(corsHeaders(await post(gateway, origin))).toEqual({});
  });

  it('tells caches that answers differ by origin, also to those who name none', async () => {
    expect((await send(gateway, 'POST', ['Content-Type: application/json'])).headers.get('vary')).toBe('Origin');
  });

  it('opens no other route', async () => {
    for (const target of ['/v2/readers', '/schema.graphql', '/health/ready', '/graphql/', '/GRAPHQL']) {
      const answer = await sendRaw(gateway.url, rawRequest({ target, headers: [`Origin: ${APP}`] }));
      expect(corsHeaders(answer)).toEqual({});
    }
  });
});
