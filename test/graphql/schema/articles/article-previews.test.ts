import { isUnionType } from 'graphql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSchema } from '../../../../src/graphql/schema/schema.ts';
import { type Behaviour, json, openFaultyService, reset, status } from '../../../support/faulty-service.ts';
import { startGateway } from '../../../support/gateway.ts';
import { openBackendTo } from '../../../support/rest-scene.ts';
import { categoryOf, emptyCategoryOf, serveEditions } from '../../../support/service-editions.ts';

const PREVIEW = /* GraphQL */ `
  mutation ($articles: [ArticleUpdateInput!]!) {
    previewBulkUpdateArticles(input: { articles: $articles }) {
      __typename
      ... on BulkUpdateArticlesPreview {
        results { wouldSucceed issues { path message } changes { field from to } }
        summary { total changed unchanged failing }
      }
    }
  }
`;

const ARTICLE = 'GET /v2/Articles/a/en';

const found: Behaviour = json(200, {
  data: { id: 'a', title: 'Old', project_version_id: 'v1', version_number: 3 },
  success: true,
});
const absent: Behaviour = json(400, { success: false, errors: [{ description: 'Not found.' }] });

/** The result of a preview over a service that answers reads of the article "a" like this, and all that it received. */
async function previewOver(behaviour: Behaviour, ...articles: readonly object[]) {
  const service = await openFaultyService();
  service.on(ARTICLE, behaviour);
  service.on('GET /v2/Articles/b/en', absent);
  service.on('GET /v2/Articles/b/en/versions/7', absent);
  const gateway = await startGateway({ backend: openBackendTo(service), local: false, token: 't' });
  onTestFinished(async () => {
    await gateway.close();
    await service.close();
  });
  const { body } = await gateway.send(PREVIEW, { articles });
  return {
    result: body.data?.['previewBulkUpdateArticles'],
    methods: new Set(service.received.map(({ method }) => method)),
  };
}

describe('the preview of a bulk update', () => {
  it('is a preview or an error that needs no outcome of a write', () => {
    const result = createSchema().getType('PreviewBulkUpdateArticlesResult');
    expect(isUnionType(result) && result.getTypes().map(({ name }) => name)).toEqual([
      'AuthenticationError',
      'BulkUpdateArticlesPreview',
      'RateLimitedError',
      'ServiceRejectedError',
      'ServiceUnavailableError',
      'TooCostlyError',
      'ValidationError',
    ]);
  });

  it('names the place of every issue: the whole item where the language or the version may not exist', async () => {
    const { result, methods } = await previewOver(
      found,
      { articleId: 'a', languageCode: 'en', title: 'New' },
      { articleId: 'b', languageCode: 'en', title: 'New' },
      { articleId: 'a', languageCode: 'en', title: 'New' },
      { articleId: 'b', languageCode: 'en', versionNumber: 7, title: 'New' },
    );
    const message = 'There is no such article, or not in this language or version.';
    expect(result).toEqual({
      __typename: 'BulkUpdateArticlesPreview',
      results: [
        { wouldSucceed: true, issues: [], changes: [{ field: 'TITLE', from: 'Old', to: 'New' }] },
        { wouldSucceed: false, issues: [{ path: ['input', 'articles', '1'], message }], changes: [] },
        { wouldSucceed: true, issues: [], changes: [] },
        { wouldSucceed: false, issues: [{ path: ['input', 'articles', '3'], message }], changes: [] },
      ],
      summary: { total: 4, changed: 1, unchanged: 1, failing: 2 },
    });
    expect(methods).toEqual(new Set(['GET']));
  });

  it.each([
    ['401', status(401), 'AuthenticationError'],
    ['403', status(403), 'AuthenticationError'],
    ['429', status(429, '', { 'retry-after': '120' }), 'RateLimitedError'],
    ['500', status(500), 'ServiceUnavailableError'],
    ['a reset', reset(), 'ServiceUnavailableError'],
  ])('is the error of a read that it needs: %s', async (_name, behaviour, __typename) => {
    const { result, methods } = await previewOver(behaviour, { articleId: 'a', languageCode: 'en', title: 'New' });
    expect(result).toEqual({ __typename });
    expect(methods).toEqual(new Set(['GET']));
  });
});

/** A gateway over a service with 250 articles in one language, and the paths of all calls. */
async function openGateway() {
  const service = await openFaultyService();
  const articles = Object.fromEntries(ids(250).map((id) => [id, {}]));
  service.onAny(serveEditions([{ projectVersionId: 'v1', languageCode: 'en', articles }]));
  const gateway = await startGateway({ backend: openBackendTo(service), local: false, token: 't' });
  onTestFinished(async () => {
    await gateway.close();
    await service.close();
  });
  return { send: gateway.send, calls: () => service.received.map(({ url }) => url.split('?')[0]) };
}

const ids = (count: number) => Array.from({ length: count }, (_, index) => `a${index}`);

