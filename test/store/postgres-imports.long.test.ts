import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { demoKnowledgeBase } from '../../src/store/import/demo-knowledge-base.ts';
import { smallKnowledgeBase } from './small-knowledge-base.ts';
import { caller, only, openStore, present, value } from './store.ts';

const articleId = present(demoKnowledgeBase.articles[0]).id;

/** A store with the demo, and a function that waits until so many statements wait for a lock. */
async function openDemo() {
  const nothing = { project_versions: [], languages: [], categories: [], articles: [], readers: [] };
  const store = await openStore({
    knowledgeBase: { ...nothing, team_accounts: [], invited_sso_users: [], reader_groups: [] },
  });
  await store.backend.importDemo(demoKnowledgeBase);
  const blocked = sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
  `;
  const untilBlocked = (count: number) =>
    expect.poll(async () => (await blocked.execute(store.database.db)).rows.length).toBe(count);
  const importSmall = () => store.backend.importKnowledgeBase(smallKnowledgeBase, () => {});
  return { ...store, untilBlocked, importSmall };
}

describe('an import beside a write to the demo', () => {
  it('waits for a write that has begun, and keeps what it wrote', async () => {
    const { backend, database, untilBlocked, importSmall } = await openDemo();
    let imported: ReturnType<typeof importSmall> | undefined;
    await database.db.transaction().execute(async (db) => {
      await sql`select 1 from articles where id = ${articleId} for no key update`.execute(db);
      imported = importSmall();
      await untilBlocked(1);
      await sql`
        update article_versions set title = 'Mine', modified_at = '2026-01-01T00:00:00.000Z' where article_id = ${articleId}
      `.execute(db);
    });
    expect(await imported).toMatchObject({ demo: 'changed', defaultVersion: { projectVersionId: 'pv1' } });
    expect((await only(backend.articles(caller, [{ articleId }])))?.title).toBe('Mine');
  });

  it('makes a later write wait, which then finds no such article', async () => {
    const { backend, database, untilBlocked, importSmall } = await openDemo();
    let imported: ReturnType<typeof importSmall> | undefined;
    let updated: ReturnType<typeof backend.bulkUpdateArticles> | undefined;
    await database.db.transaction().execute(async (db) => {
      // Holds the import back behind its check of the demo.
      await sql`lock table readers in share mode`.execute(db);
      imported = importSmall();
      await untilBlocked(1);
      updated = backend.bulkUpdateArticles(caller, [{ articleId, title: 'Too late' }]);
      await untilBlocked(2);
    });
    expect(await imported).toMatchObject({ demo: 'removed' });
    expect(value(await updated)).toMatchObject({ outcomes: [{ kind: 'failed', articleId }] });
  });
});
