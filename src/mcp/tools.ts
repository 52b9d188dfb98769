import type { Clock } from '../core/base/clock.ts';
import { MAX_TOOL_ARTICLES } from '../core/base/limits.ts';
import type { ClientScope } from '../core/callers/caller.ts';

/** The options of MCP. */
export interface McpOptions {
  /** `off`: only reads. `preview`: also previews of writes. `on`: also writes, each with the token of its preview. */
  readonly writes: 'off' | 'preview' | 'on';
  /** The version of the gateway. */
  readonly version: string;
  /** The clock by which tokens of previews expire. The system's clock is the default. */
  readonly clock?: Pick<Clock, 'now'>;
}

/** A tool is one GraphQL operation, whose variables are its arguments, so that it does the same as GraphQL. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The text of a document with one operation, which has one root field, and the fragments of the operation. */
  readonly document: string;
  readonly effect: ToolEffect;
  /** True for a write that changes no existing content. */
  readonly isAdditive?: boolean;
  /** The tool is listed only for callers whose JWT has all of these scopes. */
  readonly scopes: readonly ClientScope[];
  /** The name of the write that a preview belongs to. The preview returns a token for that write. */
  readonly previewOf?: string;
  /** True where the root field is an article, whose text is returned in pieces by the argument `contentOffset`. */
  readonly pagesContent?: boolean;
}

/** A preview does not change the knowledge base. */
type ToolEffect = 'read' | 'preview' | 'write';

/** The argument of a write with the token of its preview. */
export const PREVIEW_TOKEN = 'previewToken';

/** The argument of a read with the position in the text at which it begins. */
export const CONTENT_OFFSET = 'contentOffset';

/** Selects everything that the members of a reader group may read, for every kind of scope. */
const ACCESS_SCOPE_FRAGMENT = `fragment Scope on AccessScope {
  __typename level rawLevel
  ... on CategoryAccessScope { categories { projectVersionId categoryId languageCode } }
  ... on LanguageAccessScope { languages { projectVersionId languageCode } }
  ... on VersionAccessScope { projectVersionIds }
  ... on PlainAccessScope { scopeLevel }
}`;

/** Selects the error of a whole write or preview. */
const MUTATION_ERROR_FRAGMENT = `fragment Failure on MutationError {
  code message retryable mayHaveApplied
  serviceErrors { description errorCode }
  ... on ValidationError { issues { path message } source }
  ... on RateLimitedError { retryAfterSeconds }
  ... on ServiceRejectedError { httpStatus }
  ... on TooCostlyError { calls allowed }
}`;

const NOTICES = 'warnings { code description } information { code description }';

const PAGE_INFO = 'pageInfo { hasNextPage endCursor } totalCount';

const LISTED_ARTICLE = `articleId languageCode versionNumber title slug hidden order translationStatus status publicVersionNumber modifiedAt
  category { categoryId name }`;

const CATEGORY = 'categoryId name order';

/** Selects nested categories. The gateway has the whole tree after one read of it. */
const categoryTree = (depth: number): string =>
  depth === 0 ? CATEGORY : `${CATEGORY} children { ${categoryTree(depth - 1)} }`;

const CATEGORY_DEPTH = 6;

const READER = 'readerId firstName lastName email';

