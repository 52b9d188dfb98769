import { describe, expect, it } from 'vitest';
import type { Send } from '../support/gateway.ts';

const UPDATE = /* GraphQL */ `
  mutation ($input: BulkUpdateArticlesInput!) {
    bulkUpdateArticles(input: $input) {
      __typename
      ... on BulkUpdateArticlesPayload {
        results {
          __typename index articleId details retryable
          ... on ArticleUpdated { evidence article { title content htmlContent hidden order translationStatus versionNumber languageCode category { categoryId } } }
        }
        summary { total updated failed unknown notAttempted }
        serviceErrors { description }
        warnings { description code }
        information { description }
        extensionData
      }
      ... on MutationError { message code retryable mayHaveApplied serviceErrors { description errorCode } }
      ... on ValidationError { source issues { path message } }
    }
  }
`;

const READ = /* GraphQL */ `
  query ($articleId: ID!, $languageCode: String, $versionNumber: Int) {
    article(articleId: $articleId, languageCode: $languageCode, versionNumber: $versionNumber) {
      title content htmlContent hidden order translationStatus versionNumber languageCode category { categoryId }
    }
  }
`;

export function describeBulkUpdates(send: Send, htmlOf: (markdown: string) => string | null): void {
  const update = async (...articles: object[]) => (await send(UPDATE, { input: { articles } })).body;
  const read = async (articleId: string, languageCode?: string, versionNumber?: number) =>
    (await send(READ, { articleId, languageCode, versionNumber })).body.data?.['article'];

  describe('bulkUpdateArticles', () => {
    it('updates, moves and reads back, each item with its outcome in the submitted order', async () => {
      const body = await update(
        { articleId: 'a5', title: 'Five', categoryId: 'c3', order: 7, hidden: true, translationStatus: 'TRANSLATED' },
        { articleId: 'no-such-article', title: 'x' },
        { articleId: 'a1', languageCode: 'de', content: 'Neuer Text' },
      );
      expect(body).toEqual({
        data: {
          bulkUpdateArticles: {
            __typename: 'BulkUpdateArticlesPayload',
            results: [
              {
                __typename: 'ArticleUpdated',
                index: 0,
                articleId: 'a5',
                details: expect.stringContaining('a5'),
                retryable: false,
                evidence: 'ANSWER',
                article: {
                  title: 'Five',
                  content: 'Text of a5 in en, version 1.',
                  htmlContent: htmlOf('Text of a5 in en, version 1.'),
                  hidden: true,
                  order: 7,
                  translationStatus: 'TRANSLATED',
                  versionNumber: 1,
                  languageCode: 'en',
                  category: { categoryId: 'c3' },
                },
              },
              {
                __typename: 'ArticleUpdateFailed',
                index: 1,
                articleId: 'no-such-article',
                details: expect.stringContaining('no-such-article'),
                retryable: false,
              },
              {
                __typename: 'ArticleUpdated',
                index: 2,
                articleId: 'a1',
                details: expect.stringContaining('a1'),
                retryable: false,
                evidence: 'ANSWER',
                article: expect.objectContaining({ title: 'a1 de 1', content: 'Neuer Text', languageCode: 'de' }),
              },
            ],
            summary: { total: 3, updated: 2, failed: 1, unknown: 0, notAttempted: 0 },
            serviceErrors: [],
            warnings: [],
            information: [],
            extensionData: null,
          },
        },
      });
    });

    it('changes the latest version when none is named, and the named one when one is', async () => {
      await update({ articleId: 'a1', title: 'Latest' }, { articleId: 'a1', versionNumber: 1, title: 'First' });
      expect(await read('a1')).toMatchObject({ title: 'Latest', versionNumber: 2 });
      expect(await read('a1', 'en', 1)).toMatchObject({ title: 'First', versionNumber: 1 });
    });

    it.each([
      ['an unknown language', { articleId: 'a2', languageCode: 'xx', title: 'x' }],
      ['a language it is not translated to, without a text', { articleId: 'a2', languageCode: 'de', order: 3 }],
      ['an unknown version', { articleId: 'a2', versionNumber: 9, title: 'x' }],
      ['an unknown category', { articleId: 'a2', categoryId: 'no-such-category', title: 'x' }],
      ['a category of another project version', { articleId: 'a2', categoryId: 'c4', title: 'x' }],
    ])('fails an item with %s and leaves no trace of it', async (_what, item) => {
      const before = await read('a2');
      const body = await update(item);
      expect(body.data?.['bulkUpdateArticles']).toMatchObject({
        results: [{ __typename: 'ArticleUpdateFailed', index: 0, articleId: 'a2', details: expect.any(String) }],
        summary: { total: 1, updated: 0, failed: 1 },
      });
      expect(await read('a2')).toEqual(before);
    });

    it('makes the text in a language that it names, where the article has none, and says so in advance', async () => {
      const articles = [
        { articleId: 'a2', languageCode: 'de', hidden: false },
        { articleId: 'a2', languageCode: 'de', title: 'Zwei' },
        { articleId: 'a2', languageCode: 'de', content: 'Zweiter Text' },
        { articleId: 'a2', languageCode: 'xx', title: 'x' },
        { articleId: 'a1', languageCode: 'de', title: 'Eins' },
      ];
      const { body } = await send(
        /* GraphQL */ `
          mutation ($input: BulkUpdateArticlesInput!) {
            previewBulkUpdateArticles(input: $input) {
              ... on BulkUpdateArticlesPreview {
                results { wouldCreateTranslation wouldSucceed article { title } changes { field from to } }
              }
            }
          }
        `,
        { input: { articles } },
      );
      const none = { wouldCreateTranslation: false, wouldSucceed: false, article: null, changes: [] };
      expect(body.data?.['previewBulkUpdateArticles']).toEqual({
        results: [
          none,
          {
            ...{ wouldCreateTranslation: true, wouldSucceed: true, article: null },
            changes: [{ field: 'TITLE', from: null, to: 'Zwei' }],
          },
          {
            ...{ wouldCreateTranslation: false, wouldSucceed: true, article: { title: 'Zwei' } },
            changes: [{ field: 'CONTENT', from: null, to: 'Zweiter Text' }],
          },
          none,
          expect.objectContaining({ wouldCreateTranslation: false, wouldSucceed: true }),
        ],
      });
      expect(await read('a2', 'de')).toBeNull();
      expect((await update(...articles.slice(0, 4))).data?.['bulkUpdateArticles']).toMatchObject({
        results: ['ArticleUpdateFailed', 'ArticleUpdated', 'ArticleUpdated', 'ArticleUpdateFailed'].map(
          (__typename) => ({
            __typename,
          }),
        ),
      });
      expect(await read('a2', 'de')).toMatchObject({ title: 'Zwei', content: 'Zweiter Text', versionNumber: 1 });
    });

    it('changes nothing for null, and stores what is empty', async () => {
      await update({ articleId: 'a3', title: null, content: null, categoryId: null, translationStatus: null });
      expect(await read('a3')).toMatchObject({ title: 'a3 en 1', category: { categoryId: 'c3' } });
      await update({ articleId: 'a3', title: '', content: '' });
      expect(await read('a3')).toMatchObject({ title: '', content: '' });
    });

    it('lets the same article stand twice, the later one last', async () => {
      const body = await update({ articleId: 'a4', title: 'One' }, { articleId: 'a4', title: 'Two' });
      expect(body.data?.['bulkUpdateArticles']).toMatchObject({ summary: { total: 2, updated: 2 } });
      expect(await read('a4')).toMatchObject({ title: 'Two' });
    });

    it('uses htmlContent for an article of the HTML editor only, and warns that it is deprecated', async () => {
      const body = await update(
        { articleId: 'w1', htmlContent: '<p>New</p>' },
        { articleId: 'a2', htmlContent: '<p>Ignored</p>' },
      );
      expect(body.data?.['bulkUpdateArticles']).toMatchObject({
        summary: { updated: 2 },
        warnings: [{ description: expect.stringContaining('html_content') }],
      });
      expect(await read('w1')).toMatchObject({ htmlContent: '<p>New</p>' });
      expect(await read('a2')).toMatchObject({ content: 'Text of a2 in en, version 1.' });
    });

    it('keeps every character of a text', async () => {
      const title = '𝔘nicode ﷽ עברית 🦄 "quotes" \\ \u0001 <b>&amp;</b> \u2028';
      await update({ articleId: 'a2', title });
      expect(await read('a2')).toMatchObject({ title });
    });

    it('lists every issue with its path, and writes nothing', async () => {
      const body = await update(
        { articleId: 'a2', title: 'Never written' },
        { articleId: '', hidden: null, order: null },
        { articleId: 'a2', order: 0, versionNumber: 0, categoryId: '', title: 'half \ud800' },
      );
      expect(body.data?.['bulkUpdateArticles']).toMatchObject({
        __typename: 'ValidationError',
        code: 'VALIDATION_FAILED',
        retryable: false,
        mayHaveApplied: false,
        source: 'GATEWAY',
        serviceErrors: [],
        issues: [
          { path: ['input', 'articles', '1', 'articleId'] },
          { path: ['input', 'articles', '1', 'hidden'] },
          { path: ['input', 'articles', '1', 'order'] },
          { path: ['input', 'articles', '2', 'title'] },
          { path: ['input', 'articles', '2', 'categoryId'] },
          { path: ['input', 'articles', '2', 'order'] },
          { path: ['input', 'articles', '2', 'versionNumber'] },
        ],
      });
      expect(await read('a2')).not.toMatchObject({ title: 'Never written' });
    });

    it('answers an empty list in the words of the gateway and of the service', async () => {
      const body = await update();
      expect(body.data?.['bulkUpdateArticles']).toMatchObject({
        __typename: 'ValidationError',
        issues: [
          {
            path: ['input', 'articles'],
            message: 'articles must have at least one item. The service says: A non-empty request body is required.',
          },
        ],
      });
    });

    it('warns of items that set differently what all languages of an article share', async () => {
      const items = [
        { articleId: 'a1', languageCode: 'en', order: 7, hidden: false },
        { articleId: 'a1', languageCode: 'de', order: 1, hidden: false },
        { articleId: 'a2', order: 2 },
      ];
      const { body } = await send(
        `mutation ($input: BulkUpdateArticlesInput!) {
          previewBulkUpdateArticles(input: $input) { ... on BulkUpdateArticlesPreview { warnings { description code } } }
          bulkUpdateArticles(input: $input) { ... on BulkUpdateArticlesPayload { warnings { description code } } }
        }`,
        { input: { articles: items } },
      );
      const description = expect.stringMatching(
        /^Items set order of one article to different values\..* Articles: a1\.$/u,
      );
      const warnings = [{ description, code: null }];
      expect(body.data).toEqual({ previewBulkUpdateArticles: { warnings }, bulkUpdateArticles: { warnings } });
      expect(await read('a1')).toMatchObject({ order: 1 });
    });

    it('takes items that change nothing, empty a title or name an article again, and warns of them', async () => {
      const items = [
        { articleId: 'a1', title: 'First' },
        { articleId: 'a2', title: '' },
        { articleId: 'a1', title: 'Second', languageCode: null },
        { articleId: 'a2', languageCode: 'en' },
        { articleId: 'a3', title: null },
      ];
      const { body } = await send(
        `mutation ($input: BulkUpdateArticlesInput!) {
          previewBulkUpdateArticles(input: $input) {
            ... on BulkUpdateArticlesPreview { warnings { description code extensionData } }
          }
          bulkUpdateArticles(input: $input) {
            ... on BulkUpdateArticlesPayload { results { __typename } warnings { description code extensionData } }
          }
        }`,
        { input: { articles: items } },
      );
      const warning = (code: string, ...indexes: readonly number[]) => ({
        code,
        description: expect.stringMatching(
          new RegExp(`^Items that .*\\. Their indexes: ${indexes.join(', ')}\\.$`, 'u'),
        ),
        extensionData: { indexes, total: indexes.length },
      });
      const warnings = [
        warning('ITEM_CHANGES_NOTHING', 3, 4),
        warning('TITLE_EMPTY', 1),
        warning('ARTICLE_REPEATED', 2),
      ];
      const results = items.map(() => ({ __typename: 'ArticleUpdated' }));
      expect(body.data).toEqual({
        previewBulkUpdateArticles: {
          warnings: [...warnings, warning('ITEM_PUBLISHED', 4), warning('ITEM_HAS_DRAFT', 0, 2)],
        },
        bulkUpdateArticles: { results, warnings },
      });
      expect(await read('a1')).toMatchObject({ title: 'Second' });
      expect(await read('a2')).toMatchObject({ title: '' });
    });

    it('asks for a token before it looks at the input', async () => {
      const { body } = await send(UPDATE, { input: { articles: [] } }, {});
      expect(body.data?.['bulkUpdateArticles']).toEqual({
        __typename: 'AuthenticationError',
        message:
          'A valid API token is required. Send it in the header X-Api-Token, in api_token or after Authorization: Bearer.',
        code: 'UNAUTHENTICATED',
        retryable: false,
        mayHaveApplied: false,
        serviceErrors: [],
      });
    });

    it('reports a wrong token', async () => {
      const { body } = await send(UPDATE, { input: { articles: [{ articleId: 'a1' }] } }, { api_token: 'wrong' });
      expect(body.data?.['bulkUpdateArticles']).toEqual({
        __typename: 'AuthenticationError',
        message:
          'A valid API token is required. Send it in the header X-Api-Token, in api_token or after Authorization: Bearer.',
        code: 'UNAUTHENTICATED',
        retryable: false,
        mayHaveApplied: false,
        serviceErrors: [{ description: 'The API token is not valid.', errorCode: null }],
      });
    });
  });

  describe('previewBulkUpdateArticles', () => {
    const PREVIEW = /* GraphQL */ `
      mutation ($input: BulkUpdateArticlesInput!) {
        previewBulkUpdateArticles(input: $input) {
          __typename
          ... on BulkUpdateArticlesPreview {
            results { index articleId wouldSucceed issues { path message } movesTo { name } changes { field from to } article { articleId } }
            summary { total changed unchanged failing }
          }
          ... on MutationError { code }
          ... on ValidationError { issues { path } }
        }
      }
    `;

    it('answers what would change, and writes nothing', async () => {
      const articles = [
        { articleId: 'f1', title: 'Neu', hidden: false },
        { articleId: 'f1', title: 'Neuer', categoryId: 'c1' },
        { articleId: 'a3', languageCode: 'de', categoryId: 'c2' },
        { articleId: 'nobody', title: 'x' },
      ];
      const { body } = await send(PREVIEW, { input: { articles } });
      expect(body).toEqual({
        data: {
          previewBulkUpdateArticles: {
            __typename: 'BulkUpdateArticlesPreview',
            results: [
              {
                index: 0,
                articleId: 'f1',
                wouldSucceed: true,
                issues: [],
                movesTo: null,
                changes: [{ field: 'TITLE', from: 'f1 fr 1', to: 'Neu' }],
                article: { articleId: 'f1' },
              },
              {
                index: 1,
                articleId: 'f1',
                wouldSucceed: false,
                issues: [
                  {
                    path: ['input', 'articles', '1', 'categoryId'],
                    message: 'The target category does not exist in the project version of the article.',
                  },
                ],
                movesTo: null,
                changes: [],
                article: { articleId: 'f1' },
              },
              {
                index: 2,
                articleId: 'a3',
                wouldSucceed: true,
                issues: [],
                movesTo: { name: 'Reference' },
                changes: [{ field: 'CATEGORY_ID', from: 'c3', to: 'c2' }],
                article: { articleId: 'a3' },
              },
              {
                index: 3,
                articleId: 'nobody',
                wouldSucceed: false,
                issues: [
                  {
                    path: ['input', 'articles', '3', 'articleId'],
                    message: 'There is no such article.',
                  },
                ],
                movesTo: null,
                changes: [],
                article: null,
              },
            ],
            summary: { total: 4, changed: 2, unchanged: 0, failing: 2 },
          },
        },
      });
      expect(await read('f1')).toMatchObject({ title: 'f1 fr 1' });
      expect(await read('a3', 'de')).toMatchObject({ category: { categoryId: 'c3' } });
    });

    it('reports a wrong token as the update does', async () => {
      const { body } = await send(PREVIEW, { input: { articles: [{ articleId: 'a1' }] } }, { api_token: 'wrong' });
      expect(body.data?.['previewBulkUpdateArticles']).toEqual({
        __typename: 'AuthenticationError',
        code: 'UNAUTHENTICATED',
      });
    });

    it('lists the issues of the input as the update does', async () => {
      const { body } = await send(PREVIEW, { input: { articles: [{ articleId: 'a1', order: 0 }, { articleId: '' }] } });
      expect(body.data?.['previewBulkUpdateArticles']).toEqual({
        __typename: 'ValidationError',
        code: 'VALIDATION_FAILED',
        issues: [{ path: ['input', 'articles', '0', 'order'] }, { path: ['input', 'articles', '1', 'articleId'] }],
      });
    });

    it.each([
      ['true', {}],
      ['false', {}],
      ['null', {}],
      ['$preview', { preview: null }],
      ['$preview', { prevew: true }],
    ])(
      'is no argument of the update, which is refused with it and writes nothing: %s, %j',
      async (value, variables) => {
        const document = `mutation (${value === '$preview' ? '$preview: Boolean, ' : ''}$input: BulkUpdateArticlesInput!) {
        bulkUpdateArticles(input: $input, preview: ${value}) { __typename }
      }`;
        const input = { articles: [{ articleId: 'f1', title: 'Written by mistake' }] };
        const { body } = await send(document, { input, ...variables });
        expect(body.data).toBeUndefined();
        expect(body.errors?.map(({ message }) => message)).toEqual([
          expect.stringContaining('Unknown argument "preview" on field "Mutation.bulkUpdateArticles"'),
        ]);
        expect(await read('f1')).toMatchObject({ title: 'f1 fr 1' });
      },
    );
  });
}
