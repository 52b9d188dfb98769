import { z } from 'zod';
import { storedTextProblem, textProblem } from '../base/text.ts';
import type { ArticleContentType, ArticleTranslationStatus } from '../domain/articles/articles.ts';
import { readerGroupTitleProblem } from '../domain/reader-groups/reader-group-updates.ts';
import { accessScope } from './access-scopes.ts';
import { entriesOf, entry, flag, id, list, stringWithRule, text, wholeNumber } from './fields.ts';
import type { ImportedArticle, KnowledgeBase } from './knowledge-base.ts';

const projectVersion = entry({ id, name: text, is_default: flag }).transform((raw) => ({
  projectVersionId: raw.id,
  name: raw.name,
  isDefault: raw.is_default,
}));

const language = entry({ project_version_id: id, code: id, name: text, is_default: flag }).transform((raw) => ({
  projectVersionId: raw.project_version_id,
  code: raw.code,
  name: raw.name,
  isDefault: raw.is_default,
}));

/** 0 and null both mean that no order is set: see docs/service.md, "Bulk article update". */
const toOrder = (order: number | null | undefined): number | null => order || null;

const category = entry({
  id,
  project_version_id: id,
  parent_category_id: id.nullish(),
  name: text,
  order: wholeNumber(0).nullish(),
}).transform((raw) => ({
  categoryId: raw.id,
  projectVersionId: raw.project_version_id,
  parentCategoryId: raw.parent_category_id ?? null,
  name: raw.name,
  order: toOrder(raw.order),
}));

/** The service has the status 3, which cannot be written through it: see docs/service.md, "Enumerations". */
const TRANSLATION_STATUSES = {
  '0': 'NONE',
  '1': 'NEEDS_TRANSLATION',
  '2': 'TRANSLATED',
  '3': 'IN_PROGRESS',
  '': null,
} as const satisfies Record<string, ArticleTranslationStatus | null>;

const version = entry({
  lang_code: id,
  version_number: wholeNumber(1),
  title: stringWithRule((title) => textProblem(title) ?? storedTextProblem('title', title)),
  content: text.nullish(),
  translation_option: z.enum(['0', '1', '2', '3', ''], 'must be one of "0", "1", "2", "3", ""').nullish(),
}).transform((raw) => ({
  languageCode: raw.lang_code,
  versionNumber: raw.version_number,
  title: raw.title,
  content: raw.content ?? null,
  translationStatus: TRANSLATION_STATUSES[raw.translation_option ?? ''],
}));

const CONTENT_TYPES = {
  markdown: 'MARKDOWN',
  wysiwyg: 'WYSIWYG',
  block: 'BLOCK',
} as const satisfies Record<string, ArticleContentType>;

const article = entry({
  versions: list(version).min(1, 'must have at least one entry'),
  id,
  project_version_id: id,
  category_id: id.nullish(),
  slug: text.nullish(),
  order: wholeNumber(0).nullish(),
  hidden: flag,
  content_type: z.enum(['markdown', 'wysiwyg', 'block'], 'must be one of "markdown", "wysiwyg", "block"'),
}).transform(
  (raw): ImportedArticle => ({
    articleId: raw.id,
    projectVersionId: raw.project_version_id,
    categoryId: raw.category_id ?? null,
    slug: raw.slug ?? null,
    order: toOrder(raw.order),
    hidden: raw.hidden,
    contentType: CONTENT_TYPES[raw.content_type],
    versions: raw.versions,
  }),
);

const reader = entry({
  reader_id: id,
  first_name: text.nullish(),
  last_name: text.nullish(),
  email: text.nullish(),
}).transform((raw) => ({
  readerId: raw.reader_id,
  firstName: raw.first_name ?? null,
  lastName: raw.last_name ?? null,
  email: raw.email ?? null,
}));

const invitedSsoUser = entry({ invitation_id: id, email: text.nullish() }).transform((raw) => ({
  invitationId: raw.invitation_id,
  email: raw.email ?? null,
}));

const readerGroup = entry({
  reader_group_id: id,
  title: stringWithRule((title) => readerGroupTitleProblem(title) ?? storedTextProblem('title', title)),
  description: stringWithRule((text) => textProblem(text) ?? storedTextProblem('description', text)).nullish(),
  associated_readers: list(id).nullish(),
  associated_invited_sso_users: list(id).nullish(),
  access_scope: accessScope,
}).transform((raw) => ({
  groupId: raw.reader_group_id,
  title: raw.title,
  description: raw.description ?? null,
  readerIds: raw.associated_readers ?? [],
  invitedSsoUserIds: raw.associated_invited_sso_users ?? [],
  accessScope: raw.access_scope,
}));

const source = text.nullish().meta({ description: 'Where the content comes from. An export writes it again.' });

/** The document of the import format, for its JSON Schema. */
export const knowledgeBaseShape = entry({
  source,
  project_versions: list(projectVersion).optional(),
  languages: list(language).optional(),
  categories: list(category).optional(),
  articles: list(article).optional(),
  readers: list(reader).optional(),
  invited_sso_users: list(invitedSsoUser).optional(),
  reader_groups: list(readerGroup).optional(),
});

/** Parses a document of the import format: see docs/contract.md, "Import format". A missing list is empty. */
export const knowledgeBaseDocument = entry({
  source,
  project_versions: entriesOf(projectVersion),
  languages: entriesOf(language),
  categories: entriesOf(category),
  articles: entriesOf(article),
  readers: entriesOf(reader),
  invited_sso_users: entriesOf(invitedSsoUser),
  reader_groups: entriesOf(readerGroup),
}).transform(
  (lists): KnowledgeBase => ({
    source: lists.source ?? null,
    projectVersions: lists.project_versions,
    languages: lists.languages,
    categories: lists.categories,
    articles: lists.articles,
    readers: lists.readers,
    invitedSsoUsers: lists.invited_sso_users,
    readerGroups: lists.reader_groups,
  }),
);
