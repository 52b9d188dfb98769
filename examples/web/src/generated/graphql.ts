/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
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

/** Selects articles of a list. An article has to fulfil all members; a member that is left out or null selects all articles. Over the service, the first page with a filter reads the list of all articles in the language, by one call for 1,000 articles and one for each 100 more. */
export type ArticleFilter = {
  /** true: the articles that are hidden from readers. false: those that are not. */
  hidden?: boolean | null | undefined;
  /** The articles whose latest version was changed at this time or later. Articles whose time is not known, as after an import, are not found. */
  modifiedSince?: string | null | undefined;
  /** The articles whose latest version has one of these statuses, at least one. */
  status?: Array<ArticleStatus> | null | undefined;
  /** Words to search for, from 1 to 10 in at most 200 characters: the articles that have each of them in the title or the text, as a word or, from 3 letters on, as the beginning of a word. A word is a run of letters and digits, and each Chinese or Japanese character is one; everything else separates words and has no meaning. Case and accents make no difference. The first 200,000 characters of a text are searched, its markup included. Over the service it is the search of the service that finds them, in its order and with no total, alone or together with `hidden`; with anything else the error has the code NOT_OFFERED. It takes a call for each 100 hits, and the list of all articles in the language, since hits outlive their articles. */
  text?: string | null | undefined;
  /** The articles with one of these translation statuses, at least one. Articles that have no status are not found by any. */
  translationStatus?: Array<ArticleTranslationStatus> | null | undefined;
};

/** Whether a version of an article is published. */
export type ArticleStatus =
  /** It is being written (0). */
  | 'DRAFT'
  /** It was published (3). */
  | 'PUBLISHED'
  /** A status that this version of the gateway does not know. */
  | 'UNRECOGNIZED';

/** The translation status of an article, as reads return it. The service's own digit is in brackets. */
export type ArticleTranslationStatus =
  /** The translation is being made ("3"). No update can set this status. */
  | 'IN_PROGRESS'
  /** The text in another language has changed, and the translation has to follow ("1"). */
  | 'NEEDS_TRANSLATION'
  /** There is nothing to translate ("0"). */
  | 'NONE'
  /** The translation is up to date ("2"). */
  | 'TRANSLATED'
  /** A status that this version of the gateway does not know. */
  | 'UNRECOGNIZED';

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
  /** The code of the language whose text is changed, such as `en` or `pt-br`. Left out: the default language of the article's project version. Not empty. */
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

/** How far a job has come. */
export type ArticleUpdateJobState =
  /** The job was cancelled, by its caller or because it was paused for 30 days (`JOB_KEEP_DAYS`). Items that had not begun are not attempted. */
  | 'CANCELLED'
  /** Every item has ended. */
  | 'COMPLETED'
  /** The last part of the job did not come within an hour of the part before it (`JOB_OPEN_SECONDS`). Nothing was sent. */
  | 'EXPIRED'
  /** Further parts of the job may be submitted. Nothing is sent before the last one. */
  | 'OPEN'
  /** The job sends nothing, since the gateway has no API token for it that the service accepts: after a restart, or after the service refused the token. `resumeArticleUpdateJob` of the same caller lets it go on. */
  | 'PAUSED'
  /** The job sends its items, waits until it may (`waitingFor`), or reads back what is unknown. */
  | 'RUNNING';

