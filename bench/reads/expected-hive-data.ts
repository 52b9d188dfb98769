import type { ReadOperation } from './documents.ts';
import {
  articleOfConnection,
  CATEGORY_TREE,
  type CategoryJson,
  LISTED_ARTICLES,
  PROJECT_VERSIONS,
  wholeArticle,
} from './knowledge-base.ts';
import { READER_GROUPS, READERS, type ReaderGroupJson } from './reader-groups.ts';

// The correct `data` of each query in the schema of Hive Gateway: the JSON of the service with the selected members.

/** The members of an object that are named, in that order. */
const pick = (value: object, names: string): Record<string, unknown> => {
  const members: Record<string, unknown> = { ...value };
  return Object.fromEntries(names.split(' ').map((name) => [name, members[name]]));
};

const articleIds = ({ articles }: CategoryJson) => articles.map(({ id }) => ({ id }));

const categoryWithArticles = (category: CategoryJson) => ({
  ...pick(category, 'id name'),
  articles: articleIds(category),
});

const groupPage = (page: number, select: (group: ReaderGroupJson) => object) => ({
  result: READER_GROUPS.slice(page * 5, page * 5 + 5).map(select),
});

const groupMembers = (group: ReaderGroupJson) => pick(group, 'reader_group_id title description associated_readers');

const scopedGroup = (group: ReaderGroupJson) => {
  const { access_level, categories, project_versions, languages } = group.access_scope;
  const scopes = categories.map((scope) => pick(scope, 'category_id project_version_id'));
  return { ...groupMembers(group), access_scope: { access_level, categories: scopes, project_versions, languages } };
};

const openingGroup = (group: ReaderGroupJson) => ({
  ...groupMembers(group),
  associated_invited_sso_users: group.associated_invited_sso_users,
  access_scope: pick(group.access_scope, 'access_level'),
});

const versionsWithLanguages = (members: string, languageMembers: string) => ({
  data: PROJECT_VERSIONS.map((version) => ({
    ...pick(version, members),
    language_versions: version.language_versions.map((language) => pick(language, languageMembers)),
  })),
});

export function expectedHiveData(operation: ReadOperation, connection: number): object {
  switch (operation) {
    case 'read-articles': {
      const data = LISTED_ARTICLES.map((article) =>
        pick(article, 'id language_code latest_version title slug hidden order modified_at'),
      );
      const tree = CATEGORY_TREE.map((category) => ({
        ...categoryWithArticles(category),
        child_categories: category.child_categories.map(categoryWithArticles),
      }));
      const versions = PROJECT_VERSIONS.map((version) => pick(version, 'id version_code_name'));
      return { articles: { data }, categories: { data: tree }, projectVersions: { data: versions } };
    }
    case 'read-groups': {
      const tree = CATEGORY_TREE.map((category) => ({
        ...pick(category, 'id name'),
        child_categories: category.child_categories.map((child) => pick(child, 'id name')),
      }));
      return {
        ...Object.fromEntries([0, 1, 2, 3].map((page) => [`page${page + 1}`, groupPage(page, scopedGroup)])),
        readers: { result: READERS.map((reader) => pick(reader, 'reader_id first_name last_name email')) },
        categories: { data: tree },
        projectVersions: versionsWithLanguages('id version_code_name', 'code name'),
      };
    }
    case 'read-article': {
      const article = wholeArticle(articleOfConnection(connection));
      const members = 'id language_code version_number title slug hidden order modified_at content';
      return { article: { data: pick(article, members) } };
    }
    case 'read-opening':
      return {
        projectVersions: versionsWithLanguages('id version_code_name is_main_version', 'code name set_as_default'),
        ...Object.fromEntries([0, 1].map((page) => [`page${page + 1}`, groupPage(page, openingGroup)])),
      };
  }
}
