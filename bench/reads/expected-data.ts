import type { ReadOperation } from './documents.ts';
import {
  allCategories,
  articleOfConnection,
  EDITION,
  LISTED_ARTICLES,
  type ListedArticleJson,
  PROJECT_VERSIONS,
  wholeArticle,
} from './knowledge-base.ts';
import { type AccessScopeJson, READER_GROUPS, READERS } from './reader-groups.ts';
import { OPENING_PAGE_SIZE } from './requests.ts';

// The correct `data` of each query in the schema of kb-gateway, made from the knowledge base without any gateway.

const CATEGORIES = allCategories();

const versionName = (id: string) => PROJECT_VERSIONS.find((version) => version.id === id)?.version_code_name;

const languageName = (code: string) =>
  PROJECT_VERSIONS.flatMap((version) => version.language_versions).find((language) => language.code === code)?.name;

const categoryName = (id: string) => CATEGORIES.find((category) => category.id === id)?.name;

const articleFields = (article: ListedArticleJson) => ({
  articleId: article.id,
  languageCode: article.language_code,
  versionNumber: article.latest_version,
  title: article.title,
  slug: article.slug,
  hidden: article.hidden,
  order: article.order,
  modifiedAt: article.modified_at,
});

function listedArticle(article: ListedArticleJson) {
  const { projectVersionId } = EDITION;
  const category = CATEGORIES.find(({ articles }) => articles.includes(article));
  return {
    ...articleFields(article),
    category: { categoryId: category?.id, name: category?.name },
    projectVersion: { projectVersionId, name: versionName(projectVersionId) },
  };
}

function accessScope(scope: AccessScopeJson): object {
  switch (scope.access_level) {
    case 1: {
      const categories = scope.categories.map(({ category_id: categoryId, project_version_id: versionId }) => ({
        categoryId,
        category: { name: categoryName(categoryId) },
        projectVersion: { name: versionName(versionId) },
      }));
      return { __typename: 'CategoryAccessScope', level: 'CATEGORY', categories };
    }
    case 2: {
      const projectVersions = scope.project_versions.map((id) => ({ name: versionName(id) }));
      const projectVersionIds = scope.project_versions;
      return { __typename: 'VersionAccessScope', level: 'VERSION', projectVersionIds, projectVersions };
    }
    case 4: {
      const languages = scope.languages.map(({ project_version_id: versionId, language_code: languageCode }) => ({
        languageCode,
        language: { name: languageName(languageCode) },
        projectVersion: { name: versionName(versionId) },
      }));
      return { __typename: 'LanguageAccessScope', level: 'LANGUAGE', languages };
    }
    default:
      return { __typename: 'PlainAccessScope', level: 'PROJECT' };
  }
}

const reader = (id: string) => {
  const found = READERS.find(({ reader_id }) => reader_id === id);
  return { readerId: id, firstName: found?.first_name, lastName: found?.last_name, email: found?.email };
};

const groupFields = (group: (typeof READER_GROUPS)[number]) => ({
  groupId: group.reader_group_id,
  title: group.title,
  description: group.description,
});

const scopedGroups = () => ({
  nodes: READER_GROUPS.map((group) => ({
    ...groupFields(group),
    readers: { nodes: group.associated_readers.map(reader) },
    accessScope: accessScope(group.access_scope),
  })),
});

const LEVELS: Readonly<Record<number, string>> = { 1: 'CATEGORY', 2: 'VERSION', 3: 'PROJECT', 4: 'LANGUAGE' };

function firstGroups() {
  const groups = READER_GROUPS.slice(0, OPENING_PAGE_SIZE);
  const lastId = groups.at(-1)?.reader_group_id;
  return {
    nodes: groups.map((group) => ({
      ...groupFields(group),
      readerIds: group.associated_readers,
      invitedSsoUserIds: group.associated_invited_sso_users,
      accessScope: { level: LEVELS[group.access_scope.access_level] },
    })),
    pageInfo: {
      hasNextPage: true,
      endCursor: Buffer.from(`${OPENING_PAGE_SIZE - 1}:${lastId}`).toString('base64url'),
    },
    totalCount: null,
  };
}

const projectVersions = () =>
  PROJECT_VERSIONS.map((version) => ({
    projectVersionId: version.id,
    name: version.version_code_name,
    isDefault: version.is_main_version,
    languages: version.language_versions.map(({ code, name, set_as_default }) => ({
      code,
      name,
      isDefault: set_as_default,
    })),
  }));

/** The article of a connection is its own; all else is the same for all. */
export function expectedData(operation: ReadOperation, connection: number): object {
  switch (operation) {
    case 'read-articles':
      return { articles: { nodes: LISTED_ARTICLES.map(listedArticle) } };
    case 'read-groups':
      return { readerGroups: scopedGroups() };
    case 'read-article': {
      const article = articleOfConnection(connection);
      return { article: { ...articleFields(article), content: wholeArticle(article).content } };
    }
    case 'read-opening':
      return { projectVersions: projectVersions(), readerGroups: firstGroups() };
  }
}
