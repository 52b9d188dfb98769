import { CONTENT_OFFSET, type Tool } from './tool.ts';

const PAGE_INFO = 'pageInfo { hasNextPage endCursor } totalCount';

const LISTED_ARTICLE = `articleId languageCode versionNumber title slug hidden order translationStatus modifiedAt
  category { categoryId name }`;

const CATEGORY = 'categoryId name order';

/** Selects categories within each other. The gateway has the whole tree after one read of it. */
const categoryTree = (depth: number): string =>
  depth === 0 ? CATEGORY : `${CATEGORY} children { ${categoryTree(depth - 1)} }`;

const CATEGORY_DEPTH = 6;

export const ARTICLE_TOOLS: readonly Tool[] = [
  {
    name: 'find_articles',
    title: 'Find articles',
    description:
      'Lists the articles of one language of a project version, a page at a time, without their texts: by words, category, translation status, or time of change. Call it again with `after` for the next page.',
    effect: 'read',
    scopes: ['read'],
    document: `query FindArticles($projectVersionId: ID, $languageCode: String, $categoryId: ID, $text: String, $hidden: Boolean,
        $translationStatus: [ArticleTranslationStatus!], $modifiedSince: DateTime, $orderBy: ArticleOrder = ID,
        $first: Int = 20, $after: String) {
      articles(projectVersionId: $projectVersionId, languageCode: $languageCode, categoryId: $categoryId,
          filter: { text: $text, hidden: $hidden, translationStatus: $translationStatus, modifiedSince: $modifiedSince },
          orderBy: $orderBy, first: $first, after: $after) {
        nodes { ${LISTED_ARTICLE} } ${PAGE_INFO}
      }
    }`,
  },
  {
    name: 'read_article',
    title: 'Read an article',
    description: `Reads one article in one language, with its text. A long text comes in pieces: while \`contentPage.nextOffset\` is a number, call it again with that as \`${CONTENT_OFFSET}\`. Null where there is no such article, translation or version.`,
    effect: 'read',
    scopes: ['read'],
    pagesContent: true,
    document: `query ReadArticle($articleId: ID!, $languageCode: String, $versionNumber: Int) {
      article(articleId: $articleId, languageCode: $languageCode, versionNumber: $versionNumber) {
        ${LISTED_ARTICLE} latestVersionNumber contentType content htmlContent
        projectVersion { projectVersionId name }
      }
    }`,
  },
  {
    name: 'list_article_versions',
    title: 'List the versions of an article',
    description: 'Lists the versions of one article in one language. Null where there is no such article.',
    effect: 'read',
    scopes: ['read'],
    document: `query ListArticleVersions($articleId: ID!, $languageCode: String) {
      article(articleId: $articleId, languageCode: $languageCode) {
        articleId languageCode title latestVersionNumber
        versions { versionNumber createdAt modifiedAt status }
      }
    }`,
  },
  {
    name: 'list_project_versions',
    title: 'List the project versions',
    description:
      'Lists the project versions of the knowledge base and the languages of each. The other tools name them by `projectVersionId` and `code`.',
    effect: 'read',
    scopes: ['read'],
    document: `query ListProjectVersions {
      projectVersions { projectVersionId name isDefault languages { code name isDefault } }
    }`,
  },
  {
    name: 'list_categories',
    title: 'List the categories',
    description: `Lists the categories of a project version as a tree of up to ${CATEGORY_DEPTH + 1} levels.`,
    effect: 'read',
    scopes: ['read'],
    document: `query ListCategories($projectVersionId: ID!, $languageCode: String) {
      categories(projectVersionId: $projectVersionId, languageCode: $languageCode) { ${categoryTree(CATEGORY_DEPTH)} }
    }`,
  },
];
