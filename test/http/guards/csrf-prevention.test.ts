import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFixtureStore, TOKEN } from '../../support/fixture-store.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import { rawRequest, sendRaw } from '../../support/raw-http.ts';

const QUERY = '{"query":"{ __typename }"}';
const FORM = 'query={__typename}';

/** What a browser sends for any page without asking first: see `CORS-safelisted request-header` in the fetch standard. */
const SIMPLE_TYPES = [
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/plain',
  'text/plain; charset=utf-8',
  'text/plain;application/json',
  'text/plain; application/json',
  'TEXT/PLAIN',
  ' text/plain',
  'application/x-www-form-urlencoded; x=application/json',
];

describe('CSRF prevention', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway({ backend: await openFixtureStore(), local: true, token: TOKEN });
  });
  afterAll(() => gateway.close());

  const send = (request: Parameters<typeof rawRequest>[0]) => sendRaw(gateway.url, rawRequest(request));
  const codeOf = (body: string) => JSON.parse(body).errors[0].extensions.code;

  it.each(SIMPLE_TYPES)('refuses a POST of the type %j', async (type) => {
    for (const body of [QUERY, FORM, '']) {
      const answer = await send({ method: 'POST', headers: [`Content-Type: ${type}`], body });
      expect([answer.status, codeOf(answer.body)]).toEqual([403, 'CSRF_PREVENTED']);
    }
  });

  it('refuses a POST of no type', async () => {
    for (const headers of [[], ['Content-Type:'], ['Content-Type: ;charset=utf-8']]) {
      const answer = await send({ method: 'POST', headers, body: QUERY });
      expect([answer.status, codeOf(answer.body)]).toEqual([403, 'CSRF_PREVENTED']);
    }
  });

  it('refuses a GET, whatever it accepts but a page', async () => {
    for (const headers of [[], ['Accept: */*'], ['Accept: application/json'], ['Content-Type: application/json']]) {
      const answer = await send({ target: '/graphql?query={__typename}', headers });
      expect([answer.status, codeOf(answer.body)]).toEqual([403, 'CSRF_PREVENTED']);
    }
  });

  it('runs nothing for a link that a browser follows', async () => {
    const answer = await send({ target: '/graphql?query={__typename}', headers: ['Accept: text/html,*/*;q=0.8'] });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  });

  it.each(['graphql-require-preflight: 1', 'api_token: x', 'x-api-token: x', 'authorization: Bearer x'])(
    'takes a GET that a browser would have asked for, by the header %s',
    async (header) => {
      expect((await send({ target: '/graphql?query={__typename}', headers: [header] })).status).toBe(200);
    },
  );

  it('takes JSON, which a browser asks for too', async () => {
    expect((await send({ method: 'POST', headers: ['Content-Type: application/json'], body: QUERY })).status).toBe(200);
  });

  // Yoga takes each of these for its endpoint, and none of them is `/graphql`.
  it.each([
    '/graphql/',
    '/x/graphql',
    '/graphql/graphql',
    '/health/graphql',
    '/?/graphql',
    '/x?y=/graphql',
    '/GraphQL',
    '/graphql;x',
  ])('is not gone past by %s', async (target) => {
    for (const type of ['application/json', 'application/x-www-form-urlencoded', 'text/plain']) {
      const answer = await send({ method: 'POST', target, headers: [`Content-Type: ${type}`], body: FORM });
      expect([answer.status, codeOf(answer.body)]).toEqual([404, 'NOT_FOUND']);
    }
  });

  it('is not gone past by another method', async () => {
    for (const method of ['HEAD', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY']) {
      const answer = await send({ method, target: '/graphql?query={__typename}' });
      expect(answer.status).toBeGreaterThanOrEqual(403);
      expect(answer.status).toBeLessThan(406);
      expect(answer.body).not.toContain('data');
    }
  });

  it('lets no mutation through a GET', async () => {
    const mutation = encodeURIComponent('mutation { bulkUpdateArticles(input: { articles: [] }) { __typename } }');
    const headers = ['graphql-require-preflight: 1', `api_token: ${TOKEN}`, 'Accept: application/json'];
    const answer = await send({ target: `/graphql?query=${mutation}`, headers });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });
});

describe('every answer', () => {
  it('tells browsers not to guess what it is', async () => {
    const gateway = await startGateway({ backend: await openFixtureStore(), local: true, token: TOKEN });
    for (const target of [
      '/',
      '/graphql',
      '/schema.graphql',
      '/health/live',
      '/health/ready',
      '/v2/readers',
      '/nothing',
    ]) {
      for (const accept of ['*/*', 'text/html', 'image/png']) {
        const answer = await sendRaw(gateway.url, rawRequest({ target, headers: [`Accept: ${accept}`] }));
        expect([target, answer.headers.get('x-content-type-options')]).toEqual([target, 'nosniff']);
      }
    }
    await gateway.close();
  });
});

describe('what a client accepts', () => {
  it.each(['text/event-stream', 'multipart/mixed', 'image/png', 'application/json; charset=latin1', 'x'])(
    'is refused where it is %s only',
    async (accept) => {
      const gateway = await startGateway({ backend: await openFixtureStore(), local: true, token: TOKEN });
      const headers = ['Content-Type: application/json', `Accept: ${accept}`];
      const answer = await sendRaw(gateway.url, rawRequest({ method: 'POST', headers, body: QUERY }));
      await gateway.close();
      expect([answer.status, JSON.parse(answer.body).errors[0].extensions.code]).toEqual([406, 'NOT_ACCEPTABLE']);
    },
  );

  it('may be a list that JSON is a part of', async () => {
    const gateway = await startGateway({ backend: await openFixtureStore(), local: true, token: TOKEN });
    const accept =
      'application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed';
    const headers = ['Content-Type: application/json', `Accept: ${accept}`];
    const answer = await sendRaw(gateway.url, rawRequest({ method: 'POST', headers, body: QUERY }));
    await gateway.close();
    expect(JSON.parse(answer.body)).toEqual({ data: { __typename: 'Query' } });
  });
});
