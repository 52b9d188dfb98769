import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFixtureStore, TOKEN } from '../../../support/fixture-store.ts';
import { type Gateway, startGateway } from '../../../support/gateway.ts';
import { rawRequest, sendRaw } from '../../../support/raw-http.ts';

const QUERY = '{"query":"{ __typename }"}';
const FORM = 'query={__typename}';

/** Media types that need no preflight request: see `CORS-safelisted request-header` in the Fetch standard. */
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

  it('refuses a POST without a media type', async () => {
    for (const headers of [[], ['Content-Type:'], ['Content-Type: ;charset=utf-8']]) {
      const answer = await send({ method: 'POST', headers, body: QUERY });
      expect([answer.status, codeOf(answer.body)]).toEqual([403, 'CSRF_PREVENTED']);
    }
  });

  it('refuses a GET that does not accept HTML', async () => {
    for (const headers of [[], ['Accept: */*'], ['Accept: application/json'], ['Content-Type: application/json']]) {
      const answer = await send({ target: '/graphql?query={__typename}', headers });
      expect([answer.status, codeOf(answer.body)]).toEqual([403, 'CSRF_PREVENTED']);
    }
  });

  it('executes nothing for a link that a browser follows', async () => {
    const answer = await send({ target: '/graphql?query={__typename}', headers: ['Accept: text/html,*/*;q=0.8'] });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  });

  it.each(['graphql-require-preflight: 1', 'api_token: x', 'x-api-token: x', 'authorization: Bearer x'])(
    'accepts a GET that needs a preflight request because of the header %s',
    async (header) => {
      expect((await send({ target: '/graphql?query={__typename}', headers: [header] })).status).toBe(200);
    },
  );

  it('accepts JSON, which needs a preflight request, too', async () => {
    expect((await send({ method: 'POST', headers: ['Content-Type: application/json'], body: QUERY })).status).toBe(200);
  });

  // Yoga matches each of these with its endpoint, and none of them is `/graphql`.
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

  it('applies to other methods, too', async () => {
    for (const method of ['HEAD', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY']) {
      const answer = await send({ method, target: '/graphql?query={__typename}' });
      expect(answer.status).toBeGreaterThanOrEqual(403);
      expect(answer.status).toBeLessThan(406);
      expect(answer.body).not.toContain('data');
    }
  });

  it('executes no mutation by GET', async () => {
    const mutation = encodeURIComponent('mutation { bulkUpdateArticles(input: { articles: [] }) { __typename } }');
    const headers = ['graphql-require-preflight: 1', `api_token: ${TOKEN}`, 'Accept: application/json'];
    const answer = await send({ target: `/graphql?query=${mutation}`, headers });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });
});

describe('every response', () => {
  it('tells browsers not to guess its media type', async () => {
    const gateway = await startGateway({ backend: await openFixtureStore(), local: true, token: TOKEN });
    for (const target of [
      '/',
      '/graphql',
      '/schema.graphql',
      '/possible-types.json',
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

describe('the Accept header', () => {
  it.each(['text/event-stream', 'multipart/mixed', 'image/png', 'application/json; charset=latin1', 'x'])(
    'is refused when it is %s only',
    async (accept) => {
      const gateway = await startGateway({ backend: await openFixtureStore(), local: true, token: TOKEN });
      const headers = ['Content-Type: application/json', `Accept: ${accept}`];
      const answer = await sendRaw(gateway.url, rawRequest({ method: 'POST', headers, body: QUERY }));
      await gateway.close();
      expect([answer.status, JSON.parse(answer.body).errors[0].extensions.code]).toEqual([406, 'NOT_ACCEPTABLE']);
    },
  );

  it('may be empty, as if it were not there', async () => {
    const gateway = await startGateway({ backend: await openFixtureStore(), local: true, token: TOKEN });
    const headers = ['Content-Type: application/json', 'Accept:'];
    const answer = await sendRaw(gateway.url, rawRequest({ method: 'POST', headers, body: QUERY }));
    await gateway.close();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  });

  it('may be a list that contains JSON', async () => {
    const gateway = await startGateway({ backend: await openFixtureStore(), local: true, token: TOKEN });
    const accept =
      'application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed';
    const headers = ['Content-Type: application/json', `Accept: ${accept}`];
    const answer = await sendRaw(gateway.url, rawRequest({ method: 'POST', headers, body: QUERY }));
    await gateway.close();
    expect(JSON.parse(answer.body)).toEqual({ data: { __typename: 'Query' } });
  });
});
