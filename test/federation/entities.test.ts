import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../src/core/base/log.ts';
import { encodeGlobalId } from '../../src/graphql/schema/nodes.ts';
import { openRestBackend } from '../../src/service/rest-backend.ts';
import { openFixtureStore, TOKEN } from '../support/fixture-store.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';

const ENTITIES = `query ($representations: [_Any!]!) {
  _entities(representations: $representations) {
    __typename
    ... on Article { articleId languageCode title category { name } }
    ... on Category { categoryId languageCode name }
    ... on ProjectVersion { projectVersionId name }
    ... on Reader { readerId email }
    ... on ReaderGroup { groupId readerIds }
  }
}`;

const ARTICLE = { articleId: 'a1', languageCode: 'en' };
const CATEGORY = { categoryId: 'c4', languageCode: 'fr' };

/** Each type with its global ID, the service's own key, and a field that only the entity itself has. */
const KEYS = [
  { __typename: 'Article', parts: ['a1', 'en'], key: ARTICLE, fields: { category: { name: 'Guides' } } },
  { __typename: 'Category', parts: ['c4', 'fr', 'pv2'], key: CATEGORY, fields: { name: 'Guides' } },
  { __typename: 'ProjectVersion', parts: ['pv2'], key: { projectVersionId: 'pv2' }, fields: { name: 'v2' } },
  { __typename: 'Reader', parts: ['r1'], key: { readerId: 'r1' }, fields: { email: expect.any(String) } },
  { __typename: 'ReaderGroup', parts: ['g2'], key: { groupId: 'g2' }, fields: { readerIds: expect.any(Array) } },
] as const;

