import { describe, expect, inject, it } from 'vitest';
import { openStoreDatabase } from '../../../../src/backend/local/tables/store-database.ts';
import type { Tables } from '../../../../src/backend/local/tables/tables.ts';
import type { KnowledgeBase } from '../../../../src/knowledge-base/knowledge-base.ts';
import { undoMigrationsAfter } from '../older-schema.ts';
import { smallKnowledgeBase } from '../small-knowledge-base.ts';
import { caller, databaseToDrop, openStore, present, temporaryFolder, value } from '../store.ts';

/** More articles than one statement of a migration fills. */
function manyArticles(): KnowledgeBase {
  const template = present(smallKnowledgeBase.articles[0]);
  const titled = Array.from({ length: 1_200 }, (_, n) => ({ ...template, articleId: `n${n}`, hidden: n % 7 === 0 }));
  return { ...smallKnowledgeBase, articles: [...smallKnowledgeBase.articles, ...titled] };
}

const translationsOf = async (url: string): Promise<readonly Tables['article_translations'][]> => {
  const database = await openStoreDatabase(url);
  const rows = await database.db
    .selectFrom('article_translations')
    .selectAll()
    .orderBy('article_id')
    .orderBy('language_code')
    .execute();
  await database.close();
  return rows;
};

describe('a store with an older schema', () => {
  it('is filled with what lists are filtered and sorted by', async () => {
    const url = (inject('postgresUrl') && (await databaseToDrop()).url) || `sqlite:${temporaryFolder()}/kb.db`;
    const { backend, database } = await openStore({ databaseUrl: url, knowledgeBase: manyArticles() });
    const update = { title: 'ÉTÉ'.repeat(1_000), translationStatus: 'NEEDS_TRANSLATION' } as const;
    value(
      await backend.bulkUpdateArticles(caller, [
        { articleId: 'a1', ...update },
        { articleId: 'a2', hidden: true },
      ]),
    );
    const before = await translationsOf(url);
    await undoMigrationsAfter(database.db, '0003-article-slugs');
    await backend.close();
    const after = await translationsOf(url);
    expect(after).toEqual(before);
    expect(after.find(({ article_id, language_code }) => article_id === 'a1' && language_code === 'en')).toMatchObject({
      title_key: 'été'.repeat(34).slice(0, 100),
      modified_at: expect.stringMatching(/^\d{4}-/u),
      translation_status: 'NEEDS_TRANSLATION',
      hidden: 0,
    });
  });
});
