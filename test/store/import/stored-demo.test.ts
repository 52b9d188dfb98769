import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { demoKnowledgeBase } from '../../../src/store/import/demo-knowledge-base.ts';
import type { KnowledgeBase } from '../../../src/store/knowledge-base/format.ts';
import { smallKnowledgeBase } from '../small-knowledge-base.ts';
import { caller, nodesOf, openStore, present, value } from '../store.ts';

const NOTHING: KnowledgeBase = {
  project_versions: [],
  languages: [],
  categories: [],
  team_accounts: [],
  articles: [],
  readers: [],
  invited_sso_users: [],
  reader_groups: [],
};

async function openDemo(databaseUrl?: string) {
  const store = await openStore({ knowledgeBase: NOTHING, ...(databaseUrl !== undefined && { databaseUrl }) });
  await store.backend.importDemo(demoKnowledgeBase);
  const importAll = (base: KnowledgeBase) => store.backend.importKnowledgeBase(base, () => {});
  const versionIds = async () =>
    value(await store.backend.projectVersions(caller)).map(({ projectVersionId }) => projectVersionId);
  const defaultId = async () =>
    value(await store.backend.projectVersions(caller)).find(({ isDefault }) => isDefault)?.projectVersionId;
  const groupIds = async () =>
    nodesOf(value(await store.backend.listReaderGroups(caller, { limit: 100 }))).map(({ groupId }) => groupId);
  return { ...store, importAll, versionIds, defaultId, groupIds };
}

const group = present(demoKnowledgeBase.reader_groups[0]);
const article = present(demoKnowledgeBase.articles[0]);
const demoVersionIds = demoKnowledgeBase.project_versions.map(({ id: projectVersionId }) => projectVersionId);
const ownGroupIds = smallKnowledgeBase.reader_groups.map(({ groupId }) => groupId);

describe('a demo that was never written to', () => {
  it('is removed by an import, and by no second one', async () => {
    const { importAll, versionIds, groupIds, backend } = await openDemo();
    const { added, demo, defaultVersion } = await importAll(smallKnowledgeBase);
    expect({ articles: added.articles, demo, id: defaultVersion?.projectVersionId }).toEqual({
      articles: smallKnowledgeBase.articles.length,
      demo: 'removed',
      id: 'pv1',
    });
    expect(await versionIds()).toEqual(['pv2', 'pv1']);
    expect(await groupIds()).toEqual(ownGroupIds);
    const readers = value(await backend.listReaders(caller, null, { limit: 100 }));
    expect(nodesOf(readers)).toHaveLength(smallKnowledgeBase.readers.length);
    expect(await importAll(smallKnowledgeBase)).toMatchObject({ added: { articles: 0 }, demo: 'absent' });
    expect(await versionIds()).toEqual(['pv2', 'pv1']);
  });

  it('stays when the import fails', async () => {
    const { importAll, versionIds, groupIds } = await openDemo();
    const broken = { ...present(smallKnowledgeBase.categories[0]), id: 'orphan', project_version_id: 'nowhere' };
    await expect(importAll({ ...smallKnowledgeBase, categories: [broken] })).rejects.toThrow(/^Nothing was imported/u);
    expect(await versionIds()).toEqual(demoVersionIds);
    expect(await groupIds()).toEqual(demoKnowledgeBase.reader_groups.map(({ groupId }) => groupId));
  });

  it('stays when the file has no entries', async () => {
    const { importAll, versionIds } = await openDemo();
    expect(await importAll({ ...NOTHING, source: 'nothing' })).toMatchObject({
      demo: 'absent',
      defaultVersion: { projectVersionId: 'fernlight-2' },
    });
    expect(await versionIds()).toEqual(demoVersionIds);
    expect(await importAll(smallKnowledgeBase)).toMatchObject({ demo: 'removed' });
  });

  it('is not added again, nor to what was imported', async () => {
    const { importAll, backend, versionIds } = await openDemo();
    await backend.importDemo(demoKnowledgeBase);
    await importAll(smallKnowledgeBase);
    await backend.importDemo(demoKnowledgeBase);
    expect(await versionIds()).toEqual(['pv2', 'pv1']);
  });

  it('gives its IDs to the import', async () => {
    const { importAll, backend } = await openDemo();
    const first = present(smallKnowledgeBase.articles[0]);
    const articles = [{ ...first, id: article.id }];
    await importAll({ ...smallKnowledgeBase, articles });
    const listed = present(value(await backend.listArticles(caller, {}, { limit: 10 })));
    expect(nodesOf(listed)).toMatchObject([{ articleId: article.id, title: 'a1 en 2' }]);
  });
});

