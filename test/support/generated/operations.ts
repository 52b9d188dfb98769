/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** The kind of an access scope. The service numbers the kinds from 0 to 6. */
export type AccessLevel =
  /** Level 5 of the service: single articles, which the service keeps outside of the group. */
  | 'ARTICLE'
  /** Level 1 of the service: the listed categories. */
  | 'CATEGORY'
  /** Level 4 of the service: the listed languages of project versions. */
  | 'LANGUAGE'
  /** Level 6 of the service, which accepts this level and does not document its meaning. */
  | 'LEVEL_6'
  /** Level 0 of the service: no access. */
  | 'NONE'
  /** Level 3 of the service: the whole project. */
  | 'PROJECT'
  /** A level that this version of the gateway does not know; `rawLevel` has the number of the level. */
  | 'UNRECOGNIZED'
  /** Level 2 of the service: the listed project versions. */
  | 'VERSION';

/** What the members of a reader group may read, stated in exactly one way, so that a level never stands beside the list of another level. A scope that was read with `level: scopeLevel`, `categories`, `projectVersionIds` and `languages` can be sent back as it is, without `__typename`. */
export type AccessScopeInput =
  {   /** Level 1 of the service: the categories that may be read. At least one. */
  categories: Array<CategoryScopeInput>; languages?: never; level?: never; projectVersionIds?: never; }
  |  { categories?: never;   /** Level 4 of the service: the languages of project versions that may be read. At least one. */
  languages: Array<LanguageScopeInput>; level?: never; projectVersionIds?: never; }
  |  { categories?: never; languages?: never;   /** An access level that needs no list. */
  level: ScopeLevel; projectVersionIds?: never; }
  |  { categories?: never; languages?: never; level?: never;   /** Level 2 of the service: the service's IDs of the project versions that may be read. At least one. */
  projectVersionIds: Array<string>; };

/** Changes to an article in one language. A member that is left out is not sent to the service, and null is sent as null; in the embedded store both keep what is stored. */
export type ArticleUpdateInput = {
  /** The service's own ID of the article, as in `Article.articleId`. Not empty. */
  articleId: string;
  /** The ID of the category that the article moves to, in the same project version, as in `Category.categoryId`. Left out: the article does not move. Not empty. All languages of the article share the category. */
  categoryId?: string | null | undefined;
  /** The new text, in the format of the editor of the article: Markdown, or HTML for the HTML editor. An empty text is sent as it is. */
  content?: string | null | undefined;
  /** true hides the article from readers in all languages, false shows the article. Not null. */
  hidden?: boolean | null | undefined;
  /**
   * The new text as HTML, for articles of the HTML editor only. Used where `content` is left out.
   * @deprecated The service is going to remove it; use content.
   */
  htmlContent?: string | null | undefined;
  /** The `revision` that was read of the article. The item is written only while the article has it; else it is not attempted (`CHANGED_SINCE`). Left out: whatever is there is overwritten. Not null. */
  ifRevision?: string | null | undefined;
  /** The code of the language whose text is changed, such as `en` or `pt-br`. Left out: the default language of the article's project version. Not empty. In the embedded store, a title or text in a language of the project version in which the article has none makes one, as a draft. */
  languageCode?: string | null | undefined;
  /** The new position of the article in its category, from 1. In the embedded store other articles keep their positions, and those with the same position are sorted by ID. Not null. All languages of the article share the position. */
  order?: number | null | undefined;
  /** A text that the service keeps for later reference. No read returns this text. */
  source?: string | null | undefined;
  /** The new title. An empty text is sent as it is. */
  title?: string | null | undefined;
  /** The new translation status. */
  translationStatus?: TranslationStatus | null | undefined;
  /** The number of the version to change, from 1. Left out: the latest version. */
  versionNumber?: number | null | undefined;
};

/** The articles to change in one bulk update. */
export type BulkUpdateArticlesInput = {
  /** The changes, in the order in which they are made. From 1 to 10,000 items, unless the gateway is set to another maximum (`MAX_BULK_ITEMS`). The same article may be changed by several items. */
  articles: Array<ArticleUpdateInput>;
  /** What becomes of items that change the text of a published version. With FORK and SKIP the articles of such items are read first, past the read cache; an item of which that does not tell whether its version is published is not attempted (UNAVAILABLE). Each fork takes a call to the service. */
  ifPublished?: IfPublished;
  /** The ID of the team account that becomes the contributor of new drafts, as in `TeamAccount.userId`. Needed with FORK, and not used otherwise. */
  userId?: string | null | undefined;
};

