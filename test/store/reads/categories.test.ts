import { describe, expect, it } from 'vitest';
import type { CategoryKey } from '../../../src/core/articles/articles.ts';
import { caller, only, openStore, present, value } from '../store.ts';

const idsOf = (categories: readonly { readonly categoryId: string }[]) =>
  categories.map(({ categoryId }) => categoryId);

describe('rootCategories', () => {
  it('reads the root categories by order, in the default language', async () => {
    const { backend } = await openStore();
    expect(value(await backend.rootCategories(caller, { projectVersionId: 'pv1' }))).toEqual([
      {
        categoryId: 'guides',
        projectVersionId: 'pv1',
        languageCode: 'en',
        name: 'Guides',
        order: 1,
        parentCategoryId: null,
      },
      {
        categoryId: 'reference',
        projectVersionId: 'pv1',
        languageCode: 'en',
        name: 'Reference',
        order: 2,
        parentCategoryId: null,
      },
    ]);
  });

  it('reads them in another language', async () => {
    const { backend } = await openStore();
    const roots = present(value(await backend.rootCategories(caller, { projectVersionId: 'pv1', languageCode: 'de' })));
    expect(roots.map(({ languageCode }) => languageCode)).toEqual(['de', 'de']);
  });

  it.each([[{ projectVersionId: 'pv9' }], [{ projectVersionId: 'pv1', languageCode: 'fr' }]])(
    'returns null for %j',
    async (tree) => {
      const { backend } = await openStore();
      expect(value(await backend.rootCategories(caller, tree))).toBeNull();
    },
  );
});

describe('childCategories', () => {
  it('lists the children of each parent in its language, ties by ID', async () => {
    const { backend } = await openStore();
    const guides = present(await only(backend.categories(caller, [{ categoryId: 'guides' }])));
    const parents = [guides, { ...guides, categoryId: 'basics' }, { ...guides, languageCode: 'de' }];
    const results = await backend.childCategories(caller, parents);
    expect(results.map((result) => idsOf(value(result)))).toEqual([['basics', 'bits'], [], ['basics', 'bits']]);
    expect(value(results[2])[0]).toEqual({
      categoryId: 'basics',
      projectVersionId: 'pv1',
      languageCode: 'de',
      name: 'Basics',
      order: null,
      parentCategoryId: 'guides',
    });
  });
});

describe('categories', () => {
  it.each<[CategoryKey, string]>([
    [{ categoryId: 'guides' }, 'en'],
    [{ categoryId: 'guides', languageCode: 'de' }, 'de'],
    [{ categoryId: 'guides', projectVersionId: 'pv1' }, 'en'],
    [{ categoryId: 'francais' }, 'fr'],
  ])('finds %j in %s', async (key, languageCode) => {
    const { backend } = await openStore();
    const { categoryId } = key;
    expect(await only(backend.categories(caller, [key]))).toMatchObject({ categoryId, languageCode });
  });

  it.each<[CategoryKey]>([
    [{ categoryId: 'nowhere' }],
    [{ categoryId: 'guides', languageCode: 'fr' }],
    [{ categoryId: 'guides', projectVersionId: 'pv2' }],
  ])('returns null for %j', async (key) => {
    const { backend } = await openStore();
    expect(await only(backend.categories(caller, [key]))).toBeNull();
  });
});

describe('categoriesOfArticles', () => {
  it('finds the category of each article in its language; null for articles without one', async () => {
    const { backend, database } = await openStore();
    await database.db.updateTable('articles').set({ category_id: null }).where('id', '=', 'a2').execute();
    const keys = [{ articleId: 'a1', languageCode: 'de' }, { articleId: 'w1' }, { articleId: 'a2' }];
    const articles = (await backend.articles(caller, keys)).map((found) => present(value(found)));
    const found = (await backend.categoriesOfArticles(caller, articles)).map(value);
    expect(found).toMatchObject([
      { categoryId: 'guides', languageCode: 'de' },
      { categoryId: 'reference', languageCode: 'en' },
      null,
    ]);
  });
});

describe('projectVersions', () => {
  it('lists them in the order of their creation, with their languages by code', async () => {
    const { backend } = await openStore();
    expect(value(await backend.projectVersions(caller))).toEqual([
      {
        projectVersionId: 'pv2',
        name: 'Two',
        isDefault: false,
        languages: [{ code: 'fr', name: 'French', isDefault: true }],
      },
      {
        projectVersionId: 'pv1',
        name: 'One',
        isDefault: true,
        languages: [
          { code: 'de', name: 'German', isDefault: false },
          { code: 'en', name: 'English', isDefault: true },
        ],
      },
    ]);
  });
});
