import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rateLimited } from '../../../src/domain/errors.ts';
import { err } from '../../../src/domain/result.ts';
import { openFixtureStore, TOKEN } from '../../support/fixture-store.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import { rawRequest, sendRaw } from '../../support/raw-http.ts';

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
    ['/graphql?query={readerGroups{totalCount}}', { headers: { api_token: TOKEN } }],
    ['/graphql?query={', { headers: { api_token: TOKEN } }],
    ['/v2/articles/a1/en', { headers: { api_token: TOKEN } }],
    ['/v2/nothing', { headers: { api_token: TOKEN } }],
    ['/nothing', { headers: { api_token: TOKEN } }],
    ['/health/live', { headers: { api_token: TOKEN } }],
  ])('let no cache keep the response of %s', async (path, init) => {
    expect((await fetch(`${gateway.url}${path}`, init)).headers.get('cache-control')).toBe('no-store');
  });

  it('have Retry-After when a rate limit caused the failure', async () => {
    const post = await fetch(`${gateway.url}/graphql`, { ...JSON_POST, body: VERSIONS });
    const get = await fetch(`${gateway.url}/graphql?query={projectVersions{id}}`, { headers: { api_token: TOKEN } });
    const input = '{ groupId: "g1", title: "x", accessScope: { level: PROJECT } }';
    const query = `mutation { updateReaderGroup(input: ${input}) { ... on RateLimitedError { code retryAfterSeconds } } }`;
    const write = await fetch(`${gateway.url}/graphql`, { ...JSON_POST, body: JSON.stringify({ query }) });
    const facade = await fetch(`${gateway.url}/v2/projectversions`, { headers: { api_token: TOKEN } });
    const seconds = [post, get, write, facade].map(({ headers }) => headers.get('retry-after'));
    expect(seconds).toEqual(['17', '17', '23', '17']);
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
