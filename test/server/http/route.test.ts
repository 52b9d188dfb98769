import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decideRoute } from '../../../src/server/http/route.ts';
import { openFixtureStore, TOKEN } from '../../support/fixture-store.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import { rawRequest, sendRaw } from '../../support/raw-http.ts';

const QUERY = '{"query":"{ projectVersions { id } }"}';

describe('the route of a request', () => {
  it.each([
    ['/graphql', 'graphql'],
    ['/graphql?query={__typename}', 'graphql'],
    ['/graphql/', 'none'],
    ['/GraphQL', 'none'],
    ['/x/graphql', 'none'],
    ['/graphql%3f', 'none'],
    ['/mcp', 'mcp'],
    ['/mcp/', 'none'],
    ['/v2', 'facade'],
    ['/V2/Articles?a=/graphql', 'facade'],
    ['/v2x', 'none'],
    ['/%76%32/articles', 'none'],
    ['/health/ready?x', 'ready'],
    ['/livez', 'live'],
    ['/readyz?verbose', 'ready'],
    ['/livez/', 'none'],
    ['/schema.graphql', 'schema'],
    ['/possible-types.json', 'possibleTypes'],
    ['/possible-types.json/', 'none'],
    ['/', 'none'],
  ])('of %s is %s', (url, route) => {
    expect(decideRoute({ method: 'GET', url, headers: {} })).toBe(route);
  });

  it.each([
    ['GET', '/', 'start'],
    ['GET', '/graphql?x', 'graphiql'],
    ['GET', '/health/ready', 'ready'],
    ['POST', '/', 'none'],
    ['POST', '/graphql', 'graphql'],
    ['POST', '/health/ready', 'none'],
    ['HEAD', '/possible-types.json', 'possibleTypes'],
    ['POST', '/possible-types.json', 'none'],
  ])('of %s %s by a browser is %s', (method, url, route) => {
    expect(decideRoute({ method, url, headers: { accept: 'text/html,*/*' } })).toBe(route);
  });
});

describe('the rate limit', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    const backend = await openFixtureStore();
    gateway = await startGateway({ backend, local: true, token: TOKEN, callerRequestsPerMinute: 2 });
    await gateway.send('{ __typename }');
    await gateway.send('{ __typename }');
  });
  afterAll(() => gateway.close());

  it.each([
    '/./graphql',
    '/x/../graphql',
    '/x/%2e%2E/graphql',
    '/%2e/graphql',
    '/.%2e/graphql',
    '/graphql/.',
    '/graphql/..?query=x',
    '//graphql',
    '/\\graphql',
    '/.\\graphql',
    '/./v2/projectversions',
    '/x/../v2/projectversions',
    '/v2/%2e%2e/v2/projectversions',
    '/v2/./projectversions',
  ])('is not bypassed by %s', async (target) => {
    const post = rawRequest({
      method: 'POST',
      target,
      headers: ['Content-Type: application/json', `api_token: ${TOKEN}`],
      body: QUERY,
    });
    expect((await sendRaw(gateway.url, post)).status).toBe(400);
    const get = rawRequest({ target, headers: [`api_token: ${TOKEN}`] });
    expect((await sendRaw(gateway.url, get)).status).toBe(400);
  });

  it.each(['/graphql', '/graphql?x', '/v2/projectversions', '/V2/x'])('holds at %s', async (target) => {
    const { status, headers } = await sendRaw(gateway.url, rawRequest({ target, headers: [`api_token: ${TOKEN}`] }));
    expect([status, Number(headers.get('retry-after')) > 0]).toEqual([429, true]);
  });
});
