import { describe, expect, it, onTestFinished } from 'vitest';
import { openFixtureStore, TOKEN } from '../../support/fixture-store.ts';
import { startGateway } from '../../support/gateway.ts';
import { caller, openStore, value } from '../store.ts';

const EXTENT = { withText: false, callsPerArticle: 0 };

it('reads the article of each update whole, in their order, each article once', async () => {
  const { backend, counted } = await openStore();
  const updates = [
    { articleId: 'a1', title: 'New' },
    { articleId: 'nobody', title: 'New' },
    { articleId: 'a1', languageCode: 'de', hidden: true },
    { articleId: 'a1', languageCode: null, versionNumber: null, content: 'New' },
    { articleId: 'a1', versionNumber: 1 },
  ];
  const { value: result, statements } = await counted(() => backend.articlesOfUpdates(caller, updates, EXTENT));
  const read = value(result);
  expect(read).toMatchObject([
    { title: 'a1 en 2', content: 'Text of a1 en 2', pinned: false },
    null,
    { title: 'a1 de 1' },
    { title: 'a1 en 2' },
    { title: 'a1 en 1', pinned: true },
  ]);
  expect(read[3]).toBe(read[0]);
  expect(statements).toHaveLength(1);
});

it('reads a thousand articles with one statement', async () => {
  const { backend, counted } = await openStore();
  const updates = Array.from({ length: 2_500 }, (_, index) => ({
    articleId: index === 2_400 ? 'a1' : `none ${index}`,
  }));
  const twice = [...updates, ...updates];
  const { value: result, statements } = await counted(() => backend.articlesOfUpdates(caller, twice, EXTENT));
  const read = value(result);
  expect(read.flatMap((article, index) => (article ? [index] : []))).toEqual([2_400, 4_900]);
  expect(statements).toHaveLength(3);
});

it('previews an item as the earlier ones leave its article, in all of its languages and versions', async () => {
  const gateway = await startGateway({ backend: await openFixtureStore(), local: true, token: TOKEN });
  onTestFinished(() => gateway.close());
  const articles = [
    { articleId: 'a1', title: 'New', hidden: true, order: 7 },
    { articleId: 'a1', languageCode: 'de', title: 'Neu', hidden: true, order: 7 },
    { articleId: 'a1', versionNumber: 1, hidden: false },
    { articleId: 'a1', languageCode: 'de', hidden: true, title: 'Neu' },
    { articleId: 'a2', hidden: true },
  ];
  const { body } = await gateway.send(
    `mutation ($articles: [ArticleUpdateInput!]!) {
      previewBulkUpdateArticles(input: { articles: $articles }) {
        ... on BulkUpdateArticlesPreview { results { changes { field from to } } }
      }
    }`,
    { articles },
  );
  const { results } = Object(body.data?.['previewBulkUpdateArticles']);
  const shown = results.map(({ changes }: { readonly changes: readonly Record<string, unknown>[] }) =>
    changes.map(({ field, from, to }) => `${field} ${from} ${to}`),
  );
  expect(shown).toEqual([
    ['TITLE a1 en 2 New', 'HIDDEN false true', 'ORDER 1 7'],
    ['TITLE a1 de 1 Neu'],
    ['HIDDEN true false'],
    ['HIDDEN false true'],
    ['HIDDEN false true'],
  ]);
});

describe('a text that the store finds too long', () => {
  const title = 't'.repeat(10_001);
  const message = 'The title must have at most 10000 characters.';

  async function openGateway() {
    const gateway = await startGateway({ backend: await openFixtureStore(), local: true, token: TOKEN });
    onTestFinished(() => gateway.close());
    return gateway;
  }

  it('is an issue of the preview of a bulk update, and the update of that item fails', async () => {
    const { send } = await openGateway();
    const { body } = await send(
      `mutation ($input: BulkUpdateArticlesInput!) {
        previewBulkUpdateArticles(input: $input) {
          ... on BulkUpdateArticlesPreview { results { wouldSucceed issues { path message } changes { field } } }
        }
        bulkUpdateArticles(input: $input) { ... on BulkUpdateArticlesPayload { results { __typename } } }
      }`,
      {
        input: {
          articles: [
            { articleId: 'a2', title: 'Short' },
            { articleId: 'a1', title, hidden: true },
          ],
        },
      },
    );
    expect(body.data).toEqual({
      previewBulkUpdateArticles: {
        results: [
          { wouldSucceed: true, issues: [], changes: [{ field: 'TITLE' }] },
          { wouldSucceed: false, issues: [{ path: ['input', 'articles', '1', 'title'], message }], changes: [] },
        ],
      },
      bulkUpdateArticles: { results: [{ __typename: 'ArticleUpdated' }, { __typename: 'ArticleUpdateFailed' }] },
    });
  });

  it('is an issue of the preview of a reader group, whose update is rejected', async () => {
    const { send } = await openGateway();
    const { body } = await send(
      `mutation ($input: UpdateReaderGroupInput!) {
        previewUpdateReaderGroup(input: $input) {
          ... on UpdateReaderGroupPreview { wouldSucceed issues { path message } }
        }
        updateReaderGroup(input: $input) { __typename }
      }`,
      { input: { groupId: 'g2', title, description: 'd'.repeat(1_000_001) } },
    );
    expect(body.data).toEqual({
      previewUpdateReaderGroup: {
        wouldSucceed: false,
        issues: [
          { path: ['input', 'title'], message },
          { path: ['input', 'description'], message: 'The description must have at most 1000000 characters.' },
        ],
      },
      updateReaderGroup: { __typename: 'ServiceRejectedError' },
    });
  });
});
