import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ok } from '../../../src/core/base/result.ts';
import { readKnowledgeBaseFile } from '../../../src/store/knowledge-base/file.ts';
import type { KnowledgeBase } from '../../../src/store/knowledge-base/format.ts';
import { needs } from '../../support/needs.ts';
import { smallKnowledgeBase } from '../small-knowledge-base.ts';
import { caller, only, openStore, present, value } from '../store.ts';

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

const ALL = {
  project_versions: 2,
  languages: 3,
  categories: 5,
  team_accounts: 2,
  articles: 6,
  language_versions: 9,
  readers: 6,
  invited_sso_users: 2,
  reader_groups: 7,
};

const NONE = Object.fromEntries(Object.keys(ALL).map((kind) => [kind, 0]));

async function openEmpty() {
  const store = await openStore({ knowledgeBase: NOTHING });
  const { db } = store.database;
  /** Every row of every table. */
  const everything = async () => ({
    projectVersions: await db.selectFrom('project_versions').selectAll().orderBy('id').execute(),
    languages: await db.selectFrom('languages').selectAll().orderBy('project_version_id').orderBy('code').execute(),
    categories: await db.selectFrom('categories').selectAll().orderBy('id').execute(),
    articles: await db.selectFrom('articles').selectAll().orderBy('id').execute(),
    translations: await db.selectFrom('article_translations').selectAll().execute(),
    versions: await db.selectFrom('article_versions').selectAll().execute(),
    readers: await db.selectFrom('readers').selectAll().execute(),
    invited: await db.selectFrom('invited_sso_users').selectAll().execute(),
    groups: await db.selectFrom('reader_groups').selectAll().execute(),
    groupReaders: await db.selectFrom('reader_group_readers').selectAll().execute(),
    groupInvited: await db.selectFrom('reader_group_invited_sso_users').selectAll().execute(),
    groupScopes: await db.selectFrom('reader_group_scopes').selectAll().execute(),
  });
  const importAll = (base: KnowledgeBase) => store.backend.importKnowledgeBase(base, () => {});
  return { ...store, everything, importAll };
}

const first = <T>(list: readonly T[]): T => present(list[0]);

