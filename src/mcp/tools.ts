import type { Clock } from '../core/base/clock.ts';
import { MAX_TOOL_ARTICLES } from '../core/base/limits.ts';
import type { ClientScope } from '../core/callers/caller.ts';

export interface McpOptions {
  /** `off`: only reads. `preview`: also previews of writes. `on`: also writes, each with the token of its preview. */
  readonly writes: 'off' | 'preview' | 'on';
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

const READ_TOOLS: readonly Tool[] = READS.map((tool) => ({ ...tool, effect: 'read', scopes: ['read'] }));

/** A write, from which the tools for its preview and for itself are made. */
interface Write extends Pick<Tool, 'isAdditive' | 'scopes'> {
  readonly preview: Pick<Tool, 'name' | 'title'>;
  readonly write: Pick<Tool, 'name' | 'title'>;
  /** The mutation. The names of its preview, payload and operations follow from it. */
  readonly field: string;
  readonly variables: string;
  readonly args: string;
  /** The variables and arguments of the preview, where it has fewer. */
  readonly previewed?: { readonly variables: string; readonly args: string };
  /** The rest of the sentence "Shows what …". */
  readonly shows: string;
  /** The selection of a preview. */
  readonly shown: string;
  /** What the write does, and the rule for its outcomes. */
  readonly does: string;
  readonly rule: string;
  /** The selection of a payload. */
  readonly answered: string;
}

/** The most texts of a job that a preview of its revert shows. */
const REVERT_ITEMS = 20;

const TOKEN_RULE =
  'Show the preview to the person you work for, and write only what they have seen. What somebody has changed since the preview is not overwritten (`CHANGED_SINCE`): make another preview of it.';

const OUTCOMES_RULE =
  'Each article has an outcome of its own: updated, failed, unknown, or not attempted. Never send an unknown one again before you have read the article.';

const CREATIONS_RULE =
  'Each has an outcome of its own: created, failed, unknown, or not attempted. Never create an unknown one again before you have looked at its candidates.';

/** The selection for a write of articles, which has an outcome for each of them. */
const articleOutcomes = (updated = ''): string => `
          summary { total updated failed unknown notAttempted }
          results {
            __typename index articleId details retryable ${updated}
            ... on ArticleUpdateUnknown { readBack }
            ... on ArticleUpdateNotAttempted { reason retryAfterSeconds }
          }
          serviceErrors { description errorCode } ${NOTICES} replayed`;

/** The selection for a creation of articles or categories. */
const creationOutcomes = (type: 'Article' | 'Category', name: string, candidate: string): string => `
          summary { total created failed unknown notAttempted }
          results {
            __typename index ${name} details retryable
            ... on ${type}Created { ${type.toLowerCase()}Id evidence }
            ... on ${type}CreateUnknown { candidates { ${candidate} } }
            ... on ${type}CreateNotAttempted { reason retryAfterSeconds }
          }
          serviceErrors { description errorCode } ${NOTICES} replayed`;

const publication = (verb: 'publish' | 'unpublish', Verb: 'Publish' | 'Unpublish'): Write => ({
  preview: { name: `preview_${verb}_articles`, title: `Preview ${verb}ing articles` },
  write: { name: `${verb}_articles`, title: `${Verb} articles` },
  scopes: ['articles:publish'],
  field: `${verb}Articles`,
  variables: '$articles: [ArticlePublishInput!]!, $userId: ID!, $message: String',
  args: 'input: { articles: $articles, userId: $userId, message: $message }',
  shows: `${verb}ing up to ${MAX_TOOL_ARTICLES} articles would change`,
  shown: `summary { total changed unchanged failing }
          results { index articleId wouldSucceed revision changes { field from to } issues { path message } }`,
  does: `${Verb}es up to ${MAX_TOOL_ARTICLES} articles`,
  rule: OUTCOMES_RULE,
  answered: articleOutcomes('... on ArticleUpdated { publication }'),
});

const WRITES: readonly Write[] = [
  {
    preview: { name: 'preview_article_updates', title: 'Preview article updates' },
    write: { name: 'update_articles', title: 'Update articles' },
    scopes: ['articles:write'],
    field: 'bulkUpdateArticles',
    variables: '$articles: [ArticleUpdateInput!]!, $ifPublished: IfPublished = UPDATE, $userId: ID',
    args: 'input: { articles: $articles, ifPublished: $ifPublished, userId: $userId }',
    shows: `an update of up to ${MAX_TOOL_ARTICLES} articles would change, field by field`,
    shown: `summary { total changed unchanged failing }
          results { index articleId wouldSucceed revision isPublished wouldFork changes { field from to } movesTo { categoryId name } issues { path message } }
          warnings { code description }`,
    does: `Updates up to ${MAX_TOOL_ARTICLES} articles`,
    rule: OUTCOMES_RULE,
    answered: articleOutcomes('draftVersionNumber'),
  },
  {
    preview: { name: 'preview_new_articles', title: 'Preview new articles' },
    write: { name: 'create_articles', title: 'Create articles' },
    isAdditive: true,
    scopes: ['articles:write'],
    field: 'createArticles',
    variables: '$articles: [ArticleCreateInput!]!, $userId: ID!',
    args: 'input: { articles: $articles, userId: $userId }',
    shows: `creating up to ${MAX_TOOL_ARTICLES} articles would do, warns of titles that are in their categories already`,
    shown: `summary { total created failing }
          results {
            index title wouldSucceed content contentType order languageCode projectVersion { projectVersionId name } category { categoryId name }
            existing { articleId title } issues { path message }
          }
          warnings { code description }`,
    does: `Creates up to ${MAX_TOOL_ARTICLES} articles as drafts`,
    rule: CREATIONS_RULE,
    answered: creationOutcomes('Article', 'title', 'articleId title modifiedAt'),
  },
  {
    preview: { name: 'preview_new_categories', title: 'Preview new categories' },
    write: { name: 'create_categories', title: 'Create categories' },
    isAdditive: true,
    scopes: ['articles:write'],
    field: 'createCategories',
    variables: '$categories: [CategoryCreateInput!]!, $userId: ID',
    args: 'input: { categories: $categories, userId: $userId }',
    shows: `creating up to ${MAX_TOOL_ARTICLES} categories would do, warns of names that are there already`,
    shown: `summary { total created failing }
          results {
            index name wouldSucceed order projectVersion { projectVersionId name } parent { categoryId name }
            existing { categoryId name } issues { path message }
          }
          warnings { code description }`,
    does: `Creates up to ${MAX_TOOL_ARTICLES} categories whose parents exist, a tree level by level`,
    rule: CREATIONS_RULE,
    answered: creationOutcomes('Category', 'name', 'categoryId name'),
  },
  publication('publish', 'Publish'),
  publication('unpublish', 'Unpublish'),
  {
    preview: { name: 'preview_reader_group_update', title: 'Preview a reader group update' },
    write: { name: 'update_reader_group', title: 'Update a reader group' },
    scopes: ['groups:write'],
    field: 'updateReaderGroup',
    variables: '$input: UpdateReaderGroupInput!',
    args: 'input: $input',
    shows: 'an update of a reader group would change, with the members who would be added and removed',
    shown: `wouldSucceed readerGroup { groupId title revision } changes { field from to }
          changesAccessScope accessScope { ...Scope }
          addedReaderIds removedReaderIds addedInvitedSsoUserIds removedInvitedSsoUserIds
          removedReaders { readerId email } removedInvitedSsoUsers { invitationId email }
          issues { path message }`,
    does: 'Updates a reader group',
    rule: 'What is left out is kept.',
    answered: `serviceResult ${NOTICES} replayed`,
  },
  {
    preview: { name: 'preview_article_job_revert', title: 'Preview the revert of a job' },
    write: { name: 'revert_article_job', title: 'Put back what a job changed' },
    scopes: ['articles:write'],
    field: 'revertArticleUpdateJob',
    variables: '$id: ID!, $ifPublished: IfPublished = FORK, $userId: ID',
    args: 'id: $id, ifPublished: $ifPublished, userId: $userId',
    previewed: { variables: '$id: ID!', args: 'id: $id' },
    shows: `putting back a job of article updates would do, with the first ${REVERT_ITEMS} texts as they were before, as the job left them and as they are now`,
    shown: `summary { total restorable notRestorable }
          items(first: ${REVERT_ITEMS}) { nodes { index articleId members { name before asLeft now } } pageInfo { hasNextPage } }`,
    does: 'Puts back what a job changed that kept the values from before',
    rule: 'Only what nobody has touched since is put back. It runs as a job of its own: call this again with the same token to see how far it is.',
    answered: 'replayed job { id state done summary { total pending updated failed unknown notAttempted } }',
  },
];

const capitalized = (name: string): string => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;

/** The document of a tool: a mutation, and a selection of what it returns where it succeeds. */
function documentOf(tool: string, call: Pick<Write, 'field' | 'variables' | 'args'>, selection: string): string {
  const operation = tool.split('_').map(capitalized).join('');
  const scope = selection.includes('...Scope') ? ACCESS_SCOPE_FRAGMENT : '';
  return `mutation ${operation}(${call.variables}) {
      ${call.field}(${call.args}) { __typename ... on ${selection} ...Failure }
    } ${scope} ${MUTATION_ERROR_FRAGMENT}`;
}

function previewTool({ preview, write, scopes, field, variables, args, ...parts }: Write): Tool {
  const name = capitalized(field);
  const call = { variables, args, ...parts.previewed, field: `preview${name}` };
  return {
    ...preview,
    description: `Shows what ${parts.shows}, and writes nothing. Gives the \`${PREVIEW_TOKEN}\` that ${write.name} needs, where writes are on.`,
    effect: 'preview',
    scopes: [...scopes, 'read'],
    previewOf: write.name,
    document: documentOf(preview.name, call, `${name}Preview { ${parts.shown} }`),
  };
}

function writeTool({ preview, write, scopes, isAdditive = false, field, ...parts }: Write): Tool {
  const variables = `${parts.variables}, $${PREVIEW_TOKEN}: String!`;
  const args = `${parts.args}, idempotencyKey: $${PREVIEW_TOKEN}`;
  return {
    ...write,
    description: `${parts.does}, as ${preview.name} has shown it. ${parts.rule} ${TOKEN_RULE}`,
    effect: 'write',
    isAdditive,
    scopes,
    document: documentOf(write.name, { field, variables, args }, `${capitalized(field)}Payload { ${parts.answered} }`),
  };
}

const PREVIEW_TOOLS: readonly Tool[] = WRITES.map(previewTool);

const WRITE_TOOLS: readonly Tool[] = WRITES.map(writeTool);

export const OFFERED_TOOLS: Readonly<Record<McpOptions['writes'], readonly Tool[]>> = {
  off: READ_TOOLS,
  preview: [...READ_TOOLS, ...PREVIEW_TOOLS],
  on: [...READ_TOOLS, ...PREVIEW_TOOLS, ...WRITE_TOOLS],
};
