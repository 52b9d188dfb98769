import { describe, expect, it } from 'vitest';
import { documentText } from '../../../src/store/knowledge-base/document.ts';
import type { KnowledgeBase } from '../../../src/store/knowledge-base/format.ts';
import { smallKnowledgeBase } from '../small-knowledge-base.ts';
import { caller, nodesOf, only, openStore, present, value } from '../store.ts';

/** The text of all entries of a store. */
async function textOf(backend: Awaited<ReturnType<typeof openStore>>['backend']): Promise<string> {
  return backend.exportKnowledgeBase(async (entries) => (await Array.fromAsync(documentText(entries))).join(''));
}

const [firstArticle, ...otherArticles] = smallKnowledgeBase.articles;
const article = present(firstArticle);
const [firstVersion, ...otherVersions] = article.versions;
const [firstGroup, ...otherGroups] = smallKnowledgeBase.reader_groups;

/** The small knowledge base with a change in every list. */
const changed: KnowledgeBase = {
  ...smallKnowledgeBase,
  project_versions: smallKnowledgeBase.project_versions.map((version) => ({
    ...version,
    name: `${version.name} anew`,
    is_default: !version.is_default,
  })),
  languages: smallKnowledgeBase.languages.map((language) => ({ ...language, name: `${language.name} anew` })),
  categories: smallKnowledgeBase.categories.map((category) => ({
    ...category,
    name: `${category.name} anew`,
    order: 9,
  })),
  team_accounts: smallKnowledgeBase.team_accounts.map((account) => ({ ...account, last_name: 'Other' })),
  articles: [
    {
      ...article,
      url: null,
      hidden: !article.hidden,
      category_id: null,
      slug: null,
      versions: [
        { ...present(firstVersion), title: 'Quite another title', content: 'peculiarword' },
        ...otherVersions,
        { ...present(firstVersion), version_number: 99, title: 'Newest', content: 'newestword' },
      ],
    },
    ...otherArticles,
  ],
  readers: smallKnowledgeBase.readers.map((reader) => ({ ...reader, email: 'Other@Example.com' })),
  invited_sso_users: smallKnowledgeBase.invited_sso_users.map((user) => ({ ...user, email: 'other@example.com' })),
  reader_groups: [
    {
      ...present(firstGroup),
      title: 'Another',
      description: null,
      readerIds: [],
      invitedSsoUserIds: [],
      accessScope: { level: 'NONE' },
    },
    ...otherGroups,
  ],
};

describe('an import of a knowledge base that differs', () => {
  it('tells how much differs, and changes nothing', async () => {
    const { backend } = await openStore();
    const before = await textOf(backend);
    const { differences } = await backend.importKnowledgeBase(changed, () => {});
    expect(differences.counts).toEqual({
      project_versions: changed.project_versions.length,
      languages: changed.languages.length,
      categories: changed.categories.length,
      team_accounts: changed.team_accounts.length,
      articles: 1,
      language_versions: 2,
      readers: changed.readers.length,
      invited_sso_users: changed.invited_sso_users.length,
      reader_groups: 1,
    });
    expect(differences.shown).toContainEqual({
      list: 'articles',
      id: article.id,
      member: 'slug',
      stored: article.slug,
      given: null,
    });
    expect(await textOf(backend)).toBe(before);
  });

  it('finds no difference in the same file', async () => {
    const { backend } = await openStore();
    const { differences } = await backend.importKnowledgeBase(smallKnowledgeBase, () => {});
    expect(differences).toMatchObject({ total: 0, shown: [] });
  });
});