describe('importKnowledgeBase', () => {
  it('stores everything and counts it', async () => {
    const { importAll } = await openEmpty();
    expect(await importAll(smallKnowledgeBase)).toEqual({
      added: ALL,
      alreadyThere: NONE,
      defaultVersion: { projectVersionId: 'pv1', name: 'One' },
    });
  });

  it('changes nothing when it is run again', async () => {
    const { importAll, everything } = await openEmpty();
    await importAll(smallKnowledgeBase);
    const before = await everything();
    expect(await importAll(smallKnowledgeBase)).toMatchObject({ added: NONE, alreadyThere: ALL });
    expect(await everything()).toEqual(before);
  });

  it('keeps entries that were changed since, and adds only new ones', async () => {
    const { importAll, backend } = await openEmpty();
    const { articles, reader_groups: readerGroups } = smallKnowledgeBase;
    await importAll({ ...smallKnowledgeBase, articles: articles.slice(1), reader_groups: readerGroups.slice(1) });
    await backend.bulkUpdateArticles(caller, [{ articleId: 'a2', title: 'Mine' }]);
    const { added } = await importAll(smallKnowledgeBase);
    expect(added).toEqual({ ...NONE, articles: 1, language_versions: 3, reader_groups: 1 });
    expect(await only(backend.articles(caller, [{ articleId: 'a2' }]))).toMatchObject({ title: 'Mine' });
    const groups = value(await backend.listReaderGroups(caller, { limit: 10 }));
    expect(groups.edges.at(-1)?.node).toEqual(readerGroups[0]);
  });

  it('skips new versions of an existing article, and new members of an existing group', async () => {
    const { importAll, everything } = await openEmpty();
    await importAll(smallKnowledgeBase);
    const before = await everything();
    const [article, group] = [first(smallKnowledgeBase.articles), first(smallKnowledgeBase.reader_groups)];
    const versions = [...article.versions, { ...first(article.versions), version_number: 9 }];
    const { added } = await importAll({
      ...smallKnowledgeBase,
      articles: [{ ...article, versions }],
      reader_groups: [{ ...group, readerIds: ['r6'] }],
    });
    expect(added).toEqual(NONE);
    expect(await everything()).toEqual(before);
  });

  it('adds new entries below existing ones', async () => {
    const { importAll, backend } = await openEmpty();
    await importAll(smallKnowledgeBase);
    const article = first(smallKnowledgeBase.articles);
    const italian = { project_version_id: 'pv1', code: 'it', name: 'Italian', is_default: true };
    const child = { ...first(smallKnowledgeBase.categories), id: 'child', parent_category_id: 'basics' };
    const versions = [{ ...first(article.versions), lang_code: 'it' }];
    const { added } = await importAll({
      ...smallKnowledgeBase,
      languages: [italian],
      categories: [child],
      articles: [{ ...article, id: 'new', category_id: 'child', versions }],
    });
    expect(added).toEqual({ ...NONE, languages: 1, categories: 1, articles: 1, language_versions: 1 });
    const read = await only(backend.articles(caller, [{ articleId: 'new', languageCode: 'it' }]));
    expect(read).toMatchObject({ categoryId: 'child', languageCode: 'it' });
    const defaults = value(await backend.projectVersions(caller)).map(({ languages }) =>
      languages.filter((l) => l.isDefault),
    );
    expect(defaults.map((languages) => languages.map(({ code }) => code))).toEqual([['fr'], ['en']]);
  });

  it.each([
    ['the first when none is marked', [false, false], 'x'],
    ['the one that says so', [false, true], 'y'],
  ])('makes %s the default', async (_what, flags, expected) => {
    const { importAll, backend } = await openEmpty();
    const ids = ['x', 'y'];
    await importAll({
      ...NOTHING,
      project_versions: ids.map((id, index) => ({ id: id, name: id, is_default: flags[index] === true })),
      languages: ids.map((code, index) => ({
        project_version_id: 'x',
        code,
        name: code,
        is_default: flags[index] === true,
      })),
    });
    const versions = value(await backend.projectVersions(caller));
    expect(versions.filter(({ isDefault }) => isDefault)).toMatchObject([{ projectVersionId: expected }]);
    expect(versions[0]?.languages.filter(({ isDefault }) => isDefault)).toMatchObject([{ code: expected }]);
  });

  it('keeps an existing default', async () => {
    const { importAll, backend } = await openEmpty();
    await importAll(smallKnowledgeBase);
    const another = { id: 'pv3', name: 'Three', is_default: true };
    await importAll({ ...NOTHING, project_versions: [another] });
    const defaults = value(await backend.projectVersions(caller)).filter(({ isDefault }) => isDefault);
    expect(defaults).toMatchObject([{ projectVersionId: 'pv1' }]);
  });

  it('stores nothing when an ID belongs to another project version in the store', async () => {
    const { importAll, everything } = await openEmpty();
    await importAll(smallKnowledgeBase);
    const before = await everything();
    const moved = { ...first(smallKnowledgeBase.categories), id: 'guides', project_version_id: 'pv2' };
    const article = present(smallKnowledgeBase.articles.find(({ id }) => id === 'f1'));
    const clashing = {
      ...NOTHING,
      categories: [moved],
      articles: [{ ...article, id: 'f2', category_id: 'guides' }],
    };
    await expect(importAll(clashing)).rejects.toThrow(
      'Nothing was imported: an ID that it refers to belongs to another project version in the store. It has there: categories guides.',
    );
    expect(await everything()).toEqual(before);
  });

  it('reports its progress up to the end', async () => {
    const { backend } = await openEmpty();
    const reported: [number, number][] = [];
    await backend.importKnowledgeBase(smallKnowledgeBase, (done, total) => reported.push([done, total]));
    expect(reported.at(-1)).toEqual([33, 33]);
    expect(reported.map(([done]) => done)).toEqual(reported.map(([done]) => done).toSorted((a, b) => a - b));
    expect(new Set(reported.map(([, total]) => total))).toEqual(new Set([33]));
  });

  it('stores 2,500 articles by the same few statements as 2,500 readers, but for the words of each text in SQLite', async () => {
    const { counted, importAll, backend } = await openEmpty();
    const article = present(smallKnowledgeBase.articles[1]);
    const articles = Array.from({ length: 2500 }, (_, index) => ({ ...article, id: `article-${index}` }));
    const base = { ...smallKnowledgeBase, articles, reader_groups: [] };
    const { statements } = await counted(() => importAll(base));
    expect(statements.length).toBeLessThan(50);
    const page = present(value(await backend.listArticles(caller, {}, { limit: 1 })));
    expect(await page.totalCount?.()).toEqual(ok(2500));
  });
});

const REAL = fileURLToPath(new URL('../../../../../shared/data/astro-docs.kb.json.gz', import.meta.url));

const NEEDS_REAL = needs(existsSync(REAL), `the file ${basename(REAL)} is not part of the repository`);

describe('the import of a real knowledge base', NEEDS_REAL, () => {
  it('stores 420 articles and 1,267 language versions, and a second time nothing', async () => {
    const { importAll } = await openEmpty();
    const base = await readKnowledgeBaseFile(REAL);
    const { added } = await importAll(value(base));
    expect(added).toEqual({
      project_versions: 1,
      languages: 4,
      categories: 24,
      team_accounts: 0,
      articles: 420,
      language_versions: 1267,
      readers: 137,
      invited_sso_users: 23,
      reader_groups: 17,
    });
    expect((await importAll(value(base))).added).toEqual(NONE);
  });
});
