import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../src/core/base/log.ts';
import { openRestBackend } from '../../src/service/rest-backend.ts';
import { openFixtureStore, TOKEN } from '../support/fixture-store.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';

describe('the calls that a request costs', () => {
  let service: Gateway;
  let calls: string[] = [];
  const gateways: Gateway[] = [];

  beforeAll(async () => {
    const onRequest = ({ method, url }: { method?: string | undefined; url?: string | undefined }) => {
      calls.push(`${method} ${url?.split('?')[0]}`);
    };
    service = await startGateway({ backend: await openFixtureStore(), local: true, token: TOKEN, onRequest });
  });
  beforeEach(() => {
    calls = [];
  });
  afterAll(() => Promise.all([service, ...gateways].map((gateway) => gateway.close())));

  async function open(maxUpstreamCalls = 60): Promise<Gateway> {
    const backend = openRestBackend({
      baseUrl: service.url,
      timeoutMs: 10_000,
      bulkSize: 100,
      maxReadCalls: maxUpstreamCalls,
      log: silentLog,
    });
    const gateway = await startGateway({ backend, local: false, token: TOKEN, maxUpstreamCalls });
    gateways.push(gateway);
    return gateway;
  }

  it.each([
    ['{ __typename rateLimit { remaining } }', 0],
    ['{ projectVersions { name languages { code } } again: projectVersions { name } }', 1],
    ['{ a: readerGroup(groupId: "g1") { title } b: readerGroup(groupId: "g1") { readerIds } }', 1],
    ['{ readerGroups(first: 7) { nodes { title readers { nodes { email } } invitedSsoUsers { email } } } }', 3],
    ['{ articles(first: 6) { nodes { title category { name parent { name } } projectVersion { name } } } }', 3],
    ['{ a: articleBySlug(slug: "a1") { title } b: articleBySlug(slug: "a2") { title } }', 2],
    ['{ articles(filter: { hidden: false }, orderBy: TITLE, first: 2) { nodes { title } } }', 2],
    ['{ articles(first: 6) { nodes { content htmlContent } } }', 8],
    [
      '{ articles(projectVersionId: "pv1", languageCode: "en", filter: { modifiedSince: "2999-01-01T00:00:00Z" }) { nodes { category { name } projectVersion { name } } } }',
      1,
    ],
    ['{ articles(projectVersionId: "pv1", languageCode: "en", first: 6) { nodes { category { name } } } }', 2],
    [
      '{ categories(projectVersionId: "pv1") { name children { name articles { nodes { title category { name } } } } } }',
      2,
    ],
    ['{ articles(first: 6) { nodes { translations { languageCode title } } } }', 3],
    [
      '{ readerGroup(groupId: "g2") { accessScope { ... on CategoryAccessScope { categories { category { name } language { name } } } } } }',
      3,
    ],
    [
      'mutation { updateReaderGroup(input: { groupId: "g1", title: "One", description: null, readerIds: [], invitedSsoUserIds: [], accessScope: { level: NONE } }) { __typename } }',
      1,
    ],
    [
      'mutation { updateReaderGroup(input: { groupId: "g1", title: "One", accessScope: { level: NONE } }) { __typename } }',
      2,
    ],
    ['mutation { previewUpdateReaderGroup(input: { groupId: "g1", title: "One" }) { __typename } }', 1],
    [
      'mutation { previewUpdateReaderGroup(input: { groupId: "g1", readerIds: ["r1"], invitedSsoUserIds: ["i1"], accessScope: { categories: [{ projectVersionId: "pv1", categoryId: "c1", languageCode: "en" }, { projectVersionId: "pv1", categoryId: "c2", languageCode: "en" }, { projectVersionId: "pv1", categoryId: "c1", languageCode: "de" }] } }) { __typename } }',
      5,
    ],
    [
      'mutation { previewChangeReaderGroupMembers(input: { groupId: "g2", addReaderIds: ["r1"], removeReaderIds: ["r2"] }) { __typename } }',
      1,
    ],
    [
      'mutation { previewChangeReaderGroupMembers(input: { groupId: "g2", addReaderIds: ["r6"], addInvitedSsoUserIds: ["i3"] }) { __typename } }',
      2,
    ],
    ['{ readers(first: 1) { nodes { groupIds } } }', 1],
    ['{ readers(first: 1) { nodes { groups(first: 1) { nodes { title readerIds } totalCount } } } }', 2],
    [
      'mutation { bulkUpdateArticles(input: { articles: [{ articleId: "a1" }, { articleId: "a2" }, { articleId: "a3" }] }) { __typename } }',
      3,
    ],
    [
      'mutation { bulkUpdateArticles(input: { articles: [{ articleId: "a1", hidden: true }, { articleId: "a2", hidden: false }] }) { __typename } }',
      1,
    ],
  ])('%s: %i calls', async (query, expected) => {
    const gateway = await open();
    await gateway.send('{ projectVersions { name } }');
    calls = [];
    const { body } = await gateway.send(query);
    expect(body.errors).toBeUndefined();
    expect(calls).toHaveLength(expected);
  });

  it('are none for a search for text in another order, which the service does not offer', async () => {
    const gateway = await open();
    const { body } = await gateway.send('{ articles(filter: { text: "a1" }, orderBy: TITLE) { nodes { title } } }');
    expect(body).toMatchObject({ data: { articles: null }, errors: [{ extensions: { code: 'NOT_OFFERED' } }] });
    expect(calls).toEqual([]);
  });

  it('are estimated before the first call, and a query that could cost too many is rejected with the costly fields', async () => {
    const gateway = await open();
    const { body } = await gateway.send('{ articles(first: 100) { nodes { content versions { versionNumber } } } }');
    expect(body).toEqual({
      errors: [
        {
          message: expect.stringMatching(
            /may cost 203 calls .* 60 are allowed.* Article\.content 100, Article\.versions 100/u,
          ),
          extensions: { code: 'QUERY_TOO_COSTLY', retryable: false, requestId: expect.any(String) },
        },
      ],
    });
    expect(calls).toEqual([]);
  });

  const PREVIEW = `mutation ($input: UpdateReaderGroupInput!) {
    previewUpdateReaderGroup(input: $input) { __typename ... on TooCostlyError { code retryable mayHaveApplied calls allowed } }
  }`;
  const tooCostly = (calls: number, allowed: number) => ({
    data: {
      previewUpdateReaderGroup: {
        __typename: 'TooCostlyError',
        code: 'QUERY_TOO_COSTLY',
        retryable: false,
        mayHaveApplied: false,
        calls,
        allowed,
      },
    },
  });

  it('are counted before the first call of a preview, which has too many as an error of its own', async () => {
    const gateway = await open(4);
    const inLanguage = (languageCode: string) => ({ projectVersionId: 'pv1', categoryId: 'c1', languageCode });
    const categories = ['en', 'de', 'fr'].map(inLanguage);
    expect((await gateway.send(PREVIEW, { input: { groupId: 'g1', accessScope: { categories } } })).body).toEqual(
      tooCostly(5, 4),
    );
    expect(calls).toEqual([]);
  });

  it.each([{ readerIds: ['r1'] }, { invitedSsoUserIds: ['i1'] }, { accessScope: { projectVersionIds: ['pv1'] } }])(
    'count what an update of a group names: %j',
    async (update) => {
      const gateway = await open(1);
      expect((await gateway.send(PREVIEW, { input: { groupId: 'g1', ...update } })).body).toEqual(tooCostly(2, 1));
      expect(calls).toEqual([]);
    },
  );

  it('count who joins a group', async () => {
    const gateway = await open(1);
    const preview = (input: string) =>
      gateway.send(
        `mutation { previewChangeReaderGroupMembers(input: { groupId: "g1", ${input} }) { __typename ... on TooCostlyError { calls } } }`,
      );
    expect((await preview('addReaderIds: ["r1"]')).body.data).toEqual({
      previewChangeReaderGroupMembers: { __typename: 'TooCostlyError', calls: 2 },
    });
    expect(calls).toEqual([]);
    expect((await preview('removeReaderIds: ["r1"]')).body.data).toEqual({
      previewChangeReaderGroupMembers: { __typename: 'ChangeReaderGroupMembersPreview' },
    });
  });

  it('are counted before each preview together with those of the previews before it', async () => {
    const gateway = await open(3);
    const { body } = await gateway.send(
      `mutation {
        one: previewUpdateReaderGroup(input: { groupId: "g1", readerIds: ["r6"] }) { __typename }
        two: previewUpdateReaderGroup(input: { groupId: "g1", readerIds: ["r6"] }) { __typename ... on TooCostlyError { calls } }
      }`,
    );
    expect(body.data).toEqual({
      one: { __typename: 'UpdateReaderGroupPreview' },
      two: { __typename: 'TooCostlyError', calls: 4 },
    });
    expect(calls).toHaveLength(2);
  });

  it('never hide the outcome of a write: a read-back beyond the maximum is null, with that error', async () => {
    const gateway = await open(1);
    const { body } = await gateway.send(
      `mutation ($input: BulkUpdateArticlesInput!) {
        bulkUpdateArticles(input: $input) {
          ... on BulkUpdateArticlesPayload { summary { updated } results { ... on ArticleUpdated { articleId article { title } } } }
        }
      }`,
      {
        input: {
          articles: ['a1', 'a2', 'a3', 'a4'].map((articleId) => ({ articleId, languageCode: 'en', title: 'Four' })),
        },
      },
    );
    expect(body.data).toMatchObject({ bulkUpdateArticles: { summary: { updated: 4 } } });
    const errors = body.errors ?? [];
    expect(new Set(errors.map(({ extensions }) => extensions?.['code']))).toEqual(new Set(['QUERY_TOO_COSTLY']));
    expect(JSON.stringify(body.data).match(/"article":null/gu)).toHaveLength(errors.length);
    expect(calls.filter((call) => call.startsWith('PUT'))).toHaveLength(1);
    // Two of them show before the write which articles are hidden, and don't count.
    expect(calls.length).toBeLessThanOrEqual(5);
  });

  it('are counted together for all writes of a request, though each clears the cache', async () => {
    const gateway = await open(2);
    const write = (alias: string) =>
      `${alias}: bulkUpdateArticles(input: { articles: [{ articleId: "a1", title: "${alias}", hidden: false }] }) {
        ... on BulkUpdateArticlesPayload { results { ... on ArticleUpdated { article { title } } } }
      }`;
    const { body } = await gateway.send(`mutation { ${['a', 'b', 'c', 'd'].map(write).join(' ')} }`);
    expect(body.errors?.at(-1)?.extensions?.['code']).toBe('QUERY_TOO_COSTLY');
    expect(calls.filter((call) => call.startsWith('PUT'))).toHaveLength(4);
    expect(calls.filter((call) => call.startsWith('GET'))).toHaveLength(2);
  });

  it('are made for each request: its cache never serves another', async () => {
    const gateway = await open();
    for (let time = 0; time < 3; time += 1) await gateway.send('{ projectVersions { name } }');
    expect(calls).toHaveLength(3);
  });
});
