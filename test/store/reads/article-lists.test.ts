import { describe, expect, it } from 'vitest';
import type { Article, ArticleListRequest, Category } from '../../../src/core/articles/articles.ts';
import type { Page } from '../../../src/core/backend.ts';
import type { PageRequest } from '../../../src/core/base/pages.ts';
import { ok } from '../../../src/core/base/result.ts';
import { caller, nodesOf, openStore, present, value } from '../store.ts';

const idsOf = (page: Page<Article>): readonly string[] => nodesOf(page).map(({ articleId }) => articleId);

async function openLists() {
  const store = await openStore();
  const { backend } = store;
  const list = async (filter: ArticleListRequest, page: PageRequest) =>
    present(value(await backend.listArticles(caller, filter, page)));
  return { ...store, list };
}

describe('listArticles', () => {
  it('lists the default project version in its default language by article ID', async () => {
    const { list } = await openLists();
    expect(idsOf(await list({}, { limit: 10 }))).toEqual(['a1', 'a2', 'a3', 'b1', 'w1']);
  });

  it.each<[ArticleListRequest, readonly string[]]>([
    [{ languageCode: 'de' }, ['a1', 'w1']],
    [{ projectVersionId: 'pv2' }, ['f1']],
    [{ categoryId: 'guides' }, ['a3', 'a1', 'a2']],
    [{ categoryId: 'guides', languageCode: 'de' }, ['a1']],
    [{ categoryId: 'basics' }, []],
    [{ projectVersionId: 'pv2', categoryId: 'francais' }, ['f1']],
  ])('finds %j', async (filter, expected) => {
    const { list } = await openLists();
    const page = await list(filter, { limit: 10 });
    expect(idsOf(page)).toEqual(expected);
    expect(await page.totalCount?.()).toEqual(ok(expected.length));
  });

  it.each<[ArticleListRequest]>([
    [{ projectVersionId: 'pv9' }],
    [{ languageCode: 'fr' }],
    [{ projectVersionId: 'pv2', languageCode: 'en' }],
    [{ categoryId: 'nowhere' }],
    [{ categoryId: 'francais' }],
  ])('returns null for %j, which has an unknown ID', async (filter) => {
    const { backend } = await openStore();
    expect(value(await backend.listArticles(caller, filter, { limit: 10 }))).toBeNull();
  });

  it('reads no content', async () => {
    const { list, statements } = await openLists();
    statements.length = 0;
    const [article] = nodesOf(await list({}, { limit: 1 }));
    expect(article).toEqual({
      articleId: 'a1',
      languageCode: 'en',
      projectVersionId: 'pv1',
      categoryId: 'guides',
      versionNumber: 2,
      pinned: false,
      latestVersionNumber: 2,
      title: 'a1 en 2',
      slug: 'slug-a1',
      hidden: false,
      order: 1,
      translationStatus: 'NONE',
      contentType: 'MARKDOWN',
      modifiedAt: expect.any(Date),
      status: 'DRAFT',
      publicVersionNumber: 1,
      url: 'https://docs.example.com/a1',
    });
    expect(statements).toHaveLength(1);
    expect(statements[0]).not.toContain('"content"');
  });

  it.each<[string, ArticleListRequest, readonly string[]]>([
    ['a project version', {}, ['a1', 'a2', 'a3', 'b1', 'w1']],
    ['a category, with ties by ID', { categoryId: 'guides' }, ['a3', 'a1', 'a2']],
  ])('pages through %s by cursors, with correct flags and totals on each page', async (_what, filter, expected) => {
    const { list } = await openLists();
    const seen: string[] = [];
    let page = await list(filter, { limit: 1 });
    expect(page.hasPreviousPage).toBe(false);
    for (;;) {
      seen.push(...idsOf(page));
      expect(page.hasNextPage).toBe(seen.length < expected.length);
      if (!page.hasNextPage) break;
      page = await list(filter, { limit: 1, after: present(page.edges.at(-1)).cursor });
      expect(page.hasPreviousPage).toBe(true);
    }
    expect(seen).toEqual(expected);
    const afterLast = await list(filter, { limit: 1, after: present(page.edges.at(-1)).cursor });
    expect(afterLast).toMatchObject({ edges: [], hasNextPage: false, hasPreviousPage: true });
  });

  it('continues at the same article when earlier ones have left', async () => {
    const { backend, list } = await openLists();
    const first = await list({ categoryId: 'guides' }, { limit: 2 });
    expect(idsOf(first)).toEqual(['a3', 'a1']);
    const moves = ['a3', 'a1'].map((articleId) => ({ articleId, categoryId: 'reference' }));
    value(await backend.bulkUpdateArticles(caller, moves));
    const second = await list({ categoryId: 'guides' }, { limit: 2, after: present(first.edges.at(-1)).cursor });
    expect(idsOf(second)).toEqual(['a2']);
  });

  it('skips entries for page numbers', async () => {
    const { list } = await openLists();
    expect(await list({}, { limit: 2, skip: 0 })).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    const last = await list({}, { limit: 2, skip: 4 });
    expect(idsOf(last)).toEqual(['w1']);
    expect(last).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    expect(await list({}, { limit: 2, skip: 50 })).toMatchObject({ edges: [], hasPreviousPage: true });
  });

  const cursorOf = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString('base64url');

  it.each([
    ['no cursor', 'nonsense'],
    ['empty', ''],
    ['of no JSON', Buffer.from('{').toString('base64url')],
    ['of no list', cursorOf({ 0: 'a1' })],
    ['of another type', cursorOf([1])],
    ['of another list', cursorOf([1, 'a1'])],
    ['of no text that a store holds', cursorOf(['a\0'])],
    ['another spelling of one that was given', Buffer.from('[ "a1"]').toString('base64url')],
    ['longer than any', cursorOf(['a'.repeat(100_000)])],
  ])('refuses a cursor that is %s', async (_what, after) => {
    const { backend } = await openStore();
    expect(await backend.listArticles(caller, {}, { limit: 2, after })).toMatchObject({
      ok: false,
      error: { kind: 'validation', issues: [{ path: ['after'], message: expect.stringContaining('after') }] },
    });
  });
});

