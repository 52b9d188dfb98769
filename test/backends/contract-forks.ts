import { describe, expect, it } from 'vitest';
import type { Send } from '../support/gateway.ts';

const USER = 'embedded-store';

const UPDATE = `mutation ($input: BulkUpdateArticlesInput!) {
  result: bulkUpdateArticles(input: $input) {
    __typename
    ... on BulkUpdateArticlesPayload {
      results {
        __typename articleId draftVersionNumber retryable
        ... on ArticleUpdated { article { versionNumber title } }
        ... on ArticleUpdateNotAttempted { reason }
      }
    }
    ... on ValidationError { issues { path message } }
  }
}`;

const PREVIEW = `mutation ($input: BulkUpdateArticlesInput!) {
  result: previewBulkUpdateArticles(input: $input) {
    ... on BulkUpdateArticlesPreview {
      results { articleId isPublished wouldFork wouldSucceed issues { path message } }
      warnings { code extensionData }
    }
  }
}`;

const VERSIONS = `query ($articleId: ID!, $languageCode: String, $versionNumber: Int) {
  article(articleId: $articleId, languageCode: $languageCode, versionNumber: $versionNumber) {
    versionNumber title content status publicVersionNumber versions { versionNumber status }
  }
}`;

interface Text {
  readonly articleId: string;
  readonly languageCode?: string;
  readonly versionNumber?: number;
}

export function describeForks(send: Send): void {
  const run = async (document: string, input: object) => {
    const { body } = await send(document, { input });
    expect(body.errors).toBeUndefined();
    return Object(body.data?.['result']);
  };
  const update = (articles: readonly object[], ifPublished?: string, userId: string | null = USER) =>
    run(UPDATE, { articles, ifPublished, userId });
  const read = async (text: Text) => {
    const { body } = await send(VERSIONS, text);
    return Object(body.data?.['article']);
  };
  const german = { articleId: 'a1', languageCode: 'de' };

  describe('ifPublished', () => {
    it('is previewed with the versions that would be changed', async () => {
      const articles = [
        { ...german, title: 'Neu' },
        { articleId: 'a1', title: 'New' },
        { ...german, hidden: false },
      ];
      expect(await run(PREVIEW, { articles })).toEqual({
        results: [
          { articleId: 'a1', isPublished: true, wouldFork: false, wouldSucceed: true, issues: [] },
          { articleId: 'a1', isPublished: false, wouldFork: false, wouldSucceed: true, issues: [] },
          { articleId: 'a1', isPublished: true, wouldFork: false, wouldSucceed: true, issues: [] },
        ],
        warnings: [
          expect.objectContaining({ code: 'ARTICLE_REPEATED' }),
          { code: 'ITEM_PUBLISHED', extensionData: { indexes: [0], total: 1 } },
          { code: 'ITEM_HAS_DRAFT', extensionData: { indexes: [1], total: 1 } },
        ],
      });
      const forked = await run(PREVIEW, { articles, ifPublished: 'FORK', userId: USER });
      expect(forked.results).toMatchObject([{ wouldFork: true }, { wouldFork: false }, { wouldFork: false }]);
      const skipped = await run(PREVIEW, { articles, ifPublished: 'SKIP' });
      expect(skipped.results).toMatchObject([
        { wouldSucceed: false, issues: [{ path: ['input', 'articles', '0'] }] },
        { wouldSucceed: true },
        { wouldSucceed: true },
      ]);
      const strange = await run(PREVIEW, { articles, ifPublished: 'FORK', userId: 'nobody' });
      expect(strange.results[0]).toMatchObject({ wouldFork: false, issues: [{ path: ['input', 'userId'] }] });
    });

    it('SKIP sends no text of a published version', async () => {
      expect(
        await update(
          [
            { ...german, title: 'Neu' },
            { ...german, hidden: false },
          ],
          'SKIP',
        ),
      ).toMatchObject({
        results: [
          { __typename: 'ArticleUpdateNotAttempted', reason: 'PUBLISHED', retryable: false, draftVersionNumber: null },
          { __typename: 'ArticleUpdated' },
        ],
      });
      expect(await read(german)).toMatchObject({ title: 'a1 de 1', versions: [{ versionNumber: 1 }] });
    });

    it('FORK copies a published version once, and changes the draft', async () => {
      expect(
        await update(
          [
            { ...german, title: 'Neu' },
            { ...german, content: 'Text' },
          ],
          'FORK',
        ),
      ).toMatchObject({
        results: [
          { __typename: 'ArticleUpdated', draftVersionNumber: 2, article: { versionNumber: 2, title: 'Neu' } },
          { __typename: 'ArticleUpdated', draftVersionNumber: 2, article: { versionNumber: 2, title: 'Neu' } },
        ],
      });
      expect(await read(german)).toEqual({
        versionNumber: 2,
        title: 'Neu',
        content: 'Text',
        status: 'DRAFT',
        publicVersionNumber: 1,
        versions: [
          { versionNumber: 1, status: 'published' },
          { versionNumber: 2, status: 'draft' },
        ],
      });
      expect(await read({ ...german, versionNumber: 1 })).toMatchObject({
        title: 'a1 de 1',
        content: 'Text of a1 in de, version 1.',
      });
    });

    it('FORK sends what is a draft, or no text, as it is', async () => {
      expect(
        await update(
          [
            { ...german, title: 'Neuer' },
            { articleId: 'a1', order: 3 },
          ],
          'FORK',
        ),
      ).toMatchObject({
        results: [
          { __typename: 'ArticleUpdated', draftVersionNumber: null, article: { versionNumber: 2 } },
          { __typename: 'ArticleUpdated', draftVersionNumber: null },
        ],
      });
    });

    it('FORK copies the version that is named', async () => {
      const first = { articleId: 'a1', versionNumber: 1 };
      expect(await update([{ ...first, title: 'From the first' }], 'FORK')).toMatchObject({
        results: [{ __typename: 'ArticleUpdated', draftVersionNumber: 3, article: { versionNumber: 3 } }],
      });
      expect(await read({ articleId: 'a1' })).toMatchObject({
        versionNumber: 3,
        title: 'From the first',
        content: 'Text of a1 in en, version 1.',
        publicVersionNumber: 1,
      });
      expect(await read(first)).toMatchObject({ title: 'a1 en 1' });
    });

    it('FORK needs a team account, which exists', async () => {
      expect(await update([{ articleId: 'a1', title: 'x' }], 'FORK', null)).toEqual({
        __typename: 'ValidationError',
        issues: [{ path: ['input', 'userId'], message: 'userId is needed where ifPublished is FORK.' }],
      });
      expect(await update([{ articleId: 'a1', versionNumber: 1, title: 'x' }], 'FORK', 'nobody')).toMatchObject({
        results: [{ __typename: 'ArticleUpdateFailed', draftVersionNumber: null }],
      });
    });

    it('UPDATE, the default, changes a published version of the store in place', async () => {
      const first = { articleId: 'a1', versionNumber: 1 };
      expect(await update([{ ...first, title: 'In place' }])).toMatchObject({
        results: [{ __typename: 'ArticleUpdated', draftVersionNumber: null }],
      });
      expect(await read(first)).toMatchObject({ title: 'In place', status: 'PUBLISHED' });
    });
  });
}
