import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFixtureStore, TOKEN } from '../../../../support/fixture-store.ts';
import { type Gateway, startGateway } from '../../../../support/gateway.ts';

const UPDATE =
  'mutation ($input: UpdateReaderGroupInput!) { updateReaderGroup(input: $input) { __typename ... on MutationError { message } } }';
const BULK =
  'mutation ($input: BulkUpdateArticlesInput!) { bulkUpdateArticles(input: $input) { ... on BulkUpdateArticlesPayload { summary { total updated } } } }';

const group = { groupId: 'g1', title: 'Group', accessScope: { level: 'PROJECT' } };
const unknownMembers = Object.fromEntries(
  Array.from({ length: 4_000 }, (_, index) => [`unknown${index}`.padEnd(20, '_'), 1]),
);

describe('large variables', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway({ backend: await openFixtureStore(), local: true, token: TOKEN });
  });
  afterAll(() => gateway.close());

  it('are accepted when they are valid', async () => {
    const articles = Array.from({ length: 5_000 }, () => ({ articleId: 'a1', source: 'a source' }));
    const { body } = await gateway.send(BULK, { input: { articles } });
    expect(body).toEqual({ data: { bulkUpdateArticles: { summary: { total: 5_000, updated: 5_000 } } } });
  });

  it('are rejected by their paths, without a quote, when they are invalid', async () => {
    const { body } = await gateway.send(UPDATE, { input: { ...group, ...unknownMembers } });
    expect(body.data).toBeUndefined();
    expect(body.errors).toHaveLength(20);
    expect(body.errors?.[0]).toMatchObject({
      message: expect.stringMatching(
        /^Variable "\$input" got an invalid value at "input"; Field "unknown0_+" is not defined/u,
      ),
      extensions: { code: 'BAD_USER_INPUT' },
    });
  });

  it('are quoted in few messages when they are objects with many members', async () => {
    const input = { ...group, readerIds: Array.from({ length: 10 }, () => unknownMembers) };
    const { body } = await gateway.send(UPDATE, { input });
    expect(body.errors?.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^Variable "\$input" got an invalid value at "input.readerIds\[0\]"; ID cannot represent value/u,
      ),
    ]);
  });

  it('are named by the whole path', async () => {
    const articles = Array.from({ length: 5_000 }, (_, index) => ({
      articleId: 'a1',
      order: index === 4_999 ? 'x' : 1,
    }));
    const { body } = await gateway.send(BULK, { input: { articles } });
    expect(body.errors?.map(({ message }) => message)).toEqual([
      'Variable "$input" got an invalid value at "input.articles[4999].order"; Int cannot represent non-integer value: "x"',
    ]);
  });

  it('are still checked by the rules of the schema', async () => {
    const articles = Array.from({ length: 10_001 }, () => ({ articleId: 'a1' }));
    const query =
      'mutation ($input: BulkUpdateArticlesInput!) { bulkUpdateArticles(input: $input) { ... on ValidationError { issues { path } } } }';
    const { body } = await gateway.send(query, { input: { articles } });
    expect(body.data).toEqual({ bulkUpdateArticles: { issues: [{ path: ['input', 'articles'] }] } });
  });

  it('are rejected when a required one is missing', async () => {
    const { body } = await gateway.send(UPDATE, { other: unknownMembers });
    expect(body.errors?.[0]?.message).toContain('Variable "$input" of required type');
  });
});
