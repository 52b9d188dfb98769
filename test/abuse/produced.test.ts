import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { silentLog } from '../../src/core/base/log.ts';
import { openRestBackend } from '../../src/service/rest-backend.ts';
import { type FaultyService, json, openFaultyService } from '../support/faulty-service.ts';
import { openFixtureStore, TOKEN } from '../support/fixture-store.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { list, times } from '../support/repeat.ts';

const ids = (count: number): readonly string[] => list(count, (index) => `id-${index}`);

const CHANGE = 'mutation ($input: ChangeReaderGroupMembersInput!) { changeReaderGroupMembers(input: $input)';
const REPLACE = `mutation { updateReaderGroup(input: { groupId: "g1", title: "One", description: null, readerIds: [], invitedSsoUserIds: [], accessScope: { level: NONE } })`;

/** Operations whose response, or whose use of their input, exceeds the limits. None of them may write. */
const GROWING: readonly (readonly [what: string, query: string, variables: object])[] = [
  [
    'issues under many aliases',
    `${CHANGE} { ... on ValidationError { ${times(20, (n) => `a${n}: issues { path message }`)} } } }`,
    { input: { groupId: 'g1', addReaderIds: Array.from({ length: 10 }, () => '') } },
  ],
  ['children of parents of children', `{ categories(projectVersionId: "pv1") { ${nested(6)} } }`, {}],
  [
    'lists in lists',
    '{ readerGroups { nodes { readers { nodes { groups { nodes { readers { nodes { groups { nodes { title } } } } } } } } } } }',
    {},
  ],
  ['the schema under many aliases', `{ ${times(5, (n) => `a${n}: __schema { types { name fields { name } } }`)} }`, {}],
  ['texts under many aliases', `{ articles { nodes { ${times(80, (n) => `a${n}: title`)} } } }`, {}],
  ['IDs under many aliases', `{ readerGroups { nodes { ${times(90, (n) => `a${n}: id`)} } } }`, {}],
  [
    'errors under many aliases',
    `{ articles { nodes { ${times(40, (n) => `a${n}: category { articles(first: 0) { totalCount } }`)} } } }`,
    {},
  ],
  [
    'one input under many root fields',
    `query ($id: ID!) { ${times(49, (n) => `a${n}: node(id: $id) { id }`)} }`,
    { id: 'x'.repeat(300) },
  ],
  [
    'one list under many root fields',
    `query ($ids: [ID!]!) { ${times(49, (n) => `a${n}: nodes(ids: $ids) { id }`)} }`,
    { ids: ids(60) },
  ],
];

function nested(depth: number): string {
  return depth === 0 ? 'name' : `children { parent { ${nested(depth - 1)} again: children { name } } }`;
}

/** Every path that leads to the execution of an operation. */
const PATHS: readonly (readonly [path: string, contentType: string, change: (query: string) => string])[] = [
  ['a plain POST', 'application/json', (query) => query],
  ['a POST that Yoga parses', 'application/json;  charset=utf-8', (query) => query],
  [
    'a document with directives',
    'application/json',
    (query) => query.replace('{', '{ ... @include(if: true) { __typename }'),
  ],
];

const limits = { maxAnswerFields: 40, maxAnswerChars: 3_000 };
const gateways: { close(): Promise<unknown> }[] = [];

afterEach(async () => {
  for (const gateway of gateways.splice(0)) await gateway.close();
});

async function openGateway(
  options: { limits?: typeof limits; introspection?: boolean } = { limits },
): Promise<Gateway> {
  const gateway = await startGateway({ backend: await openFixtureStore(), local: true, token: TOKEN, ...options });
  gateways.push(gateway);
  return gateway;
}

describe.each(PATHS)('sent as %s,', (_path, contentType, change) => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway({ backend: await openFixtureStore(), local: true, token: TOKEN, limits });
  });
  afterAll(() => gateway.close());

  it.each(GROWING)('%s end in QUERY_TOO_COSTLY only', async (_what, query, variables) => {
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': contentType, accept: 'application/graphql-response+json', api_token: TOKEN },
      body: JSON.stringify({ query: change(query), variables }),
    });
    const { data, errors } = await response.json();
    expect(errors).toHaveLength(1);
    expect(errors[0].extensions).toMatchObject({ code: 'QUERY_TOO_COSTLY' });
    if (query.startsWith('mutation')) {
      expect(data).toMatchObject({ changeReaderGroupMembers: null });
      expect(errors[0].extensions.mayHaveApplied).toBe(false);
    } else expect([response.status, data]).toEqual([400, undefined]);
  });
});