/** One category of a project version, in one language. */
export type CategoryScopeInput = {
  /** The service's ID of the category. Not empty. */
  categoryId: string;
  /** Code of a language of the project version, such as `en`. Not empty. */
  languageCode: string;
  /** The service's ID of the project version that has the category. Not empty. */
  projectVersionId: string;
};

/** The kind of a failure, for programs. Failed mutations have it in `code` of `MutationError`, and failed reads in `extensions.code` of an entry in `errors`. Codes of requests that are refused before they are executed stand in the description of the schema. */
export type ErrorCode =
  /** What a write was to change no longer has the revision that was sent. Nothing was written. */
  | 'CHANGED_SINCE'
  /** The API token or the JWT is valid and does not permit this (HTTP 403). */
  | 'FORBIDDEN'
  /** The idempotency key was used with another input before. Nothing was written. */
  | 'IDEMPOTENCY_CONFLICT'
  /** The first request with the idempotency key is still under way. Send the same request again to get its answer. */
  | 'IDEMPOTENCY_IN_PROGRESS'
  /** A fault of the gateway itself. `extensions.requestId` finds its line in the log of the gateway. */
  | 'INTERNAL'
  /** The object that a write names does not exist. */
  | 'NOT_FOUND'
  /** The service has no call that reads this. */
  | 'NOT_OFFERED'
  /** The write was sent, and no answer tells whether it took effect. Read the object before writing again. */
  | 'OUTCOME_UNKNOWN'
  /** The request would take more calls to the service, or a larger answer, than one request may. Ask for fewer items or fields. */
  | 'QUERY_TOO_COSTLY'
  /** The service accepts no more calls for now, or the gateway no more requests of this caller (HTTP 429). The same request can be sent again after `retryAfterSeconds`. */
  | 'RATE_LIMITED'
  /** The service refused the request for a reason that no other code stands for. */
  | 'REJECTED'
  /** The API token or the JWT is missing or not valid (HTTP 401). */
  | 'UNAUTHENTICATED'
  /** The service cannot be reached, or the gateway has no room for the request. Nothing was written, and the same request can be sent again. */
  | 'UNAVAILABLE'
  /** The input of a mutation, or an argument of a query, breaks a rule. Nothing was written, and the issues name the places. */
  | 'VALIDATION_FAILED';

/** What becomes of an item that sets `title`, `content`, `htmlContent` or `translationStatus` of a published version: one with the status PUBLISHED, or the public one. */
export type IfPublished =
  /** The version is copied as a new draft, once for all items of it, and the item changes the draft. Readers see no change before the draft is published. */
  | 'FORK'
  /** It is not sent: `ArticleUpdateNotAttempted`, with the reason PUBLISHED. */
  | 'SKIP'
  /** It is sent as it is. The embedded store changes the version in place; what the service does is not documented. */
  | 'UPDATE';

/** One language of a project version. */
export type LanguageScopeInput = {
  /** Code of a language of the project version, such as `en`. Not empty. */
  languageCode: string;
  /** The service's ID of the project version that has the language. Not empty. */
  projectVersionId: string;
};

/** The access levels that need no list of what may be read. */
export type ScopeLevel =
  /** Level 5 of the service: single articles, which the service keeps outside of the group. */
  | 'ARTICLE'
  /** Level 6 of the service, which accepts this level and does not document its meaning. Stating level 6 sends no lists; to keep a group of level 6 as it is, leave `accessScope` out. */
  | 'LEVEL_6'
  /** Level 0 of the service: no access. */
  | 'NONE'
  /** Level 3 of the service: the whole project. */
  | 'PROJECT';

/** A translation status that an article can be given. The service's own digit is in brackets. */
export type TranslationStatus =
  /** The text in another language has changed, and the translation has to follow ("1"). */
  | 'NEEDS_TRANSLATION'
  /** There is nothing to translate ("0"). */
  | 'NONE'
  /** The translation is up to date ("2"). */
  | 'TRANSLATED';

/** How the gateway knows that an article or a category was updated or created. */
export type UpdateEvidence =
  /** The service confirmed it in its answer. */
  | 'ANSWER'
  /** The article was read afterwards, and is as it was asked to be. */
  | 'READ_BACK';

