export interface ArticleUpdateInput {
  readonly articleId: string;
  readonly languageCode?: string | null;
  readonly title?: string | null;
  readonly content?: string | null;
  readonly htmlContent?: string | null;
  readonly categoryId?: string | null;
  readonly hidden?: boolean | null;
  readonly versionNumber?: number | null;
  readonly translationStatus?: keyof typeof TRANSLATION_OPTIONS | null;
  readonly source?: string | null;
  readonly order?: number | null;
}

const TRANSLATION_OPTIONS = { NONE: '0', NEEDS_TRANSLATION: '1', TRANSLATED: '2' };

export const articleBody = (article: ArticleUpdateInput) => ({
  article_id: article.articleId,
  lang_code: article.languageCode,
  title: article.title,
  content: article.content,
  html_content: article.htmlContent,
  category_id: article.categoryId,
  hidden: article.hidden,
  version_number: article.versionNumber,
  translation_option: article.translationStatus && TRANSLATION_OPTIONS[article.translationStatus],
  source: article.source,
  order: article.order,
});

export interface UpdateReaderGroupInput {
  readonly groupId: string;
  readonly title: string;
  readonly description?: string | null;
  readonly readerIds?: readonly string[] | null;
  readonly invitedSsoUserIds?: readonly string[] | null;
  readonly accessScope: AccessScopeInput;
}

interface LanguageScopeInput {
  readonly projectVersionId: string;
  readonly languageCode: string;
}

interface AccessScopeInput {
  readonly level?: keyof typeof PLAIN_LEVELS | null;
  readonly categories?: readonly (LanguageScopeInput & { readonly categoryId: string })[] | null;
  readonly projectVersionIds?: readonly string[] | null;
  readonly languages?: readonly LanguageScopeInput[] | null;
}

const PLAIN_LEVELS = { NONE: 0, PROJECT: 3, ARTICLE: 5, LEVEL_6: 6 };

function accessLevel({ level, categories, projectVersionIds }: AccessScopeInput): number {
  if (level) return PLAIN_LEVELS[level];
  if (categories) return 1;
  return projectVersionIds ? 2 : 4;
}

export const groupBody = (group: UpdateReaderGroupInput) => ({
  title: group.title,
  description: group.description,
  associated_readers: group.readerIds,
  access_scope: {
    access_level: accessLevel(group.accessScope),
    categories:
      group.accessScope.categories?.map((scope) => ({
        project_version_id: scope.projectVersionId,
        category_id: scope.categoryId,
        language_code: scope.languageCode,
      })) ?? null,
    project_versions: group.accessScope.projectVersionIds ?? null,
    languages:
      group.accessScope.languages?.map((scope) => ({
        project_version_id: scope.projectVersionId,
        language_code: scope.languageCode,
      })) ?? null,
  },
  associated_invited_sso_users: group.invitedSsoUserIds,
});