type Store = Awaited<ReturnType<typeof openDemo>>;

describe('a demo that was written to', () => {
  it.each<[string, (store: Store) => Promise<unknown>]>([
    ['a new title', ({ backend }) => backend.bulkUpdateArticles(caller, [{ articleId: article.id, title: 'Mine' }])],
    [
      'a title as it was',
      ({ backend }) =>
        backend.bulkUpdateArticles(caller, [{ articleId: article.id, title: present(article.versions[0]).title }]),
    ],
    ['an order', ({ backend }) => backend.bulkUpdateArticles(caller, [{ articleId: article.id, order: 77 }])],
    ['a title of a group', ({ backend }) => backend.updateReaderGroup(caller, { ...group, title: 'Mine' })],
    [
      'a member of a group',
      ({ backend }) =>
        backend.changeReaderGroupMembers(caller, {
          groupId: group.groupId,
          addReaderIds: [],
          removeReaderIds: ['reader-ada'],
          addInvitedSsoUserIds: [],
          removeInvitedSsoUserIds: [],
        }),
    ],
  ])('stays, and is no longer the default: %s', async (_what, write) => {
    const store = await openDemo();
    await write(store);
    expect(await store.importAll(smallKnowledgeBase)).toMatchObject({
      demo: 'changed',
      defaultVersion: { projectVersionId: 'pv1', name: 'One' },
    });
    expect(await store.versionIds()).toEqual([...demoVersionIds, 'pv2', 'pv1']);
    expect(await store.defaultId()).toBe('pv1');
    expect(await store.groupIds()).toHaveLength(demoKnowledgeBase.reader_groups.length + ownGroupIds.length);
  });

  it('stays what it is by later imports, which keep the default', async () => {
    const { backend, importAll, defaultId, versionIds } = await openDemo();
    await backend.bulkUpdateArticles(caller, [{ articleId: article.id, title: 'Mine' }]);
    await importAll(smallKnowledgeBase);
    const other = { id: 'pv3', name: 'Three', is_default: true };
    expect(await importAll({ ...NOTHING, project_versions: [other] })).toMatchObject({ demo: 'absent' });
    expect(await defaultId()).toBe('pv1');
    expect(await versionIds()).toEqual([...demoVersionIds, 'pv2', 'pv1', 'pv3']);
  });

  it('gives the default to the first import that has a project version', async () => {
    const { backend, importAll, defaultId } = await openDemo();
    await backend.bulkUpdateArticles(caller, [{ articleId: article.id, title: 'Mine' }]);
    await importAll({ ...NOTHING, readers: smallKnowledgeBase.readers });
    expect(await defaultId()).toBe('fernlight-2');
    await importAll(smallKnowledgeBase);
    expect(await defaultId()).toBe('pv1');
  });
});

describe('the demo, imported by its owner', () => {
  it('stays, as everything that was imported', async () => {
    const { backend, database } = await openStore({ knowledgeBase: demoKnowledgeBase });
    await backend.importKnowledgeBase(smallKnowledgeBase, () => {});
    const { rows } = await sql`select 1 from articles where id = ${article.id}`.execute(database.db);
    expect(rows).toHaveLength(1);
  });
});
