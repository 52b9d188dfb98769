import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFixtureStore, TOKEN } from '../support/fixture-store.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';

const PREFLIGHTED = { 'graphql-require-preflight': '1' };
/** The first response to each request, with which the second path is compared. */
const firstResponses = new Map<string, object>();

const JSON_BODY = { 'content-type': 'application/json', api_token: TOKEN };

describe('the HTTP server', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway({
      backend: await openFixtureStore(),
      local: true,
      token: TOKEN,
      maxBodyBytes: 100_000,
      maxBulkItems: 50,
    });
  });
  afterAll(() => gateway.close());

  const at = (path: string, init?: RequestInit) => fetch(`${gateway.url}${path}`, { redirect: 'manual', ...init });
  const post = (body: BodyInit, headers: Record<string, string> = JSON_BODY) =>
    at('/graphql', { method: 'POST', headers, body });

  describe('GraphQL over HTTP', () => {
    describe.each([
      ['the usual spelling of the media type', 'application/json'],
      ['another spelling', 'application/json;  charset=utf-8'],
    ])('%s', (_way, plainType) => {
      const audits = serverAudits({
        url: () => `${gateway.url}/graphql`,
        fetchFn: (url: string, init: RequestInit = {}) => {
          const headers = new Headers({ ...Object.fromEntries(new Headers(init.headers)), ...PREFLIGHTED });
          if (headers.get('content-type') === 'application/json') headers.set('content-type', plainType);
          return fetch(url, { ...init, headers });
        },
      });
      it.each(audits.map((audit) => [audit.name, audit] as const))('%s', async (_name, audit) => {
        const result = await audit.fn();
        if (result.status === 'error') throw new Error(result.reason);
        expect(['ok', 'notice', 'warn']).toContain(result.status);
      });

      it.each([
        '{"query":"{ __typename }"}',
        '{"query":"{","variables":{}}',
        '{"query":"{ nothing }"}',
        '{"query":"query ($n: Int!) { readerGroups(first: $n) { totalCount } }"}',
        '{"query":"query A { __typename } query B { __typename }","operationName":"B"}',
        '{"query":"query A { __typename } query B { __typename }"}',
        '{"query":"{ readerGroups(first: 0) { totalCount } }"}',
        '{"query":"{ node(id: \\"x\\") { id } projectVersions { name } }"}',
        '{"query":"{ __typename }","variables":[]}',
        '{"query":"{ __typename }","more":1}',
        '[]',
        'null',
        '{"query"',
        '{"query":"subscription { x }"}',
      ])('sends the same response for %s in both', async (body) => {
        for (const accept of ['application/json', 'application/graphql-response+json', '*/*']) {
          const headers = { api_token: TOKEN, accept, 'content-type': plainType, 'x-request-id': 'one' };
          const response = await post(body, headers);
          const answer = {
            status: response.status,
            type: response.headers.get('content-type'),
            text: await response.text(),
          };
          const key = `${accept} ${body}`;
          firstResponses.set(key, firstResponses.get(key) ?? answer);
          expect(answer).toEqual(firstResponses.get(key));
        }
      });
    });

    it('runs a query by GET, and no mutation', async () => {
      const query = await at(`/graphql?query=${encodeURIComponent('{ __typename }')}`, { headers: PREFLIGHTED });
      expect(await query.json()).toEqual({ data: { __typename: 'Query' } });
      const withMark = await at('/graphql?query={articleBySlug(slug:%22what?%22){title}}', { headers: JSON_BODY });
      expect(await withMark.json()).toEqual({ data: { articleBySlug: null } });
      const mutation = 'mutation { bulkUpdateArticles(input: { articles: [] }) { __typename } }';
      const refused = await at(`/graphql?query=${encodeURIComponent(mutation)}`, { headers: PREFLIGHTED });
      expect(refused.status).toBe(405);
      expect(refused.headers.get('allow')).toBe('POST');
    });

    it.each([
      ['not JSON', '{"query": '],
      ['no object', '[1, 2]'],
      ['no query', '{}'],
      ['a query that is no text', '{"query": 3}'],
      ['variables that are no object', '{"query": "{ __typename }", "variables": "x"}'],
      ['a query that does not parse', '{"query": "{"}'],
      ['a field that is not there', '{"query": "{ nothing }"}'],
    ])('sends 400 with the reason for %s', async (_what, body) => {
      const response = await post(body, { ...JSON_BODY, accept: 'application/graphql-response+json' });
      expect(response.status).toBe(400);
      expect(await response.json()).toEqual({ errors: [expect.objectContaining({ message: expect.any(String) })] });
    });

    it('sends 413 for a body over the limit, with and without a Content-Length', async () => {
      const body = JSON.stringify({ query: '{ __typename }', variables: { padding: 'x'.repeat(100_001) } });
      const sized = await post(body);
      expect(sized.status).toBe(413);
      expect(await sized.json()).toEqual({ errors: [expect.objectContaining({ message: expect.any(String) })] });
      const chunks = new ReadableStream({
        start: (controller) => {
          controller.enqueue(new TextEncoder().encode(body));
          controller.close();
        },
      });
      const init: RequestInit & { duplex: 'half' } = {
        method: 'POST',
        headers: JSON_BODY,
        body: chunks,
        duplex: 'half',
      };
      expect((await at('/graphql', init)).status).toBe(413);
    });

    it('sends 415 for an unknown media type and 405 for an unknown method', async () => {
      expect((await post('x', { 'content-type': 'application/xml', ...PREFLIGHTED })).status).toBe(415);
      const put = await at('/graphql', { method: 'PUT', headers: JSON_BODY, body: '{}' });
      expect(put.status).toBe(405);
    });

    it('refuses too many items before it writes anything', async () => {
      const articles = Array.from({ length: 51 }, () => ({ articleId: 'a1', title: 'x' }));
      const { body } = await gateway.send(
        'mutation ($input: BulkUpdateArticlesInput!) { bulkUpdateArticles(input: $input) { ... on ValidationError { issues { path message } } } }',
        { input: { articles } },
      );
      expect(body.data?.['bulkUpdateArticles']).toEqual({
        issues: [{ path: ['input', 'articles'], message: 'articles must have at most 50 items; it has 51.' }],
      });
    });

    it('names the path of a variable that fails coercion', async () => {
      const { body } = await gateway.send(
        'mutation ($input: UpdateReaderGroupInput!) { updateReaderGroup(input: $input) { __typename } }',
        { input: { groupId: 'g1', title: 'x', accessScope: { level: 'PROJECT', projectVersionIds: ['pv1'] } } },
      );
      expect(body).toEqual({
        errors: [expect.objectContaining({ message: expect.stringContaining('input.accessScope') })],
      });
    });
  });

  describe('requests that a browser sends for any site', () => {
    it.each([
      ['a GET', { method: 'GET' }],
      [
        'a form',
        {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: 'query={__typename}',
        },
      ],
      [
        'plain text',
        { method: 'POST', headers: { 'content-type': 'text/plain; charset=utf-8' }, body: '{"query":"{__typename}"}' },
      ],
      ['a body of no type', { method: 'POST', body: new Blob(['{"query":"{__typename}"}']) }],
    ])('refuses %s', async (_what, init) => {
      const response = await at('/graphql?query={__typename}', init);
      expect(response.status).toBe(403);
      expect(await response.json()).toEqual({
        errors: [expect.objectContaining({ extensions: { code: 'CSRF_PREVENTED', requestId: expect.any(String) } })],
      });
    });

    it('lets no other site read a response', async () => {
      const response = await at('/graphql', {
        method: 'OPTIONS',
        headers: {
          origin: 'https://example.com',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'api_token',
        },
      });
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
    });
  });

  describe('the other routes', () => {
    it('serves the schema as text', async () => {
      const response = await at('/schema.graphql');
      expect(response.headers.get('content-type')).toContain('charset=utf-8');
      expect(await response.text()).toContain('input AccessScopeInput @oneOf');
    });

    it('serves the object types of each interface and union, as introspection tells them', async () => {
      const query = '{ __schema { types { name possibleTypes { name } } } }';
      const { data } = await (await at(`/graphql?query=${query}`, { headers: { api_token: TOKEN } })).json();
      const types: readonly { name: string; possibleTypes: readonly { name: string }[] | null }[] = data.__schema.types;
      const abstract = types.filter(({ name, possibleTypes }) => possibleTypes !== null && name !== '_Entity');
      const response = await at('/possible-types.json');
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(await response.json()).toEqual(
        Object.fromEntries(
          abstract.map(({ name, possibleTypes }) => [name, possibleTypes?.map((type) => type.name).sort()]),
        ),
      );
      expect(abstract.length).toBeGreaterThan(5);
    });

    it.each(['/schema.graphql', '/possible-types.json'])('answers HEAD for %s as it answers GET', async (path) => {
      const [head, get] = [await at(path, { method: 'HEAD' }), await at(path)];
      const length = Buffer.byteLength(await get.text());
      expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, `${length}`, '']);
    });

    it('reports that it is live and ready', async () => {
      expect(await (await at('/health/live')).json()).toEqual({ status: 'live' });
      expect(await (await at('/health/ready')).json()).toEqual({ status: 'ready' });
    });

    it('sends a browser from / to GraphiQL, which needs no other host and may not be framed', async () => {
      const root = await at('/', { headers: { accept: 'text/html' } });
      expect([root.status, root.headers.get('location')]).toEqual([302, 'graphql']);
      const page = await at('/graphql', { headers: { accept: 'text/html' } });
      expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(await page.text()).not.toMatch(/<(?:script|link)[^>]+(?:src|href)="https?:/u);
    });

    it('sends 404 for any other path', async () => {
      expect((await at('/nothing')).status).toBe(404);
    });
  });
});

