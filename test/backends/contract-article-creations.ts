import { describe, expect, it } from 'vitest';
import { STORE_ACCOUNT } from '../../src/store/knowledge-base/format.ts';
import type { Send } from '../support/gateway.ts';

const CREATE = /* GraphQL */ `
  mutation ($input: CreateArticlesInput!, $key: String) {
    createArticles(input: $input, idempotencyKey: $key) {
      __typename
      ... on CreateArticlesPayload {
        replayed
        results {
          __typename index title details retryable
          ... on ArticleCreated {
            articleId evidence
            article { articleId title content htmlContent contentType slug hidden order versionNumber languageCode
              translationStatus status publicVersionNumber createdBy authors { userId } category { categoryId } projectVersion { projectVersionId } }
          }
          ... on ArticleCreateUnknown { candidates { articleId title } }
        }
        summary { total created failed unknown notAttempted }
        serviceErrors { description }
        warnings { description }
        information { description }
        extensionData
      }
      ... on MutationError { message code retryable mayHaveApplied }
      ... on ValidationError { source issues { path message } }
    }
  }
`;

const PREVIEW = /* GraphQL */ `
  mutation ($input: CreateArticlesInput!) {
    previewCreateArticles(input: $input) {
      __typename
      ... on CreateArticlesPreview {
        results {
          index title wouldSucceed languageCode issues { path message }
          projectVersion { projectVersionId } category { categoryId } existing { articleId }
        }
        summary { total created failing }
        warnings { code extensionData }
      }
      ... on ValidationError { issues { path message } }
    }
  }
`;

const TITLES = /* GraphQL */ `
  query ($projectVersionId: ID!, $categoryId: ID!) {
    articles(projectVersionId: $projectVersionId, categoryId: $categoryId, first: 100) { nodes { articleId title } }
  }
`;

const NO_NOTICES = { serviceErrors: [], warnings: [], information: [], extensionData: null };

const missing = (what: string, id: string, where = 'your project') =>
  `The ${what} with id '${id}' does not exist in ${where}.`;

