import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { notAttemptedAfter } from '../../../../src/core/articles/article-outcomes.ts';
import { err, ok } from '../../../../src/core/base/result.ts';
import { rateLimited } from '../../../../src/core/errors.ts';
import { openFixtureStore, TOKEN } from '../../../support/fixture-store.ts';
import { type Gateway, startGateway } from '../../../support/gateway.ts';
import { rawRequest, sendRaw } from '../../../support/raw-http.ts';

const APP = 'https://app.example';
const JSON_POST = { method: 'POST', headers: { api_token: TOKEN, 'content-type': 'application/json' } };
const VERSIONS = '{"query":"{ projectVersions { id } }"}';

describe('the headers of responses', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    const store = await openFixtureStore();
    gateway = await startGateway({
      backend: {
        ...store,
        checkReady: async () => err('The disk is full.'),
        projectVersions: async () => err(rateLimited(17)),
        updateReaderGroup: async () => err(rateLimited(23)),
        bulkUpdateArticles: async (_caller, updates) => {
          const after = [null, rateLimited(29), rateLimited(null)];
          const outcomes = updates.map(({ articleId }, index) => {
            const error = after[index];
            return { ...(error ? notAttemptedAfter(error) : { kind: 'updated' as const, details: null }), articleId };
          });
          return ok({ outcomes, serviceErrors: [], warnings: [], information: [], extensionData: null });
        },
      },
      local: true,
      token: TOKEN,
      corsOrigins: [APP],
    });
  });
  afterAll(() => gateway.close());

  it.each([
    ['/graphql', { ...JSON_POST, body: '{"query":"{ readerGroups { totalCount } }"}' }],
    ['/graphql', { ...JSON_POST, body: '{"query":"{"}' }],
    ['/graphql', { ...JSON_POST, body: VERSIONS }],
    ['/graphql', { ...JSON_POST, headers: { ...JSON_POST.headers, 'content-type': 'text/plain' }, body: '{}' }],
    ['/graphql?query={projectVersions{id}}', { headers: { api_token: TOKEN } }],
    ['/graphql?query={__typename}', { headers: { 'graphql-require-preflight': '1' } }],
    ['/v2/articles/a1/en', { headers: { api_token: TOKEN } }],
    ['/v2/nothing', { headers: { api_token: TOKEN } }],
    ['/nothing', { headers: { api_token: TOKEN } }],
    ['/health/live', { headers: { api_token: TOKEN } }],
  ])('let no cache keep the response of %s', async (path, init) => {
    expect((await fetch(`${gateway.url}${path}`, init)).headers.get('cache-control')).toBe('no-store');
  });

  // Plain POSTs take the fast path; the same media type in another spelling does not.
  it.each(['application/json', 'application/json;  charset=utf-8'])(
    'have Retry-After when a rate limit had a part, whatever the client selects, for %s',
    async (contentType) => {
      const input = '{ groupId: "g1", title: "x", accessScope: { level: PROJECT } }';
      const items = ['a', 'b', 'c'].map((articleId) => `{ articleId: "${articleId}", title: "x" }`);
      const write = (selected: string) => `mutation { updateReaderGroup(input: ${input}) ${selected} }`;
      const queries = [
        '{ projectVersions { id } }',
        write('{ ... on RateLimitedError { code retryAfterSeconds } }'),
        write('{ other: __typename }'),
        `mutation { bulkUpdateArticles(input: { articles: [${items}] }) { __typename } }`,
        '{ readerGroups { totalCount } }',
        '{ readerGroups { nope } }',
      ];
      const headers = { api_token: TOKEN, 'content-type': contentType };
      const responses = await Promise.all(
        queries.map((query) =>
          fetch(`${gateway.url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) }),
        ),
      );
      const seconds = responses.map((response) => response.headers.get('retry-after'));
      expect(seconds).toEqual(['17', '23', '23', '29', null, null]);
    },
  );

  it('have Retry-After when a rate limit refused a GET, by GraphQL and under /v2', async () => {
    const get = await fetch(`${gateway.url}/graphql?query={projectVersions{id}}`, { headers: { api_token: TOKEN } });
    const facade = await fetch(`${gateway.url}/v2/projectversions`, { headers: { api_token: TOKEN } });
    expect([get, facade].map(({ headers }) => headers.get('retry-after'))).toEqual(['17', '17']);
  });

  it('have Retry-After while the gateway is not ready', async () => {
    const { status, headers } = await fetch(`${gateway.url}/health/ready`);
    expect([status, headers.get('retry-after')]).toEqual([503, '5']);
  });

  it('name everything that a response varies by', async () => {
    const headers = [`Origin: ${APP}`, 'Accept: text/html'];
    const page = await sendRaw(gateway.url, rawRequest({ target: '/graphql', headers }));
    expect([page.status, page.headers.get('vary')]).toEqual([200, 'Origin, accept-encoding']);
  });
});
