import type { AccessScope } from '../../../src/domain/reader-groups/access-scopes.ts';
import type { WholeReaderGroupUpdate } from '../../../src/domain/reader-groups/reader-group-updates.ts';
import type { ImportedArticle, ImportedVersion, KnowledgeBase } from '../../../src/knowledge-base/knowledge-base.ts';

const version = (languageCode: string, versionNumber: number, title: string): ImportedVersion => ({
  languageCode,
  versionNumber,
  title,
  content: `Text of ${title}`,
  translationStatus: 'NONE',
});

const article = (
  articleId: string,
  values: Partial<ImportedArticle> & { readonly versions: readonly ImportedVersion[] },
): ImportedArticle => ({
  articleId,
  projectVersionId: 'pv1',
  categoryId: 'guides',
  slug: `slug-${articleId}`,
  order: null,
  hidden: false,
  contentType: 'MARKDOWN',
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
  projectVersions: [
    { projectVersionId: 'pv2', name: 'Two', isDefault: false },
    { projectVersionId: 'pv1', name: 'One', isDefault: true },
  ],
  languages: [
    { projectVersionId: 'pv1', code: 'en', name: 'English', isDefault: true },
    { projectVersionId: 'pv1', code: 'de', name: 'German', isDefault: false },
    { projectVersionId: 'pv2', code: 'fr', name: 'French', isDefault: true },
  ],
  categories: [
    { categoryId: 'reference', projectVersionId: 'pv1', parentCategoryId: null, name: 'Reference', order: 2 },
    { categoryId: 'guides', projectVersionId: 'pv1', parentCategoryId: null, name: 'Guides', order: 1 },
    { categoryId: 'basics', projectVersionId: 'pv1', parentCategoryId: 'guides', name: 'Basics', order: null },
    { categoryId: 'bits', projectVersionId: 'pv1', parentCategoryId: 'guides', name: 'Bits', order: null },
    { categoryId: 'francais', projectVersionId: 'pv2', parentCategoryId: null, name: 'Français', order: 1 },
  ],
  articles: [
    article('a1', {
      order: 1,
      versions: [version('en', 1, 'a1 en 1'), version('en', 2, 'a1 en 2'), version('de', 1, 'a1 de 1')],
    }),
    article('a2', { order: 1, versions: [version('en', 1, 'a2 en 1')] }),
    article('a3', { versions: [version('en', 1, 'a3 en 1')] }),
    article('b1', {
      categoryId: 'reference',
      hidden: true,
      contentType: 'BLOCK',
      versions: [version('en', 1, 'b1 en 1')],
    }),
    article('w1', {
      categoryId: 'reference',
      contentType: 'WYSIWYG',
      versions: [version('en', 1, 'w1 en 1'), version('de', 3, 'w1 de 3')],
    }),
    article('f1', { projectVersionId: 'pv2', categoryId: 'francais', versions: [version('fr', 1, 'f1 fr 1')] }),
  ],
  readers: ['r1', 'r2', 'r3', 'r4', 'r5', 'r6'].map((readerId) => ({
    readerId,
    firstName: 'Reader',
    lastName: readerId,
    email: readerId === 'r6' ? null : `${readerId.toUpperCase()}@Example.com`,
  })),
  invitedSsoUsers: [
    { invitationId: 'i1', email: 'i1@example.com' },
    { invitationId: 'i2', email: null },
  ],
  readerGroups: [
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
