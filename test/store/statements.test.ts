import { describe, expect, it } from 'vitest';
import { defineStatement, type Places } from '../../src/store/database/statements.ts';
import type { StoreDatabase } from '../../src/store/tables/tables.ts';
import { startGateway } from '../support/gateway.ts';
import { caller, nodesOf, openStore, present, value } from './store.ts';

/** Each level of a nested query is one call of the port, and each call takes one statement for any number of keys. */
describe('a level of reads costs one statement', () => {
  it('for articles, their categories, and the children and articles of these', async () => {
    const { backend, counted } = await openStore();
    const { statements } = await counted(async () => {
      const articles = nodesOf(present(value(await backend.listArticles(caller, {}, { limit: 100 }))));
      const categories = (await backend.categoriesOfArticles(caller, articles)).map((found) => present(value(found)));
      const children = (await backend.childCategories(caller, categories)).flatMap(value);
      const below = (await backend.articlesOfCategories(caller, children, { limit: 100 })).map(value);
      expect([articles.length, categories.length, children.length, below.length]).toEqual([5, 5, 6, 6]);
    });
    expect(statements).toHaveLength(4);
  });

  it('for groups, their readers and invited users, and the groups of the readers', async () => {
    const { backend, counted } = await openStore();
    const { statements } = await counted(async () => {
      const groups = nodesOf(value(await backend.listReaderGroups(caller, { limit: 100 })));
      const pages = (await backend.readersOfGroups(caller, groups, { limit: 100 })).map(value);
      const invitationIds = groups.flatMap(({ invitedSsoUserIds }) => invitedSsoUserIds);
      const invited = (await backend.invitedSsoUsers(caller, invitationIds)).map((found) => present(value(found)));
      const readers = pages.flatMap(nodesOf);
      const back = (await backend.groupsOfReaders(caller, readers, { limit: 100 })).map(value);
      expect([groups.length, readers.length, invited.length, back.length]).toEqual([7, 8, 4, 8]);
    });
    // The readers of groups are read without the IDs of their own groups, which the groups of these readers need.
    expect(statements).toHaveLength(5);
  });

  it('for whole articles, their versions and their translations', async () => {
    const { backend, counted } = await openStore();
    const { statements } = await counted(async () => {
      const keys = ['a1', 'a2', 'w1'].map((articleId) => ({ articleId }));
      const articles = (await backend.articles(caller, keys)).map((found) => present(value(found)));
      await backend.articleVersions(caller, articles);
      await backend.articleTranslations(caller, articles);
    });
    expect(statements).toHaveLength(3);
  });

  it('for project versions, a tree, categories, groups, readers and invited users', async () => {
    const { backend, counted } = await openStore();
    const { statements } = await counted(async () => {
      await backend.projectVersions(caller);
      await backend.rootCategories(caller, { projectVersionId: 'pv1' });
      await backend.categories(caller, [{ categoryId: 'guides' }, { categoryId: 'nowhere' }]);
      await backend.readerGroups(caller, ['none', 'nobody']);
      await backend.readers(caller, ['r1', 'r2', 'nobody']);
      await backend.listReaders(caller, 'example', { limit: 2 });
      await backend.listInvitedSsoUsers(caller, 'example', { limit: 2 });
    });
    expect(statements).toHaveLength(7);
  });

  it('for the categories and project versions of the articles of several pages', async () => {
    const { backend, counted } = await openStore();
    const gateway = await startGateway({ backend, local: true, token: 'token' });
    const query = `{ categories(projectVersionId: "pv1") {
      articles { nodes { category { name } projectVersion { name } } }
    } }`;
    const { statements, value: response } = await counted(() => gateway.send(query));
    expect(response.body.errors).toBeUndefined();
    // The categories at the top, their articles, and the categories and project versions of these.
    expect(statements).toHaveLength(4);
  });

  it('and none without keys', async () => {
    const { backend, counted } = await openStore();
    const { statements } = await counted(async () => {
      expect(await backend.articles(caller, [])).toEqual([]);
      expect(await backend.readersOfGroups(caller, [], { limit: 5 })).toEqual([]);
      expect(value(await backend.rateLimit(caller))).toBeNull();
    });
    expect(statements).toEqual([]);
  });
});

/** SQLite would compile them anew at each call. */
it('no condition on a default is by a parameter', async () => {
  const { backend, counted } = await openStore();
  const { statements } = await counted(async () => {
    await backend.articles(caller, [{ articleId: 'a1' }]);
    await backend.categories(caller, [{ categoryId: 'guides' }]);
    await backend.rootCategories(caller, { projectVersionId: 'pv1' });
    await backend.listArticles(caller, {}, { limit: 1 });
    await backend.bulkUpdateArticles(caller, [{ articleId: 'a1', title: 'New' }]);
  });
  const withDefault = statements.filter((text) => text.includes('is_default'));
  expect(withDefault.length).toBeGreaterThanOrEqual(5);
  expect(withDefault.filter((text) => !text.includes('"is_default" = 1'))).toEqual([]);
});

describe('a defined statement', () => {
  it('is built once for a database, and runs with the rows of each call, also in a transaction', async () => {
    const { database } = await openStore();
    let built = 0;
    const selectIds = defineStatement(
      ({ db, dialect }: StoreDatabase, { placeOf }: Places<{ rows: readonly { readonly id: string }[] }>) => {
        built += 1;
        const ids = dialect.jsonTable({ alias: 'k', rows: placeOf('rows'), columns: { id: 'text' } });
        return db.selectFrom(ids).innerJoin('articles as a', 'a.id', 'k.id').select('a.id').orderBy('a.id');
      },
    );
    expect(await selectIds(database, { rows: [{ id: 'a2' }, { id: 'a1' }] })).toEqual([{ id: 'a1' }, { id: 'a2' }]);
    expect(await selectIds(database, { rows: [] })).toEqual([]);
    const rows = [{ id: `a1` }, { id: `'; drop table articles --` }];
    const inTransaction = await database.db.transaction().execute((db) => selectIds({ ...database, db }, { rows }));
    expect(inTransaction).toEqual([{ id: 'a1' }]);
    expect(built).toBe(1);
  });
});

describe('a statement of several variants', () => {
  it('is built once for each variant, and runs with the values of each call', async () => {
    const { database } = await openStore();
    const built: string[] = [];
    const selectIds = defineStatement(
      (
        { db }: StoreDatabase,
        { placeOf }: Places<{ after: string; limit: number | undefined }>,
        direction: 'asc' | 'desc',
      ) => {
        built.push(direction);
        return db
          .selectFrom('articles as a')
          .where('a.id', '>', placeOf('after'))
          .select('a.id')
          .orderBy('a.id', direction)
          .limit(placeOf('limit'));
      },
    );
    expect(await selectIds(database, { after: 'a1', limit: 1 }, 'asc')).toEqual([{ id: 'a2' }]);
    expect(await selectIds(database, { after: 'a', limit: 2 }, 'asc')).toEqual([{ id: 'a1' }, { id: 'a2' }]);
    expect(await selectIds(database, { after: `'; drop table articles --`, limit: 1 }, 'desc')).toEqual([{ id: 'w1' }]);
    expect(built).toEqual(['asc', 'desc']);
    await expect(selectIds(database, { after: 'a1', limit: undefined }, 'asc')).rejects.toThrow('no value for limit');
  });
});
