import { describe, expect, it } from 'vitest';
import type { UpdateTarget } from '../../../src/core/articles/bulk-updates.ts';
import { STORE_ACCOUNT } from '../../../src/store/knowledge-base/format.ts';
import { caller, only, openStore, present, value } from '../store.ts';

async function openPublications() {
  const store = await openStore();
  const { backend } = store;
  const userId = STORE_ACCOUNT.user_id;
  const publish = async (...items: readonly UpdateTarget[]) =>
    value(await backend.publishArticles(caller, { items, userId }));
  const unpublish = async (...items: readonly UpdateTarget[]) =>
    value(await backend.unpublishArticles(caller, { items, userId }));
  const read = async (articleId: string, versionNumber?: number) => {
    const article = present(await only(backend.articles(caller, [{ articleId, versionNumber }])));
    return [article.status, article.publicVersionNumber];
  };
  const listed = async () => {
    const page = present(value(await backend.listArticles(caller, {}, { limit: 100, skip: 0 })));
    const found = page.edges.map(({ node }) => node).find(({ articleId }) => articleId === 'a1');
    return [found?.status, found?.publicVersionNumber];
  };
  return { ...store, publish, unpublish, read, listed };
}

describe('a publication in the store', () => {
  it('shows in versions, and in lists of the latest ones', async () => {
    const { publish, unpublish, read, listed } = await openPublications();
    await publish({ articleId: 'a1', versionNumber: 1 });
    expect([await read('a1'), await read('a1', 1), await listed()]).toEqual([
      ['DRAFT', 1],
      ['PUBLISHED', 1],
      ['DRAFT', 1],
    ]);
    await publish({ articleId: 'a1' });
    expect([await read('a1'), await read('a1', 1), await listed()]).toEqual([
      ['PUBLISHED', 2],
      ['PUBLISHED', 2],
      ['PUBLISHED', 2],
    ]);
    await unpublish({ articleId: 'a1' });
    expect([await read('a1'), await read('a1', 1), await listed()]).toEqual([
      ['DRAFT', null],
      ['PUBLISHED', null],
      ['DRAFT', null],
    ]);
  });

  it('stays where the published version is updated', async () => {
    const { backend, publish, read } = await openPublications();
    await publish({ articleId: 'a1' });
    value(await backend.bulkUpdateArticles(caller, [{ articleId: 'a1', title: 'Later', content: 'New' }]));
    expect(await read('a1')).toEqual(['PUBLISHED', 2]);
  });

  it('keeps the status of the latest version where an earlier item of the request gave it', async () => {
    const { publish, read } = await openPublications();
    await publish({ articleId: 'a1', versionNumber: 2 }, { articleId: 'a1', versionNumber: 1 });
    expect([await read('a1'), await read('a1', 1)]).toEqual([
      ['PUBLISHED', 1],
      ['PUBLISHED', 1],
    ]);
  });

  it('fails for every item, and changes nothing, where the user does not exist', async () => {
    const { backend, read } = await openPublications();
    const items = [{ articleId: 'a1' }, { articleId: 'gone' }];
    const before = await read('a1');
    const { outcomes } = value(await backend.publishArticles(caller, { items, userId: '\u0000' }));
    expect(outcomes).toEqual(
      items.map(({ articleId }) => ({
        kind: 'failed',
        articleId,
        details: "The user with id '\u0000' does not exist in your project.",
      })),
    );
    expect(await read('a1')).toEqual(before);
    const accounts = await backend.teamAccounts(caller, [STORE_ACCOUNT.user_id, '\u0000']);
    expect(accounts.map(value)).toMatchObject([{ userId: STORE_ACCOUNT.user_id }, null]);
  });

  it.each([1, 500, 10_000])('is a few statements for %i items', async (length) => {
    const { publish, counted, database } = await openPublications();
    const ids = ['a1', 'a2', 'w1', 'nobody'];
    const items = Array.from({ length }, (_, index) => ({ articleId: ids[index % 4] ?? '' }));
    const { value: result, statements } = await counted(() => publish(...items));
    expect(result.outcomes).toHaveLength(length);
    const { dialect } = database;
    const selects = Math.ceil(length / dialect.maxUpdatedRows) || 1;
    expect(statements.map((text) => /^(\w+)(?: "?(article_\w+))?/u.exec(text)?.slice(1).join(' ').trim())).toEqual([
      ...['begin', 'select'],
      ...(dialect.rowLock === null ? [] : ['select']),
      ...Array.from({ length: selects }, () => 'select'),
      ...['update article_versions', 'update article_translations', 'commit'],
    ]);
  });

  it('writes nothing where all is as asked for', async () => {
    const { publish, counted } = await openPublications();
    await publish({ articleId: 'a1' });
    const { statements } = await counted(() => publish({ articleId: 'a1' }, { articleId: 'gone' }));
    expect(statements.filter((text) => text.startsWith('update'))).toEqual([]);
  });
});
