import { describe, expect, it } from 'vitest';
import type { ArticleKey } from '../../../src/core/articles/articles.ts';
import { smallKnowledgeBase } from '../small-knowledge-base.ts';
import { caller, only, openStore, present, value } from '../store.ts';

describe('articleBySlug', () => {
  it('finds the first article by ID that has the whole slug, also a long one', async () => {
    const long = 'long'.repeat(1_000);
    const [article] = smallKnowledgeBase.articles;
    const withSlug = (id: string, slug: string) => ({ ...present(article), id, slug });
    const { backend } = await openStore({
      knowledgeBase: {
        ...smallKnowledgeBase,
        articles: [withSlug('s2', long), withSlug('s1', long), withSlug('s0', `${long}er`)],
      },
    });
    expect(value(await backend.articleBySlug(caller, { slug: long }))).toMatchObject({
      articleId: 's1',
      versionNumber: 2,
    });
  });
});

describe('articles', () => {
  it('reads the latest version in the default language, with content and category', async () => {
    const { backend } = await openStore();
    expect(await only(backend.articles(caller, [{ articleId: 'a1' }]))).toEqual({
      articleId: 'a1',
      languageCode: 'en',
      projectVersionId: 'pv1',
      versionNumber: 2,
      pinned: false,
      latestVersionNumber: 2,
      title: 'a1 en 2',
      content: 'Text of a1 en 2',
      htmlContent: null,
      categoryId: 'guides',
      slug: 'slug-a1',
      hidden: false,
      order: 1,
      translationStatus: 'NONE',
      contentType: 'MARKDOWN',
      modifiedAt: expect.any(Date),
      status: 'DRAFT',
      publicVersionNumber: 1,
      url: 'https://docs.example.com/a1',
      description: 'The second',
      createdAt: null,
      createdBy: null,
      authors: [
        { userId: 'u2', firstName: 'Uma', lastName: null },
        { userId: 'embedded-store', firstName: null, lastName: 'Embedded store' },
        { userId: 'u1', firstName: null, lastName: 'Ude' },
      ],
    });
  });

  it('reads details by one statement, without the content', async () => {
    const { backend, counted } = await openStore();
    const keys = [{ articleId: 'a1' }, { articleId: 'a1', languageCode: 'en', versionNumber: 1 }, { articleId: 'a2' }];
    const { value: result, statements } = await counted(() => backend.articles(caller, keys, 'details'));
    expect(statements).toHaveLength(1);
    expect(statements[0]).not.toContain('"content"');
    expect(result.map((article) => value(article))).toMatchObject([
      { description: 'The second', createdBy: null, status: 'DRAFT' },
      { description: null, createdBy: 'u1', status: 'PUBLISHED', authors: [] },
      { description: null, createdAt: null, authors: [], status: 'DRAFT' },
    ]);
    for (const article of result) expect(value(article)).not.toHaveProperty('content');
    const summary = await counted(() => backend.articles(caller, keys, 'summary'));
    expect(summary.statements[0]).not.toMatch(/created_at|authors/u);
  });

  it('reads long texts one by one after their articles, and none for summaries', async () => {
    const { backend, counted } = await openStore();
    const lengths = { a1: 3_000_000, a2: 3_000_000, a3: 41_000, b1: 39_000 };
    const updates = Object.entries(lengths).map(([articleId, length]) => ({ articleId, content: 'x'.repeat(length) }));
    await backend.bulkUpdateArticles(caller, updates);
    await backend.bulkUpdateArticles(caller, [{ articleId: 'w1', htmlContent: 'h'.repeat(5_000_000) }]);
    const keys = [...Object.keys(lengths), 'none', 'w1'].map((articleId) => ({ articleId }));
    const whole = await counted(() => backend.articles(caller, keys));
    const texts = whole.value.map((result) => value(result)?.content?.length ?? value(result)?.htmlContent?.length);
    expect(texts).toEqual([...Object.values(lengths), undefined, 5_000_000]);
    expect(whole.statements).toHaveLength(4);
    const summaries = await counted(() => backend.articles(caller, keys, 'summary'));
    expect(summaries.value.map((result) => value(result)?.content)).toEqual(keys.map(() => undefined));
    expect(summaries.statements).toHaveLength(1);
    expect(summaries.statements.join()).not.toContain('"content"');
  });

  it('refuses the texts of one batch beyond 128 MB, and reads the others', { tags: 'long' }, async () => {
    const { backend } = await openStore();
    await backend.bulkUpdateArticles(caller, [{ articleId: 'a1', content: 'x'.repeat(9_500_000) }]);
    const keys = Array.from({ length: 14 }, () => ({ articleId: 'a1' }));
    const kinds = (await backend.articles(caller, [...keys, { articleId: 'a2' }])).map((result) =>
      result.ok ? 'read' : result.error.kind,
    );
    expect(kinds).toEqual([...keys.slice(1).map(() => 'read'), 'query-too-costly', 'read']);
  });

  it('is pinned to a version that was requested by its number', async () => {
    const { backend } = await openStore();
    const read = await only(backend.articles(caller, [{ articleId: 'a1', versionNumber: 2 }]));
    expect(read).toMatchObject({ versionNumber: 2, latestVersionNumber: 2, pinned: true });
  });

  it.each<[ArticleKey, string]>([
    [{ articleId: 'a1', languageCode: 'de' }, 'a1 de 1'],
    [{ articleId: 'a1', versionNumber: 1 }, 'a1 en 1'],
    [{ articleId: 'w1', languageCode: 'de' }, 'w1 de 3'],
    [{ articleId: 'f1' }, 'f1 fr 1'],
  ])('finds for %j the title %s', async (key, title) => {
    const { backend } = await openStore();
    expect(await only(backend.articles(caller, [key]))).toMatchObject({ title });
  });

  it.each<[string, ArticleKey]>([
    ['article', { articleId: 'a9' }],
    ['article ID', { articleId: '' }],
    ['language', { articleId: 'a1', languageCode: 'xx' }],
    ['translation', { articleId: 'a2', languageCode: 'de' }],
    ['language of its project version', { articleId: 'a1', languageCode: 'fr' }],
    ['version', { articleId: 'a1', versionNumber: 3 }],
    ['version in that language', { articleId: 'a1', languageCode: 'de', versionNumber: 2 }],
    ['end of a text at U+0000', { articleId: 'a1\0' }],
  ])('returns null for an unknown %s', async (_what, key) => {
    const { backend } = await openStore();
    expect(await only(backend.articles(caller, [key]))).toBeNull();
  });

  it.each([
    ['a1', { contentType: 'MARKDOWN', content: 'Text of a1 en 2', htmlContent: null }],
    ['b1', { contentType: 'BLOCK', content: 'Text of b1 en 1', htmlContent: null }],
    ['w1', { contentType: 'WYSIWYG', content: null, htmlContent: 'Text of w1 en 1' }],
  ])('returns the text of %s in the field of its editor', async (articleId, expected) => {
    const { backend } = await openStore();
    expect(await only(backend.articles(caller, [{ articleId }]))).toMatchObject(expected);
  });

  it('returns results in the order of the keys, also for repeated keys', async () => {
    const { backend } = await openStore();
    const keys = ['w1', 'nobody', 'a1', 'w1'].map((articleId) => ({ articleId }));
    const found = await backend.articles(caller, keys);
    expect(found.map((result) => value(result)?.articleId)).toEqual(['w1', undefined, 'a1', 'w1']);
  });

  it('reads 2,000 keys by one statement', async () => {
    const { backend, counted } = await openStore();
    const keys = Array.from({ length: 2000 }, (_, index) => ({ articleId: index % 2 ? 'a1' : `no-${index}` }));
    const { value: found, statements } = await counted(() => backend.articles(caller, keys));
    expect(statements).toHaveLength(1);
    expect(found.filter((result) => value(result) !== null)).toHaveLength(1000);
  });
});