describe('the HTTP server without introspection', () => {
  it('offers neither introspection nor the schema', async () => {
    const gateway = await startGateway({
      backend: await openFixtureStore(),
      local: true,
      token: TOKEN,
      introspection: false,
    });
    const { body } = await gateway.send('{ __schema { types { name } } }');
    expect(body.errors?.[0]?.message).toContain('introspection');
    for (const path of ['/schema.graphql', '/possible-types.json']) {
      expect((await fetch(`${gateway.url}${path}`)).status).toBe(404);
    }
    expect((await gateway.send('{ __typename }')).body).toEqual({ data: { __typename: 'Query' } });
    await gateway.close();
  });

  it('tells a stranger nothing of a document, whatever it names', async () => {
    const gateway = await startGateway({
      backend: await openFixtureStore(),
      local: true,
      token: TOKEN,
      introspection: false,
    });
    const headers = { api_token: 'wrong', 'x-request-id': 'one' };
    const documents = ['{ readerGroups { totalCount } }', '{ readerGrups { totalCount } }', '{ __typename }', '{'];
    const answers = await Promise.all(documents.map((query) => gateway.send(query, {}, headers)));
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const mcp = await fetch(`${gateway.url}/mcp`, { method: 'POST', headers, body: JSON.stringify(list) });
    await gateway.close();
    const extensions = { code: 'UNAUTHENTICATED', retryable: false, requestId: 'one' };
    const body = { errors: [{ message: expect.any(String), extensions }] };
    expect(answers).toEqual(documents.map(() => ({ status: 401, body })));
    expect([mcp.status, mcp.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  });
});