describe('an import with update', () => {
  it('gives the store what an import of the file into an empty one gives', async () => {
    const { backend } = await openStore();
    await backend.importKnowledgeBase(changed, () => {}, true);
    const fresh = await openStore({ knowledgeBase: changed });
    const sorted = async (text: Promise<string>) => (await text).replaceAll(/,$/gmu, '').split('\n').toSorted();
    expect(await sorted(textOf(backend))).toEqual(await sorted(textOf(fresh.backend)));
    const again = await backend.importKnowledgeBase(changed, () => {}, true);
    expect(again.differences.total).toBe(0);
  });

  it('keeps what the file does not have, and the order of the groups', async () => {
    const { backend } = await openStore();
    await backend.importKnowledgeBase(
      { ...changed, articles: [{ ...article, versions: [{ ...present(firstVersion), title: 'Newer' }] }] },
      () => {},
      true,
    );
    const text = await textOf(backend);
    for (const { id } of otherArticles) expect(text).toContain(`{"id":"${id}"`);
    for (const { title } of otherVersions) expect(text).toContain(title);
    const groups = nodesOf(value(await backend.listReaderGroups(caller, { limit: 100 })));
    expect(groups.map(({ groupId }) => groupId)).toEqual(
      smallKnowledgeBase.reader_groups.map(({ groupId }) => groupId),
    );
  });

  it('leaves what the file does not tell of publishing, and changes what it tells', async () => {
    const { backend } = await openStore();
    const { url: _, public_version: __, ...untold } = article;
    const versions = article.versions.map(({ lang_code, version_number, content, translation_option }) => ({
      lang_code,
      version_number,
      title: 'Newer',
      content,
      translation_option,
    }));
    await backend.importKnowledgeBase({ ...smallKnowledgeBase, articles: [{ ...untold, versions }] }, () => {}, true);
    const first = { articleId: article.id, languageCode: 'en', versionNumber: 1 };
    expect(await only(backend.articles(caller, [first]))).toMatchObject({
      title: 'Newer',
      status: 'PUBLISHED',
      publicVersionNumber: 1,
      url: article.url,
      createdBy: 'u1',
      createdAt: new Date('2024-05-06T07:08:09.123Z'),
    });
    const told = versions.map((version) => ({ ...version, status: 3 as const, authors: [], created_by: null }));
    const republished = { ...untold, versions: told, public_version: { en: 2 } };
    const { differences } = await backend.importKnowledgeBase(
      { ...smallKnowledgeBase, articles: [republished] },
      () => {},
      true,
    );
    expect(differences.shown.map(({ member }) => member).toSorted()).toEqual([
      'de.1.status',
      'en.1.created_by',
      'en.2.authors',
      'en.2.status',
      'en.public_version',
    ]);
    expect(await only(backend.articles(caller, [{ articleId: article.id }]))).toMatchObject({
      status: 'PUBLISHED',
      publicVersionNumber: 2,
      authors: [],
      description: 'The second',
    });
    const drafts = { ...untold, versions: told.map((version) => ({ ...version, status: 0 as const })) };
    await backend.importKnowledgeBase({ ...smallKnowledgeBase, articles: [drafts] }, () => {}, true);
    expect(await only(backend.articles(caller, [{ articleId: article.id }]))).toMatchObject({
      status: 'DRAFT',
      publicVersionNumber: null,
    });
  });

  it('has search and lists find the new words, the newest version and the time', async () => {
    const { backend } = await openStore();
    const began = Date.now();
    await backend.importKnowledgeBase(
      { ...changed, articles: changed.articles.map((one) => ({ ...one, hidden: false })) },
      () => {},
      true,
    );
    const found = await backend.listArticles(
      caller,
      {
        projectVersionId: article.project_version_id,
        languageCode: present(firstVersion).lang_code,
        filter: { words: [{ text: 'newestword', isPrefix: false }] },
      },
      { limit: 5 },
    );
    const [hit] = nodesOf(present(value(found)));
    expect(hit).toMatchObject({ articleId: article.id, title: 'Newest', versionNumber: 99 });
    expect(present(hit?.modifiedAt).getTime()).toBeGreaterThanOrEqual(began);
    const gone = await backend.listArticles(
      caller,
      {
        projectVersionId: article.project_version_id,
        languageCode: present(firstVersion).lang_code,
        filter: { words: [{ text: 'peculiarword', isPrefix: false }] },
      },
      { limit: 5 },
    );
    expect(nodesOf(present(value(gone)))).toEqual([]);
  });

  it('moves no article to another project version, and changes nothing then', async () => {
    const { backend } = await openStore();
    const before = await textOf(backend);
    const other = present(smallKnowledgeBase.project_versions.find(({ id }) => id !== article.project_version_id)).id;
    const moved = { ...article, project_version_id: other, category_id: null };
    await expect(backend.importKnowledgeBase({ ...changed, articles: [moved] }, () => {}, true)).rejects.toThrow(
      `Nothing was imported: the article ${article.id} is in another project version in the store, and stays in it.`,
    );
    expect(await textOf(backend)).toBe(before);
  });
});
