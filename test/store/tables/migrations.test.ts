import { sql } from 'kysely';
import { describe, expect, inject, it } from 'vitest';
import { parseSearchText } from '../../../src/core/articles/search-words.ts';
import type { KnowledgeBase } from '../../../src/store/knowledge-base/format.ts';
import { WORD_TEXTS } from '../../../src/store/tables/article-words.ts';
import type { StoreDatabase } from '../../../src/store/tables/tables.ts';
import { smallKnowledgeBase } from '../small-knowledge-base.ts';
import { caller, databaseToDrop, nodesOf, openStore, present, temporaryFolder, value } from '../store.ts';

/** More articles than one statement of a migration fills. */
function manyArticles(): KnowledgeBase {
  const template = present(smallKnowledgeBase.articles[0]);
  const titled = Array.from({ length: 1_200 }, (_, n) => ({ ...template, id: `n${n}`, hidden: n % 7 === 0 }));
  return { ...smallKnowledgeBase, articles: [...smallKnowledgeBase.articles, ...titled] };
}

/** Takes back what `0008-publication` and `0009-forks` changed, as in a store of release 1.0.0. */
async function takeBackPublication({ db }: StoreDatabase): Promise<void> {
  await sql`drop index article_translations_by_publication`.execute(db);
  const columns = {
    articles: ['url'],
    article_translations: ['status', 'public_version_number'],
    article_versions: ['status', 'description', 'created_at', 'created_by', 'authors', 'base_version'],
  };
  for (const [table, names] of Object.entries(columns))
    for (const name of names) await sql`alter table ${sql.table(table)} drop column ${sql.ref(name)}`.execute(db);
  await sql`drop table team_accounts`.execute(db);
  await sql`delete from kysely_migration where name >= '0008-publication'`.execute(db);
}

const databaseUrl = async () =>
  (inject('postgresUrl') && (await databaseToDrop()).url) || `sqlite:${temporaryFolder()}/kb.db`;

describe('a store with an older schema', () => {
  it('has the words of long runs of marks and of texts that grow as a search finds them now', async () => {
    const url = await databaseUrl();
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
    await database.dialect.wordIndex.write(WORD_TEXTS[0], older).execute(database.db);
    await takeBackPublication(database);
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

  it('has drafts without public versions, and a team account, once a gateway that publishes has opened it', async () => {
    const url = await databaseUrl();
    const { backend, database } = await openStore({ databaseUrl: url, knowledgeBase: smallKnowledgeBase });
    await takeBackPublication(database);
    await backend.close();
    const reopened = await openStore({ databaseUrl: url });
    const listed = nodesOf(present(value(await reopened.backend.listArticles(caller, {}, { limit: 10 }))));
    expect(listed.length).toBeGreaterThan(0);
    for (const article of listed)
      expect(article).toMatchObject({ status: 'DRAFT', publicVersionNumber: null, url: null });
    const [whole] = await reopened.backend.articles(caller, [present(listed[0])]);
    const nothing = { description: null, createdAt: null, createdBy: null, authors: [] };
    expect(value(present(whole))).toMatchObject({ status: 'DRAFT', ...nothing });
    expect(await reopened.database.db.selectFrom('team_accounts').selectAll().execute()).toContainEqual({
      id: 'embedded-store',
      position: 1,
      first_name: null,
      last_name: 'Embedded store',
    });
  });
});
