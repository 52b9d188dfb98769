import { GROUP_COUNT } from './reader-groups.ts';

export type ReadOperation = 'read-articles' | 'read-groups' | 'read-article' | 'read-opening';

const ARTICLES_DOCUMENT = `query Articles($projectVersionId: ID!, $languageCode: String!) {
  articles(projectVersionId: $projectVersionId, languageCode: $languageCode, first: 100) {
    nodes {
      articleId
      languageCode
      versionNumber
      title
      slug
      hidden
      order
      modifiedAt
      category { categoryId name }
      projectVersion { projectVersionId name }
    }
  }
}`;

const GROUPS_DOCUMENT = `query Groups {
  readerGroups(first: ${GROUP_COUNT}) {
    nodes {
      groupId
      title
      description
      readers(first: 100) { nodes { readerId firstName lastName email } }
      accessScope {
        __typename
        level
        ... on CategoryAccessScope { categories { categoryId category { name } projectVersion { name } } }
        ... on VersionAccessScope { projectVersionIds projectVersions { name } }
        ... on LanguageAccessScope { languages { languageCode language { name } projectVersion { name } } }
      }
    }
  }
}`;

const ARTICLE_DOCUMENT = `query Article($articleId: ID!, $languageCode: String!) {
  article(articleId: $articleId, languageCode: $languageCode) {
    articleId
    languageCode
    versionNumber
    title
    slug
    hidden
    order
    modifiedAt
    content
  }
}`;

/** What a page of reader groups reads when it opens: the versions for its choices, and the first groups. */
const OPENING_DOCUMENT = `query Opening($first: Int!, $after: String) {
  projectVersions {
    projectVersionId
    name
    isDefault
    languages { code name isDefault }
  }
  readerGroups(first: $first, after: $after) {
    nodes { groupId title description readerIds invitedSsoUserIds accessScope { level } }
    pageInfo { hasNextPage endCursor }
    totalCount
  }
}`;

export const READ_DOCUMENTS: Readonly<Record<ReadOperation, string>> = {
  'read-articles': ARTICLES_DOCUMENT,
  'read-groups': GROUPS_DOCUMENT,
  'read-article': ARTICLE_DOCUMENT,
  'read-opening': OPENING_DOCUMENT,
};

const HIVE_CATEGORY = 'id name articles { id }';
const HIVE_GROUP_MEMBERS = 'reader_group_id title description';
const HIVE_SCOPE = `access_scope {
  access_level
  categories { category_id project_version_id }
  project_versions
  languages { project_version_id language_code }
}`;

const hivePages = (count: number, selection: string): string =>
  Array.from(
    { length: count },
    (_, page) =>
      `page${page + 1}: readerGroups(offSet: ${page + 1}, excludeReaders: false) { result { ${selection} } }`,
  ).join('\n');

/**
 * The nearest equivalent in the schema that Hive Gateway derives from an OpenAPI document, which has no links between
 * articles and categories, or between groups and readers: the same calls as fields of one operation, whose lists the
 * client joins.
 */
export const HIVE_READ_DOCUMENTS: Readonly<Record<ReadOperation, string>> = {
  'read-articles': `query Articles($projectVersionId: String!, $langCode: String!) {
  articles(projectVersionId: $projectVersionId, langCode: $langCode, page: 0, hitsPerPage: 100) {
    data { id language_code latest_version title slug hidden order modified_at }
  }
  categories(projectVersionId: $projectVersionId, langCode: $langCode, excludeArticles: false) {
    data { ${HIVE_CATEGORY} child_categories { ${HIVE_CATEGORY} } }
  }
  projectVersions { data { id version_code_name } }
}`,
  'read-groups': `query Groups($projectVersionId: String!, $langCode: String!) {
  ${hivePages(GROUP_COUNT / 5, `${HIVE_GROUP_MEMBERS} associated_readers ${HIVE_SCOPE}`)}
  readers(offSet: 1) { result { reader_id first_name last_name email } }
  categories(projectVersionId: $projectVersionId, langCode: $langCode, excludeArticles: true) {
    data { id name child_categories { id name } }
  }
  projectVersions { data { id version_code_name language_versions { code name } } }
}`,
  'read-article': `query Article($articleId: String!, $langCode: String!) {
  article(articleId: $articleId, langCode: $langCode, isForDisplay: false, appendSASToken: false, isPublished: false) {
    data { id language_code version_number title slug hidden order modified_at content }
  }
}`,
  'read-opening': `query Opening {
  projectVersions {
    data { id version_code_name is_main_version language_versions { code name set_as_default } }
  }
  ${hivePages(2, `${HIVE_GROUP_MEMBERS} associated_readers associated_invited_sso_users access_scope { access_level }`)}
}`,
};
