import type { JsonObject } from '../base/json/json-objects.ts';
import type { ArticleContentType, ArticleTranslationStatus } from '../domain/articles/articles.ts';
import { ACCESS_LEVELS, type AccessScope, type LanguageScope } from '../domain/reader-groups/access-scopes.ts';
import type { ImportedVersion, KnowledgeBaseLists } from './knowledge-base.ts';

export type KnowledgeBaseList = keyof KnowledgeBaseLists;

export type EntryOf<List extends KnowledgeBaseList> = KnowledgeBaseLists[List][number];

type Encoders = { readonly [List in KnowledgeBaseList]: (entry: EntryOf<List>) => JsonObject };

/** The entries of each list as the import format has them. */
export const ENTRY_ENCODERS: Encoders = {
  projectVersions: ({ projectVersionId, name, isDefault }) => ({ id: projectVersionId, name, is_default: isDefault }),
  languages: ({ projectVersionId, code, name, isDefault }) => ({
    project_version_id: projectVersionId,
    code,
    name,
    is_default: isDefault,
  }),
  categories: ({ categoryId, projectVersionId, parentCategoryId, name, order }) => ({
    id: categoryId,
    project_version_id: projectVersionId,
    parent_category_id: parentCategoryId,
    name,
    order,
  }),
  articles: (article) => ({
    id: article.articleId,
    project_version_id: article.projectVersionId,
    category_id: article.categoryId,
    slug: article.slug,
    order: article.order,
    hidden: article.hidden,
    content_type: CONTENT_TYPES[article.contentType],
    versions: article.versions.map(encodeVersion),
  }),
  readers: ({ readerId, firstName, lastName, email }) => ({
    reader_id: readerId,
    first_name: firstName,
    last_name: lastName,
    email,
  }),
  invitedSsoUsers: ({ invitationId, email }) => ({ invitation_id: invitationId, email }),
  readerGroups: (group) => ({
    reader_group_id: group.groupId,
    title: group.title,
    description: group.description,
    associated_readers: group.readerIds,
    associated_invited_sso_users: group.invitedSsoUserIds,
    access_scope: encodeScope(group.accessScope),
  }),
};

const CONTENT_TYPES = {
  MARKDOWN: 'markdown',
  WYSIWYG: 'wysiwyg',
  BLOCK: 'block',
} as const satisfies Record<ArticleContentType, string>;

/** No status of a stored article is unrecognized. */
const TRANSLATION_OPTIONS = {
  NONE: '0',
  NEEDS_TRANSLATION: '1',
  TRANSLATED: '2',
  IN_PROGRESS: '3',
  UNRECOGNIZED: null,
} as const satisfies Record<ArticleTranslationStatus, string | null>;

const encodeVersion = (version: ImportedVersion): JsonObject => ({
  lang_code: version.languageCode,
  version_number: version.versionNumber,
  title: version.title,
  content: version.content,
  translation_option: version.translationStatus && TRANSLATION_OPTIONS[version.translationStatus],
});

/** Only the list of its level is there. */
const encodeScope = (scope: AccessScope): JsonObject => ({
  access_level: ACCESS_LEVELS[scope.level],
  ...(scope.level === 'VERSION' && { project_versions: scope.projectVersionIds }),
  ...(scope.level === 'LANGUAGE' && { languages: scope.languages.map(encodeLanguageScope) }),
  ...(scope.level === 'CATEGORY' && {
    categories: scope.categories.map(({ categoryId, ...language }) => ({
      category_id: categoryId,
      ...encodeLanguageScope(language),
    })),
  }),
});

const encodeLanguageScope = ({ projectVersionId, languageCode }: LanguageScope): JsonObject => ({
  project_version_id: projectVersionId,
  language_code: languageCode,
});
