import type { AccessScope } from '../../src/core/reader-groups/access-scopes.ts';
import type { WholeReaderGroupUpdate } from '../../src/core/reader-groups/reader-group-updates.ts';
import type { ImportedArticle, ImportedVersion, KnowledgeBase } from '../../src/store/knowledge-base/format.ts';

const version = (languageCode: string, versionNumber: number, title: string): ImportedVersion => ({
  lang_code: languageCode,
  version_number: versionNumber,
  title,
  content: `Text of ${title}`,
  translation_option: '0',
});

const article = (
  articleId: string,
  values: Partial<ImportedArticle> & { readonly versions: readonly ImportedVersion[] },
): ImportedArticle => ({
  id: articleId,
  project_version_id: 'pv1',
  category_id: 'guides',
  slug: `slug-${articleId}`,
  order: null,
  hidden: false,
  content_type: 'markdown',
  ...values,
});

const group = (
  groupId: string,
  accessScope: AccessScope,
  members: Partial<WholeReaderGroupUpdate> = {},
): WholeReaderGroupUpdate => ({
  groupId,
  title: `Group ${groupId}`,
  description: `About ${groupId}`,
  readerIds: [],
  invitedSsoUserIds: [],
  accessScope,
  ...members,
});

/** Two project versions, six articles, six readers and seven groups. */
export const smallKnowledgeBase: KnowledgeBase = {
  project_versions: [
    { id: 'pv2', name: 'Two', is_default: false },
    { id: 'pv1', name: 'One', is_default: true },
  ],
  languages: [
    { project_version_id: 'pv1', code: 'en', name: 'English', is_default: true },
    { project_version_id: 'pv1', code: 'de', name: 'German', is_default: false },
    { project_version_id: 'pv2', code: 'fr', name: 'French', is_default: true },
  ],
  categories: [
    { id: 'reference', project_version_id: 'pv1', parent_category_id: null, name: 'Reference', order: 2 },
    { id: 'guides', project_version_id: 'pv1', parent_category_id: null, name: 'Guides', order: 1 },
    { id: 'basics', project_version_id: 'pv1', parent_category_id: 'guides', name: 'Basics', order: null },
    { id: 'bits', project_version_id: 'pv1', parent_category_id: 'guides', name: 'Bits', order: null },
    { id: 'francais', project_version_id: 'pv2', parent_category_id: null, name: 'Français', order: 1 },
  ],
  team_accounts: [
    { user_id: 'u2', first_name: 'Uma', last_name: null },
    { user_id: 'u1', first_name: null, last_name: 'Ude' },
  ],
  articles: [
    article('a1', {
      order: 1,
      url: 'https://docs.example.com/a1',
      public_version: { en: 1 },
      versions: [
        { ...version('en', 1, 'a1 en 1'), status: 3, created_at: '2024-05-06T07:08:09.123Z', created_by: 'u1' },
        {
          ...version('en', 2, 'a1 en 2'),
          status: 0,
          description: 'The second',
          authors: ['u2', 'embedded-store', 'u1'],
        },
        { ...version('de', 1, 'a1 de 1'), status: 0 },
      ],
    }),
    article('a2', { order: 1, versions: [version('en', 1, 'a2 en 1')] }),
    article('a3', { versions: [version('en', 1, 'a3 en 1')] }),
    article('b1', {
      category_id: 'reference',
      hidden: true,
      content_type: 'block',
      versions: [version('en', 1, 'b1 en 1')],
    }),
    article('w1', {
      category_id: 'reference',
      content_type: 'wysiwyg',
      versions: [version('en', 1, 'w1 en 1'), version('de', 3, 'w1 de 3')],
    }),
    article('f1', { project_version_id: 'pv2', category_id: 'francais', versions: [version('fr', 1, 'f1 fr 1')] }),
  ],
  readers: ['r1', 'r2', 'r3', 'r4', 'r5', 'r6'].map((readerId) => ({
    reader_id: readerId,
    first_name: 'Reader',
    last_name: readerId,
    email: readerId === 'r6' ? null : `${readerId.toUpperCase()}@Example.com`,
  })),
  invited_sso_users: [
    { invitation_id: 'i1', email: 'i1@example.com' },
    { invitation_id: 'i2', email: null },
  ],
  reader_groups: [
    group('none', { level: 'NONE' }, { readerIds: ['r3', 'r1', 'r2'], invitedSsoUserIds: ['i2', 'i1'] }),
    group(
      'category',
      { level: 'CATEGORY', categories: [{ projectVersionId: 'pv1', categoryId: 'guides', languageCode: 'de' }] },
      { readerIds: ['r1'] },
    ),
    group(
      'version',
      { level: 'VERSION', projectVersionIds: ['pv2', 'pv1'] },
      { readerIds: ['r1', 'r4'], invitedSsoUserIds: ['i1'] },
    ),
    group('project', { level: 'PROJECT' }),
    group(
      'language',
      { level: 'LANGUAGE', languages: [{ projectVersionId: 'pv2', languageCode: 'fr' }] },
      { readerIds: ['r2'] },
    ),
    group('article', { level: 'ARTICLE' }, { readerIds: ['r5'] }),
    group('level-6', { level: 'LEVEL_6' }, { invitedSsoUserIds: ['i2'] }),
  ],
};