describe.each(['store', 'service'] as const)('the entities of the %s', (behind) => {
  let service: Gateway;
  let gateway: Gateway;
  let calls: string[] = [];

  beforeAll(async () => {
    const onRequest = ({ url }: { url?: string | undefined }) => calls.push(`${url?.split('?')[0]}`);
    service = await startGateway({ backend: await openFixtureStore(), local: true, token: TOKEN, onRequest });
    const limits = { timeoutMs: 10_000, bulkSize: 100, maxReadCalls: 60 };
    const backend =
      behind === 'store'
        ? await openFixtureStore()
        : openRestBackend({ baseUrl: service.url, log: silentLog, ...limits });
    gateway = await startGateway({ backend, local: behind === 'store', token: TOKEN });
    await gateway.send('{ projectVersions { name } }');
  });
  beforeEach(() => {
    calls = [];
  });
  afterAll(() => Promise.all([gateway.close(), service.close()]));

  const find = async (representations: readonly unknown[]) => (await gateway.send(ENTITIES, { representations })).body;

  it.each(KEYS)('are found by both keys: $__typename', async ({ __typename, parts, key, fields }) => {
    const byId = { __typename, id: encodeGlobalId(__typename, parts) };
    const { data, errors } = await find([byId, { __typename, ...key }]);
    expect(errors).toBeUndefined();
    const found = expect.objectContaining({ __typename, ...key, ...fields });
    expect(data).toEqual({ _entities: [found, found] });
  });

  it('are those of the global ID where the own key beside it is another', async () => {
    const id = encodeGlobalId('Reader', ['r1']);
    expect(await find([{ __typename: 'Reader', readerId: 'r2', id }])).toMatchObject({
      data: { _entities: [{ readerId: 'r1' }] },
    });
  });

  it('have the version of their global ID', async () => {
    const byId = { __typename: 'Article', id: encodeGlobalId('Article', ['a1', 'en', 1]) };
    expect((await find([byId])).data).toMatchObject({ _entities: [{ title: 'a1 en 1' }] });
  });

  it('are null where they do not exist, and stand in the order of the representations', async () => {
    const { data, errors } = await find([
      { __typename: 'Reader', readerId: 'nobody' },
      { __typename: 'ProjectVersion', projectVersionId: 'pv1' },
      { __typename: 'Article', articleId: 'a1', languageCode: 'xx' },
      { __typename: 'Category', categoryId: 'c1', languageCode: 'fr' },
      { __typename: 'ReaderGroup', groupId: '..' },
      { __typename: 'Article', ...ARTICLE },
    ]);
    expect(errors).toBeUndefined();
    const { _entities: entities = [] } = Object(data);
    expect(entities.map((entity: object | null) => Object(entity).__typename ?? null)).toEqual([
      null,
      'ProjectVersion',
      null,
      null,
      null,
      'Article',
    ]);
  });

  it.each([
    { __typename: 'Article', articleId: 'a1' },
    { __typename: 'Reader', readerId: 7 },
    { __typename: 'Reader', readerId: '' },
    { __typename: 'ReaderGroup', id: encodeGlobalId('Reader', ['r1']) },
    { __typename: 'Reader', id: 'r1' },
    { __typename: 'InvitedSsoUser', invitationId: 'i1' },
    { __typename: 'toString', id: 'x' },
    { readerId: 'r1' },
    'Reader',
    [[{ __typename: 'Reader' }]],
  ])('are errors in their place where the representation is invalid: %j', async (invalid) => {
    const { data, errors } = await find([{ __typename: 'Reader', readerId: 'r1' }, invalid]);
    expect(data).toEqual({ _entities: [expect.objectContaining({ readerId: 'r1' }), null] });
    expect(errors).toEqual([
      expect.objectContaining({
        path: ['_entities', 1],
        message: expect.stringMatching(
          /representations\.1 must have the __typename of an entity and one of its keys, as texts: Article \(id, or articleId and languageCode\), /u,
        ),
        extensions: expect.objectContaining({ code: 'VALIDATION_FAILED' }),
      }),
    ]);
  });

  it('may be literals of the document', async () => {
    const document =
      'query ($id: ID) { _entities(representations: [{ __typename: "Reader", readerId: $id }]) { ... on Reader { readerId } } }';
    const { body } = await gateway.send(document, { id: 'r1' });
    expect(body).toEqual({ data: { _entities: [{ readerId: 'r1' }] } });
  });

  it('are at most a thousand in one request', async () => {
    const many = (length: number) => Array.from({ length }, () => ({ __typename: 'Reader', readerId: 'r1' }));
    const { data, errors } = await find(many(1_001));
    expect(data ?? null).toBeNull();
    expect(errors?.[0]?.message).toMatch(/representations must be at most 1000 in one request; there are 1001\./u);
    expect((await find(many(1_000))).errors).toBeUndefined();
    const twice =
      'query ($a: [_Any!]!, $b: [_Any!]!) { a: _entities(representations: $a) { __typename } b: _entities(representations: $b) { __typename } }';
    const { body } = await gateway.send(twice, { a: many(600), b: many(401) });
    expect(body.errors).toEqual([expect.objectContaining({ path: ['b'] })]);
  });

  it('need a token', async () => {
    const send = (headers: Record<string, string>) =>
      gateway.send(ENTITIES, { representations: [{ __typename: 'Article', ...ARTICLE }] }, headers);
    const { body } = await send({});
    expect(body.data ?? null).toBeNull();
    expect(body.errors?.[0]?.extensions?.['code']).toBe('UNAUTHENTICATED');
  });

  if (behind === 'store') return;

  it('cost one call for each list, and one for each article or group', async () => {
    await find([
      { __typename: 'Reader', readerId: 'r1' },
      { __typename: 'Reader', readerId: 'r2' },
      { __typename: 'ReaderGroup', groupId: 'g1' },
      { __typename: 'ReaderGroup', groupId: 'g1' },
    ]);
    expect(calls.sort()).toEqual(['/v2/Readers', '/v2/Readers/groups/g1']);
    calls = [];
    await gateway.send(
      'query ($representations: [_Any!]!) { _entities(representations: $representations) { ... on Article { title } ... on Category { name } } }',
      {
        representations: [
          ...['a1', 'a2'].map((articleId) => ({ __typename: 'Article', articleId, languageCode: 'en' })),
          ...['c1', 'c2', 'c3'].map((categoryId) => ({ __typename: 'Category', categoryId, languageCode: 'en' })),
        ],
      },
    );
    expect(calls.filter((call) => call.startsWith('/v2/Articles/'))).toEqual([
      '/v2/Articles/a1/en',
      '/v2/Articles/a2/en',
    ]);
    expect(calls.filter((call) => call.endsWith('/categories'))).toEqual(['/v2/ProjectVersions/pv1/categories']);
  });

  it('are refused before the first call where they could cost too many', async () => {
    const groups = Array.from({ length: 60 }, (_, n) => ({ __typename: 'ReaderGroup', groupId: `g${n}` }));
    const { body } = await gateway.send(
      'query ($representations: [_Any!]!) { _entities(representations: $representations) { ... on ReaderGroup { title } } }',
      { representations: groups },
    );
    expect(body.errors?.[0]).toMatchObject({
      message: expect.stringMatching(/may cost 61 calls .* Query\._entities 61/u),
      extensions: { code: 'QUERY_TOO_COSTLY' },
    });
    expect(calls).toEqual([]);
  });
});