describe('the calls of a preview', () => {
  const SHOWN = /* GraphQL */ `
    mutation ($articles: [ArticleUpdateInput!]!, $withText: Boolean = false, $withVersions: Boolean = false) {
      previewBulkUpdateArticles(input: { articles: $articles }) {
        __typename
        ... on TooCostlyError { code calls allowed mayHaveApplied }
        ... on BulkUpdateArticlesPreview {
          summary { total changed unchanged failing }
          results { ...shown }
        }
      }
    }
    fragment shown on ArticleUpdatePreview {
      issues { path }
      changes { field from to }
      movesTo { name }
      article {
        title
        ... on Article { content @include(if: $withText) versions @include(if: $withVersions) { versionNumber } }
        category { name }
        projectVersion { name }
      }
    }
  `;
  const moved = (count: number) =>
    ids(count).map((articleId) => ({
      articleId,
      title: 'New',
      hidden: true,
      order: 7,
      translationStatus: 'TRANSLATED',
      categoryId: emptyCategoryOf('v1'),
    }));

  it('are two for two hundred articles that move, also where their links are selected', async () => {
    const { send, calls } = await openGateway();
    const { body } = await send(SHOWN, { articles: moved(200) });
    expect(body.errors).toBeUndefined();
    expect(body.data?.['previewBulkUpdateArticles']).toEqual({
      __typename: 'BulkUpdateArticlesPreview',
      summary: { total: 200, changed: 200, unchanged: 0, failing: 0 },
      results: ids(200).map((id) => ({
        issues: [],
        changes: [
          { field: 'TITLE', from: id, to: 'New' },
          { field: 'CATEGORY_ID', from: categoryOf('v1'), to: emptyCategoryOf('v1') },
          { field: 'HIDDEN', from: false, to: true },
          { field: 'TRANSLATION_STATUS', from: 'NONE', to: 'TRANSLATED' },
          { field: 'ORDER', from: 1, to: 7 },
        ],
        movesTo: { name: emptyCategoryOf('v1') },
        article: { title: id, category: { name: categoryOf('v1') }, projectVersion: { name: 'v1' } },
      })),
    });
    expect(calls()).toEqual(['/v2/ProjectVersions', '/v2/ProjectVersions/v1/categories']);
  });

  it.each([
    ['texts that change', { articles: ids(61).map((articleId) => ({ articleId, content: 'New' })) }, 62],
    ['texts that are shown', { articles: moved(60), withText: true }, 61],
    ['versions that are shown', { articles: moved(60), withVersions: true }, 62],
  ])('are an error before the first one where there would be too many: %s', async (_name, variables, expected) => {
    const { send, calls } = await openGateway();
    expect((await send(SHOWN, variables)).body).toEqual({
      data: {
        previewBulkUpdateArticles: {
          __typename: 'TooCostlyError',
          code: 'QUERY_TOO_COSTLY',
          calls: expected,
          allowed: 60,
          mayHaveApplied: false,
        },
      },
    });
    expect(calls()).toEqual([]);
  });

  it('count together for all previews of a request', async () => {
    const { send, calls } = await openGateway();
    const preview = (alias: string) =>
      `${alias}: previewBulkUpdateArticles(input: { articles: $articles }) { __typename ... on TooCostlyError { calls } }`;
    const { body } = await send(
      `mutation ($articles: [ArticleUpdateInput!]!) { ${preview('one')} ${preview('two')} }`,
      { articles: ids(40).map((articleId) => ({ articleId, languageCode: 'en', content: 'New' })) },
    );
    expect(body.data).toEqual({
      one: { __typename: 'BulkUpdateArticlesPreview' },
      two: { __typename: 'TooCostlyError', calls: 80 },
    });
    expect(calls()).toHaveLength(40);
  });

  it('give a text that one of several updates of an article changes as it is', async () => {
    const { send } = await openGateway();
    const { body } = await send(SHOWN, {
      articles: [
        ...moved(3),
        { articleId: 'a0', languageCode: 'en', title: 'Newer' },
        { articleId: 'a0', languageCode: 'en', versionNumber: 3, content: 'New text' },
        { articleId: 'a0', content: 'Newer text', title: 'Newer' },
      ],
    });
    expect(body.data?.['previewBulkUpdateArticles']).toMatchObject({
      results: {
        3: { changes: [{ field: 'TITLE', from: 'New', to: 'Newer' }] },
        4: { changes: [{ field: 'CONTENT', from: 'text of a0', to: 'New text' }] },
        5: { changes: [{ field: 'CONTENT', from: 'New text', to: 'Newer text' }], article: { title: 'Newer' } },
      },
    });
  });

  it('say where a category does not exist', async () => {
    const { send, calls } = await openGateway();
    const articles = moved(5).map((update) => ({ ...update, categoryId: 'no-such-category' }));
    const { body } = await send(SHOWN, { articles });
    expect(body.data?.['previewBulkUpdateArticles']).toMatchObject({
      summary: { failing: 5 },
      results: { 4: { issues: [{ path: ['input', 'articles', '4', 'categoryId'] }], changes: [], movesTo: null } },
    });
    expect(calls()).toHaveLength(2);
  });
});