const READS: readonly Omit<Tool, 'effect' | 'scopes'>[] = [
  {
    name: 'find_articles',
    title: 'Find articles',
    description:
      'Lists the articles of one language of a project version, a page at a time, without their texts: by words, category, status, translation status, or time of change. Call it again with `after` for the next page.',
    document: `query FindArticles($projectVersionId: ID, $languageCode: String, $categoryId: ID, $text: String, $hidden: Boolean,
        $translationStatus: [ArticleTranslationStatus!], $status: [ArticleStatus!], $modifiedSince: DateTime,
        $modifiedBefore: DateTime, $orderBy: ArticleOrder = ID,
        $first: Int = 20, $after: String) {
      articles(projectVersionId: $projectVersionId, languageCode: $languageCode, categoryId: $categoryId,
          filter: { text: $text, hidden: $hidden, translationStatus: $translationStatus, status: $status, modifiedSince: $modifiedSince,
            modifiedBefore: $modifiedBefore },
          orderBy: $orderBy, first: $first, after: $after) {
        nodes { ${LISTED_ARTICLE} } ${PAGE_INFO}
      }
    }`,
  },
  {
    name: 'read_article',
    title: 'Read an article',
    description: `Reads one article in one language, with its text. A long text comes in pieces: while \`contentPage.nextOffset\` is a number, call it again with that as \`${CONTENT_OFFSET}\`. Null where there is no such article, translation or version.`,
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
    document: `query ListProjectVersions {
      projectVersions { projectVersionId name isDefault languages { code name isDefault } }
    }`,
  },
  {
    name: 'list_categories',
    title: 'List the categories',
    description: `Lists the categories of a project version as a tree of up to ${CATEGORY_DEPTH + 1} levels.`,
    document: `query ListCategories($projectVersionId: ID!, $languageCode: String) {
      categories(projectVersionId: $projectVersionId, languageCode: $languageCode) { ${categoryTree(CATEGORY_DEPTH)} }
    }`,
  },
  {
    name: 'list_reader_groups',
    title: 'List the reader groups',
    description:
      'Lists the reader groups and what the members of each may read, a page at a time, without the members. Call it again with `after` for the next page.',
    document: `query ListReaderGroups($first: Int = 20, $after: String) {
      readerGroups(first: $first, after: $after) {
        nodes { groupId title description accessScope { ...Scope } } ${PAGE_INFO}
      }
    } ${ACCESS_SCOPE_FRAGMENT}`,
  },
  {
    name: 'read_reader_group',
    title: 'Read a reader group',
    description:
      'Reads one reader group with its members, whose readers come a page at a time. Call it again with `after` for the next page of readers. Null where there is no such group.',
    document: `query ReadReaderGroup($groupId: ID!, $first: Int = 20, $after: String) {
      readerGroup(groupId: $groupId) {
        groupId title description accessScope { ...Scope }
        readers(first: $first, after: $after) { nodes { ${READER} } ${PAGE_INFO} }
        invitedSsoUsers { invitationId email }
      }
    } ${ACCESS_SCOPE_FRAGMENT}`,
  },
  {
    name: 'find_readers',
    title: 'Find readers',
    description:
      'Lists the readers, or those with a part of an email address, and the groups that each is in, a page at a time. Call it again with `after` for the next page.',
    document: `query FindReaders($emailContains: String, $first: Int = 20, $after: String) {
      readers(emailContains: $emailContains, first: $first, after: $after) {
        nodes { ${READER} groupIds } ${PAGE_INFO}
      }
    }`,
  },
];

export const READ_TOOLS: readonly Tool[] = READS.map((tool) => ({ ...tool, effect: 'read', scopes: ['read'] }));

/** The most texts of a job that a preview of its revert shows. */
const REVERT_ITEMS = 20;

const TOKEN_RULE =
  'Show the preview to the person you work for, and write only what they have seen. What somebody has changed since the preview is not overwritten (`CHANGED_SINCE`): make another preview of it.';

/** The variables of publishing and unpublishing, and the input that is made of them. */
const PUBLICATION_VARIABLES = '$articles: [ArticlePublishInput!]!, $userId: ID!, $message: String';
const PUBLICATION_INPUT = 'input: { articles: $articles, userId: $userId, message: $message }';

/** The selection for a write of articles, which has an outcome for each of them. */
const articleOutcomes = (payload: string, updated = ''): string => `
        ... on ${payload} {
          summary { total updated failed unknown notAttempted }
          results {
            __typename index articleId details retryable ${updated}
            ... on ArticleUpdateUnknown { readBack }
            ... on ArticleUpdateNotAttempted { reason retryAfterSeconds }
          }
          serviceErrors { description errorCode } ${NOTICES} replayed
        }`;

const OUTCOMES_RULE =
  'Each article has an outcome of its own: updated, failed, unknown, or not attempted. Never send an unknown one again before you have read the article.';

