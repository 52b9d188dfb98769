import { describe, expect, inject, it } from 'vitest';
import { openStoreDatabase } from '../../../../src/backend/local/tables/store-database.ts';
import { parseSearchText } from '../../../../src/domain/articles/search-words.ts';
import type { KnowledgeBase } from '../../../../src/knowledge-base/format.ts';
import { undoMigrationsAfter } from '../older-schema.ts';
import { smallKnowledgeBase } from '../small-knowledge-base.ts';
import { caller, databaseToDrop, nodesOf, openStore, present, temporaryFolder, value } from '../store.ts';

/** More articles than one statement of a migration fills. */
function manyArticles(): KnowledgeBase {
  const template = present(smallKnowledgeBase.articles[0]);
  const titled = Array.from({ length: 1_200 }, (_, n) => ({ ...template, id: `n${n}`, hidden: n % 7 === 0 }));
  return { ...smallKnowledgeBase, articles: [...smallKnowledgeBase.articles, ...titled] };
}

/** What is copied from the articles, for lists and for the search. */
async function copiesIn(url: string) {
  const { db, close } = await openStoreDatabase(url);
  const translations = await db
    .selectFrom('article_translations')
    .selectAll()
    .orderBy('article_id')
    .orderBy('language_code')
    .execute();
  const words = await db
    .selectFrom('article_words')
    .select(['article_id', 'language_code', 'title_digest', 'content_digest'])
    .orderBy('article_id')
    .orderBy('language_code')
    .execute();
  await close();
  return { translations, words };
}

describe('a store with an older schema', () => {
  it('is filled with what lists are filtered and sorted by, and with the words of the search', async () => {
    const url = (inject('postgresUrl') && (await databaseToDrop()).url) || `sqlite:${temporaryFolder()}/kb.db`;
    const { backend, database } = await openStore({ databaseUrl: url, knowledgeBase: manyArticles() });
    const update = { title: 'ÉTÉ'.repeat(1_000), translationStatus: 'NEEDS_TRANSLATION' } as const;
    value(
      await backend.bulkUpdateArticles(caller, [
        { articleId: 'a1', ...update },
        { articleId: 'a2', hidden: true },
      ]),
    );
    const before = await copiesIn(url);
    await undoMigrationsAfter(database.db, '0003-article-slugs');
    await backend.close();
    const after = await copiesIn(url);
    expect(after).toEqual(before);
    const isUpdated = ({ article_id, language_code }: { article_id: string; language_code: string }) =>
      article_id === 'a1' && language_code === 'en';
    expect(after.translations.find(isUpdated)).toMatchObject({
      title_key: 'été'.repeat(34).slice(0, 100),
      modified_at: expect.stringMatching(/^\d{4}-/u),
      translation_status: 'NEEDS_TRANSLATION',
      hidden: 0,
    });
    const reopened = await openStore({ databaseUrl: url });
    const listed = await reopened.backend.listArticles(
      caller,
      { filter: { words: [{ text: 'ete', isPrefix: true }] } },
      { limit: 10 },
    );
    expect(nodesOf(present(value(listed)))).toMatchObject([{ articleId: 'a1' }]);
  });

  it('has the words of long runs of marks and of texts that grow as a search finds them now, and keeps all others', async () => {
    const url = (inject('postgresUrl') && (await databaseToDrop()).url) || `sqlite:${temporaryFolder()}/kb.db`;
    const { backend, database } = await openStore({ databaseUrl: url, knowledgeBase: manyArticles() });
    const title = `x${'\u0591'.repeat(40)}y`;
    value(
      await backend.bulkUpdateArticles(caller, [
        { articleId: 'n1100', title },
        { articleId: 'a2', title: 'other' },
      ]),
    );
    // As an older gateway has written them, and one text that must not be written again.
    const rows = await database.db
      .selectFrom('article_words')
      .select(['id', 'article_id'])
      .where('article_id', 'in', ['n1100', 'a2'])
      .orderBy('id')
      .execute();
    const older = rows.map(({ id, article_id }) => ({
      id,
      title: article_id === 'a2' ? 'kept' : title,
      content: null,
    }));
    for (const statement of database.dialect.wordIndex.write(older)) await statement.execute(database.db);
    await undoMigrationsAfter(database.db, '0006-article-words');
    await backend.close();
    const reopened = await openStore({ databaseUrl: url });
    const found = async (text: string) => {
      const words = parseSearchText(text);
      if (typeof words === 'string') throw new Error(words);
      return nodesOf(present(value(await reopened.backend.listArticles(caller, { filter: { words } }, { limit: 10 }))));
    };
    expect(await found(title)).toMatchObject([{ articleId: 'n1100' }]);
    expect(await found('kept')).toMatchObject([{ articleId: 'a2' }]);
    expect(await found('other')).toEqual([]);
  });
});