describe('a mutation whose response becomes too large', () => {
  const bulk = (alias: string, id: string, selection: string) =>
    `${alias}: bulkUpdateArticles(input: { articles: [{ articleId: "${id}", title: "New ${id}" }] }) { ... on BulkUpdateArticlesPayload { ${selection} } }`;

  it('returns earlier outcomes, reports that its own field may have applied, and begins no later one', async () => {
    const { send } = await openGateway({ limits: { maxAnswerFields: 100_000, maxAnswerChars: 2_000 } });
    const aliases = times(45, (n) => `a${n}: details b${n}: articleId`);
    const longId = 'x'.repeat(100);
    const { body } = await send(
      `mutation { ${bulk('one', 'a1', 'summary { updated }')} ${bulk('two', longId, `results { ${aliases} }`)} ${bulk('three', 'a3', 'summary { updated }')} }`,
    );
    expect(body.data).toEqual({ one: { summary: { updated: 1 } }, two: null, three: null });
    expect(
      body.errors?.map(({ path, extensions }) => [path, extensions?.['code'], extensions?.['mayHaveApplied']]),
    ).toEqual([
      [['two'], 'QUERY_TOO_COSTLY', true],
      [['three'], 'QUERY_TOO_COSTLY', false],
    ]);
    const { body: read } = await send('{ article(articleId: "a3") { title } }');
    expect(read.data?.['article']).toEqual({ title: expect.not.stringContaining('New') });
  });

  it('reports that a preview has not applied', async () => {
    const { send } = await openGateway({ limits: { maxAnswerFields: 100_000, maxAnswerChars: 2_000 } });
    const aliases = times(45, (n) => `a${n}: articleId b${n}: articleId`);
    const { body } = await send(
      `mutation { previewBulkUpdateArticles(input: { articles: [{ articleId: "${'x'.repeat(100)}" }] }) { ... on BulkUpdateArticlesPreview { results { ${aliases} } } } }`,
    );
    expect(body.data).toEqual({ previewBulkUpdateArticles: null });
    expect(body.errors?.map(({ extensions }) => [extensions?.['code'], extensions?.['mayHaveApplied']])).toEqual([
      ['QUERY_TOO_COSTLY', false],
    ]);
  });

  it('keeps the outcome when the data it reads back is too large', async () => {
    const { send } = await openGateway({ limits: { maxAnswerFields: 100_000, maxAnswerChars: 1_000 } });
    const aliases = times(45, (n) => `a${n}: content b${n}: content`);
    const { body } = await send(
      `mutation { ${bulk('one', 'a1', `results { __typename ... on ArticleUpdated { articleId article { ${aliases} } } } summary { updated }`)} }`,
    );
    expect(body.data).toEqual({
      one: { results: [{ __typename: 'ArticleUpdated', articleId: 'a1', article: null }], summary: { updated: 1 } },
    });
    expect(body.errors?.map(({ path, extensions }) => [path, extensions?.['code']])).toEqual([
      [['one', 'results', 0, 'article'], 'QUERY_TOO_COSTLY'],
    ]);
  });

  it('is rejected before it begins when its outcomes would not fit', async () => {
    const { send } = await openGateway({ limits: { maxAnswerFields: 1_000, maxAnswerChars: 10_000 } });
    const articles = Array.from({ length: 200 }, () => ({ articleId: 'a1', title: 'New' }));
    const { body } = await send(
      'mutation ($articles: [ArticleUpdateInput!]!) { bulkUpdateArticles(input: { articles: $articles }) { ... on BulkUpdateArticlesPayload { results { index articleId details } } } }',
      { articles },
    );
    expect([body.data, body.errors?.[0]?.extensions?.['code']]).toEqual([
      { bulkUpdateArticles: null },
      'QUERY_TOO_COSTLY',
    ]);
    const { body: read } = await send('{ article(articleId: "a1") { title } }');
    expect(read.data?.['article']).toEqual({ title: 'a1 en 2' });
  });
});

describe('over the service,', () => {
  let service: FaultyService;
  let gateway: Gateway;
  beforeAll(async () => {
    service = await openFaultyService();
    const backend = openRestBackend({
      baseUrl: service.url,
      timeoutMs: 10_000,
      bulkSize: 100,
      maxReadCalls: 60,
      log: silentLog,
    });
    gateway = await startGateway({ backend, local: false, token: TOKEN });
  });
  afterAll(async () => {
    await gateway.close();
    await service.close();
  });

  const rejection = (length: number) => json(422, { success: false, errors: [{ description: 'x'.repeat(length) }] });

  it('a long text of it is returned as often as the limit allows', async () => {
    service.on('PUT /v2/Readers/groups/g1', rejection(5_000_000));
    const under = (aliases: number) =>
      gateway.send(
        `${REPLACE} { ... on ServiceRejectedError { ${times(aliases, (n) => `a${n}: serviceErrors { description }`)} } } }`,
      );
    expect((await under(2)).body.errors).toBeUndefined();
    const { body } = await under(99);
    expect(body.data).toEqual({ updateReaderGroup: null });
    expect(body.errors?.[0]?.extensions).toMatchObject({ code: 'QUERY_TOO_COSTLY', mayHaveApplied: false });
  });

  it('long rejections of many reads become one short error', async () => {
    service.onAny(rejection(500_000));
    const { body } = await gateway.send(`{ ${times(50, (n) => `a${n}: readerGroup(groupId: "${n}") { title }`)} }`);
    expect(body.errors?.map(({ extensions }) => extensions?.['code'])).toEqual(['QUERY_TOO_COSTLY']);
  });
});

describe('a long value', () => {
  const LONG = 1_000_000;

  it('that repeats the words of a suggestion gets a short message, without introspection', async () => {
    const { send } = await openGateway({ introspection: false });
    const { body } = await send('query ($n: Int) { readers(first: $n) { totalCount } }', {
      n: ' Did you mean '.repeat(LONG / 14),
    });
    expect(body.errors?.[0]?.message.length).toBeLessThan(600);
  });

  it.each([
    ['node', 'query ($text: ID!) { node(id: $text) { id } }'],
    ['after', 'query ($text: String) { readers(after: $text) { totalCount } }'],
  ])('of %s that is no ID or cursor is rejected without being decoded', async (_what, query) => {
    const { send } = await openGateway({});
    const { body } = await send(query, { text: Buffer.from('['.repeat(LONG)).toString('base64') });
    expect(body.errors?.[0]?.extensions).toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});