/** The preview and the write of a publication. */
const publicationTools = (verb: 'publish' | 'unpublish', effect: string) => {
  const name = `${verb.slice(0, 1).toUpperCase()}${verb.slice(1)}Articles`;
  const write = `${verb}_articles`;
  const preview = `preview_${verb}_articles`;
  const previewTool: Tool = {
    name: preview,
    title: `Preview ${verb}ing articles`,
    description: `Shows what ${verb}ing up to ${MAX_TOOL_ARTICLES} articles would change, and writes nothing. Gives the \`${PREVIEW_TOKEN}\` that ${write} needs, where writes are on.`,
    effect: 'preview',
    scopes: ['articles:publish', 'read'],
    previewOf: write,
    document: `mutation Preview${name}(${PUBLICATION_VARIABLES}) {
      preview${name}(${PUBLICATION_INPUT}) {
        __typename
        ... on ${name}Preview {
          summary { total changed unchanged failing }
          results { index articleId wouldSucceed revision changes { field from to } issues { path message } }
        }
        ...Failure
      }
    } ${MUTATION_ERROR_FRAGMENT}`,
  };
  const writeTool: Tool = {
    name: write,
    title: `${verb.slice(0, 1).toUpperCase()}${verb.slice(1)} articles`,
    description: `${effect} up to ${MAX_TOOL_ARTICLES} articles, as ${preview} has shown it. ${OUTCOMES_RULE} ${TOKEN_RULE}`,
    effect: 'write',
    scopes: ['articles:publish'],
    document: `mutation ${name}(${PUBLICATION_VARIABLES}, $${PREVIEW_TOKEN}: String!) {
      ${verb}Articles(${PUBLICATION_INPUT}, idempotencyKey: $${PREVIEW_TOKEN}) {
        __typename${articleOutcomes(`${name}Payload`, '... on ArticleUpdated { publication }')}
        ...Failure
      }
    } ${MUTATION_ERROR_FRAGMENT}`,
  };
  return { preview: previewTool, write: writeTool };
};

const PUBLISH = publicationTools('publish', 'Publishes');
const UNPUBLISH = publicationTools('unpublish', 'Unpublishes');

