import { describe, expect, it } from 'vitest';
import { documentText } from '../../../src/store/knowledge-base/document.ts';
import type { KnowledgeBase } from '../../../src/store/knowledge-base/format.ts';
import { smallKnowledgeBase } from '../small-knowledge-base.ts';
import { openStore, present } from '../store.ts';

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
    expect(await textOf(backend)).toBe(before);
  });

  it('finds no difference in the same file', async () => {
    const { backend } = await openStore();
    const { differences } = await backend.importKnowledgeBase(smallKnowledgeBase, () => {});
    expect(differences).toMatchObject({ total: 0 });
  });
});
