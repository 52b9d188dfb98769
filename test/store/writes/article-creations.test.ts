import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { ArticleCreation } from '../../../src/core/articles/article-creations.ts';
import { STORE_ACCOUNT } from '../../../src/store/knowledge-base/format.ts';
import { caller, openStore, value } from '../store.ts';

const creation = (title: string, more: Partial<ArticleCreation> = {}): ArticleCreation => ({
  title,
  projectVersionId: 'pv1',
  userId: STORE_ACCOUNT.user_id,
  content: `Text of ${title}`,
  ...more,
});

describe('creates in the store', () => {
  it('are a few statements for any number of articles, but for the words of each text in SQLite', async () => {
    const { backend, counted } = await openStore();
    const items = (count: number) => Array.from({ length: count }, (_, n) => creation(`Title ${count} ${n}`));
    const few = await counted(() => backend.createArticles(caller, items(2)));
    const many = await counted(() => backend.createArticles(caller, items(200)));
    expect(many.statements).toHaveLength(few.statements.length);
  });

  it('of long texts let the write of another caller in after one part at most', async () => {
    const { backend, counted } = await openStore();
    const items = Array.from({ length: 20 }, (_, n) => creation(`Long ${n}`, { content: 'word '.repeat(10_000) }));
    const { statements } = await counted(async () => {
      const created = backend.createArticles(caller, items);
      const updated = backend.bulkUpdateArticles(caller, [{ articleId: 'a1', title: 'Meanwhile' }]);
      expect(value(await updated).outcomes).toMatchObject([{ kind: 'updated' }]);
      expect(value(await created).outcomes.map(({ kind }) => kind)).toEqual(items.map(() => 'created'));
    });
    const isBegin = (text: string) => text.startsWith('begin');
    expect(statements.filter(isBegin)).toHaveLength(6);
    const updateAt = statements.findIndex((text) => text.startsWith('update "article_versions"'));
    expect(statements.slice(0, updateAt).filter(isBegin).length).toBeLessThanOrEqual(2);
  });

  it('tell what was created before the store was full, and attempt nothing after it', async () => {
    const { backend, database } = await openStore();
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(database.db);
    await sql.raw(`pragma max_page_count = ${(rows[0]?.page_count ?? 0) + 150}`).execute(database.db);
    const items = Array.from({ length: 12 }, (_, n) =>
      creation(`Full ${n}`, { categoryId: 'guides', content: 'x'.repeat(90_000) }),
    );
    const { outcomes } = value(await backend.createArticles(caller, items));
    const created = outcomes.filter(({ kind }) => kind === 'created');
    expect([created.length > 0, created.length < items.length]).toEqual([true, true]);
    expect(outcomes.slice(created.length)).toEqual(
      items.slice(created.length).map(() => ({
        kind: 'not-attempted',
        details: 'The store cannot be written.',
        reason: 'UNAVAILABLE',
        retryAfterSeconds: null,
      })),
    );
    const found = await backend.articlesWithTitles(caller, items);
    expect(found.filter((one) => value(one) !== null)).toHaveLength(created.length);
  });

  it('leave nothing of an item that fails, and nothing at all where all of them fail', async () => {
    const { backend, database } = await openStore();
    const countRows = () =>
      Promise.all(
        (['articles', 'article_translations', 'article_versions', 'article_words'] as const).map(async (table) => {
          const rows = await database.db
            .selectFrom(table)
            .select(({ fn }) => fn.countAll().as('count'))
            .execute();
          return Number(rows[0]?.count);
        }),
      );
    const before = await countRows();
    const failing = creation('Never', { userId: 'nobody' });
    await backend.createArticles(caller, [failing, failing]);
    expect(await countRows()).toEqual(before);
    await backend.createArticles(caller, [failing, creation('Now'), failing]);
    expect(await countRows()).toEqual(before.map((count) => count + 1));
  });
});