/** New values for the properties of a reader group. A property that is left out is kept as it is; at least one is given. */
export type UpdateReaderGroupInput = {
  /** What the members of the group may read. Left out: the access scope is kept, also one whose level the gateway does not know. null is a ValidationError. */
  accessScope?: AccessScopeInput | null | undefined;
  /** What the group is for. Left out: the description is kept. null: the description is cleared. */
  description?: string | null | undefined;
  /** The service's ID of the reader group to change. Not empty, and neither `.` nor `..`. */
  groupId: string;
  /** The `revision` that was read of the group. The group is written only while it has it; else the answer is a `ChangedSinceError`. Left out: whatever is there is overwritten. Not null. */
  ifRevision?: string | null | undefined;
  /** Invitation IDs of all invited users who are to be in the group: whoever is not listed is removed. Left out: all invited users stay. []: all invited users are removed. null is a ValidationError. */
  invitedSsoUserIds?: Array<string> | null | undefined;
  /** The service's IDs of all readers who are to be in the group: whoever is not listed is removed. Left out: all readers stay. []: all readers are removed. null is a ValidationError. */
  readerIds?: Array<string> | null | undefined;
  /** The new name of the group: 1 character or more, and none of ~ ` ! @ # $ % ^ & * ) ( + = | ] [ { } ; : ? / > ' . , Left out: the name is kept. null is a ValidationError. */
  title?: string | null | undefined;
};

/** Who found a problem of an input: the gateway or the service. */
export type ValidationSource =
  /** The gateway found the problem before anything was sent or written. */
  | 'GATEWAY'
  /** The service refused the request with an error that names the place in the input. */
  | 'SERVICE';

export type GroupScopeQueryVariables = Exact<{
  groupId: string;
}>;


export type GroupScopeQuery = { readerGroup: { id: string, title: string, accessScope:
      | { __typename: 'CategoryAccessScope', level: AccessLevel, categories: Array<{ categoryId: string }> }
      | { __typename: 'LanguageAccessScope', level: AccessLevel, languages: Array<{ languageCode: string }> }
      | { __typename: 'PlainAccessScope', level: AccessLevel }
      | { __typename: 'UnrecognizedAccessScope', level: AccessLevel }
      | { __typename: 'VersionAccessScope', projectVersionIds: Array<string>, level: AccessLevel }
     } | null };

export type GroupPageQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
}>;


export type GroupPageQuery = { readerGroups: { nodes: Array<{ id: string, title: string }>, pageInfo: { endCursor: string | null, hasNextPage: boolean } } | null };

export type EditArticlesMutationVariables = Exact<{
  input: BulkUpdateArticlesInput;
}>;


