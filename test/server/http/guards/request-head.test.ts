import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFixtureStore, TOKEN } from '../../../support/fixture-store.ts';
import { type Gateway, startGateway } from '../../../support/gateway.ts';
import { rawRequest, sendRaw } from '../../../support/raw-http.ts';

describe('the head of a request', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway({ backend: await openFixtureStore(), local: true, token: TOKEN });
  });
  afterAll(() => gateway.close());

  const send = (request: Parameters<typeof rawRequest>[0]) => sendRaw(gateway.url, rawRequest(request));

  it.each([
    'http://',
    'http:///health/live',
    'http://user:password@a/health/live',
    'http://a:b/health/live',
    'http://a//health/live',
    'http://a/health/../graphql',
    'ftp://a/health/live',
    '//graphql',
    '//example.com/graphql',
    '///health/live',
    '*',
    '/\\graphql',
    '/a\\..\\graphql',
    '/graphql#fragment',
    '/graphql?query={__typename}#x',
    '/%',
    '/%zz',
    '/graphql%ff',
    '/graphql?query=%zz',
    '/graphql?query=%c3',
    '/graphql?query=%ed%a0%80',
  ])('with the target %s is refused', async (target) => {
    const { status, headers, body } = await send({ target });
    expect([status, headers.get('content-type'), headers.get('x-content-type-options')]).toEqual([
      400,
      'application/json; charset=utf-8',
      'nosniff',
    ]);
    expect(JSON.parse(body)).toEqual({
      errors: [{ message: expect.any(String), extensions: { code: 'BAD_REQUEST', requestId: expect.any(String) } }],
    });
  });

  it.each(['http://example.com/health/live', 'HTTPS://Example.com:8443/health/live?x=1', 'http://[::1]/livez'])(
    'with the whole URL %s as its target is served, whatever the header Host names',
    async (target) => {
      expect((await send({ target, host: 'a b' })).status).toBe(200);
      expect((await send({ target, host: null })).status).toBe(400);
    },
  );

  it('with a whole URL as its target is a GraphQL request like another', async () => {
    const headers = ['Content-Type: application/json'];
    const body = '{"query":"{ __typename }"}';
    const answer = await send({ method: 'POST', target: 'http://kb.example/graphql', headers, body });
    expect([answer.status, answer.body]).toEqual([200, '{"data":{"__typename":"Query"}}']);
    const page = await send({ target: 'http://kb.example?x', headers: ['Accept: text/html'] });
    expect([page.status, page.headers.get('location')]).toEqual([302, 'graphql']);
  });

  it.each([
    '',
    'a b',
    'a/b',
    'a?b',
    'a#b',
    'user@a',
    'user:password@a',
    '[::1',
    '::1',
    'a:b',
    'a:99999',
    'a:80:80',
    '1.2.3.999',
    '<script>',
    'a,b',
    '%61',
    'ä',
  ])('with the host %j is refused', async (host) => {
    const { status, body } = await send({ target: '/health/live', host });
    expect(status).toBe(400);
    expect(body).not.toContain('    at ');
  });

  it.each(['a', 'kb.example', 'KB.example:4000', '127.0.0.1:4000', '[::1]', '[::1]:4000', 'my_host', 'a-b.c.'])(
    'with the host %s is accepted',
    async (host) => {
      expect((await send({ target: '/health/live', host })).status).toBe(200);
    },
  );

  it('with two hosts or none is refused', async () => {
    expect((await send({ target: '/health/live', headers: ['Host: b'] })).status).toBe(400);
    expect((await send({ target: '/health/live', headers: ['Host: a'] })).status).toBe(400);
    expect((await send({ target: '/health/live', host: null })).status).toBe(400);
  });

  it('is refused with an envelope on a path of the façade', async () => {
    const { status, body } = await send({ target: '/v2/readers', host: 'a b' });
    expect(status).toBe(400);
    expect(JSON.parse(body)).toMatchObject({
      success: false,
      errors: [{ description: 'The header Host must name one host.' }],
    });
  });

  it('is checked for encodings on a path of the façade, too, whoever sends it', async () => {
    expect((await send({ target: '/v2/articles/%zz' })).status).toBe(400);
  });

  it.each([
    ['no HTTP', '\0\x01\x02\r\n\r\n'],
    ['a TLS handshake', '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03'.padEnd(100, '\0')],
    ['HTTP/2 with prior knowledge', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['two lengths', 'POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx'],
    [
      'a Content-Length and chunks',
      'POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['an invalid Content-Length', 'POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n'],
    [
      'an invalid chunk',
      'POST /graphql HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\nzz\r\n',
    ],
    ['a header without a name', 'GET /health/live HTTP/1.1\r\nHost: a\r\n: x\r\n\r\n'],
    ['a folded header', 'GET /health/live HTTP/1.1\r\nHost: a\r\nX: y\r\n z\r\n\r\n'],
    ['a target without a slash', 'GET graphql HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a byte outside ASCII in the target', 'GET /gr\xe4phql HTTP/1.1\r\nHost: a\r\n\r\n'],
  ])('that is %s ends the connection with a 400', async (_what, request) => {
    expect((await sendRaw(gateway.url, request)).status).toBe(400);
  });

  it('without a Host is refused by HTTP/1.1, and served by HTTP/1.0', async () => {
    const answers = await Promise.all(
      ['1.1', '1.0'].map((version) => sendRaw(gateway.url, `GET /livez HTTP/${version}\r\nConnection: close\r\n\r\n`)),
    );
    expect(answers.map(({ status }) => status)).toEqual([400, 200]);
    for (const { headers } of answers) expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/u);
  });
});
