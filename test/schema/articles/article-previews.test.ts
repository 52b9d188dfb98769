import { isUnionType } from 'graphql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSchema } from '../../../src/schema/schema.ts';
import { type Behaviour, json, openFaultyService, reset, status } from '../../support/faulty-service.ts';
import { startGateway } from '../../support/gateway.ts';
import { openBackendTo } from '../../support/rest-scene.ts';

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