export type EditArticlesMutation = { bulkUpdateArticles:
    | { __typename: 'AuthenticationError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean }
    | { __typename: 'BulkUpdateArticlesPayload', results: Array<
        | { __typename: 'ArticleUpdateFailed', index: number, articleId: string, details: string | null, retryable: boolean }
        | { __typename: 'ArticleUpdateNotAttempted', index: number, articleId: string, details: string | null, retryable: boolean }
        | { __typename: 'ArticleUpdateUnknown', index: number, articleId: string, details: string | null, retryable: boolean }
        | { __typename: 'ArticleUpdated', index: number, articleId: string, details: string | null, retryable: boolean, article: { id: string, title: string | null } | null }
      > }
    | { __typename: 'IdempotencyError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean }
    | { __typename: 'RateLimitedError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean }
    | { __typename: 'ServiceRejectedError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean }
    | { __typename: 'ServiceUnavailableError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean }
    | { __typename: 'TooCostlyError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean }
    | { __typename: 'ValidationError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, issues: Array<{ path: Array<string>, message: string }> }
   | null };

export type UpdateWithUnreadableArticleMutationVariables = Exact<{
  input: BulkUpdateArticlesInput;
}>;


export type UpdateWithUnreadableArticleMutation = { bulkUpdateArticles:
    | { __typename: 'AuthenticationError' }
    | { __typename: 'BulkUpdateArticlesPayload', results: Array<
        | { __typename: 'ArticleUpdateFailed' }
        | { __typename: 'ArticleUpdateNotAttempted' }
        | { __typename: 'ArticleUpdateUnknown' }
        | { __typename: 'ArticleUpdated', article: { id: string, category: { id: string, articles: { totalCount: number | null } | null } | null } | null }
      > }
    | { __typename: 'IdempotencyError' }
    | { __typename: 'RateLimitedError' }
    | { __typename: 'ServiceRejectedError' }
    | { __typename: 'ServiceUnavailableError' }
    | { __typename: 'TooCostlyError' }
    | { __typename: 'ValidationError' }
   | null };

export type SetScopeMutationVariables = Exact<{
  input: UpdateReaderGroupInput;
}>;


export type SetScopeMutation = { updateReaderGroup:
    | { __typename: 'AuthenticationError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean }
    | { __typename: 'ChangedSinceError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean }
    | { __typename: 'IdempotencyError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean }
    | { __typename: 'OutcomeUnknownError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean }
    | { __typename: 'RateLimitedError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean }
    | { __typename: 'ReaderGroupNotFoundError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean }
    | { __typename: 'ServiceRejectedError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean }
    | { __typename: 'ServiceUnavailableError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean }
    | { __typename: 'UpdateReaderGroupPayload', readerGroup: { id: string, accessScope:
          | { __typename: 'CategoryAccessScope', level: AccessLevel }
          | { __typename: 'LanguageAccessScope', level: AccessLevel }
          | { __typename: 'PlainAccessScope', level: AccessLevel }
          | { __typename: 'UnrecognizedAccessScope', level: AccessLevel }
          | { __typename: 'VersionAccessScope', level: AccessLevel }
         } | null }
    | { __typename: 'ValidationError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean }
   | null };

export type ArticlesOfCategoryQueryVariables = Exact<{
  categoryId: string;
}>;


export type ArticlesOfCategoryQuery = { articles: { nodes: Array<{ id: string, articleId: string, title: string | null }> } | null };

export type UpdateAndReadBackMutationVariables = Exact<{
  articles: Array<ArticleUpdateInput> | ArticleUpdateInput;
}>;


export type UpdateAndReadBackMutation = { bulkUpdateArticles:
    | { results: Array<
        | { __typename: 'ArticleUpdateFailed' }
        | { __typename: 'ArticleUpdateNotAttempted' }
        | { __typename: 'ArticleUpdateUnknown' }
        | { __typename: 'ArticleUpdated', article: { id: string, title: string | null } | null }
      > }
    | Record<PropertyKey, never>
   | null };

export type UpdateOnlyMutationVariables = Exact<{
  articles: Array<ArticleUpdateInput> | ArticleUpdateInput;
}>;


export type UpdateOnlyMutation = { bulkUpdateArticles:
    | { results: Array<
        | { __typename: 'ArticleUpdateFailed' }
        | { __typename: 'ArticleUpdateNotAttempted' }
        | { __typename: 'ArticleUpdateUnknown' }
        | { __typename: 'ArticleUpdated' }
      > }
    | Record<PropertyKey, never>
   | null };

export type UpdateWithFailingReadBackMutationVariables = Exact<{
  articles: Array<ArticleUpdateInput> | ArticleUpdateInput;
}>;


export type UpdateWithFailingReadBackMutation = { bulkUpdateArticles:
    | { results: Array<
        | { __typename: 'ArticleUpdateFailed' }
        | { __typename: 'ArticleUpdateNotAttempted' }
        | { __typename: 'ArticleUpdateUnknown' }
        | { __typename: 'ArticleUpdated', article: { id: string, category: { id: string, articles: { totalCount: number | null } | null } | null } | null }
      > }
    | Record<PropertyKey, never>
   | null };

export type BulkUpdateArticlesMutationVariables = Exact<{
  input: BulkUpdateArticlesInput;
}>;


export type BulkUpdateArticlesMutation = { bulkUpdateArticles:
    | { __typename: 'AuthenticationError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> }
    | { __typename: 'BulkUpdateArticlesPayload', summary: { total: number, updated: number, failed: number }, results: Array<
        | { __typename: 'ArticleUpdateFailed', articleId: string, details: string | null, retryable: boolean }
        | { __typename: 'ArticleUpdateNotAttempted', articleId: string, details: string | null, retryable: boolean }
        | { __typename: 'ArticleUpdateUnknown', articleId: string, details: string | null, retryable: boolean }
        | { __typename: 'ArticleUpdated', evidence: UpdateEvidence, articleId: string, details: string | null, retryable: boolean }
      > }
    | { __typename: 'IdempotencyError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> }
    | { __typename: 'RateLimitedError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> }
    | { __typename: 'ServiceRejectedError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> }
    | { __typename: 'ServiceUnavailableError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> }
    | { __typename: 'TooCostlyError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> }
    | { __typename: 'ValidationError', source: ValidationSource, code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, issues: Array<{ path: Array<string>, message: string }>, serviceErrors: Array<{ description: string | null }> }
   | null };

type AnyErrorFields_AuthenticationError_Fragment = { __typename: 'AuthenticationError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> };

type AnyErrorFields_ChangedSinceError_Fragment = { __typename: 'ChangedSinceError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> };

type AnyErrorFields_IdempotencyError_Fragment = { __typename: 'IdempotencyError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> };

type AnyErrorFields_JobNotFoundError_Fragment = { __typename: 'JobNotFoundError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> };

type AnyErrorFields_OutcomeUnknownError_Fragment = { __typename: 'OutcomeUnknownError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> };

type AnyErrorFields_RateLimitedError_Fragment = { __typename: 'RateLimitedError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> };

type AnyErrorFields_ReaderGroupNotFoundError_Fragment = { __typename: 'ReaderGroupNotFoundError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> };

type AnyErrorFields_ServiceRejectedError_Fragment = { __typename: 'ServiceRejectedError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> };

type AnyErrorFields_ServiceUnavailableError_Fragment = { __typename: 'ServiceUnavailableError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> };

type AnyErrorFields_TooCostlyError_Fragment = { __typename: 'TooCostlyError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> };

type AnyErrorFields_ValidationError_Fragment = { __typename: 'ValidationError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> };

export type AnyErrorFieldsFragment =
  | AnyErrorFields_AuthenticationError_Fragment
  | AnyErrorFields_ChangedSinceError_Fragment
  | AnyErrorFields_IdempotencyError_Fragment
  | AnyErrorFields_JobNotFoundError_Fragment
  | AnyErrorFields_OutcomeUnknownError_Fragment
  | AnyErrorFields_RateLimitedError_Fragment
  | AnyErrorFields_ReaderGroupNotFoundError_Fragment
  | AnyErrorFields_ServiceRejectedError_Fragment
  | AnyErrorFields_ServiceUnavailableError_Fragment
  | AnyErrorFields_TooCostlyError_Fragment
  | AnyErrorFields_ValidationError_Fragment
;

export type ArticleCountQueryVariables = Exact<{ [key: string]: never; }>;


export type ArticleCountQuery = { articles: { totalCount: number | null } | null };

export type ArticleTitleQueryVariables = Exact<{
  articleId: string;
}>;


export type ArticleTitleQuery = { article: { title: string | null } | null };

export type GroupTitlesQueryVariables = Exact<{ [key: string]: never; }>;


export type GroupTitlesQuery = { readerGroups: { nodes: Array<{ title: string }> } | null };

export type RetitleMutationVariables = Exact<{
  articles: Array<ArticleUpdateInput> | ArticleUpdateInput;
}>;


export type RetitleMutation = { bulkUpdateArticles:
    | { __typename: 'AuthenticationError', code: ErrorCode, message: string }
    | { __typename: 'BulkUpdateArticlesPayload', summary: { updated: number }, results: Array<
        | { __typename: 'ArticleUpdateFailed', details: string | null }
        | { __typename: 'ArticleUpdateNotAttempted' }
        | { __typename: 'ArticleUpdateUnknown' }
        | { __typename: 'ArticleUpdated' }
      > }
    | { __typename: 'IdempotencyError', code: ErrorCode, message: string }
    | { __typename: 'RateLimitedError', code: ErrorCode, message: string }
    | { __typename: 'ServiceRejectedError', code: ErrorCode, message: string }
    | { __typename: 'ServiceUnavailableError', code: ErrorCode, message: string }
    | { __typename: 'TooCostlyError', code: ErrorCode, message: string }
    | { __typename: 'ValidationError', code: ErrorCode, message: string }
   | null };

export type ReadScopeQueryVariables = Exact<{
  groupId: string;
}>;


export type ReadScopeQuery = { readerGroup: { accessScope:
      | { __typename: 'CategoryAccessScope', categories: Array<{ projectVersionId: string, categoryId: string, languageCode: string }> }
      | { __typename: 'LanguageAccessScope', languages: Array<{ projectVersionId: string, languageCode: string }> }
      | { __typename: 'PlainAccessScope', level: ScopeLevel }
      | { __typename: 'UnrecognizedAccessScope' }
      | { __typename: 'VersionAccessScope', projectVersionIds: Array<string> }
     } | null };

export type WriteScopeMutationVariables = Exact<{
  groupId: string;
  accessScope: AccessScopeInput;
}>;


export type WriteScopeMutation = { updateReaderGroup:
    | { __typename: 'AuthenticationError' }
    | { __typename: 'ChangedSinceError' }
    | { __typename: 'IdempotencyError' }
    | { __typename: 'OutcomeUnknownError' }
    | { __typename: 'RateLimitedError' }
    | { __typename: 'ReaderGroupNotFoundError' }
    | { __typename: 'ServiceRejectedError' }
    | { __typename: 'ServiceUnavailableError' }
    | { __typename: 'UpdateReaderGroupPayload' }
    | { __typename: 'ValidationError' }
   | null };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const AnyErrorFieldsFragmentDoc = new TypedDocumentString(`
    fragment AnyErrorFields on MutationError {
  __typename
  code
  message
  retryable
  mayHaveApplied
  serviceErrors {
    description
  }
}
    `, {"fragmentName":"AnyErrorFields"}) as unknown as TypedDocumentString<AnyErrorFieldsFragment, unknown>;
export const GroupScopeDocument = new TypedDocumentString(`
    query GroupScope($groupId: ID!) {
  readerGroup(groupId: $groupId) {
    id
    title
    accessScope {
      __typename
      level
      ... on CategoryAccessScope {
        categories {
          categoryId
        }
      }
      ... on VersionAccessScope {
        projectVersionIds
      }
      ... on LanguageAccessScope {
        languages {
          languageCode
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<GroupScopeQuery, GroupScopeQueryVariables>;
export const GroupPageDocument = new TypedDocumentString(`
    query GroupPage($first: Int!, $after: String) {
  readerGroups(first: $first, after: $after) {
    nodes {
      id
      title
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
}
    `) as unknown as TypedDocumentString<GroupPageQuery, GroupPageQueryVariables>;
export const EditArticlesDocument = new TypedDocumentString(`
    mutation EditArticles($input: BulkUpdateArticlesInput!) {
  bulkUpdateArticles(input: $input) {
    __typename
    ... on BulkUpdateArticlesPayload {
      results {
        __typename
        index
        articleId
        details
        retryable
        ... on ArticleUpdated {
          article {
            id
            title
          }
        }
      }
    }
    ... on MutationError {
      code
      message
      retryable
      mayHaveApplied
    }
    ... on ValidationError {
      issues {
        path
        message
      }
    }
  }
}
    `) as unknown as TypedDocumentString<EditArticlesMutation, EditArticlesMutationVariables>;
export const UpdateWithUnreadableArticleDocument = new TypedDocumentString(`
    mutation UpdateWithUnreadableArticle($input: BulkUpdateArticlesInput!) {
  bulkUpdateArticles(input: $input) {
    __typename
    ... on BulkUpdateArticlesPayload {
      results {
        __typename
        ... on ArticleUpdated {
          article {
            id
            category {
              id
              articles(first: 0) {
                totalCount
              }
            }
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<UpdateWithUnreadableArticleMutation, UpdateWithUnreadableArticleMutationVariables>;
export const SetScopeDocument = new TypedDocumentString(`
    mutation SetScope($input: UpdateReaderGroupInput!) {
  updateReaderGroup(input: $input) {
    __typename
    ... on UpdateReaderGroupPayload {
      readerGroup {
        id
        accessScope {
          __typename
          level
        }
      }
    }
    ... on MutationError {
      code
      message
      retryable
      mayHaveApplied
    }
  }
}
    `) as unknown as TypedDocumentString<SetScopeMutation, SetScopeMutationVariables>;
export const ArticlesOfCategoryDocument = new TypedDocumentString(`
    query ArticlesOfCategory($categoryId: ID!) {
  articles(categoryId: $categoryId) {
    nodes {
      id
      articleId
      title
    }
  }
}
    `) as unknown as TypedDocumentString<ArticlesOfCategoryQuery, ArticlesOfCategoryQueryVariables>;
export const UpdateAndReadBackDocument = new TypedDocumentString(`
    mutation UpdateAndReadBack($articles: [ArticleUpdateInput!]!) {
  bulkUpdateArticles(input: {articles: $articles}) {
    ... on BulkUpdateArticlesPayload {
      results {
        __typename
        ... on ArticleUpdated {
          article {
            id
            title
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<UpdateAndReadBackMutation, UpdateAndReadBackMutationVariables>;
export const UpdateOnlyDocument = new TypedDocumentString(`
    mutation UpdateOnly($articles: [ArticleUpdateInput!]!) {
  bulkUpdateArticles(input: {articles: $articles}) {
    ... on BulkUpdateArticlesPayload {
      results {
        __typename
      }
    }
  }
}
    `) as unknown as TypedDocumentString<UpdateOnlyMutation, UpdateOnlyMutationVariables>;
export const UpdateWithFailingReadBackDocument = new TypedDocumentString(`
    mutation UpdateWithFailingReadBack($articles: [ArticleUpdateInput!]!) {
  bulkUpdateArticles(input: {articles: $articles}) {
    ... on BulkUpdateArticlesPayload {
      results {
        __typename
        ... on ArticleUpdated {
          article {
            id
            category {
              id
              articles(first: 0) {
                totalCount
              }
            }
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<UpdateWithFailingReadBackMutation, UpdateWithFailingReadBackMutationVariables>;
export const BulkUpdateArticlesDocument = new TypedDocumentString(`
    mutation BulkUpdateArticles($input: BulkUpdateArticlesInput!) {
  bulkUpdateArticles(input: $input) {
    __typename
    ... on BulkUpdateArticlesPayload {
      summary {
        total
        updated
        failed
      }
      results {
        __typename
        articleId
        details
        retryable
        ... on ArticleUpdated {
          evidence
        }
      }
    }
    ... on MutationError {
      ...AnyErrorFields
      ... on ValidationError {
        source
        issues {
          path
          message
        }
      }
    }
  }
}
    fragment AnyErrorFields on MutationError {
  __typename
  code
  message
  retryable
  mayHaveApplied
  serviceErrors {
    description
  }
}`) as unknown as TypedDocumentString<BulkUpdateArticlesMutation, BulkUpdateArticlesMutationVariables>;
export const ArticleCountDocument = new TypedDocumentString(`
    query ArticleCount {
  articles(first: 1) {
    totalCount
  }
}
    `) as unknown as TypedDocumentString<ArticleCountQuery, ArticleCountQueryVariables>;
export const ArticleTitleDocument = new TypedDocumentString(`
    query ArticleTitle($articleId: ID!) {
  article(articleId: $articleId) {
    title
  }
}
    `) as unknown as TypedDocumentString<ArticleTitleQuery, ArticleTitleQueryVariables>;
export const GroupTitlesDocument = new TypedDocumentString(`
    query GroupTitles {
  readerGroups(first: 100) {
    nodes {
      title
    }
  }
}
    `) as unknown as TypedDocumentString<GroupTitlesQuery, GroupTitlesQueryVariables>;
export const RetitleDocument = new TypedDocumentString(`
    mutation Retitle($articles: [ArticleUpdateInput!]!) {
  bulkUpdateArticles(input: {articles: $articles}) {
    __typename
    ... on BulkUpdateArticlesPayload {
      summary {
        updated
      }
      results {
        __typename
        ... on ArticleUpdateFailed {
          details
        }
      }
    }
    ... on MutationError {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<RetitleMutation, RetitleMutationVariables>;
export const ReadScopeDocument = new TypedDocumentString(`
    query ReadScope($groupId: ID!) {
  readerGroup(groupId: $groupId) {
    accessScope {
      __typename
      ... on PlainAccessScope {
        level: scopeLevel
      }
      ... on CategoryAccessScope {
        categories {
          projectVersionId
          categoryId
          languageCode
        }
      }
      ... on VersionAccessScope {
        projectVersionIds
      }
      ... on LanguageAccessScope {
        languages {
          projectVersionId
          languageCode
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ReadScopeQuery, ReadScopeQueryVariables>;
export const WriteScopeDocument = new TypedDocumentString(`
    mutation WriteScope($groupId: ID!, $accessScope: AccessScopeInput!) {
  updateReaderGroup(input: {groupId: $groupId, accessScope: $accessScope}) {
    __typename
  }
}
    `) as unknown as TypedDocumentString<WriteScopeMutation, WriteScopeMutationVariables>;