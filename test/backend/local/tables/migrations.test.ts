import { sql } from 'kysely';
import { describe, expect, inject, it } from 'vitest';
import { WORD_TEXTS } from '../../../../src/backend/local/tables/article-words.ts';
import { parseSearchText } from '../../../../src/domain/articles/search-words.ts';
import type { KnowledgeBase } from '../../../../src/knowledge-base/format.ts';
import { smallKnowledgeBase } from '../small-knowledge-base.ts';
import { caller, databaseToDrop, nodesOf, openStore, present, temporaryFolder, value } from '../store.ts';

/** More articles than one statement of a migration fills. */
function manyArticles(): KnowledgeBase {
  const template = present(smallKnowledgeBase.articles[0]);
  const titled = Array.from({ length: 1_200 }, (_, n) => ({ ...template, id: `n${n}`, hidden: n % 7 === 0 }));
  return { ...smallKnowledgeBase, articles: [...smallKnowledgeBase.articles, ...titled] };
}

describe('a store with an older schema', () => {
  it('has the words of long runs of marks and of texts that grow as a search finds them now', async () => {
    const url = (inject('postgresUrl') && (await databaseToDrop()).url) || `sqlite:${temporaryFolder()}/kb.db`;
    const { backend, database } = await openStore({ databaseUrl: url, knowledgeBase: manyArticles() });
    const title = `x${'\u0591'.repeat(40)}y`;
    value(
      await backend.bulkUpdateArticles(caller, [
        { articleId: 'n1100', title },
        { articleId: 'a2', title: 'other' },
      ]),
    );
    // As an older gateway may have written them.
    const rows = await database.db
      .selectFrom('article_words')
      .select(['id', 'article_id'])
      .where('article_id', 'in', ['n1100', 'a2'])
      .orderBy('id')
      .execute();
    const older = rows.map(({ id }) => ({ id, words: 'older' }));
    const words = database.dialect.jsonTable({ alias: 'k', rows: older, columns: { id: 'integer', words: 'text' } });
    await database.dialect.wordIndex.write(WORD_TEXTS[0], sql`${words}`).execute(database.db);
    await sql`delete from kysely_migration where name > '0006-article-words'`.execute(database.db);
    await backend.close();
    const reopened = await openStore({ databaseUrl: url });
    const found = async (text: string) => {
      const words = parseSearchText(text);
      if (typeof words === 'string') throw new Error(words);
      return nodesOf(present(value(await reopened.backend.listArticles(caller, { filter: { words } }, { limit: 10 }))));
    };
    expect(await found(title)).toMatchObject([{ articleId: 'n1100' }]);
    expect(await found('other')).toMatchObject([{ articleId: 'a2' }]);
    expect(await found('older')).toEqual([]);
  });
});
