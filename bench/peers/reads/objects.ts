import type {
  CategoryJson,
  ListedArticleJson,
  ProjectVersionJson,
  WholeArticleJson,
} from '../../reads/knowledge-base.ts';
import type { AccessScopeJson, ReaderGroupJson, ReaderJson } from '../../reads/reader-groups.ts';

// The JSON of the service as objects of the schema. They are made without validation.

export interface Edition {
  readonly projectVersionId: string;
  readonly languageCode: string;
}

export const articleOf = (json: ListedArticleJson, { projectVersionId, languageCode }: Edition) => ({
  articleId: json.id,
  projectVersionId,
  languageCode,
  versionNumber: json.latest_version,
  title: json.title,
  slug: json.slug,
  hidden: json.hidden,
  order: json.order,
  modifiedAt: json.modified_at,
});

export type ArticleObject = ReturnType<typeof articleOf>;

export const wholeArticleOf = (json: WholeArticleJson, languageCode: string) => ({
  ...articleOf(json, { projectVersionId: json.project_version_id, languageCode }),
  versionNumber: json.version_number,
  content: json.content,
});

export interface CategoryTree {
  readonly byId: ReadonlyMap<string, CategoryObject>;
  readonly byArticle: ReadonlyMap<string, CategoryObject>;
}

export interface CategoryObject {
  readonly categoryId: string;
  readonly name: string;
}

export function categoryTreeOf(roots: readonly CategoryJson[]): CategoryTree {
  const byId = new Map<string, CategoryObject>();
  const byArticle = new Map<string, CategoryObject>();
  const pending = [...roots];
  for (let json = pending.pop(); json !== undefined; json = pending.pop()) {
    const category = { categoryId: json.id, name: json.name };
    byId.set(json.id, category);
    for (const { id } of json.articles) byArticle.set(id, category);
    pending.push(...json.child_categories);
  }
  return { byId, byArticle };
}

export const projectVersionOf = (json: ProjectVersionJson) => ({
  projectVersionId: json.id,
  name: json.version_code_name,
  isDefault: json.is_main_version,
  languages: json.language_versions.map(({ code, name, set_as_default }) => ({
    code,
    name,
    isDefault: set_as_default,
  })),
});

export type ProjectVersionObject = ReturnType<typeof projectVersionOf>;

export const readerOf = (json: ReaderJson) => ({
  readerId: json.reader_id,
  firstName: json.first_name,
  lastName: json.last_name,
  email: json.email,
});

export type ReaderObject = ReturnType<typeof readerOf>;

export const readerGroupOf = (json: ReaderGroupJson) => ({
  groupId: json.reader_group_id,
  title: json.title,
  description: json.description,
  readerIds: json.associated_readers,
  invitedSsoUserIds: json.associated_invited_sso_users,
  accessScope: accessScopeOf(json.access_scope),
});

export type ReaderGroupObject = ReturnType<typeof readerGroupOf>;

const PLAIN_LEVELS = ['NONE', 'CATEGORY', 'VERSION', 'PROJECT', 'LANGUAGE', 'ARTICLE', 'LEVEL_6'] as const;

function accessScopeOf({ access_level, categories, project_versions, languages }: AccessScopeJson) {
  const level = PLAIN_LEVELS[access_level];
  switch (level) {
    case 'CATEGORY':
      return { __typename: 'CategoryAccessScope', level, categories: categories.map(categoryScopeOf) };
    case 'VERSION':
      return { __typename: 'VersionAccessScope', level, projectVersionIds: project_versions };
    case 'LANGUAGE':
      return { __typename: 'LanguageAccessScope', level, languages: languages.map(languageScopeOf) };
    default:
      return { __typename: 'PlainAccessScope', level };
  }
}

const categoryScopeOf = (json: AccessScopeJson['categories'][number]) => ({
  categoryId: json.category_id,
  projectVersionId: json.project_version_id,
  languageCode: json.language_code,
});

export type CategoryScopeObject = ReturnType<typeof categoryScopeOf>;

const languageScopeOf = (json: AccessScopeJson['languages'][number]) => ({
  projectVersionId: json.project_version_id,
  languageCode: json.language_code,
});

export type LanguageScopeObject = ReturnType<typeof languageScopeOf>;

export interface VersionScopeObject {
  readonly projectVersionIds: readonly string[];
}
