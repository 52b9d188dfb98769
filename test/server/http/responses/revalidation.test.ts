import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFixtureStore, TOKEN } from '../../../support/fixture-store.ts';
import { type Gateway, startGateway } from '../../../support/gateway.ts';

const APP = 'https://app.example';
const TITLE = '/graphql?documentId=title';
const JSON_TYPE = 'application/json';

describe('the response to a GET with a token', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway({
      backend: await openFixtureStore(),
      local: true,
      token: TOKEN,
      corsOrigins: [APP],
      trustedTexts: new Map([['title', '{ readerGroup(groupId: "g1") { id title description } }']]),
    });
  });
  afterAll(() => gateway.close());

  const get = (headers: Record<string, string> = {}, path = TITLE) =>
    fetch(`${gateway.url}${path}`, { headers: { api_token: TOKEN, accept: JSON_TYPE, ...headers } });

  it('may be kept by the cache of the caller, which asks before each use', async () => {
    const { status, headers } = await get();
    expect([status, headers.get('cache-control'), headers.get('etag')]).toEqual([
      200,
      'private, no-cache',
      expect.stringMatching(/^"[\w-]{43}"$/u),
    ]);
    expect(headers.get('vary')).toBe('Origin, api_token, X-Api-Token, Authorization, Accept');
  });

  it('is 304 without a body as long as nothing has changed', async () => {
    const entityTag = (await get()).headers.get('etag') ?? '';
    for (const sent of [entityTag, `W/${entityTag}`, `"other", ${entityTag}`, '*']) {
      const response = await get({ 'if-none-match': sent, origin: APP });
      expect([response.status, await response.text()]).toEqual([304, '']);
      const names = ['etag', 'cache-control', 'access-control-allow-origin', 'content-type', 'content-length'];
      expect(names.map((name) => response.headers.get(name))).toEqual([
        entityTag,
        'private, no-cache',
        APP,
        null,
        null,
      ]);
    }
    const input = '{ groupId: "g1", description: "Another one." }';
    const { body } = await gateway.send(`mutation { updateReaderGroup(input: ${input}) { __typename } }`);
    expect(body.data).toEqual({ updateReaderGroup: { __typename: 'UpdateReaderGroupPayload' } });
    const changed = await get({ 'if-none-match': entityTag });
    expect([changed.status, (await changed.json()).data.readerGroup.description]).toEqual([200, 'Another one.']);
    expect(changed.headers.get('etag')).not.toBe(entityTag);
  });

  it('has another ETag as another media type', async () => {
    const [one, other] = await Promise.all([get(), get({ accept: 'application/graphql-response+json' })]);
    expect(await one.text()).toBe(await other.text());
    expect(one.headers.get('etag')).not.toBe(other.headers.get('etag'));
  });

  it('has an ETag of all bytes when it is large', async () => {
    const path = `/graphql?query=${encodeURIComponent(getIntrospectionQuery())}`;
    const first = await get({}, path);
    const { length } = await first.text();
    const entityTag = first.headers.get('etag') ?? '';
    expect([first.status, length > 100_000]).toEqual([200, true]);
    expect((await get({ 'if-none-match': entityTag }, path)).status).toBe(304);
  });

  it.each([
    ['no token', { headers: { 'graphql-require-preflight': '1' } }, TITLE],
    [
      'a POST',
      { method: 'POST', headers: { api_token: TOKEN, 'content-type': JSON_TYPE }, body: '{"documentId":"title"}' },
      '/graphql',
    ],
    [
      'a refused request',
      { headers: { api_token: TOKEN, accept: 'application/graphql-response+json' } },
      '/graphql?query={',
    ],
    ['a refused request, as JSON', { headers: { api_token: TOKEN, accept: JSON_TYPE } }, '/graphql?query={foo}'],
    [
      'an error of a field',
      { headers: { api_token: TOKEN, accept: JSON_TYPE } },
      '/graphql?query={nodes(ids:["a"]){id}}',
    ],
    ['the schema', {}, '/schema.graphql'],
  ])('is alone in that: %s', async (_name, init: RequestInit, path) => {
    const { headers } = await fetch(`${gateway.url}${path}`, init);
    expect([headers.get('cache-control'), headers.get('etag')]).toEqual(['no-store', null]);
  });
});