export const PREVIEW_TOOLS: readonly Tool[] = [
  {
    name: 'preview_article_updates',
    title: 'Preview article updates',
    description: `Shows what an update of up to ${MAX_TOOL_ARTICLES} articles would change, field by field, and writes nothing. Gives the \`${PREVIEW_TOKEN}\` that update_articles needs, where writes are on.`,
    effect: 'preview',
    scopes: ['articles:write', 'read'],
    previewOf: 'update_articles',
    document: `mutation PreviewArticleUpdates($articles: [ArticleUpdateInput!]!, $ifPublished: IfPublished = UPDATE, $userId: ID) {
      previewBulkUpdateArticles(input: { articles: $articles, ifPublished: $ifPublished, userId: $userId }) {
        __typename
        ... on BulkUpdateArticlesPreview {
          summary { total changed unchanged failing }
          results { index articleId wouldSucceed revision isPublished wouldFork changes { field from to } movesTo { categoryId name } issues { path message } }
          warnings { code description }
        }
        ...Failure
      }
    } ${MUTATION_ERROR_FRAGMENT}`,
  },
  {
    name: 'preview_new_articles',
    title: 'Preview new articles',
    description: `Shows what creating up to ${MAX_TOOL_ARTICLES} articles would do, warns of titles that are in their categories already, and writes nothing. Gives the \`${PREVIEW_TOKEN}\` that create_articles needs, where writes are on.`,
    effect: 'preview',
    scopes: ['articles:write', 'read'],
    previewOf: 'create_articles',
    document: `mutation PreviewNewArticles($articles: [ArticleCreateInput!]!, $userId: ID!) {
      previewCreateArticles(input: { articles: $articles, userId: $userId }) {
        __typename
        ... on CreateArticlesPreview {
          summary { total created failing }
          results {
            index title wouldSucceed content contentType order languageCode projectVersion { projectVersionId name } category { categoryId name }
            existing { articleId title } issues { path message }
          }
          warnings { code description }
        }
        ...Failure
      }
    } ${MUTATION_ERROR_FRAGMENT}`,
  },
  {
    name: 'preview_new_categories',
    title: 'Preview new categories',
    description: `Shows what creating up to ${MAX_TOOL_ARTICLES} categories would do, warns of names that are there already, and writes nothing. Gives the \`${PREVIEW_TOKEN}\` that create_categories needs, where writes are on.`,
    effect: 'preview',
    scopes: ['articles:write', 'read'],
    previewOf: 'create_categories',
    document: `mutation PreviewNewCategories($categories: [CategoryCreateInput!]!, $userId: ID) {
      previewCreateCategories(input: { categories: $categories, userId: $userId }) {
        __typename
        ... on CreateCategoriesPreview {
          summary { total created failing }
          results {
            index name wouldSucceed order projectVersion { projectVersionId name } parent { categoryId name }
            existing { categoryId name } issues { path message }
          }
          warnings { code description }
        }
        ...Failure
      }
    } ${MUTATION_ERROR_FRAGMENT}`,
  },
  PUBLISH.preview,
  UNPUBLISH.preview,
  {
    name: 'preview_reader_group_update',
    title: 'Preview a reader group update',
    description: `Shows what an update of a reader group would change, with the members who would be added and removed, and writes nothing. Gives the \`${PREVIEW_TOKEN}\` that update_reader_group needs, where writes are on.`,
    effect: 'preview',
    scopes: ['groups:write', 'read'],
    previewOf: 'update_reader_group',
    document: `mutation PreviewReaderGroupUpdate($input: UpdateReaderGroupInput!) {
      previewUpdateReaderGroup(input: $input) {
        __typename
        ... on UpdateReaderGroupPreview {
          wouldSucceed readerGroup { groupId title revision } changes { field from to }
          changesAccessScope accessScope { ...Scope }
          addedReaderIds removedReaderIds addedInvitedSsoUserIds removedInvitedSsoUserIds
          removedReaders { readerId email } removedInvitedSsoUsers { invitationId email }
          issues { path message }
        }
        ...Failure
      }
    } ${ACCESS_SCOPE_FRAGMENT} ${MUTATION_ERROR_FRAGMENT}`,
  },
  {
    name: 'preview_article_job_revert',
    title: 'Preview the revert of a job',
    description: `Shows what putting back a job of article updates would do, with the first ${REVERT_ITEMS} texts as they were before, as the job left them and as they are now, and writes nothing. Gives the \`${PREVIEW_TOKEN}\` that revert_article_job needs, where writes are on.`,
    effect: 'preview',
    scopes: ['articles:write', 'read'],
    previewOf: 'revert_article_job',
    document: `mutation PreviewArticleJobRevert($id: ID!) {
      previewRevertArticleUpdateJob(id: $id) {
        __typename
        ... on RevertArticleUpdateJobPreview {
          summary { total restorable notRestorable }
          items(first: ${REVERT_ITEMS}) { nodes { index articleId members { name before asLeft now } } pageInfo { hasNextPage } }
        }
        ...Failure
      }
    } ${MUTATION_ERROR_FRAGMENT}`,
  },
];