const category = (categoryId: string, languageCode = 'en'): Category => ({
  categoryId,
  projectVersionId: 'pv1',
  languageCode,
  name: categoryId,
  order: null,
  parentCategoryId: null,
});

describe('articlesOfCategories', () => {
  const parents = [category('reference'), category('guides'), category('guides', 'de'), category('bits')];

  it('pages each category by itself, by one statement in all', async () => {
    const { backend, counted } = await openStore();
    const read = () => backend.articlesOfCategories(caller, parents, { limit: 2 });
    const { value: pages, statements } = await counted(read);
    expect(statements).toHaveLength(1);
    expect(pages.map((page) => idsOf(value(page)))).toEqual([['b1', 'w1'], ['a3', 'a1'], ['a1'], []]);
    expect(pages.map((page) => value(page).hasNextPage)).toEqual([false, true, false, false]);
  });

  it('counts them on demand, by one more statement in all', async () => {
    const { backend, counted } = await openStore();
    const pages = await backend.articlesOfCategories(caller, parents, { limit: 1 });
    const count = () => Promise.all(pages.map((page) => value(page).totalCount?.()));
    const { value: totals, statements } = await counted(count);
    expect(totals).toEqual([2, 3, 1, 0].map(ok));
    expect(statements).toHaveLength(1);
  });

  it('continues after a cursor', async () => {
    const { backend } = await openStore();
    const [first] = await backend.articlesOfCategories(caller, [category('guides')], { limit: 2 });
    const after = present(value(first).edges.at(-1)).cursor;
    const [second] = await backend.articlesOfCategories(caller, [category('guides')], { limit: 2, after });
    expect(idsOf(value(second))).toEqual(['a2']);
    expect(value(second)).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
  });

  it('refuses a wrong cursor for each category', async () => {
    const { backend } = await openStore();
    const results = await backend.articlesOfCategories(caller, parents, { limit: 2, after: 'nonsense' });
    expect(results).toHaveLength(parents.length);
    for (const result of results) expect(result).toMatchObject({ ok: false, error: { kind: 'validation' } });
  });
});
