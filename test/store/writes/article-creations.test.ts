import { describe, expect, it } from 'vitest';
import type { ArticleCreation } from '../../../src/core/articles/article-creations.ts';
import { demoKnowledgeBase } from '../../../src/store/import/demo-knowledge-base.ts';
import { type KnowledgeBase, STORE_ACCOUNT } from '../../../src/store/knowledge-base/format.ts';
import { smallKnowledgeBase } from '../small-knowledge-base.ts';
import { caller, isOfAllRows, openStore, value } from '../store.ts';

const NOTHING: KnowledgeBase = {
  team_accounts: [],
  project_versions: [],
  languages: [],
  categories: [],
  articles: [],
  readers: [],
  invited_sso_users: [],
  reader_groups: [],
};

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
    expect(many.statements.filter(isOfAllRows)).toHaveLength(few.statements.filter(isOfAllRows).length);
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

  it('keep the demo from being removed by the next import', async () => {
    const { backend } = await openStore({ knowledgeBase: NOTHING });
    await backend.importDemo(demoKnowledgeBase);
    const { outcomes } = value(
      await backend.createArticles(caller, [
        creation('Mine', { projectVersionId: 'fernlight-2', categoryId: 'rooms' }),
      ]),
    );
    expect(outcomes).toMatchObject([{ kind: 'created' }]);
    expect(await backend.importKnowledgeBase(smallKnowledgeBase, () => {})).toMatchObject({ demo: 'changed' });
    const articleId = outcomes[0]?.kind === 'created' ? outcomes[0].articleId : '';
    expect(await backend.articles(caller, [{ articleId }])).toMatchObject([{ value: { title: 'Mine' } }]);
  });
});