/** The articles to change in one bulk update. */
export type BulkUpdateArticlesInput = {
  /** The changes, in the order in which they are made. From 1 to 10,000 items, unless the gateway is set to another maximum (`MAX_BULK_ITEMS`). The same article may be changed by several items. */
  articles: Array<ArticleUpdateInput>;
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

/** A property of an article or of a reader group, named like the field that reads it. */
export type ChangedField =
  /** The ID of the category of an article. */
  | 'CATEGORY_ID'
  /** The `content` of an article. */
  | 'CONTENT'
  /** The `description` of a reader group. */
  | 'DESCRIPTION'
  /** The `hidden` of an article. */
  | 'HIDDEN'
  /** The `htmlContent` of an article of the HTML editor. */
  | 'HTML_CONTENT'
  /** The `order` of an article. */
  | 'ORDER'
  /** The `publicVersionNumber` of an article. */
  | 'PUBLIC_VERSION_NUMBER'
  /** The text that the service keeps with an article for later reference. It can be written and not read. */
  | 'SOURCE'
  /** The `status` of the version that is published or unpublished. */
  | 'STATUS'
  /** The `title` of an article or of a reader group. */
  | 'TITLE'
  /** The `translationStatus` of an article. */
  | 'TRANSLATION_STATUS';

/** The kind of a failure, for programs. Failed mutations have it in `code` of `MutationError`, and failed reads in `extensions.code` of an entry in `errors`. Codes of requests that are refused before they are executed stand in the description of the schema. */
export type ErrorCode =
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

/** How an item of a job has ended, which selects its type. */
export type ItemOutcome =
  /** The service refused the item: `ArticleUpdateFailed`. */
  | 'FAILED'
  /** The item was not sent, or refused before anything of it was applied: `ArticleUpdateNotAttempted`. */
  | 'NOT_ATTEMPTED'
  /** The item was sent, and its outcome is unknown: `ArticleUpdateUnknown`. */
  | 'UNKNOWN'
  /** The article was updated: `ArticleUpdated`. */
  | 'UPDATED';

/** Why a running job sends nothing for now. It goes on by itself, however long that takes. */
export type JobWait =
  /** The service accepts no more calls of the API token for now. */
  | 'RATE_LIMIT'
  /** The service, or what the gateway keeps of the job, cannot be reached now. */
  | 'SERVICE';

/** Whether a job keeps what stands in an article before it changes the article, so that `revertArticleUpdateJob` can put it back. */
export type KeepBefore =
  /** An item of which not all can be read before is not sent (`BEFORE_NOT_READABLE`). */
  | 'ALWAYS'
  /** Nothing is kept. */
  | 'NEVER'
  /** Such an item is sent, and cannot be put back. */
  | 'WHERE_POSSIBLE';

/** One language of a project version. */
export type LanguageScopeInput = {
  /** Code of a language of the project version, such as `en`. Not empty. */
  languageCode: string;
  /** The service's ID of the project version that has the language. Not empty. */
  projectVersionId: string;
};

/** What reading the article told about an update whose outcome is unknown. */
export type ReadBack =
  /** The article was read, and is not as the update asked for. */
  | 'DIFFERS'
  /** The article, or a property that the update changes, could not be read. No read returns `source`. */
  | 'NOT_READABLE'
  /** The article was not read. */
  | 'NOT_TRIED';

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

/** A job, or a part of one that is submitted in several. A part is bounded as any request: by its bytes (`MAX_BODY_BYTES`) and its items (`MAX_BULK_ITEMS`). */
export type SubmitArticleUpdateJobInput = {
  /** The changes, in the order in which they are made: from 1 to 10,000 items in one part (`MAX_BULK_ITEMS`), and at most 1,000,000 in all parts of a job (`MAX_JOB_ITEMS`). The same article may be changed by several items. Only a part that closes a job may be empty, after another part. */
  articles: Array<ArticleUpdateInput>;
  /** Whether what stands in each article before is read, and kept with the job, for as long as the job is (`JOB_KEEP_DAYS`) and within the same room (`MAX_STATE_BYTES`). Over the service, that takes a read of each article whose text is set, and of a list for up to 100 others; items that set texts then go 10 at a time. `ALWAYS` refuses `source`, which cannot be read. All parts of a job have the same. */
  keepBefore?: KeepBefore;
  /** true where further parts follow with the same `idempotencyKey`: nothing is sent before the last part. The job expires, with nothing sent, when no further part comes within an hour (`JOB_OPEN_SECONDS`). */
  moreToCome?: boolean;
  /** true where each article is published once it is updated, in the version that the update wrote: the named one, or the latest. `ArticleUpdated.publication` tells what became of it. Needs `userId`, and the scope `articles:publish`. All parts of a job have the same `publish`, `userId` and `publishMessage`, else the answer is an IdempotencyError. */
  publish?: boolean;
  /** A message that the service keeps with the publication: at most 1,000 characters, and only with `publish`. */
  publishMessage?: string | null | undefined;
  /** The position in the job of the first of these items, from 0: the number of items in the parts before. Items that were submitted before have no effect where they are equal, and make the request an IdempotencyError where they are not. A position behind the end of what was submitted is a ValidationError. */
  startIndex?: number;
  /** The ID of the team account that publishes, as in `TeamAccount.userId`. Needed with `publish`, and not allowed without it. */
  userId?: string | null | undefined;
};

/** A translation status that an article can be given. The service's own digit is in brackets. */
export type TranslationStatus =
  /** The text in another language has changed, and the translation has to follow ("1"). */
  | 'NEEDS_TRANSLATION'
  /** There is nothing to translate ("0"). */
  | 'NONE'
  /** The translation is up to date ("2"). */
  | 'TRANSLATED';

/** How the gateway knows that an article was updated or created. */
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

export type ArticlesQueryVariables = Exact<{
  projectVersionId: string;
  languageCode: string;
  categoryId?: string | null | undefined;
  filter?: ArticleFilter | null | undefined;
  first: number;
  after?: string | null | undefined;
}>;


export type ArticlesQuery = { articles: { totalCount: number | null, nodes: Array<{ articleId: string, languageCode: string, title: string | null, hidden: boolean, order: number | null, category: { categoryId: string, name: string } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type BulkUpdateArticlesMutationVariables = Exact<{
  input: BulkUpdateArticlesInput;
}>;


export type BulkUpdateArticlesMutation = { bulkUpdateArticles:
    | { __typename: 'AuthenticationError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> }
    | { __typename: 'BulkUpdateArticlesPayload', summary: { total: number, updated: number, failed: number, unknown: number, notAttempted: number }, results: Array<
        | { __typename: 'ArticleUpdateFailed', index: number, articleId: string, details: string | null, retryable: boolean }
        | { __typename: 'ArticleUpdateNotAttempted', index: number, articleId: string, details: string | null, retryable: boolean }
        | { __typename: 'ArticleUpdateUnknown', readBack: ReadBack, index: number, articleId: string, details: string | null, retryable: boolean }
        | { __typename: 'ArticleUpdated', evidence: UpdateEvidence, index: number, articleId: string, details: string | null, retryable: boolean }
      >, warnings: Array<{ description: string | null }> }
    | { __typename: 'IdempotencyError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> }
    | { __typename: 'RateLimitedError', retryAfterSeconds: number | null, code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> }
    | { __typename: 'ServiceRejectedError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> }
    | { __typename: 'ServiceUnavailableError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> }
    | { __typename: 'TooCostlyError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> }
    | { __typename: 'ValidationError', source: ValidationSource, code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, issues: Array<{ path: Array<string>, message: string }>, serviceErrors: Array<{ description: string | null }> }
   | null };

export type PreviewBulkUpdateArticlesMutationVariables = Exact<{
  input: BulkUpdateArticlesInput;
}>;


export type PreviewBulkUpdateArticlesMutation = { previewBulkUpdateArticles:
    | { __typename: 'AuthenticationError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> }
    | { __typename: 'BulkUpdateArticlesPreview', summary: { total: number, changed: number, unchanged: number, failing: number }, results: Array<{ index: number, articleId: string, wouldSucceed: boolean, issues: Array<{ path: Array<string>, message: string }>, movesTo: { name: string } | null, article: { category: { name: string } | null } | null, changes: Array<{ field: ChangedField, from: unknown, to: unknown }> }> }
    | { __typename: 'RateLimitedError', retryAfterSeconds: number | null, code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> }
    | { __typename: 'ServiceRejectedError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> }
    | { __typename: 'ServiceUnavailableError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> }
    | { __typename: 'TooCostlyError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> }
    | { __typename: 'ValidationError', source: ValidationSource, code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, issues: Array<{ path: Array<string>, message: string }>, serviceErrors: Array<{ description: string | null }> }
   | null };

export type ArticleFieldsFragment = { articleId: string, languageCode: string, title: string | null, hidden: boolean, order: number | null, category: { categoryId: string, name: string } | null };

type OutcomeFields_ArticleUpdateFailed_Fragment = { __typename: 'ArticleUpdateFailed', index: number, articleId: string, details: string | null, retryable: boolean };

type OutcomeFields_ArticleUpdateNotAttempted_Fragment = { __typename: 'ArticleUpdateNotAttempted', index: number, articleId: string, details: string | null, retryable: boolean };

type OutcomeFields_ArticleUpdateUnknown_Fragment = { __typename: 'ArticleUpdateUnknown', readBack: ReadBack, index: number, articleId: string, details: string | null, retryable: boolean };

type OutcomeFields_ArticleUpdated_Fragment = { __typename: 'ArticleUpdated', evidence: UpdateEvidence, index: number, articleId: string, details: string | null, retryable: boolean };

export type OutcomeFieldsFragment =
  | OutcomeFields_ArticleUpdateFailed_Fragment
  | OutcomeFields_ArticleUpdateNotAttempted_Fragment
  | OutcomeFields_ArticleUpdateUnknown_Fragment
  | OutcomeFields_ArticleUpdated_Fragment
;

export type PreviewFieldsFragment = { index: number, articleId: string, wouldSucceed: boolean, issues: Array<{ path: Array<string>, message: string }>, movesTo: { name: string } | null, article: { category: { name: string } | null } | null, changes: Array<{ field: ChangedField, from: unknown, to: unknown }> };

export type ProjectVersionsQueryVariables = Exact<{ [key: string]: never; }>;


export type ProjectVersionsQuery = { projectVersions: Array<{ projectVersionId: string, name: string, isDefault: boolean, languages: Array<{ code: string, name: string, isDefault: boolean }> | null }> | null };

export type CategoriesQueryVariables = Exact<{
  projectVersionId: string;
  languageCode: string;
}>;


export type CategoriesQuery = { categories: Array<{ categoryId: string, name: string, children: Array<{ categoryId: string, name: string, children: Array<{ categoryId: string, name: string, children: Array<{ categoryId: string, name: string }> | null }> | null }> | null }> | null };

export type CategoryFieldsFragment = { categoryId: string, name: string };

type ErrorFields_AuthenticationError_Fragment = { __typename: 'AuthenticationError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> };

type ErrorFields_IdempotencyError_Fragment = { __typename: 'IdempotencyError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> };

type ErrorFields_JobNotFoundError_Fragment = { __typename: 'JobNotFoundError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> };

type ErrorFields_OutcomeUnknownError_Fragment = { __typename: 'OutcomeUnknownError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> };

type ErrorFields_RateLimitedError_Fragment = { __typename: 'RateLimitedError', retryAfterSeconds: number | null, code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> };

type ErrorFields_ReaderGroupNotFoundError_Fragment = { __typename: 'ReaderGroupNotFoundError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> };

type ErrorFields_ServiceRejectedError_Fragment = { __typename: 'ServiceRejectedError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> };

type ErrorFields_ServiceUnavailableError_Fragment = { __typename: 'ServiceUnavailableError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> };

type ErrorFields_TooCostlyError_Fragment = { __typename: 'TooCostlyError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> };

type ErrorFields_ValidationError_Fragment = { __typename: 'ValidationError', source: ValidationSource, code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, issues: Array<{ path: Array<string>, message: string }>, serviceErrors: Array<{ description: string | null }> };

export type ErrorFieldsFragment =
  | ErrorFields_AuthenticationError_Fragment
  | ErrorFields_IdempotencyError_Fragment
  | ErrorFields_JobNotFoundError_Fragment
  | ErrorFields_OutcomeUnknownError_Fragment
  | ErrorFields_RateLimitedError_Fragment
  | ErrorFields_ReaderGroupNotFoundError_Fragment
  | ErrorFields_ServiceRejectedError_Fragment
  | ErrorFields_ServiceUnavailableError_Fragment
  | ErrorFields_TooCostlyError_Fragment
  | ErrorFields_ValidationError_Fragment
;

type AnyErrorFields_AuthenticationError_Fragment = { __typename: 'AuthenticationError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> };

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

export type ArticleUpdateJobsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
}>;


export type ArticleUpdateJobsQuery = { articleUpdateJobs: { totalCount: number | null, nodes: Array<{ id: string, state: ArticleUpdateJobState, done: boolean, waitingFor: JobWait | null, createdAt: string, estimatedEndAt: string | null, summary: { total: number, pending: number, updated: number, failed: number, unknown: number, notAttempted: number } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type ArticleUpdateJobResultsQueryVariables = Exact<{
  id: string;
  outcomes?: Array<ItemOutcome> | ItemOutcome | null | undefined;
  first: number;
  after?: string | null | undefined;
}>;


export type ArticleUpdateJobResultsQuery = { articleUpdateJob: { id: string, results: { totalCount: number | null, nodes: Array<
        | { __typename: 'ArticleUpdateFailed', index: number, articleId: string, details: string | null, retryable: boolean }
        | { __typename: 'ArticleUpdateNotAttempted', index: number, articleId: string, details: string | null, retryable: boolean }
        | { __typename: 'ArticleUpdateUnknown', readBack: ReadBack, index: number, articleId: string, details: string | null, retryable: boolean }
        | { __typename: 'ArticleUpdated', evidence: UpdateEvidence, index: number, articleId: string, details: string | null, retryable: boolean }
      >, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } | null };

export type SubmitArticleUpdateJobMutationVariables = Exact<{
  input: SubmitArticleUpdateJobInput;
  idempotencyKey: string;
}>;


export type SubmitArticleUpdateJobMutation = { submitArticleUpdateJob:
    | { __typename: 'AuthenticationError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> }
    | { __typename: 'IdempotencyError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> }
    | { __typename: 'RateLimitedError', retryAfterSeconds: number | null, code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> }
    | { __typename: 'ServiceRejectedError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> }
    | { __typename: 'ServiceUnavailableError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> }
    | { __typename: 'SubmitArticleUpdateJobPayload', job: { id: string } }
    | { __typename: 'ValidationError', source: ValidationSource, code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, issues: Array<{ path: Array<string>, message: string }>, serviceErrors: Array<{ description: string | null }> }
   | null };

export type CancelArticleUpdateJobMutationVariables = Exact<{
  id: string;
}>;


export type CancelArticleUpdateJobMutation = { changed:
    | { __typename: 'ArticleUpdateJobPayload', job: { state: ArticleUpdateJobState } }
    | { __typename: 'AuthenticationError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> }
    | { __typename: 'JobNotFoundError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> }
    | { __typename: 'ServiceRejectedError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> }
    | { __typename: 'ServiceUnavailableError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> }
   | null };

export type ResumeArticleUpdateJobMutationVariables = Exact<{
  id: string;
}>;


export type ResumeArticleUpdateJobMutation = { changed:
    | { __typename: 'ArticleUpdateJobPayload', job: { state: ArticleUpdateJobState } }
    | { __typename: 'AuthenticationError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> }
    | { __typename: 'JobNotFoundError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> }
    | { __typename: 'ServiceRejectedError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> }
    | { __typename: 'ServiceUnavailableError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> }
   | null };

export type JobFieldsFragment = { id: string, state: ArticleUpdateJobState, done: boolean, waitingFor: JobWait | null, createdAt: string, estimatedEndAt: string | null, summary: { total: number, pending: number, updated: number, failed: number, unknown: number, notAttempted: number } };

export type ReaderGroupsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
}>;


export type ReaderGroupsQuery = { readerGroups: { totalCount: number | null, nodes: Array<{ groupId: string, title: string, description: string | null, readerIds: Array<string>, invitedSsoUserIds: Array<string>, accessScope:
        | { level: AccessLevel }
        | { level: AccessLevel }
        | { level: AccessLevel }
        | { level: AccessLevel }
        | { level: AccessLevel }
       }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type ReaderGroupQueryVariables = Exact<{
  groupId: string;
}>;


export type ReaderGroupQuery = { readerGroup: { groupId: string, title: string, description: string | null, readerIds: Array<string>, invitedSsoUserIds: Array<string>, accessScope:
      | { __typename: 'CategoryAccessScope', level: AccessLevel, categories: Array<{ projectVersionId: string, categoryId: string, languageCode: string, category: { name: string } | null }> }
      | { __typename: 'LanguageAccessScope', level: AccessLevel, languages: Array<{ projectVersionId: string, languageCode: string, projectVersion: { name: string } | null, language: { name: string } | null }> }
      | { __typename: 'PlainAccessScope', level: AccessLevel }
      | { __typename: 'UnrecognizedAccessScope', level: AccessLevel }
      | { __typename: 'VersionAccessScope', projectVersionIds: Array<string>, level: AccessLevel, projectVersions: Array<{ name: string } | null> | null }
    , accessScopeInput:
      | { __typename: 'CategoryAccessScope', categories: Array<{ projectVersionId: string, categoryId: string, languageCode: string }> }
      | { __typename: 'LanguageAccessScope', languages: Array<{ projectVersionId: string, languageCode: string }> }
      | { __typename: 'PlainAccessScope', level: ScopeLevel }
      | { __typename: 'UnrecognizedAccessScope' }
      | { __typename: 'VersionAccessScope', projectVersionIds: Array<string> }
    , readers: { nodes: Array<{ readerId: string, firstName: string | null, lastName: string | null, email: string | null }> } | null, invitedSsoUsers: Array<{ invitationId: string, email: string | null }> | null } | null };

export type ReadersQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  emailContains?: string | null | undefined;
}>;


export type ReadersQuery = { readers: { nodes: Array<{ readerId: string, firstName: string | null, lastName: string | null, email: string | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type InvitedSsoUsersQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  emailContains?: string | null | undefined;
}>;


export type InvitedSsoUsersQuery = { invitedSsoUsers: { nodes: Array<{ invitationId: string, email: string | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type UpdateReaderGroupMutationVariables = Exact<{
  input: UpdateReaderGroupInput;
}>;


export type UpdateReaderGroupMutation = { updateReaderGroup:
    | { __typename: 'AuthenticationError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> }
    | { __typename: 'IdempotencyError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> }
    | { __typename: 'OutcomeUnknownError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> }
    | { __typename: 'RateLimitedError', retryAfterSeconds: number | null, code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> }
    | { __typename: 'ReaderGroupNotFoundError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> }
    | { __typename: 'ServiceRejectedError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> }
    | { __typename: 'ServiceUnavailableError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> }
    | { __typename: 'UpdateReaderGroupPayload', warnings: Array<{ description: string | null }> }
    | { __typename: 'ValidationError', source: ValidationSource, code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, issues: Array<{ path: Array<string>, message: string }>, serviceErrors: Array<{ description: string | null }> }
   | null };

export type PreviewUpdateReaderGroupMutationVariables = Exact<{
  input: UpdateReaderGroupInput;
}>;


export type PreviewUpdateReaderGroupMutation = { previewUpdateReaderGroup:
    | { __typename: 'AuthenticationError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> }
    | { __typename: 'RateLimitedError', retryAfterSeconds: number | null, code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> }
    | { __typename: 'ReaderGroupNotFoundError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> }
    | { __typename: 'ServiceRejectedError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> }
    | { __typename: 'ServiceUnavailableError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> }
    | { __typename: 'TooCostlyError', code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, serviceErrors: Array<{ description: string | null }> }
    | { __typename: 'UpdateReaderGroupPreview', wouldSucceed: boolean, changesAccessScope: boolean, addedReaderIds: Array<string>, removedReaderIds: Array<string>, addedInvitedSsoUserIds: Array<string>, removedInvitedSsoUserIds: Array<string>, issues: Array<{ message: string }>, changes: Array<{ field: ChangedField, from: unknown, to: unknown }>, accessScope:
        | { __typename: 'CategoryAccessScope', level: AccessLevel, categories: Array<{ projectVersionId: string, categoryId: string, languageCode: string, category: { name: string } | null }> }
        | { __typename: 'LanguageAccessScope', level: AccessLevel, languages: Array<{ projectVersionId: string, languageCode: string, projectVersion: { name: string } | null, language: { name: string } | null }> }
        | { __typename: 'PlainAccessScope', level: AccessLevel }
        | { __typename: 'UnrecognizedAccessScope', level: AccessLevel }
        | { __typename: 'VersionAccessScope', projectVersionIds: Array<string>, level: AccessLevel, projectVersions: Array<{ name: string } | null> | null }
      , readerGroup: { groupId: string, title: string, description: string | null, readerIds: Array<string>, invitedSsoUserIds: Array<string>, accessScope:
          | { __typename: 'CategoryAccessScope', level: AccessLevel, categories: Array<{ projectVersionId: string, categoryId: string, languageCode: string, category: { name: string } | null }> }
          | { __typename: 'LanguageAccessScope', level: AccessLevel, languages: Array<{ projectVersionId: string, languageCode: string, projectVersion: { name: string } | null, language: { name: string } | null }> }
          | { __typename: 'PlainAccessScope', level: AccessLevel }
          | { __typename: 'UnrecognizedAccessScope', level: AccessLevel }
          | { __typename: 'VersionAccessScope', projectVersionIds: Array<string>, level: AccessLevel, projectVersions: Array<{ name: string } | null> | null }
        , accessScopeInput:
          | { __typename: 'CategoryAccessScope', categories: Array<{ projectVersionId: string, categoryId: string, languageCode: string }> }
          | { __typename: 'LanguageAccessScope', languages: Array<{ projectVersionId: string, languageCode: string }> }
          | { __typename: 'PlainAccessScope', level: ScopeLevel }
          | { __typename: 'UnrecognizedAccessScope' }
          | { __typename: 'VersionAccessScope', projectVersionIds: Array<string> }
        , readers: { nodes: Array<{ readerId: string, firstName: string | null, lastName: string | null, email: string | null }> } | null, invitedSsoUsers: Array<{ invitationId: string, email: string | null }> | null }, removedReaders: Array<{ readerId: string, firstName: string | null, lastName: string | null, email: string | null } | null> | null, removedInvitedSsoUsers: Array<{ invitationId: string, email: string | null } | null> | null }
    | { __typename: 'ValidationError', source: ValidationSource, code: ErrorCode, message: string, retryable: boolean, mayHaveApplied: boolean, issues: Array<{ path: Array<string>, message: string }>, serviceErrors: Array<{ description: string | null }> }
   | null };

export type ReaderGroupFieldsFragment = { groupId: string, title: string, description: string | null, readerIds: Array<string>, invitedSsoUserIds: Array<string>, accessScope:
    | { __typename: 'CategoryAccessScope', level: AccessLevel, categories: Array<{ projectVersionId: string, categoryId: string, languageCode: string, category: { name: string } | null }> }
    | { __typename: 'LanguageAccessScope', level: AccessLevel, languages: Array<{ projectVersionId: string, languageCode: string, projectVersion: { name: string } | null, language: { name: string } | null }> }
    | { __typename: 'PlainAccessScope', level: AccessLevel }
    | { __typename: 'UnrecognizedAccessScope', level: AccessLevel }
    | { __typename: 'VersionAccessScope', projectVersionIds: Array<string>, level: AccessLevel, projectVersions: Array<{ name: string } | null> | null }
  , accessScopeInput:
    | { __typename: 'CategoryAccessScope', categories: Array<{ projectVersionId: string, categoryId: string, languageCode: string }> }
    | { __typename: 'LanguageAccessScope', languages: Array<{ projectVersionId: string, languageCode: string }> }
    | { __typename: 'PlainAccessScope', level: ScopeLevel }
    | { __typename: 'UnrecognizedAccessScope' }
    | { __typename: 'VersionAccessScope', projectVersionIds: Array<string> }
  , readers: { nodes: Array<{ readerId: string, firstName: string | null, lastName: string | null, email: string | null }> } | null, invitedSsoUsers: Array<{ invitationId: string, email: string | null }> | null };

export type ReaderFieldsFragment = { readerId: string, firstName: string | null, lastName: string | null, email: string | null };

export type InvitedFieldsFragment = { invitationId: string, email: string | null };

type AccessScopeFields_CategoryAccessScope_Fragment = { __typename: 'CategoryAccessScope', level: AccessLevel, categories: Array<{ projectVersionId: string, categoryId: string, languageCode: string, category: { name: string } | null }> };

type AccessScopeFields_LanguageAccessScope_Fragment = { __typename: 'LanguageAccessScope', level: AccessLevel, languages: Array<{ projectVersionId: string, languageCode: string, projectVersion: { name: string } | null, language: { name: string } | null }> };

type AccessScopeFields_PlainAccessScope_Fragment = { __typename: 'PlainAccessScope', level: AccessLevel };

type AccessScopeFields_UnrecognizedAccessScope_Fragment = { __typename: 'UnrecognizedAccessScope', level: AccessLevel };

type AccessScopeFields_VersionAccessScope_Fragment = { __typename: 'VersionAccessScope', projectVersionIds: Array<string>, level: AccessLevel, projectVersions: Array<{ name: string } | null> | null };

export type AccessScopeFieldsFragment =
  | AccessScopeFields_CategoryAccessScope_Fragment
  | AccessScopeFields_LanguageAccessScope_Fragment
  | AccessScopeFields_PlainAccessScope_Fragment
  | AccessScopeFields_UnrecognizedAccessScope_Fragment
  | AccessScopeFields_VersionAccessScope_Fragment
;

type AccessScopeInputFields_CategoryAccessScope_Fragment = { __typename: 'CategoryAccessScope', categories: Array<{ projectVersionId: string, categoryId: string, languageCode: string }> };

type AccessScopeInputFields_LanguageAccessScope_Fragment = { __typename: 'LanguageAccessScope', languages: Array<{ projectVersionId: string, languageCode: string }> };

type AccessScopeInputFields_PlainAccessScope_Fragment = { __typename: 'PlainAccessScope', level: ScopeLevel };

type AccessScopeInputFields_UnrecognizedAccessScope_Fragment = { __typename: 'UnrecognizedAccessScope' };

type AccessScopeInputFields_VersionAccessScope_Fragment = { __typename: 'VersionAccessScope', projectVersionIds: Array<string> };

export type AccessScopeInputFieldsFragment =
  | AccessScopeInputFields_CategoryAccessScope_Fragment
  | AccessScopeInputFields_LanguageAccessScope_Fragment
  | AccessScopeInputFields_PlainAccessScope_Fragment
  | AccessScopeInputFields_UnrecognizedAccessScope_Fragment
  | AccessScopeInputFields_VersionAccessScope_Fragment
;

export const ArticleFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ArticleFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Article"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"articleId"}},{"kind":"Field","name":{"kind":"Name","value":"languageCode"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"hidden"}},{"kind":"Field","name":{"kind":"Name","value":"order"}},{"kind":"Field","name":{"kind":"Name","value":"category"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"categoryId"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<ArticleFieldsFragment, unknown>;
export const OutcomeFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"OutcomeFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ArticleUpdateOutcome"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"articleId"}},{"kind":"Field","name":{"kind":"Name","value":"details"}},{"kind":"Field","name":{"kind":"Name","value":"retryable"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ArticleUpdated"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"evidence"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ArticleUpdateUnknown"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"readBack"}}]}}]}}]} as unknown as DocumentNode<OutcomeFieldsFragment, unknown>;
export const PreviewFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PreviewFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ArticleUpdatePreview"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"articleId"}},{"kind":"Field","name":{"kind":"Name","value":"wouldSucceed"}},{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"movesTo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"article"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"category"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"changes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}},{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"to"}}]}}]}}]} as unknown as DocumentNode<PreviewFieldsFragment, unknown>;
export const CategoryFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CategoryFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Category"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"categoryId"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]} as unknown as DocumentNode<CategoryFieldsFragment, unknown>;
export const AnyErrorFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AnyErrorFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retryable"}},{"kind":"Field","name":{"kind":"Name","value":"mayHaveApplied"}},{"kind":"Field","name":{"kind":"Name","value":"serviceErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"description"}}]}}]}}]} as unknown as DocumentNode<AnyErrorFieldsFragment, unknown>;
export const ErrorFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ErrorFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AnyErrorFields"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ValidationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AnyErrorFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retryable"}},{"kind":"Field","name":{"kind":"Name","value":"mayHaveApplied"}},{"kind":"Field","name":{"kind":"Name","value":"serviceErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"description"}}]}}]}}]} as unknown as DocumentNode<ErrorFieldsFragment, unknown>;
export const JobFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"JobFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ArticleUpdateJob"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"done"}},{"kind":"Field","name":{"kind":"Name","value":"waitingFor"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"estimatedEndAt"}},{"kind":"Field","name":{"kind":"Name","value":"summary"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"pending"}},{"kind":"Field","name":{"kind":"Name","value":"updated"}},{"kind":"Field","name":{"kind":"Name","value":"failed"}},{"kind":"Field","name":{"kind":"Name","value":"unknown"}},{"kind":"Field","name":{"kind":"Name","value":"notAttempted"}}]}}]}}]} as unknown as DocumentNode<JobFieldsFragment, unknown>;
export const AccessScopeFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AccessScopeFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AccessScope"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"level"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CategoryAccessScope"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"categories"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"projectVersionId"}},{"kind":"Field","name":{"kind":"Name","value":"categoryId"}},{"kind":"Field","name":{"kind":"Name","value":"languageCode"}},{"kind":"Field","name":{"kind":"Name","value":"category"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"VersionAccessScope"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"projectVersionIds"}},{"kind":"Field","name":{"kind":"Name","value":"projectVersions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"LanguageAccessScope"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"languages"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"projectVersionId"}},{"kind":"Field","name":{"kind":"Name","value":"projectVersion"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"languageCode"}},{"kind":"Field","name":{"kind":"Name","value":"language"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]}}]} as unknown as DocumentNode<AccessScopeFieldsFragment, unknown>;
export const AccessScopeInputFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AccessScopeInputFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AccessScope"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PlainAccessScope"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"level"},"name":{"kind":"Name","value":"scopeLevel"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CategoryAccessScope"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"categories"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"projectVersionId"}},{"kind":"Field","name":{"kind":"Name","value":"categoryId"}},{"kind":"Field","name":{"kind":"Name","value":"languageCode"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"VersionAccessScope"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"projectVersionIds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"LanguageAccessScope"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"languages"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"projectVersionId"}},{"kind":"Field","name":{"kind":"Name","value":"languageCode"}}]}}]}}]}}]} as unknown as DocumentNode<AccessScopeInputFieldsFragment, unknown>;
export const ReaderFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ReaderFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Reader"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"readerId"}},{"kind":"Field","name":{"kind":"Name","value":"firstName"}},{"kind":"Field","name":{"kind":"Name","value":"lastName"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}}]} as unknown as DocumentNode<ReaderFieldsFragment, unknown>;
export const InvitedFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InvitedFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvitedSsoUser"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"invitationId"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}}]} as unknown as DocumentNode<InvitedFieldsFragment, unknown>;
export const ReaderGroupFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ReaderGroupFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ReaderGroup"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"groupId"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"readerIds"}},{"kind":"Field","name":{"kind":"Name","value":"invitedSsoUserIds"}},{"kind":"Field","name":{"kind":"Name","value":"accessScope"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AccessScopeFields"}}]}},{"kind":"Field","alias":{"kind":"Name","value":"accessScopeInput"},"name":{"kind":"Name","value":"accessScope"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AccessScopeInputFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"readers"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ReaderFields"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"invitedSsoUsers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InvitedFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AccessScopeFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AccessScope"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"level"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CategoryAccessScope"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"categories"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"projectVersionId"}},{"kind":"Field","name":{"kind":"Name","value":"categoryId"}},{"kind":"Field","name":{"kind":"Name","value":"languageCode"}},{"kind":"Field","name":{"kind":"Name","value":"category"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"VersionAccessScope"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"projectVersionIds"}},{"kind":"Field","name":{"kind":"Name","value":"projectVersions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"LanguageAccessScope"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"languages"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"projectVersionId"}},{"kind":"Field","name":{"kind":"Name","value":"projectVersion"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"languageCode"}},{"kind":"Field","name":{"kind":"Name","value":"language"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AccessScopeInputFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AccessScope"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PlainAccessScope"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"level"},"name":{"kind":"Name","value":"scopeLevel"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CategoryAccessScope"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"categories"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"projectVersionId"}},{"kind":"Field","name":{"kind":"Name","value":"categoryId"}},{"kind":"Field","name":{"kind":"Name","value":"languageCode"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"VersionAccessScope"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"projectVersionIds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"LanguageAccessScope"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"languages"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"projectVersionId"}},{"kind":"Field","name":{"kind":"Name","value":"languageCode"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ReaderFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Reader"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"readerId"}},{"kind":"Field","name":{"kind":"Name","value":"firstName"}},{"kind":"Field","name":{"kind":"Name","value":"lastName"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InvitedFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvitedSsoUser"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"invitationId"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}}]} as unknown as DocumentNode<ReaderGroupFieldsFragment, unknown>;
export const ArticlesDocument = {"__meta__":{"hash":"sha256:70bcc712603cb5ead3e7cc633f37e43fb6be634a91a86d9f1def66080d9ce47c"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Articles"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"projectVersionId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"languageCode"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"categoryId"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ArticleFilter"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"articles"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"projectVersionId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"projectVersionId"}}},{"kind":"Argument","name":{"kind":"Name","value":"languageCode"},"value":{"kind":"Variable","name":{"kind":"Name","value":"languageCode"}}},{"kind":"Argument","name":{"kind":"Name","value":"categoryId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"categoryId"}}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ArticleFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}},{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ArticleFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Article"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"articleId"}},{"kind":"Field","name":{"kind":"Name","value":"languageCode"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"hidden"}},{"kind":"Field","name":{"kind":"Name","value":"order"}},{"kind":"Field","name":{"kind":"Name","value":"category"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"categoryId"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<ArticlesQuery, ArticlesQueryVariables>;
export const BulkUpdateArticlesDocument = {"__meta__":{"hash":"sha256:f7cd529fd069835336076a91c6f045dab798969729cf04b80991b39260bab907"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"BulkUpdateArticles"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"BulkUpdateArticlesInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"bulkUpdateArticles"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"BulkUpdateArticlesPayload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"summary"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"updated"}},{"kind":"Field","name":{"kind":"Name","value":"failed"}},{"kind":"Field","name":{"kind":"Name","value":"unknown"}},{"kind":"Field","name":{"kind":"Name","value":"notAttempted"}}]}},{"kind":"Field","name":{"kind":"Name","value":"results"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"OutcomeFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"warnings"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"description"}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ErrorFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AnyErrorFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retryable"}},{"kind":"Field","name":{"kind":"Name","value":"mayHaveApplied"}},{"kind":"Field","name":{"kind":"Name","value":"serviceErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"description"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"OutcomeFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ArticleUpdateOutcome"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"articleId"}},{"kind":"Field","name":{"kind":"Name","value":"details"}},{"kind":"Field","name":{"kind":"Name","value":"retryable"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ArticleUpdated"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"evidence"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ArticleUpdateUnknown"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"readBack"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ErrorFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AnyErrorFields"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ValidationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}}]}}]} as unknown as DocumentNode<BulkUpdateArticlesMutation, BulkUpdateArticlesMutationVariables>;
export const PreviewBulkUpdateArticlesDocument = {"__meta__":{"hash":"sha256:5913ba2bf11e223c2b032794bd706f4c44c4c17b267e70c8648dec2dd4965b8a"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"PreviewBulkUpdateArticles"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"BulkUpdateArticlesInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"previewBulkUpdateArticles"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"BulkUpdateArticlesPreview"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"summary"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"changed"}},{"kind":"Field","name":{"kind":"Name","value":"unchanged"}},{"kind":"Field","name":{"kind":"Name","value":"failing"}}]}},{"kind":"Field","name":{"kind":"Name","value":"results"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PreviewFields"}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ErrorFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AnyErrorFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retryable"}},{"kind":"Field","name":{"kind":"Name","value":"mayHaveApplied"}},{"kind":"Field","name":{"kind":"Name","value":"serviceErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"description"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PreviewFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ArticleUpdatePreview"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"articleId"}},{"kind":"Field","name":{"kind":"Name","value":"wouldSucceed"}},{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"movesTo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"article"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"category"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"changes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}},{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"to"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ErrorFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AnyErrorFields"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ValidationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}}]}}]} as unknown as DocumentNode<PreviewBulkUpdateArticlesMutation, PreviewBulkUpdateArticlesMutationVariables>;
export const ProjectVersionsDocument = {"__meta__":{"hash":"sha256:4c7b8d235968c01d97b76c91a26ae6fba88ed1e4050c9c6fa0514a4f99cd477d"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ProjectVersions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"projectVersions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"projectVersionId"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"isDefault"}},{"kind":"Field","name":{"kind":"Name","value":"languages"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"isDefault"}}]}}]}}]}}]} as unknown as DocumentNode<ProjectVersionsQuery, ProjectVersionsQueryVariables>;
export const CategoriesDocument = {"__meta__":{"hash":"sha256:b28f7bb72fe41c501949c335f92cc66d2a08f6eafe9f34dbdf69c4db5eade119"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Categories"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"projectVersionId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"languageCode"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"categories"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"projectVersionId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"projectVersionId"}}},{"kind":"Argument","name":{"kind":"Name","value":"languageCode"},"value":{"kind":"Variable","name":{"kind":"Name","value":"languageCode"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CategoryFields"}},{"kind":"Field","name":{"kind":"Name","value":"children"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CategoryFields"}},{"kind":"Field","name":{"kind":"Name","value":"children"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CategoryFields"}},{"kind":"Field","name":{"kind":"Name","value":"children"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CategoryFields"}}]}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CategoryFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Category"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"categoryId"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]} as unknown as DocumentNode<CategoriesQuery, CategoriesQueryVariables>;
export const ArticleUpdateJobsDocument = {"__meta__":{"hash":"sha256:b07f63715b4f4c08afa5e33016e6889feb0acbd1027afa1e69f24f75fe58ef93"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ArticleUpdateJobs"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"articleUpdateJobs"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"JobFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}},{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"JobFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ArticleUpdateJob"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"done"}},{"kind":"Field","name":{"kind":"Name","value":"waitingFor"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"estimatedEndAt"}},{"kind":"Field","name":{"kind":"Name","value":"summary"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"pending"}},{"kind":"Field","name":{"kind":"Name","value":"updated"}},{"kind":"Field","name":{"kind":"Name","value":"failed"}},{"kind":"Field","name":{"kind":"Name","value":"unknown"}},{"kind":"Field","name":{"kind":"Name","value":"notAttempted"}}]}}]}}]} as unknown as DocumentNode<ArticleUpdateJobsQuery, ArticleUpdateJobsQueryVariables>;
export const ArticleUpdateJobResultsDocument = {"__meta__":{"hash":"sha256:e70bd2dcd565cf518086b8ff5d40dd552102331cee5fea1ca01ad7d1504217fa"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ArticleUpdateJobResults"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"outcomes"}},"type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ItemOutcome"}}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"articleUpdateJob"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"results"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"outcomes"},"value":{"kind":"Variable","name":{"kind":"Name","value":"outcomes"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"OutcomeFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}},{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"OutcomeFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ArticleUpdateOutcome"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"articleId"}},{"kind":"Field","name":{"kind":"Name","value":"details"}},{"kind":"Field","name":{"kind":"Name","value":"retryable"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ArticleUpdated"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"evidence"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ArticleUpdateUnknown"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"readBack"}}]}}]}}]} as unknown as DocumentNode<ArticleUpdateJobResultsQuery, ArticleUpdateJobResultsQueryVariables>;
export const SubmitArticleUpdateJobDocument = {"__meta__":{"hash":"sha256:9a939acdd875a9e1600b81d37a324e4d8202d4577a348a6e8a5357e72269e11a"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SubmitArticleUpdateJob"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SubmitArticleUpdateJobInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"submitArticleUpdateJob"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SubmitArticleUpdateJobPayload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"job"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ErrorFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AnyErrorFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retryable"}},{"kind":"Field","name":{"kind":"Name","value":"mayHaveApplied"}},{"kind":"Field","name":{"kind":"Name","value":"serviceErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"description"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ErrorFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AnyErrorFields"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ValidationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}}]}}]} as unknown as DocumentNode<SubmitArticleUpdateJobMutation, SubmitArticleUpdateJobMutationVariables>;
export const CancelArticleUpdateJobDocument = {"__meta__":{"hash":"sha256:4c6de0213362db8f027aee8b3fe071912f49ac091a955db26e66947d5b9b2214"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CancelArticleUpdateJob"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"changed"},"name":{"kind":"Name","value":"cancelArticleUpdateJob"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ArticleUpdateJobPayload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"job"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"state"}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"AnyErrorFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AnyErrorFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retryable"}},{"kind":"Field","name":{"kind":"Name","value":"mayHaveApplied"}},{"kind":"Field","name":{"kind":"Name","value":"serviceErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"description"}}]}}]}}]} as unknown as DocumentNode<CancelArticleUpdateJobMutation, CancelArticleUpdateJobMutationVariables>;
export const ResumeArticleUpdateJobDocument = {"__meta__":{"hash":"sha256:cabf97cf4fab2adfed99142e5c58913367e53cb238076a80ebbc6ff5fa8d7b4d"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ResumeArticleUpdateJob"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"changed"},"name":{"kind":"Name","value":"resumeArticleUpdateJob"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ArticleUpdateJobPayload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"job"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"state"}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"AnyErrorFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AnyErrorFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retryable"}},{"kind":"Field","name":{"kind":"Name","value":"mayHaveApplied"}},{"kind":"Field","name":{"kind":"Name","value":"serviceErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"description"}}]}}]}}]} as unknown as DocumentNode<ResumeArticleUpdateJobMutation, ResumeArticleUpdateJobMutationVariables>;
export const ReaderGroupsDocument = {"__meta__":{"hash":"sha256:2dd86f5b2abbdbbc0e372ee61a0fda2b4edfe5148d89365483fe7810cebc93e9"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ReaderGroups"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"readerGroups"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"groupId"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"readerIds"}},{"kind":"Field","name":{"kind":"Name","value":"invitedSsoUserIds"}},{"kind":"Field","name":{"kind":"Name","value":"accessScope"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"level"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}},{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}}]}}]} as unknown as DocumentNode<ReaderGroupsQuery, ReaderGroupsQueryVariables>;
export const ReaderGroupDocument = {"__meta__":{"hash":"sha256:a8c9f8e753449955dd3f91abf47a0e316302997e81325d825ccedc0f38524076"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ReaderGroup"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"groupId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"readerGroup"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"groupId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"groupId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ReaderGroupFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AccessScopeFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AccessScope"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"level"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CategoryAccessScope"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"categories"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"projectVersionId"}},{"kind":"Field","name":{"kind":"Name","value":"categoryId"}},{"kind":"Field","name":{"kind":"Name","value":"languageCode"}},{"kind":"Field","name":{"kind":"Name","value":"category"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"VersionAccessScope"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"projectVersionIds"}},{"kind":"Field","name":{"kind":"Name","value":"projectVersions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"LanguageAccessScope"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"languages"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"projectVersionId"}},{"kind":"Field","name":{"kind":"Name","value":"projectVersion"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"languageCode"}},{"kind":"Field","name":{"kind":"Name","value":"language"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AccessScopeInputFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AccessScope"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PlainAccessScope"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"level"},"name":{"kind":"Name","value":"scopeLevel"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CategoryAccessScope"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"categories"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"projectVersionId"}},{"kind":"Field","name":{"kind":"Name","value":"categoryId"}},{"kind":"Field","name":{"kind":"Name","value":"languageCode"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"VersionAccessScope"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"projectVersionIds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"LanguageAccessScope"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"languages"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"projectVersionId"}},{"kind":"Field","name":{"kind":"Name","value":"languageCode"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ReaderFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Reader"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"readerId"}},{"kind":"Field","name":{"kind":"Name","value":"firstName"}},{"kind":"Field","name":{"kind":"Name","value":"lastName"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InvitedFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvitedSsoUser"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"invitationId"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ReaderGroupFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ReaderGroup"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"groupId"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"readerIds"}},{"kind":"Field","name":{"kind":"Name","value":"invitedSsoUserIds"}},{"kind":"Field","name":{"kind":"Name","value":"accessScope"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AccessScopeFields"}}]}},{"kind":"Field","alias":{"kind":"Name","value":"accessScopeInput"},"name":{"kind":"Name","value":"accessScope"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AccessScopeInputFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"readers"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ReaderFields"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"invitedSsoUsers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InvitedFields"}}]}}]}}]} as unknown as DocumentNode<ReaderGroupQuery, ReaderGroupQueryVariables>;
export const ReadersDocument = {"__meta__":{"hash":"sha256:92ac83559832e227a6e1c9a14e8e1cc7764df872264be68c591befab1f132c94"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Readers"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"emailContains"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"readers"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"emailContains"},"value":{"kind":"Variable","name":{"kind":"Name","value":"emailContains"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ReaderFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ReaderFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Reader"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"readerId"}},{"kind":"Field","name":{"kind":"Name","value":"firstName"}},{"kind":"Field","name":{"kind":"Name","value":"lastName"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}}]} as unknown as DocumentNode<ReadersQuery, ReadersQueryVariables>;
export const InvitedSsoUsersDocument = {"__meta__":{"hash":"sha256:b198f03cb8410c245bc17ca67d17f71cfb6e7c837a469c8bd7838fc989295f46"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"InvitedSsoUsers"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"emailContains"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"invitedSsoUsers"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"emailContains"},"value":{"kind":"Variable","name":{"kind":"Name","value":"emailContains"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InvitedFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InvitedFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvitedSsoUser"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"invitationId"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}}]} as unknown as DocumentNode<InvitedSsoUsersQuery, InvitedSsoUsersQueryVariables>;
export const UpdateReaderGroupDocument = {"__meta__":{"hash":"sha256:7fdcab0558f97b2c57578f0645213be0d015e47f73fba0bf0d2eb9dc257ea6d1"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdateReaderGroup"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateReaderGroupInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateReaderGroup"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateReaderGroupPayload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"warnings"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"description"}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ErrorFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AnyErrorFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retryable"}},{"kind":"Field","name":{"kind":"Name","value":"mayHaveApplied"}},{"kind":"Field","name":{"kind":"Name","value":"serviceErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"description"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ErrorFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AnyErrorFields"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ValidationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}}]}}]} as unknown as DocumentNode<UpdateReaderGroupMutation, UpdateReaderGroupMutationVariables>;
export const PreviewUpdateReaderGroupDocument = {"__meta__":{"hash":"sha256:f98ac2b8fecfb22784cbb12a94f4de525393e27ed893113f63a77a62249fc4f4"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"PreviewUpdateReaderGroup"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateReaderGroupInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"previewUpdateReaderGroup"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateReaderGroupPreview"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"wouldSucceed"}},{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"changes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}},{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"to"}}]}},{"kind":"Field","name":{"kind":"Name","value":"accessScope"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AccessScopeFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"readerGroup"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ReaderGroupFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"changesAccessScope"}},{"kind":"Field","name":{"kind":"Name","value":"addedReaderIds"}},{"kind":"Field","name":{"kind":"Name","value":"removedReaderIds"}},{"kind":"Field","name":{"kind":"Name","value":"removedReaders"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ReaderFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"addedInvitedSsoUserIds"}},{"kind":"Field","name":{"kind":"Name","value":"removedInvitedSsoUserIds"}},{"kind":"Field","name":{"kind":"Name","value":"removedInvitedSsoUsers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InvitedFields"}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ErrorFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AccessScopeFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AccessScope"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"level"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CategoryAccessScope"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"categories"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"projectVersionId"}},{"kind":"Field","name":{"kind":"Name","value":"categoryId"}},{"kind":"Field","name":{"kind":"Name","value":"languageCode"}},{"kind":"Field","name":{"kind":"Name","value":"category"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"VersionAccessScope"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"projectVersionIds"}},{"kind":"Field","name":{"kind":"Name","value":"projectVersions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"LanguageAccessScope"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"languages"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"projectVersionId"}},{"kind":"Field","name":{"kind":"Name","value":"projectVersion"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"languageCode"}},{"kind":"Field","name":{"kind":"Name","value":"language"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AccessScopeInputFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AccessScope"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PlainAccessScope"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"level"},"name":{"kind":"Name","value":"scopeLevel"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CategoryAccessScope"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"categories"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"projectVersionId"}},{"kind":"Field","name":{"kind":"Name","value":"categoryId"}},{"kind":"Field","name":{"kind":"Name","value":"languageCode"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"VersionAccessScope"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"projectVersionIds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"LanguageAccessScope"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"languages"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"projectVersionId"}},{"kind":"Field","name":{"kind":"Name","value":"languageCode"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ReaderFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Reader"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"readerId"}},{"kind":"Field","name":{"kind":"Name","value":"firstName"}},{"kind":"Field","name":{"kind":"Name","value":"lastName"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InvitedFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvitedSsoUser"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"invitationId"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AnyErrorFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retryable"}},{"kind":"Field","name":{"kind":"Name","value":"mayHaveApplied"}},{"kind":"Field","name":{"kind":"Name","value":"serviceErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"description"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ReaderGroupFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ReaderGroup"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"groupId"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"readerIds"}},{"kind":"Field","name":{"kind":"Name","value":"invitedSsoUserIds"}},{"kind":"Field","name":{"kind":"Name","value":"accessScope"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AccessScopeFields"}}]}},{"kind":"Field","alias":{"kind":"Name","value":"accessScopeInput"},"name":{"kind":"Name","value":"accessScope"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AccessScopeInputFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"readers"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ReaderFields"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"invitedSsoUsers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InvitedFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ErrorFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AnyErrorFields"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ValidationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}}]}}]} as unknown as DocumentNode<PreviewUpdateReaderGroupMutation, PreviewUpdateReaderGroupMutationVariables>;