export const WRITE_TOOLS: readonly Tool[] = [
  {
    name: 'update_articles',
    title: 'Update articles',
    description: `Updates up to ${MAX_TOOL_ARTICLES} articles, as preview_article_updates has shown it. ${OUTCOMES_RULE} ${TOKEN_RULE}`,
    effect: 'write',
    scopes: ['articles:write'],
    document: `mutation UpdateArticles($articles: [ArticleUpdateInput!]!, $ifPublished: IfPublished = UPDATE, $userId: ID, $${PREVIEW_TOKEN}: String!) {
      bulkUpdateArticles(input: { articles: $articles, ifPublished: $ifPublished, userId: $userId }, idempotencyKey: $${PREVIEW_TOKEN}) {
        __typename${articleOutcomes('BulkUpdateArticlesPayload')}
        ...Failure
      }
    } ${MUTATION_ERROR_FRAGMENT}`,
  },
  {
    name: 'create_articles',
    title: 'Create articles',
    description: `Creates up to ${MAX_TOOL_ARTICLES} articles as drafts, as preview_new_articles has shown it. Each has an outcome of its own: created, failed, unknown, or not attempted. Never create an unknown one again before you have looked at its candidates. ${TOKEN_RULE}`,
    effect: 'write',
    isAdditive: true,
    scopes: ['articles:write'],
    document: `mutation CreateArticles($articles: [ArticleCreateInput!]!, $userId: ID!, $${PREVIEW_TOKEN}: String!) {
      createArticles(input: { articles: $articles, userId: $userId }, idempotencyKey: $${PREVIEW_TOKEN}) {
        __typename
        ... on CreateArticlesPayload {
          summary { total created failed unknown notAttempted }
          results {
            __typename index title details retryable
            ... on ArticleCreated { articleId evidence }
            ... on ArticleCreateUnknown { candidates { articleId title modifiedAt } }
            ... on ArticleCreateNotAttempted { reason retryAfterSeconds }
          }
          serviceErrors { description errorCode } ${NOTICES} replayed
        }
        ...Failure
      }
    } ${MUTATION_ERROR_FRAGMENT}`,
  },
  {
    name: 'create_categories',
    title: 'Create categories',
    description: `Creates up to ${MAX_TOOL_ARTICLES} categories whose parents exist, as preview_new_categories has shown it: a tree is created level by level. Each has an outcome of its own. Never create an unknown one again before you have looked at its candidates. ${TOKEN_RULE}`,
    effect: 'write',
    isAdditive: true,
    scopes: ['articles:write'],
    document: `mutation CreateCategories($categories: [CategoryCreateInput!]!, $userId: ID, $${PREVIEW_TOKEN}: String!) {
      createCategories(input: { categories: $categories, userId: $userId }, idempotencyKey: $${PREVIEW_TOKEN}) {
        __typename
        ... on CreateCategoriesPayload {
          summary { total created failed unknown notAttempted }
          results {
            __typename index name details retryable
            ... on CategoryCreated { categoryId }
            ... on CategoryCreateUnknown { candidates { categoryId name } }
            ... on CategoryCreateNotAttempted { reason retryAfterSeconds }
          }
          serviceErrors { description errorCode } ${NOTICES} replayed
        }
        ...Failure
      }
    } ${MUTATION_ERROR_FRAGMENT}`,
  },
  PUBLISH.write,
  UNPUBLISH.write,
  {
    name: 'update_reader_group',
    title: 'Update a reader group',
    description: `Updates a reader group, as preview_reader_group_update has shown it. What is left out is kept. ${TOKEN_RULE}`,
    effect: 'write',
    scopes: ['groups:write'],
    document: `mutation UpdateReaderGroup($input: UpdateReaderGroupInput!, $${PREVIEW_TOKEN}: String!) {
      updateReaderGroup(input: $input, idempotencyKey: $${PREVIEW_TOKEN}) {
        __typename
        ... on UpdateReaderGroupPayload { serviceResult ${NOTICES} replayed }
        ...Failure
      }
    } ${MUTATION_ERROR_FRAGMENT}`,
  },
  {
    name: 'revert_article_job',
    title: 'Put back what a job changed',
    description: `Puts back what a job changed that kept the values from before, as preview_article_job_revert has shown it, and only where nobody has touched it since. It runs as a job of its own: call this again with the same token to see how far it is. ${TOKEN_RULE}`,
    effect: 'write',
    scopes: ['articles:write'],
    document: `mutation RevertArticleJob($id: ID!, $${PREVIEW_TOKEN}: String!) {
      revertArticleUpdateJob(id: $id, idempotencyKey: $${PREVIEW_TOKEN}) {
        __typename
        ... on RevertArticleUpdateJobPayload {
          replayed job { id state done summary { total pending updated failed unknown notAttempted } }
        }
        ...Failure
      }
    } ${MUTATION_ERROR_FRAGMENT}`,
  },
];
