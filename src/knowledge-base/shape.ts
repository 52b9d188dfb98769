import {
  at,
  itemsOf,
  objectsOf,
  orNull,
  type Place,
  readFlag,
  readId,
  readOneOf,
  readPosition,
  readRuled,
  readText,
  readWhole,
} from '../backend/local/places.ts';
import { readAccessScope } from '../backend/local/tables/access-scopes.ts';
import type { ArticleContentType, ArticleTranslationStatus } from '../domain/articles/bulk-updates.ts';
import { type ReaderGroupReplacement, readerGroupTitleProblem } from '../domain/reader-groups/reader-group-updates.ts';
import type { ImportedArticle, ImportedVersion, KnowledgeBase } from './knowledge-base.ts';

/** Reads the import format (contract, section 6). What is wrong is reported to the place; then the answer is not to be used. */
export const readKnowledgeBase = (document: Place): KnowledgeBase => ({
  projectVersions: objectsOf(at(document, 'project_versions')).map((version) => ({
    projectVersionId: readId(at(version, 'id')),
    name: readText(at(version, 'name')),
    isDefault: readFlag(at(version, 'is_default')),
  })),
  languages: objectsOf(at(document, 'languages')).map((language) => ({
    projectVersionId: readId(at(language, 'project_version_id')),
    code: readId(at(language, 'code')),
    name: readText(at(language, 'name')),
    isDefault: readFlag(at(language, 'is_default')),
  })),
  categories: objectsOf(at(document, 'categories')).map((category) => ({
    categoryId: readId(at(category, 'id')),
    projectVersionId: readId(at(category, 'project_version_id')),
    parentCategoryId: orNull(at(category, 'parent_category_id'), readId),
    name: readText(at(category, 'name')),
    order: readPosition(at(category, 'order')),
  })),
  articles: objectsOf(at(document, 'articles')).map(readArticle),
  readers: objectsOf(at(document, 'readers')).map((reader) => ({
    readerId: readId(at(reader, 'reader_id')),
    firstName: orNull(at(reader, 'first_name'), readText),
    lastName: orNull(at(reader, 'last_name'), readText),
    email: orNull(at(reader, 'email'), readText),
  })),
  invitedSsoUsers: objectsOf(at(document, 'invited_sso_users')).map((user) => ({
    invitationId: readId(at(user, 'invitation_id')),
    email: orNull(at(user, 'email'), readText),
  })),
  readerGroups: objectsOf(at(document, 'reader_groups')).map(readReaderGroup),
});

const CONTENT_TYPES: ReadonlyMap<unknown, ArticleContentType> = new Map([
  ['markdown', 'MARKDOWN'],
  ['wysiwyg', 'WYSIWYG'],
  ['block', 'BLOCK'],
]);

function readArticle(article: Place): ImportedArticle {
  const versions = objectsOf(at(article, 'versions')).map(readVersion);
  if (versions.length === 0) article.report(`${article.path}.versions`, 'must have at least one entry');
  return {
    articleId: readId(at(article, 'id')),
    projectVersionId: readId(at(article, 'project_version_id')),
    categoryId: orNull(at(article, 'category_id'), readId),
    slug: orNull(at(article, 'slug'), readText),
    order: readPosition(at(article, 'order')),
    hidden: readFlag(at(article, 'hidden')),
    contentType: readOneOf(at(article, 'content_type'), CONTENT_TYPES) ?? 'MARKDOWN',
    versions,
  };
}

/** 3 is no status that can be written through the service, but one that it has (service facts, Enums seen). */
const TRANSLATION_STATUSES: ReadonlyMap<unknown, ArticleTranslationStatus | null> = new Map([
  ['0', 'NONE'],
  ['1', 'NEEDS_TRANSLATION'],
  ['2', 'TRANSLATED'],
  ['3', 'IN_PROGRESS'],
  ['', null],
]);

const readVersion = (version: Place): ImportedVersion => ({
  languageCode: readId(at(version, 'lang_code')),
  versionNumber: readWhole(at(version, 'version_number'), 1),
  title: readText(at(version, 'title')),
  content: orNull(at(version, 'content'), readText),
  translationStatus:
    orNull(at(version, 'translation_option'), (place) => readOneOf(place, TRANSLATION_STATUSES)) ?? null,
});

const readReaderGroup = (group: Place): ReaderGroupReplacement => ({
  groupId: readId(at(group, 'reader_group_id')),
  title: readRuled(at(group, 'title'), readerGroupTitleProblem),
  description: orNull(at(group, 'description'), readText),
  readerIds: orNull(at(group, 'associated_readers'), readIds) ?? [],
  invitedSsoUserIds: orNull(at(group, 'associated_invited_sso_users'), readIds) ?? [],
  accessScope: readAccessScope(at(group, 'access_scope')),
});

const readIds = (list: Place): readonly string[] => itemsOf(list).map(readId);
