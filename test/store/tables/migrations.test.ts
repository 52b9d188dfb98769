import { sql } from 'kysely';
import { expect, inject, it } from 'vitest';
import { smallKnowledgeBase } from '../small-knowledge-base.ts';
import { caller, databaseToDrop, nodesOf, openStore, present, temporaryFolder, value } from '../store.ts';

const databaseUrl = async () =>
  (inject('postgresUrl') && (await databaseToDrop()).url) || `sqlite:${temporaryFolder()}/kb.db`;

it('opens a store of the schema before forks, whose versions have no base', async () => {
  const url = await databaseUrl();
  const { backend, database } = await openStore({ databaseUrl: url, knowledgeBase: smallKnowledgeBase });
  await sql`alter table article_versions drop column base_version`.execute(database.db);
  await sql`delete from kysely_migration where name >= '0009-forks'`.execute(database.db);
  await backend.close();
  const reopened = await openStore({ databaseUrl: url });
  const [listed] = nodesOf(present(value(await reopened.backend.listArticles(caller, {}, { limit: 1 }))));
  const [versions] = await reopened.backend.articleVersions(caller, [present(listed)]);
  expect(value(present(versions))).toContainEqual(expect.objectContaining({ baseVersionNumber: null }));
});