describe('the versions and translations of articles', () => {
  it('lists versions, the first one first', async () => {
    const { backend } = await openStore();
    const article = present(await only(backend.articles(caller, [{ articleId: 'a1' }])));
    expect(await only(backend.articleVersions(caller, [article]))).toEqual([
      {
        ...{ versionNumber: 1, createdAt: new Date('2024-05-06T07:08:09.123Z'), modifiedAt: expect.any(Date) },
        ...{ status: 'published', baseVersionNumber: null },
      },
      { versionNumber: 2, createdAt: null, modifiedAt: expect.any(Date), status: 'draft', baseVersionNumber: null },
    ]);
  });

  it('lists the latest version of each translation by language code, without its content', async () => {
    const { backend } = await openStore();
    const article = present(await only(backend.articles(caller, [{ articleId: 'w1' }])));
    const translations = await only(backend.articleTranslations(caller, [article]));
    expect(translations.map(({ languageCode, versionNumber }) => [languageCode, versionNumber])).toEqual([
      ['de', 3],
      ['en', 1],
    ]);
    for (const translation of translations) {
      expect(Object.keys(translation)).not.toContain('content');
    }
  });

  it('returns an empty list for an unknown article', async () => {
    const { backend } = await openStore();
    const article = present(await only(backend.articles(caller, [{ articleId: 'a1' }])));
    const gone = { ...article, articleId: 'gone' };
    expect(await only(backend.articleVersions(caller, [gone]))).toEqual([]);
    expect(await only(backend.articleTranslations(caller, [gone]))).toEqual([]);
  });
});
