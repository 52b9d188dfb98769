import { describe, expect, it } from 'vitest';
import type { Send } from '../support/gateway.ts';

const USER = 'embedded-store';

const ERROR = `... on MutationError { message code retryable mayHaveApplied }
  ... on ValidationError { source issues { path message } }`;

const writeOf = (name: string, type: string) => `
  mutation ($input: ${type}Input!) {
    result: ${name}(input: $input) {
      __typename
      ... on ${type}Payload {
        results {
          __typename index articleId details retryable
          ... on ArticleUpdated { evidence publication article { versionNumber versions { versionNumber status } } }
        }
        summary { total updated failed unknown notAttempted }
        serviceErrors { description }
        warnings { description }
      }
      ${ERROR}
    }
  }
`;

const previewOf = (type: string) => `
  mutation ($input: ${type}Input!) {
    result: preview${type}(input: $input) {
      __typename
      ... on ${type}Preview {
        results { index articleId wouldSucceed changes { field from to } movesTo { categoryId } issues { path message } article { versionNumber } }
        summary { total changed unchanged failing }
      }
      ${ERROR}
    }
  }
`;

interface Item {
  readonly articleId: string;
  readonly languageCode?: string;
  readonly versionNumber?: number;
}

export function describePublications(send: Send): void {
  const run =
    (document: string) =>
    async (...articles: readonly Item[]) => {
      const { body } = await send(document, { input: { articles, userId: USER } });
      expect(body.errors).toBeUndefined();
      return Object(body.data?.['result']);
    };
  const publish = run(writeOf('publishArticles', 'PublishArticles'));
  const unpublish = run(writeOf('unpublishArticles', 'UnpublishArticles'));
  const previewPublish = run(previewOf('PublishArticles'));
  const previewUnpublish = run(previewOf('UnpublishArticles'));
  /** The number of the public version, as the preview of its end tells it. */
  const publicVersionOf = async (item: Item): Promise<unknown> => {
    const { results } = await previewUnpublish(item);
    return results[0].changes.find(({ field }: { field: string }) => field === 'PUBLIC_VERSION_NUMBER')?.from ?? null;
  };

  describe('publishArticles and unpublishArticles', () => {
    it('publish the latest version in the default language, and others by their names, with an outcome each', async () => {
      expect(
        await publish(
          { articleId: 'a1' },
          { articleId: 'no-such-article' },
          { articleId: 'f1' },
          { articleId: 'a3', languageCode: 'de', versionNumber: 1 },
          { articleId: 'a2', languageCode: 'de' },
        ),
      ).toMatchObject({
        __typename: 'PublishArticlesPayload',
        results: [
          {
            __typename: 'ArticleUpdated',
            index: 0,
            articleId: 'a1',
            details: 'Successfully published article with an id a1',
            retryable: false,
            evidence: 'ANSWER',
            publication: 'PUBLISHED',
            article: {
              versionNumber: 2,
              versions: [
                { versionNumber: 1, status: 'published' },
                { versionNumber: 2, status: 'published' },
              ],
            },
          },
          {
            __typename: 'ArticleUpdateFailed',
            index: 1,
            details: 'Failed to publish article with an id no-such-article\r\nError: There is no such article.',
            retryable: false,
          },
          { __typename: 'ArticleUpdated', articleId: 'f1', publication: 'PUBLISHED' },
          { __typename: 'ArticleUpdated', articleId: 'a3', publication: 'PUBLISHED', article: { versionNumber: 1 } },
          {
            __typename: 'ArticleUpdateFailed',
            articleId: 'a2',
            details: expect.stringMatching(/^Failed to publish article with an id a2\r\nError: .+\.$/u),
          },
        ],
        summary: { total: 5, updated: 3, failed: 2, unknown: 0, notAttempted: 0 },
        serviceErrors: [],
        warnings: [],
      });
      expect(await publicVersionOf({ articleId: 'a1' })).toBe(2);
      expect(await publicVersionOf({ articleId: 'a3', languageCode: 'de' })).toBe(1);
      expect(await publicVersionOf({ articleId: 'a3' })).toBe(1);
    });

    it('change nothing where an article is as asked for already, which is no failure', async () => {
      await publish({ articleId: 'a2' });
      expect(await publish({ articleId: 'a2' })).toMatchObject({
        results: [
          {
            __typename: 'ArticleUpdated',
            details: 'Article has already been published.',
            evidence: 'READ_BACK',
            publication: 'PUBLISHED',
          },
        ],
      });
      await unpublish({ articleId: 'a2' });
      expect(await unpublish({ articleId: 'a2' })).toMatchObject({
        results: [
          {
            __typename: 'ArticleUpdated',
            details: 'Article has already been unpublished.',
            evidence: 'READ_BACK',
            publication: 'UNPUBLISHED',
          },
        ],
      });
    });

    it('let another version take the place of the public one, which keeps its status', async () => {
      await publish({ articleId: 'a1', versionNumber: 1 });
      await publish({ articleId: 'a1', versionNumber: 2 });
      expect(await publicVersionOf({ articleId: 'a1' })).toBe(2);
      expect(await unpublish({ articleId: 'a1' })).toMatchObject({
        results: [
          {
            publication: 'UNPUBLISHED',
            evidence: 'ANSWER',
            article: {
              versions: [
                { versionNumber: 1, status: 'published' },
                { versionNumber: 2, status: 'draft' },
              ],
            },
          },
        ],
      });
      expect(await publicVersionOf({ articleId: 'a1' })).toBeNull();
    });

    it('take items of one article in their order', async () => {
      const published = await publish(
        { articleId: 'a1', versionNumber: 2 },
        { articleId: 'a1', versionNumber: 1 },
        { articleId: 'a1', versionNumber: 1 },
        { articleId: 'a1', versionNumber: 9 },
      );
      expect(published.results.map(({ __typename: type }: { __typename: string }) => type)).toEqual([
        'ArticleUpdated',
        'ArticleUpdated',
        'ArticleUpdated',
        'ArticleUpdateFailed',
      ]);
      expect(published.results[2]).toMatchObject({ evidence: 'READ_BACK' });
      expect(await publicVersionOf({ articleId: 'a1' })).toBe(1);
      expect(await unpublish({ articleId: 'a1' }, { articleId: 'a1' })).toMatchObject({
        summary: { updated: 2, failed: 0 },
      });
    });

    it('refuse to unpublish a version while another one is public', async () => {
      await publish({ articleId: 'a1', versionNumber: 1 });
      const item = { articleId: 'a1', versionNumber: 2 };
      expect(await previewUnpublish(item)).toMatchObject({
        results: [{ wouldSucceed: false, issues: [{ path: ['input', 'articles', '0', 'versionNumber'] }] }],
      });
      expect(await unpublish(item)).toMatchObject({ results: [{ __typename: 'ArticleUpdateFailed' }] });
      expect(await publicVersionOf({ articleId: 'a1' })).toBe(1);
      await unpublish({ articleId: 'a1' });
    });

    it('list every finding with its path, and send nothing', async () => {
      const articles = [
        { articleId: '' },
        { articleId: 'a4', languageCode: '', versionNumber: 0 },
        { articleId: 'a4', versionNumber: 32_768 },
      ];
      for (const document of [writeOf('publishArticles', 'PublishArticles'), previewOf('UnpublishArticles')]) {
        const type = document.includes('preview') ? 'UnpublishArticles' : 'PublishArticles';
        expect(document).toContain(type);
        const { body } = await send(document, { input: { articles, userId: '', message: '\u0000' } });
        expect(body.data?.['result']).toMatchObject({
          __typename: 'ValidationError',
          source: 'GATEWAY',
          issues: [
            { path: ['input', 'articles', '0', 'articleId'] },
            { path: ['input', 'articles', '1', 'languageCode'] },
            { path: ['input', 'articles', '1', 'versionNumber'] },
            { path: ['input', 'articles', '2', 'versionNumber'], message: 'versionNumber must be from 1 to 32767.' },
            { path: ['input', 'userId'] },
            { path: ['input', 'message'] },
          ],
        });
      }
      for (const name of ['Publish', 'Unpublish'] as const) {
        const input = { articles: [{ articleId: 'a4' }], userId: 'u', message: 'm'.repeat(1_001) };
        const { body } = await send(writeOf(`${name.toLowerCase()}Articles`, `${name}Articles`), { input });
        const message = 'message must have at most 1000 characters.';
        expect(body.data?.['result']).toMatchObject({ issues: [{ path: ['input', 'message'], message }] });
      }
      const empty = { path: ['input', 'articles'], message: expect.stringContaining('A non-empty request body is') };
      expect(await publish()).toMatchObject({ issues: [empty] });
      const many = Array.from({ length: 10_001 }, (_, index) => ({ articleId: `a${index}` }));
      expect(await unpublish(...many)).toMatchObject({ issues: [{ path: ['input', 'articles'] }] });
      expect(await publicVersionOf({ articleId: 'a4' })).toBeNull();
    });
  });

  describe('their previews', () => {
    it('tell what would change, item after item, and write nothing', async () => {
      const [status, version] = [
        { field: 'STATUS', from: 'DRAFT', to: 'PUBLISHED' },
        { field: 'PUBLIC_VERSION_NUMBER', from: null, to: 1 },
      ];
      expect(
        await previewPublish(
          { articleId: 'a5' },
          { articleId: 'a5' },
          { articleId: 'no-such-article' },
          { articleId: 'a5', languageCode: 'de' },
          { articleId: 'a5', versionNumber: 7 },
        ),
      ).toEqual({
        __typename: 'PublishArticlesPreview',
        results: [
          {
            ...{ index: 0, articleId: 'a5', wouldSucceed: true, movesTo: null, issues: [] },
            ...{ article: { versionNumber: 1 }, changes: [status, version] },
          },
          {
            ...{ index: 1, articleId: 'a5', wouldSucceed: true, movesTo: null, issues: [] },
            ...{ article: { versionNumber: 1 }, changes: [] },
          },
          ...[
            [2, 'no-such-article', ['input', 'articles', '2', 'articleId'], 'There is no such article.'],
            [3, 'a5', ['input', 'articles', '3'], 'There is no such article, or not in this language or version.'],
            [4, 'a5', ['input', 'articles', '4'], 'There is no such article, or not in this language or version.'],
          ].map(([index, articleId, path, message]) => ({
            ...{ index, articleId, wouldSucceed: false, movesTo: null, changes: [], article: null },
            issues: [{ path, message }],
          })),
        ],
        summary: { total: 5, changed: 1, unchanged: 1, failing: 3 },
      });
      expect(await publicVersionOf({ articleId: 'a5' })).toBeNull();
      await publish({ articleId: 'a5' });
      expect(await previewUnpublish({ articleId: 'a5' }, { articleId: 'a5' })).toMatchObject({
        results: [
          {
            changes: [
              { field: 'STATUS', from: 'PUBLISHED', to: 'DRAFT' },
              { field: 'PUBLIC_VERSION_NUMBER', from: 1, to: null },
            ],
          },
          { wouldSucceed: true, changes: [] },
        ],
      });
      expect(await publicVersionOf({ articleId: 'a5' })).toBe(1);
    });
  });
}