export function describeArticleCreations(send: Send, htmlOf: (markdown: string) => string | null): void {
  const withUser = (articles: readonly object[], userId: string) => ({
    articles: articles.map((article) => ({ projectVersionId: 'pv1', categoryId: 'c1', ...article })),
    userId,
  });
  const create = async (articles: readonly object[], userId: string = STORE_ACCOUNT.user_id, key?: string) =>
    Object((await send(CREATE, { input: withUser(articles, userId), key })).body.data?.['createArticles']);
  const preview = async (articles: readonly object[], userId: string = STORE_ACCOUNT.user_id) =>
    Object((await send(PREVIEW, { input: withUser(articles, userId) })).body.data?.['previewCreateArticles']);
  const titlesIn = async (categoryId: string, projectVersionId = 'pv1'): Promise<readonly string[]> => {
    const { body } = await send(TITLES, { projectVersionId, categoryId });
    const { nodes } = Object(body.data?.['articles']);
    return nodes.map(({ title }: { title: string }) => title);
  };

  describe('createArticles', () => {
    it('creates drafts in the default language of their project versions, in the submitted order', async () => {
      const answer = await create([
        { title: 'Über die Lampe', content: '# Text', order: 7 },
        { title: 'Sans texte', projectVersionId: 'pv2', categoryId: 'c4', contentType: 'WYSIWYG' },
        { title: 'Homeless', categoryId: null, content: '' },
      ]);
      const outcome = { __typename: 'ArticleCreated', articleId: expect.stringMatching(/^[\da-f-]{36}$/u) };
      const authors = [{ userId: STORE_ACCOUNT.user_id }];
      const written = { createdBy: STORE_ACCOUNT.user_id, authors };
      const draft = { hidden: false, versionNumber: 1, status: 'DRAFT', publicVersionNumber: null, ...written };
      const told = { ...outcome, retryable: false, evidence: 'ANSWER' };
      expect(answer).toEqual({
        __typename: 'CreateArticlesPayload',
        replayed: false,
        results: [
          {
            ...told,
            index: 0,
            title: 'Über die Lampe',
            details: null,
            article: {
              ...draft,
              articleId: answer.results[0].articleId,
              title: 'Über die Lampe',
              content: '# Text',
              htmlContent: htmlOf('# Text'),
              contentType: 'MARKDOWN',
              slug: 'uber-die-lampe',
              order: 7,
              languageCode: 'en',
              translationStatus: 'NONE',
              category: { categoryId: 'c1' },
              projectVersion: { projectVersionId: 'pv1' },
            },
          },
          {
            ...told,
            index: 1,
            title: 'Sans texte',
            details: null,
            article: {
              ...draft,
              articleId: answer.results[1].articleId,
              title: 'Sans texte',
              content: null,
              htmlContent: null,
              contentType: 'WYSIWYG',
              slug: 'sans-texte',
              order: null,
              languageCode: 'fr',
              translationStatus: 'NONE',
              category: { categoryId: 'c4' },
              projectVersion: { projectVersionId: 'pv2' },
            },
          },
          expect.objectContaining({
            ...told,
            index: 2,
            article: expect.objectContaining({ slug: 'homeless', content: '', category: null }),
          }),
        ],
        summary: { total: 3, created: 3, failed: 0, unknown: 0, notAttempted: 0 },
        ...NO_NOTICES,
      });
      expect(await titlesIn('c1')).toContain('Über die Lampe');
      expect(await titlesIn('c4', 'pv2')).toContain('Sans texte');
    });

    it('creates the others where one fails', async () => {
      const { results, summary } = await create([
        { title: 'First of three', content: 'One' },
        { title: 'Second of three', categoryId: 'c4' },
        { title: 'Third of three', content: '' },
      ]);
      const isCreated = { __typename: 'ArticleCreated', article: { title: expect.stringContaining('of three') } };
      expect(results).toMatchObject([
        isCreated,
        {
          __typename: 'ArticleCreateFailed',
          details: missing('category', 'c4', 'the project version'),
          retryable: false,
        },
        isCreated,
      ]);
      expect(summary).toEqual({ total: 3, created: 2, failed: 1, unknown: 0, notAttempted: 0 });
      const titles = await titlesIn('c1');
      expect(titles.filter((title) => title.endsWith('of three'))).toHaveLength(2);
    });

    it.each([
      ['user', { userId: 'nobody' }, missing('user', 'nobody')],
      [
        'project version',
        { userId: undefined, projectVersionId: 'pv9', categoryId: null },
        missing('project version', 'pv9'),
      ],
      ['category', { userId: undefined, categoryId: 'c9' }, missing('category', 'c9', 'the project version')],
    ])('fails with an unknown %s', async (_what, { userId, ...members }, details) => {
      const { results } = await create([{ title: 'Not to be', ...members }], userId);
      expect(results).toEqual([
        { __typename: 'ArticleCreateFailed', index: 0, title: 'Not to be', details, retryable: false },
      ]);
      expect(await titlesIn('c1')).not.toContain('Not to be');
    });

    it('gives equal titles slugs of their own', async () => {
      const created = async (title: string) => (await create([{ title }])).results[0].article.slug;
      expect(await created('Set up')).toBe('set-up');
      expect(await created('Set-up!')).toBe('set-up-2');
      const { results } = await create([
        { title: 'Set up', categoryId: 'c2' },
        { title: 'Set up', categoryId: 'c3' },
      ]);
      const slugs = results.map(({ article }: { article: { slug: string } }) => article.slug);
      expect(slugs).toEqual(['set-up-3', 'set-up-4']);
      expect((await create([{ title: 'Set up', projectVersionId: 'pv2', categoryId: 'c4' }])).results[0]).toMatchObject(
        {
          article: { slug: 'set-up' },
        },
      );
    });

    it('gives the recorded articles to a request with the same key, and creates nothing again', async () => {
      const first = await create([{ title: 'Only once', content: 'Text' }], undefined, 'once');
      expect(first).toMatchObject({ replayed: false, results: [{ __typename: 'ArticleCreated' }] });
      const again = await create([{ title: 'Only once', content: 'Text' }], undefined, 'once');
      expect(again).toEqual({ ...first, replayed: true });
      expect((await titlesIn('c1')).filter((title) => title === 'Only once')).toHaveLength(1);
      expect(await create([{ title: 'Only twice' }], undefined, 'once')).toMatchObject({
        code: 'IDEMPOTENCY_CONFLICT',
      });
    });

    it('lists every rule that the input breaks, and creates nothing', async () => {
      const before = await titlesIn('c1');
      const articles = [
        { title: 'Good' },
        { title: '' },
        { title: ' \t' },
        { title: 'x'.repeat(301), content: '\0', order: 0, categoryId: '' },
        { title: '\uD800', projectVersionId: '', order: null, contentType: null },
      ];
      const answer = await create(articles, '');
      expect(answer).toMatchObject({ __typename: 'ValidationError', source: 'GATEWAY', mayHaveApplied: false });
      expect(answer.issues.map(({ path }: { path: readonly string[] }) => path.join('.'))).toEqual([
        'input.articles.1.title',
        'input.articles.2.title',
        'input.articles.3.title',
        'input.articles.3.categoryId',
        'input.articles.3.content',
        'input.articles.3.order',
        'input.articles.4.title',
        'input.articles.4.projectVersionId',
        'input.articles.4.contentType',
        'input.articles.4.order',
        'input.userId',
      ]);
      expect(await preview(articles, '')).toMatchObject({ issues: answer.issues });
      expect(await titlesIn('c1')).toEqual(before);
    });

    it.each([
      [[], /^articles must have at least one item\. The service says: A non-empty request body is required\.$/u],
      [Array.from({ length: 1_001 }, () => ({ title: '' })), /^articles must have at most 1000 items; it has 1001\.$/u],
    ])('refuses a list that is empty or too long as a whole', async (articles, message) => {
      expect(await create(articles)).toMatchObject({
        issues: [{ path: ['input', 'articles'], message: expect.stringMatching(message) }],
      });
    });

    it('takes a title of 300 characters', async () => {
      expect(await create([{ title: 'y'.repeat(300) }])).toMatchObject({ summary: { created: 1 } });
    });
  });

  describe('previewCreateArticles', () => {
    it('tells what would be created, what would fail and why, and writes nothing', async () => {
      const before = await titlesIn('c1');
      const answer = await preview([
        { title: 'Yet to come' },
        { title: 'Lost', categoryId: 'c4' },
        { title: 'Nowhere', projectVersionId: 'pv9' },
        { title: 'Plus tard', projectVersionId: 'pv2', categoryId: null },
      ]);
      const good = { wouldSucceed: true, issues: [], existing: null };
      expect(answer).toEqual({
        __typename: 'CreateArticlesPreview',
        results: [
          {
            ...good,
            index: 0,
            title: 'Yet to come',
            languageCode: 'en',
            projectVersion: { projectVersionId: 'pv1' },
            category: { categoryId: 'c1' },
          },
          {
            index: 1,
            title: 'Lost',
            wouldSucceed: false,
            languageCode: 'en',
            issues: [
              {
                path: ['input', 'articles', '1', 'categoryId'],
                message: missing('category', 'c4', 'the project version'),
              },
            ],
            projectVersion: { projectVersionId: 'pv1' },
            category: null,
            existing: null,
          },
          {
            index: 2,
            title: 'Nowhere',
            wouldSucceed: false,
            languageCode: null,
            issues: [
              { path: ['input', 'articles', '2', 'projectVersionId'], message: missing('project version', 'pv9') },
              {
                path: ['input', 'articles', '2', 'categoryId'],
                message: missing('category', 'c1', 'the project version'),
              },
            ],
            projectVersion: null,
            category: null,
            existing: null,
          },
          {
            ...good,
            index: 3,
            title: 'Plus tard',
            languageCode: 'fr',
            projectVersion: { projectVersionId: 'pv2' },
            category: null,
          },
        ],
        summary: { total: 4, created: 2, failing: 2 },
        warnings: [],
      });
      expect(await titlesIn('c1')).toEqual(before);
    });

    it('finds a team account that does not exist', async () => {
      expect(await preview([{ title: 'Yet to come' }], 'nobody')).toMatchObject({
        results: [{ wouldSucceed: false, issues: [{ path: ['input', 'userId'], message: missing('user', 'nobody') }] }],
        summary: { total: 1, created: 0, failing: 1 },
      });
    });

    it('warns of titles that are in the category already, and of those that stand twice', async () => {
      const { results } = await create([{ title: 'Held already', content: 'Text' }]);
      const [{ articleId }] = results;
      const answer = await preview([
        { title: 'Held already' },
        { title: 'Held already', categoryId: 'c2' },
        { title: 'held already' },
        { title: 'held already ' },
      ]);
      expect(answer.results.map(({ existing }: { existing: unknown }) => existing)).toEqual([
        { articleId },
        null,
        null,
        null,
      ]);
      expect(answer).toMatchObject({
        summary: { created: 4, failing: 0 },
        warnings: [
          { code: 'TITLE_EXISTS', extensionData: { indexes: [0], total: 1 } },
          { code: 'TITLE_REPEATED', extensionData: { indexes: [3], total: 1 } },
        ],
      });
    });
  });
}
