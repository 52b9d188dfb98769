/* eslint-disable */
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

/** An editor that articles are written with. */
export type ArticleContentType =
  /** The block editor. The text is in `content`. */
  | 'BLOCK'
  /** The Markdown editor. The text is in `content`. */
  | 'MARKDOWN'
  /** The HTML editor. The text is in `htmlContent`. */
  | 'WYSIWYG';

/** An article to be created as a draft, in the default language of its project version. A member that is left out is not sent to the service. */
export type ArticleCreateInput = {
  /** The ID of the category in that project version, as in `Category.categoryId`. Left out or null: the article is in none. Where the outcome of an article without a category ends unknown, nothing can tell whether it was created. */
  categoryId?: string | null | undefined;
  /** The text, in the format of the editor. */
  content?: string | null | undefined;
  /** The editor. Left out: that of the service. Not null. */
  contentType?: ArticleContentType | null | undefined;
  /** The position in its category, from 1. Left out: none. Not null. */
  order?: number | null | undefined;
  /** The service's own ID of the project version, as in `ProjectVersion.projectVersionId`. */
  projectVersionId: string;
  /** The title, of 1 to 300 characters that are not all white space. */
  title: string;
};

/** Selects articles of a list. An article has to fulfil all members; a member that is left out or null selects all articles. Over the service, the first page with a filter reads the list of all articles in the language, by one call for 1,000 articles and one for each 100 more. */
export type ArticleFilter = {
  /** true: the articles that are hidden from readers. false: those that are not. */
  hidden?: boolean | null | undefined;
  /** The articles whose latest version was last changed before this time. Articles whose time is not known are not found. */
  modifiedBefore?: string | null | undefined;
  /** The articles whose latest version was changed at this time or later. Articles whose time is not known, as after an import, are not found. */
  modifiedSince?: string | null | undefined;
  /** The articles whose latest version has one of these statuses, at least one. */
  status?: Array<ArticleStatus> | null | undefined;
  /** Words to search for, in at most 300 characters: the articles that have each of them in the title or the text (of more than ten words: all in the title, or all in the text), as a word or, from 3 letters on, as the beginning of a word. A word is a run of letters and digits, and each Chinese or Japanese character is one; everything else separates words and has no meaning. Case and accents make no difference. The first 200,000 characters of a text are searched, its markup included. Over the service it is the search of the service that finds them, in its order and with no total, alone or together with `hidden`; with anything else the error has the code NOT_OFFERED. It takes a call for each 100 hits, and the list of all articles in the language, since hits outlive their articles. */
  text?: string | null | undefined;
  /** The articles with one of these translation statuses, at least one. Articles that have no status are not found by any. */
  translationStatus?: Array<ArticleTranslationStatus> | null | undefined;
};

/** The order of a list of articles. */
export type ArticleOrder =
  /** The order that the list has by itself: in the embedded store by ID, and for the articles of a category by `order` and then by ID; over the service, in the order of the service, which is not documented. */
  | 'ID'
  /** The article whose latest version has not been changed for longest comes first; those of the same time by ID. Articles whose time is not known, as after an import, come before all others. */
  | 'MODIFIED_AT'
  /** The article whose latest version was changed last comes first; those of the same time by ID, in descending order. Articles whose time is not known, as after an import, come last. */
  | 'MODIFIED_AT_DESC'
  /** By the first 100 characters of the title in lower case, compared by their code points, and then by ID. Articles without a title come first. */
  | 'TITLE';

/** What became of the publication of an article, or of its end, that was asked for. */
export type ArticlePublication =
  /** The article was updated, and the service refused its publication. */
  | 'FAILED'
  /** The article was updated, and its publication was not sent. */
  | 'NOT_ATTEMPTED'
  /** The version is the public one. */
  | 'PUBLISHED'
  /** The article was updated, and no answer tells whether it was published. */
  | 'UNKNOWN'
  /** The article has no public version. */
  | 'UNPUBLISHED';

/** An article in one language, with the version that is to be published or unpublished. */
export type ArticlePublishInput = {
  /** The service's own ID of the article. Not empty. */
  articleId: string;
  /** The `revision` that was read of the article. The item is written only while the article has it; else it is not attempted (`CHANGED_SINCE`). Left out: whatever is there is overwritten. Not null. */
  ifRevision?: string | null | undefined;
  /** The code of the language, such as `en`. Left out: the default language of the article's project version. Not empty. */
  languageCode?: string | null | undefined;
  /** The number of the version, from 1 to 32767. Left out: the latest version is published, and the public one unpublished. */
  versionNumber?: number | null | undefined;
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
  /** What becomes of items that change the text of a published version. With FORK and SKIP the articles of such items are read first, past the read cache; an item of which that does not tell whether its version is published is not attempted (UNAVAILABLE). Each fork takes a call to the service. */
  ifPublished?: IfPublished;
  /** The ID of the team account that becomes the contributor of new drafts, as in `TeamAccount.userId`. Needed with FORK, and not used otherwise. */
  userId?: string | null | undefined;
};

/** A category to be created, as a folder of its project version. A member that is left out is not sent. */
export type CategoryCreateInput = {
  /** The name, of 1 to 300 characters that are not all white space. */
  name: string;
  /** The position in its parent, from 1. Left out: none. Not null. */
  order?: number | null | undefined;
  /** The ID of the category that it is put into, which exists already: a tree is created level by level. Left out or null: the top of the tree. */
  parentCategoryId?: string | null | undefined;
  /** The service's own ID of the project version, as in `ProjectVersion.projectVersionId`. */
  projectVersionId: string;
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

/** The articles to create. */
export type CreateArticlesInput = {
  /** The articles, in their order, from 1 to 1000. */
  articles: Array<ArticleCreateInput>;
  /** The ID of the team account in whose name it is done, as in `TeamAccount.userId`, which becomes the contributor of a new article. Not empty. */
  userId: string;
};

/** The categories to create. */
export type CreateCategoriesInput = {
  /** The categories, in their order, from 1 to 1000. */
  categories: Array<CategoryCreateInput>;
  /** The ID of the team account in whose name it is done, as in `TeamAccount.userId`. */
  userId?: string | null | undefined;
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

/** Why an item of a bulk update was not attempted. */
export type NotAttemptedReason =
  /** The outcome of items before this one is unknown, and nothing was sent after them. */
  | 'AFTER_UNKNOWN'
  /** What the article was before could not be read, and was to be kept. */
  | 'BEFORE_NOT_READABLE'
  /** The bulk update was cancelled before the item was sent. */
  | 'CANCELLED'
  /** The article no longer has the revision that was sent, or is no longer as the job that is reverted has left it. `details` says what was expected, what is there, and when it was last changed. */
  | 'CHANGED_SINCE'
  /** The API token does not permit the update (HTTP 403). */
  | 'FORBIDDEN'
  /** The service can't be told what the article was before. */
  | 'NOT_RESTORABLE'
  /** Too little was left of the time that the request may take, which `details` names. Send the item again, or set a larger `REQUEST_TIMEOUT_MS` on the gateway. */
  | 'OUT_OF_TIME'
  /** The version is published, and was not to be changed. */
  | 'PUBLISHED'
  /** The service accepts no more calls for now (HTTP 429). */
  | 'RATE_LIMITED'
  /** The service refused the call with the item as a whole, before anything of it was applied. */
  | 'REJECTED'
  /** The service did not accept the API token (HTTP 401). */
  | 'UNAUTHENTICATED'
  /** The service could not be reached, or too many calls to the service were waiting. */
  | 'UNAVAILABLE';

/** The articles to publish. */
export type PublishArticlesInput = {
  /** The articles, in their order, from 1 to 10,000, unless the gateway is set to another maximum (`MAX_BULK_ITEMS`). */
  articles: Array<ArticlePublishInput>;
  /** A text that the service keeps in the history of the articles: at most 1,000 characters, since each article is sent with it. */
  message?: string | null | undefined;
  /** The ID of the team account in whose name it is done, as in `TeamAccount.userId`, which becomes the contributor of a new article. Not empty. */
  userId: string;
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
  /** What becomes of items that change the text of a published version, as in `BulkUpdateArticlesInput`. FORK needs `userId`. The fork and the update of an item are recorded each for itself, so that after a crash no version is forked again; a fork without an answer is looked for. All parts of a job have the same. */
  ifPublished?: IfPublished;
  /** Whether what stands in each article before is read, and kept with the job, for as long as the job is (`JOB_KEEP_DAYS`) and within the same room (`MAX_STATE_BYTES`). Over the service, that takes a read of each article whose text is set, and of a list for up to 100 others; items that set texts then go 10 at a time. `ALWAYS` refuses `source`, which cannot be read. All parts of a job have the same. */
  keepBefore?: KeepBefore;
  /** true where further parts follow with the same `idempotencyKey`: nothing is sent before the last part. The job expires, with nothing sent, when no further part comes within an hour (`JOB_OPEN_SECONDS`). */
  moreToCome?: boolean;
  /** What people call the job, such as "Replace hub by base in 12 articles": 1 to 200 characters, none of them a control character. Spaces at its ends are cut off. All parts of a job have the same, else the answer is an IdempotencyError. */
  name?: string | null | undefined;
  /** true where each article is published once it is updated, in the version that the update wrote: the named one, or the latest. `ArticleUpdated.publication` tells what became of it. Needs `userId`, and the scope `articles:publish`. All parts of a job have the same `publish`, `userId` and `publishMessage`, else the answer is an IdempotencyError. */
  publish?: boolean;
  /** A message that the service keeps with the publication: at most 1,000 characters, and only with `publish`. */
  publishMessage?: string | null | undefined;
  /** The position in the job of the first of these items, from 0: the number of items in the parts before. Items that were submitted before have no effect where they are equal, and make the request an IdempotencyError where they are not. A position behind the end of what was submitted is a ValidationError. */
  startIndex?: number;
  /** The ID of the team account that publishes, and that becomes the contributor of new drafts, as in `TeamAccount.userId`. Needed with `publish` and with `ifPublished: FORK`, and not allowed without both. */
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

/** The articles to unpublish. */
export type UnpublishArticlesInput = {
  /** The articles, in their order, from 1 to 10,000, unless the gateway is set to another maximum (`MAX_BULK_ITEMS`). */
  articles: Array<ArticlePublishInput>;
  /** A text that the service keeps in the history of the articles: at most 1,000 characters, since each article is sent with it. */
  message?: string | null | undefined;
  /** The ID of the team account in whose name it is done, as in `TeamAccount.userId`, which becomes the contributor of a new article. Not empty. */
  userId: string;
};

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

export type ArticlePageQueryVariables = Exact<{
  articleId: string;
  languageCode: string;
}>;


export type ArticlePageQuery = { article: { revision: string | null, id: string, articleId: string, languageCode: string, title: string | null, slug: string | null, hidden: boolean, order: number | null, translationStatus: ArticleTranslationStatus | null, modifiedAt: string | null, latestVersionNumber: number | null, status: ArticleStatus | null, publicVersionNumber: number | null, url: string | null, contentType: ArticleContentType | null, content: string | null, htmlContent: string | null, category: { categoryId: string, name: string } | null } | null };

export type ArticleLanguagesQueryVariables = Exact<{
  articleId: string;
  languageCode: string;
}>;


export type ArticleLanguagesQuery = { article: { translations: Array<{ languageCode: string, title: string | null, modifiedAt: string | null, createdAt: string | null, isStale: boolean | null, translationStatus: ArticleTranslationStatus | null, contentType: ArticleContentType | null, content: string | null, htmlContent: string | null }> | null } | null };

export type ArticlesQueryVariables = Exact<{
  projectVersionId: string;
  languageCode: string;
  categoryId?: string | null | undefined;
  filter?: ArticleFilter | null | undefined;
  orderBy: ArticleOrder;
  first: number;
  after?: string | null | undefined;
}>;


export type ArticlesQuery = { articles: { totalCount: number | null, nodes: Array<{ id: string, articleId: string, languageCode: string, title: string | null, slug: string | null, hidden: boolean, order: number | null, translationStatus: ArticleTranslationStatus | null, modifiedAt: string | null, latestVersionNumber: number | null, status: ArticleStatus | null, publicVersionNumber: number | null, url: string | null, category: { categoryId: string, name: string } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type ArticleFieldsFragment = { id: string, articleId: string, languageCode: string, title: string | null, slug: string | null, hidden: boolean, order: number | null, translationStatus: ArticleTranslationStatus | null, modifiedAt: string | null, latestVersionNumber: number | null, status: ArticleStatus | null, publicVersionNumber: number | null, url: string | null, category: { categoryId: string, name: string } | null };

export type OfferedFiltersQueryVariables = Exact<{
  projectVersionId: string;
  languageCode: string;
}>;


export type OfferedFiltersQuery = { articles: { totalCount: number | null } | null };

export type PreviewBulkUpdateArticlesMutationVariables = Exact<{
  input: BulkUpdateArticlesInput;
}>;


export type PreviewBulkUpdateArticlesMutation = { result:
    | { code: ErrorCode, message: string }
    | { results: Array<{ index: number, revision: string | null, wouldSucceed: boolean, isPublished: boolean | null, issues: Array<{ message: string }>, movesTo: { name: string } | null, article: { modifiedAt: string | null, category: { name: string } | null } | null, changes: Array<{ field: ChangedField, from: unknown, to: unknown }> }>, warnings: Array<{ code: string | null, description: string | null }> }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string, issues: Array<{ message: string }> }
   | null };

export type PreviewFieldsFragment = { index: number, revision: string | null, wouldSucceed: boolean, isPublished: boolean | null, issues: Array<{ message: string }>, movesTo: { name: string } | null, article: { modifiedAt: string | null, category: { name: string } | null } | null, changes: Array<{ field: ChangedField, from: unknown, to: unknown }> };

export type CurrentArticleQueryVariables = Exact<{
  articleId: string;
  languageCode: string;
}>;


export type CurrentArticleQuery = { article: { id: string, articleId: string, languageCode: string, title: string | null, slug: string | null, hidden: boolean, order: number | null, translationStatus: ArticleTranslationStatus | null, modifiedAt: string | null, latestVersionNumber: number | null, status: ArticleStatus | null, publicVersionNumber: number | null, url: string | null, contentType: ArticleContentType | null, content: string | null, htmlContent: string | null, category: { categoryId: string, name: string } | null } | null };

export type ArticleTextFragment = { contentType: ArticleContentType | null, content: string | null, htmlContent: string | null };

export type PreviewCreateArticlesMutationVariables = Exact<{
  input: CreateArticlesInput;
}>;


export type PreviewCreateArticlesMutation = { previewed:
    | { code: ErrorCode, message: string }
    | { results: Array<{ wouldSucceed: boolean, existing: { articleId: string } | null, issues: Array<{ message: string }> }>, warnings: Array<{ description: string | null }> }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string, issues: Array<{ message: string }> }
   | null };

export type CreateArticlesMutationVariables = Exact<{
  input: CreateArticlesInput;
  idempotencyKey: string;
}>;


export type CreateArticlesMutation = { result:
    | { code: ErrorCode, message: string }
    | { replayed: boolean, results: Array<
        | { __typename: 'ArticleCreateFailed', details: string | null, retryable: boolean }
        | { __typename: 'ArticleCreateNotAttempted', reason: NotAttemptedReason, details: string | null, retryable: boolean }
        | { __typename: 'ArticleCreateUnknown', details: string | null, retryable: boolean, candidates: Array<{ articleId: string, title: string | null, modifiedAt: string | null }> }
        | { __typename: 'ArticleCreated', articleId: string, details: string | null, retryable: boolean }
      > }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string, issues: Array<{ message: string }> }
   | null };

type CreateOutcomeFields_ArticleCreateFailed_Fragment = { __typename: 'ArticleCreateFailed', details: string | null, retryable: boolean };

type CreateOutcomeFields_ArticleCreateNotAttempted_Fragment = { __typename: 'ArticleCreateNotAttempted', reason: NotAttemptedReason, details: string | null, retryable: boolean };

type CreateOutcomeFields_ArticleCreateUnknown_Fragment = { __typename: 'ArticleCreateUnknown', details: string | null, retryable: boolean, candidates: Array<{ articleId: string, title: string | null, modifiedAt: string | null }> };

type CreateOutcomeFields_ArticleCreated_Fragment = { __typename: 'ArticleCreated', articleId: string, details: string | null, retryable: boolean };

export type CreateOutcomeFieldsFragment =
  | CreateOutcomeFields_ArticleCreateFailed_Fragment
  | CreateOutcomeFields_ArticleCreateNotAttempted_Fragment
  | CreateOutcomeFields_ArticleCreateUnknown_Fragment
  | CreateOutcomeFields_ArticleCreated_Fragment
;

export type ProjectVersionsQueryVariables = Exact<{ [key: string]: never; }>;


export type ProjectVersionsQuery = { knowledgeBaseId: string | null, caller: { scopes: Array<string> | null } | null, projectVersions: Array<{ projectVersionId: string, name: string, isDefault: boolean, languages: Array<{ code: string, name: string, isDefault: boolean }> | null }> | null };

export type CategoriesQueryVariables = Exact<{
  projectVersionId: string;
  languageCode: string;
}>;


export type CategoriesQuery = { categories: Array<{ id: string, categoryId: string, name: string, children: Array<{ id: string, categoryId: string, name: string, children: Array<{ id: string, categoryId: string, name: string, children: Array<{ id: string, categoryId: string, name: string }> | null }> | null }> | null }> | null };

export type CategoryFieldsFragment = { id: string, categoryId: string, name: string };

type ErrorText_AuthenticationError_Fragment = { code: ErrorCode, message: string };

type ErrorText_ChangedSinceError_Fragment = { code: ErrorCode, message: string };

type ErrorText_IdempotencyError_Fragment = { code: ErrorCode, message: string };

type ErrorText_JobNotFoundError_Fragment = { code: ErrorCode, message: string };

type ErrorText_OutcomeUnknownError_Fragment = { code: ErrorCode, message: string };

type ErrorText_RateLimitedError_Fragment = { code: ErrorCode, message: string };

type ErrorText_ReaderGroupNotFoundError_Fragment = { code: ErrorCode, message: string };

type ErrorText_ServiceRejectedError_Fragment = { code: ErrorCode, message: string };

type ErrorText_ServiceUnavailableError_Fragment = { code: ErrorCode, message: string };

type ErrorText_TooCostlyError_Fragment = { code: ErrorCode, message: string };

type ErrorText_ValidationError_Fragment = { code: ErrorCode, message: string };

export type ErrorTextFragment =
  | ErrorText_AuthenticationError_Fragment
  | ErrorText_ChangedSinceError_Fragment
  | ErrorText_IdempotencyError_Fragment
  | ErrorText_JobNotFoundError_Fragment
  | ErrorText_OutcomeUnknownError_Fragment
  | ErrorText_RateLimitedError_Fragment
  | ErrorText_ReaderGroupNotFoundError_Fragment
  | ErrorText_ServiceRejectedError_Fragment
  | ErrorText_ServiceUnavailableError_Fragment
  | ErrorText_TooCostlyError_Fragment
  | ErrorText_ValidationError_Fragment
;

type ErrorFields_AuthenticationError_Fragment = { code: ErrorCode, message: string };

type ErrorFields_ChangedSinceError_Fragment = { code: ErrorCode, message: string };

type ErrorFields_IdempotencyError_Fragment = { code: ErrorCode, message: string };

type ErrorFields_JobNotFoundError_Fragment = { code: ErrorCode, message: string };

type ErrorFields_OutcomeUnknownError_Fragment = { code: ErrorCode, message: string };

type ErrorFields_RateLimitedError_Fragment = { code: ErrorCode, message: string };

type ErrorFields_ReaderGroupNotFoundError_Fragment = { code: ErrorCode, message: string };

type ErrorFields_ServiceRejectedError_Fragment = { code: ErrorCode, message: string };

type ErrorFields_ServiceUnavailableError_Fragment = { code: ErrorCode, message: string };

type ErrorFields_TooCostlyError_Fragment = { code: ErrorCode, message: string };

type ErrorFields_ValidationError_Fragment = { code: ErrorCode, message: string, issues: Array<{ message: string }> };

export type ErrorFieldsFragment =
  | ErrorFields_AuthenticationError_Fragment
  | ErrorFields_ChangedSinceError_Fragment
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

export type PageFieldsFragment = { hasNextPage: boolean, endCursor: string | null };

export type ArticleUpdateJobsQueryVariables = Exact<{
  first: number;
}>;


export type ArticleUpdateJobsQuery = { articleUpdateJobs: { nodes: Array<{ id: string, name: string | null, state: ArticleUpdateJobState, done: boolean, isRevertible: boolean, waitingFor: JobWait | null, createdAt: string, endedAt: string | null, estimatedEndAt: string | null, revertOf: { id: string, name: string | null, createdAt: string } | null, summary: { total: number, pending: number, updated: number, failed: number, unknown: number, notAttempted: number } }> } | null };

export type ArticleUpdateJobResultsQueryVariables = Exact<{
  id: string;
  outcomes?: Array<ItemOutcome> | ItemOutcome | null | undefined;
  first: number;
  after?: string | null | undefined;
}>;


export type ArticleUpdateJobResultsQuery = { articleUpdateJob: { id: string, results: { nodes: Array<
        | { __typename: 'ArticleUpdateFailed', index: number, articleId: string, details: string | null, retryable: boolean, draftVersionNumber: number | null }
        | { __typename: 'ArticleUpdateNotAttempted', reason: NotAttemptedReason, index: number, articleId: string, details: string | null, retryable: boolean, draftVersionNumber: number | null }
        | { __typename: 'ArticleUpdateUnknown', readBack: ReadBack, index: number, articleId: string, details: string | null, retryable: boolean, draftVersionNumber: number | null }
        | { __typename: 'ArticleUpdated', evidence: UpdateEvidence, publication: ArticlePublication | null, index: number, articleId: string, details: string | null, retryable: boolean, draftVersionNumber: number | null }
      >, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } | null };

export type SubmitArticleUpdateJobMutationVariables = Exact<{
  input: SubmitArticleUpdateJobInput;
  idempotencyKey: string;
}>;


export type SubmitArticleUpdateJobMutation = { submitArticleUpdateJob:
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { job: { id: string } }
    | { code: ErrorCode, message: string, issues: Array<{ message: string }> }
   | null };

export type CancelArticleUpdateJobMutationVariables = Exact<{
  id: string;
}>;


export type CancelArticleUpdateJobMutation = { changed:
    | { job: { state: ArticleUpdateJobState } }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
   | null };

export type ResumeArticleUpdateJobMutationVariables = Exact<{
  id: string;
}>;


export type ResumeArticleUpdateJobMutation = { changed:
    | { job: { state: ArticleUpdateJobState } }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
   | null };

export type PreviewRevertArticleUpdateJobMutationVariables = Exact<{
  id: string;
  first: number;
  after?: string | null | undefined;
}>;


export type PreviewRevertArticleUpdateJobMutation = { previewed:
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { summary: { total: number, restorable: number }, items: { nodes: Array<{ index: number, articleId: string, details: string | null, notRestored: Array<ChangedField>, members: Array<{ name: ChangedField, before: unknown, asLeft: unknown, now: unknown }> }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string, issues: Array<{ message: string }> }
   | null };

export type RevertArticleUpdateJobMutationVariables = Exact<{
  id: string;
  idempotencyKey: string;
  ifPublished: IfPublished;
  userId?: string | null | undefined;
}>;


export type RevertArticleUpdateJobMutation = { reverted:
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { job: { id: string } }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string, issues: Array<{ message: string }> }
   | null };

export type JobFieldsFragment = { id: string, name: string | null, state: ArticleUpdateJobState, done: boolean, isRevertible: boolean, waitingFor: JobWait | null, createdAt: string, endedAt: string | null, estimatedEndAt: string | null, revertOf: { id: string, name: string | null, createdAt: string } | null, summary: { total: number, pending: number, updated: number, failed: number, unknown: number, notAttempted: number } };

type OutcomeFields_ArticleUpdateFailed_Fragment = { __typename: 'ArticleUpdateFailed', index: number, articleId: string, details: string | null, retryable: boolean, draftVersionNumber: number | null };

type OutcomeFields_ArticleUpdateNotAttempted_Fragment = { __typename: 'ArticleUpdateNotAttempted', reason: NotAttemptedReason, index: number, articleId: string, details: string | null, retryable: boolean, draftVersionNumber: number | null };

type OutcomeFields_ArticleUpdateUnknown_Fragment = { __typename: 'ArticleUpdateUnknown', readBack: ReadBack, index: number, articleId: string, details: string | null, retryable: boolean, draftVersionNumber: number | null };

type OutcomeFields_ArticleUpdated_Fragment = { __typename: 'ArticleUpdated', evidence: UpdateEvidence, publication: ArticlePublication | null, index: number, articleId: string, details: string | null, retryable: boolean, draftVersionNumber: number | null };

export type OutcomeFieldsFragment =
  | OutcomeFields_ArticleUpdateFailed_Fragment
  | OutcomeFields_ArticleUpdateNotAttempted_Fragment
  | OutcomeFields_ArticleUpdateUnknown_Fragment
  | OutcomeFields_ArticleUpdated_Fragment
;

export type PlanRootCategoriesQueryVariables = Exact<{
  version: string;
}>;


export type PlanRootCategoriesQuery = { categories: Array<{ id: string, categoryId: string, name: string }> | null };

export type PlanChildCategoriesQueryVariables = Exact<{
  ids: Array<string> | string;
}>;


export type PlanChildCategoriesQuery = { nodes: Array<
    | { children: Array<{ id: string, categoryId: string, name: string }> | null }
    | Record<PropertyKey, never>
   | null> };

export type PlanArticlesQueryVariables = Exact<{
  version: string;
  language: string;
  after?: string | null | undefined;
}>;


export type PlanArticlesQuery = { articles: { nodes: Array<{ id: string, articleId: string, languageCode: string, title: string | null, slug: string | null, hidden: boolean, order: number | null, translationStatus: ArticleTranslationStatus | null, modifiedAt: string | null, latestVersionNumber: number | null, status: ArticleStatus | null, publicVersionNumber: number | null, url: string | null, category: { categoryId: string, name: string } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type PlanTextsQueryVariables = Exact<{
  ids: Array<string> | string;
}>;


export type PlanTextsQuery = { nodes: Array<
    | { content: string | null, contentType: ArticleContentType | null, revision: string | null, id: string, articleId: string, languageCode: string, title: string | null, slug: string | null, hidden: boolean, order: number | null, translationStatus: ArticleTranslationStatus | null, modifiedAt: string | null, latestVersionNumber: number | null, status: ArticleStatus | null, publicVersionNumber: number | null, url: string | null, category: { categoryId: string, name: string } | null }
    | Record<PropertyKey, never>
   | null> };

export type PlanHasTextQueryVariables = Exact<{
  id: string;
  language: string;
}>;


export type PlanHasTextQuery = { article: { articleId: string } | null };

export type PlanCreateCategoriesMutationVariables = Exact<{
  input: CreateCategoriesInput;
  key: string;
}>;


export type PlanCreateCategoriesMutation = { result:
    | { code: ErrorCode, message: string }
    | { replayed: boolean, results: Array<
        | { __typename: 'CategoryCreateFailed', details: string | null }
        | { __typename: 'CategoryCreateNotAttempted', reason: NotAttemptedReason, details: string | null }
        | { __typename: 'CategoryCreateUnknown', details: string | null }
        | { __typename: 'CategoryCreated', categoryId: string, details: string | null }
      > }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string, issues: Array<{ message: string }> }
   | null };

export type PlanUpdateMutationVariables = Exact<{
  input: BulkUpdateArticlesInput;
}>;


export type PlanUpdateMutation = { result:
    | { code: ErrorCode, message: string }
    | { results: Array<
        | { __typename: 'ArticleUpdateFailed', index: number, articleId: string, details: string | null, retryable: boolean, draftVersionNumber: number | null }
        | { __typename: 'ArticleUpdateNotAttempted', reason: NotAttemptedReason, index: number, articleId: string, details: string | null, retryable: boolean, draftVersionNumber: number | null }
        | { __typename: 'ArticleUpdateUnknown', readBack: ReadBack, index: number, articleId: string, details: string | null, retryable: boolean, draftVersionNumber: number | null }
        | { __typename: 'ArticleUpdated', evidence: UpdateEvidence, publication: ArticlePublication | null, index: number, articleId: string, details: string | null, retryable: boolean, draftVersionNumber: number | null }
      > }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string, issues: Array<{ message: string }> }
   | null };

export type TeamAccountsQueryVariables = Exact<{
  first: number;
}>;


export type TeamAccountsQuery = { teamAccounts: { nodes: Array<{ userId: string, firstName: string | null, lastName: string | null }> } | null };

export type PreviewPublishArticlesMutationVariables = Exact<{
  input: PublishArticlesInput;
}>;


export type PreviewPublishArticlesMutation = { result:
    | { code: ErrorCode, message: string }
    | { results: Array<{ index: number, revision: string | null, wouldSucceed: boolean, isPublished: boolean | null, issues: Array<{ message: string }>, movesTo: { name: string } | null, article: { modifiedAt: string | null, category: { name: string } | null } | null, changes: Array<{ field: ChangedField, from: unknown, to: unknown }> }> }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string, issues: Array<{ message: string }> }
   | null };

export type PreviewUnpublishArticlesMutationVariables = Exact<{
  input: UnpublishArticlesInput;
}>;


export type PreviewUnpublishArticlesMutation = { result:
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { results: Array<{ index: number, revision: string | null, wouldSucceed: boolean, isPublished: boolean | null, issues: Array<{ message: string }>, movesTo: { name: string } | null, article: { modifiedAt: string | null, category: { name: string } | null } | null, changes: Array<{ field: ChangedField, from: unknown, to: unknown }> }> }
    | { code: ErrorCode, message: string, issues: Array<{ message: string }> }
   | null };

export type PublishArticlesMutationVariables = Exact<{
  input: PublishArticlesInput;
  idempotencyKey?: string | null | undefined;
}>;


export type PublishArticlesMutation = { result:
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { results: Array<
        | { __typename: 'ArticleUpdateFailed', index: number, articleId: string, details: string | null, retryable: boolean, draftVersionNumber: number | null }
        | { __typename: 'ArticleUpdateNotAttempted', reason: NotAttemptedReason, index: number, articleId: string, details: string | null, retryable: boolean, draftVersionNumber: number | null }
        | { __typename: 'ArticleUpdateUnknown', readBack: ReadBack, index: number, articleId: string, details: string | null, retryable: boolean, draftVersionNumber: number | null }
        | { __typename: 'ArticleUpdated', evidence: UpdateEvidence, publication: ArticlePublication | null, index: number, articleId: string, details: string | null, retryable: boolean, draftVersionNumber: number | null }
      > }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string, issues: Array<{ message: string }> }
   | null };

export type UnpublishArticlesMutationVariables = Exact<{
  input: UnpublishArticlesInput;
  idempotencyKey?: string | null | undefined;
}>;


export type UnpublishArticlesMutation = { result:
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { results: Array<
        | { __typename: 'ArticleUpdateFailed', index: number, articleId: string, details: string | null, retryable: boolean, draftVersionNumber: number | null }
        | { __typename: 'ArticleUpdateNotAttempted', reason: NotAttemptedReason, index: number, articleId: string, details: string | null, retryable: boolean, draftVersionNumber: number | null }
        | { __typename: 'ArticleUpdateUnknown', readBack: ReadBack, index: number, articleId: string, details: string | null, retryable: boolean, draftVersionNumber: number | null }
        | { __typename: 'ArticleUpdated', evidence: UpdateEvidence, publication: ArticlePublication | null, index: number, articleId: string, details: string | null, retryable: boolean, draftVersionNumber: number | null }
      > }
    | { code: ErrorCode, message: string, issues: Array<{ message: string }> }
   | null };

export type ReaderGroupsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
}>;


export type ReaderGroupsQuery = { readerGroups: { nodes: Array<{ groupId: string, title: string, readerIds: Array<string>, invitedSsoUserIds: Array<string>, accessScope:
        | { level: AccessLevel, categories: Array<{ categoryId: string }> }
        | { level: AccessLevel, languages: Array<{ languageCode: string }> }
        | { level: AccessLevel }
        | { level: AccessLevel }
        | { projectVersionIds: Array<string>, level: AccessLevel }
       }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type ReaderGroupQueryVariables = Exact<{
  groupId: string;
  after?: string | null | undefined;
}>;


export type ReaderGroupQuery = { readerGroup: { groupId: string, revision: string, title: string, description: string | null, readerIds: Array<string>, invitedSsoUserIds: Array<string>, readers: { nodes: Array<{ readerId: string, firstName: string | null, lastName: string | null, email: string | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null, accessScope:
      | { __typename: 'CategoryAccessScope', level: AccessLevel, categories: Array<{ projectVersionId: string, categoryId: string, languageCode: string, category: { name: string } | null }> }
      | { __typename: 'LanguageAccessScope', level: AccessLevel, languages: Array<{ projectVersionId: string, languageCode: string, projectVersion: { name: string } | null, language: { name: string } | null }> }
      | { __typename: 'PlainAccessScope', level: AccessLevel }
      | { __typename: 'UnrecognizedAccessScope', level: AccessLevel }
      | { __typename: 'VersionAccessScope', projectVersionIds: Array<string>, level: AccessLevel, projectVersions: Array<{ name: string } | null> | null }
    , invitedSsoUsers: Array<{ invitationId: string, email: string | null }> | null } | null };

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
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { warnings: Array<{ description: string | null }> }
    | { code: ErrorCode, message: string, issues: Array<{ message: string }> }
   | null };

export type PreviewUpdateReaderGroupMutationVariables = Exact<{
  input: UpdateReaderGroupInput;
}>;


export type PreviewUpdateReaderGroupMutation = { previewUpdateReaderGroup:
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { code: ErrorCode, message: string }
    | { wouldSucceed: boolean, changesAccessScope: boolean, issues: Array<{ message: string }>, changes: Array<{ field: ChangedField, from: unknown, to: unknown }>, accessScope:
        | { __typename: 'CategoryAccessScope', level: AccessLevel, categories: Array<{ projectVersionId: string, categoryId: string, languageCode: string, category: { name: string } | null }> }
        | { __typename: 'LanguageAccessScope', level: AccessLevel, languages: Array<{ projectVersionId: string, languageCode: string, projectVersion: { name: string } | null, language: { name: string } | null }> }
        | { __typename: 'PlainAccessScope', level: AccessLevel }
        | { __typename: 'UnrecognizedAccessScope', level: AccessLevel }
        | { __typename: 'VersionAccessScope', projectVersionIds: Array<string>, level: AccessLevel, projectVersions: Array<{ name: string } | null> | null }
       }
    | { code: ErrorCode, message: string, issues: Array<{ message: string }> }
   | null };

export type ReaderGroupFieldsFragment = { groupId: string, revision: string, title: string, description: string | null, readerIds: Array<string>, invitedSsoUserIds: Array<string>, accessScope:
    | { __typename: 'CategoryAccessScope', level: AccessLevel, categories: Array<{ projectVersionId: string, categoryId: string, languageCode: string, category: { name: string } | null }> }
    | { __typename: 'LanguageAccessScope', level: AccessLevel, languages: Array<{ projectVersionId: string, languageCode: string, projectVersion: { name: string } | null, language: { name: string } | null }> }
    | { __typename: 'PlainAccessScope', level: AccessLevel }
    | { __typename: 'UnrecognizedAccessScope', level: AccessLevel }
    | { __typename: 'VersionAccessScope', projectVersionIds: Array<string>, level: AccessLevel, projectVersions: Array<{ name: string } | null> | null }
  , invitedSsoUsers: Array<{ invitationId: string, email: string | null }> | null };

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
export const ArticleFieldsFragmentDoc = new TypedDocumentString(`
    fragment ArticleFields on Article {
  id
  articleId
  languageCode
  title
  slug
  hidden
  order
  translationStatus
  modifiedAt
  latestVersionNumber
  status
  publicVersionNumber
  url
  category {
    categoryId
    name
  }
}
    `, {"fragmentName":"ArticleFields"}) as unknown as TypedDocumentString<ArticleFieldsFragment, unknown>;
export const PreviewFieldsFragmentDoc = new TypedDocumentString(`
    fragment PreviewFields on ArticleUpdatePreview {
  index
  revision
  wouldSucceed
  isPublished
  issues {
    message
  }
  movesTo {
    name
  }
  article {
    modifiedAt
    category {
      name
    }
  }
  changes {
    field
    from
    to
  }
}
    `, {"fragmentName":"PreviewFields"}) as unknown as TypedDocumentString<PreviewFieldsFragment, unknown>;
export const ArticleTextFragmentDoc = new TypedDocumentString(`
    fragment ArticleText on Article {
  contentType
  content
  htmlContent
}
    `, {"fragmentName":"ArticleText"}) as unknown as TypedDocumentString<ArticleTextFragment, unknown>;
export const CreateOutcomeFieldsFragmentDoc = new TypedDocumentString(`
    fragment CreateOutcomeFields on ArticleCreateOutcome {
  __typename
  details
  retryable
  ... on ArticleCreated {
    articleId
  }
  ... on ArticleCreateNotAttempted {
    reason
  }
  ... on ArticleCreateUnknown {
    candidates {
      articleId
      title
      modifiedAt
    }
  }
}
    `, {"fragmentName":"CreateOutcomeFields"}) as unknown as TypedDocumentString<CreateOutcomeFieldsFragment, unknown>;
export const CategoryFieldsFragmentDoc = new TypedDocumentString(`
    fragment CategoryFields on Category {
  id
  categoryId
  name
}
    `, {"fragmentName":"CategoryFields"}) as unknown as TypedDocumentString<CategoryFieldsFragment, unknown>;
export const ErrorTextFragmentDoc = new TypedDocumentString(`
    fragment ErrorText on MutationError {
  code
  message
}
    `, {"fragmentName":"ErrorText"}) as unknown as TypedDocumentString<ErrorTextFragment, unknown>;
export const ErrorFieldsFragmentDoc = new TypedDocumentString(`
    fragment ErrorFields on MutationError {
  ...ErrorText
  ... on ValidationError {
    issues {
      message
    }
  }
}
    fragment ErrorText on MutationError {
  code
  message
}`, {"fragmentName":"ErrorFields"}) as unknown as TypedDocumentString<ErrorFieldsFragment, unknown>;
export const PageFieldsFragmentDoc = new TypedDocumentString(`
    fragment PageFields on PageInfo {
  hasNextPage
  endCursor
}
    `, {"fragmentName":"PageFields"}) as unknown as TypedDocumentString<PageFieldsFragment, unknown>;
export const JobFieldsFragmentDoc = new TypedDocumentString(`
    fragment JobFields on ArticleUpdateJob {
  id
  name
  state
  done
  isRevertible
  revertOf {
    id
    name
    createdAt
  }
  waitingFor
  createdAt
  endedAt
  estimatedEndAt
  summary {
    total
    pending
    updated
    failed
    unknown
    notAttempted
  }
}
    `, {"fragmentName":"JobFields"}) as unknown as TypedDocumentString<JobFieldsFragment, unknown>;
export const OutcomeFieldsFragmentDoc = new TypedDocumentString(`
    fragment OutcomeFields on ArticleUpdateOutcome {
  __typename
  index
  articleId
  details
  retryable
  draftVersionNumber
  ... on ArticleUpdated {
    evidence
    publication
  }
  ... on ArticleUpdateUnknown {
    readBack
  }
  ... on ArticleUpdateNotAttempted {
    reason
  }
}
    `, {"fragmentName":"OutcomeFields"}) as unknown as TypedDocumentString<OutcomeFieldsFragment, unknown>;
export const AccessScopeFieldsFragmentDoc = new TypedDocumentString(`
    fragment AccessScopeFields on AccessScope {
  __typename
  level
  ... on CategoryAccessScope {
    categories {
      projectVersionId
      categoryId
      languageCode
      category {
        name
      }
    }
  }
  ... on VersionAccessScope {
    projectVersionIds
    projectVersions {
      name
    }
  }
  ... on LanguageAccessScope {
    languages {
      projectVersionId
      projectVersion {
        name
      }
      languageCode
      language {
        name
      }
    }
  }
}
    `, {"fragmentName":"AccessScopeFields"}) as unknown as TypedDocumentString<AccessScopeFieldsFragment, unknown>;
export const InvitedFieldsFragmentDoc = new TypedDocumentString(`
    fragment InvitedFields on InvitedSsoUser {
  invitationId
  email
}
    `, {"fragmentName":"InvitedFields"}) as unknown as TypedDocumentString<InvitedFieldsFragment, unknown>;
export const ReaderGroupFieldsFragmentDoc = new TypedDocumentString(`
    fragment ReaderGroupFields on ReaderGroup {
  groupId
  revision
  title
  description
  readerIds
  invitedSsoUserIds
  accessScope {
    ...AccessScopeFields
  }
  invitedSsoUsers {
    ...InvitedFields
  }
}
    fragment InvitedFields on InvitedSsoUser {
  invitationId
  email
}
fragment AccessScopeFields on AccessScope {
  __typename
  level
  ... on CategoryAccessScope {
    categories {
      projectVersionId
      categoryId
      languageCode
      category {
        name
      }
    }
  }
  ... on VersionAccessScope {
    projectVersionIds
    projectVersions {
      name
    }
  }
  ... on LanguageAccessScope {
    languages {
      projectVersionId
      projectVersion {
        name
      }
      languageCode
      language {
        name
      }
    }
  }
}`, {"fragmentName":"ReaderGroupFields"}) as unknown as TypedDocumentString<ReaderGroupFieldsFragment, unknown>;
export const ReaderFieldsFragmentDoc = new TypedDocumentString(`
    fragment ReaderFields on Reader {
  readerId
  firstName
  lastName
  email
}
    `, {"fragmentName":"ReaderFields"}) as unknown as TypedDocumentString<ReaderFieldsFragment, unknown>;
export const ArticlePageDocument = new TypedDocumentString(`
    query ArticlePage($articleId: ID!, $languageCode: String!) {
  article(articleId: $articleId, languageCode: $languageCode) {
    ...ArticleFields
    ...ArticleText
    revision
  }
}
    fragment ArticleFields on Article {
  id
  articleId
  languageCode
  title
  slug
  hidden
  order
  translationStatus
  modifiedAt
  latestVersionNumber
  status
  publicVersionNumber
  url
  category {
    categoryId
    name
  }
}
fragment ArticleText on Article {
  contentType
  content
  htmlContent
}`, {"hash":"sha256:0568da761a8e14af72b7983146c1c3157083db367eb10d5bda96298ddd7fa95c"}) as unknown as TypedDocumentString<ArticlePageQuery, ArticlePageQueryVariables>;
export const ArticleLanguagesDocument = new TypedDocumentString(`
    query ArticleLanguages($articleId: ID!, $languageCode: String!) {
  article(articleId: $articleId, languageCode: $languageCode) {
    translations {
      languageCode
      title
      modifiedAt
      createdAt
      isStale
      translationStatus
      ...ArticleText
    }
  }
}
    fragment ArticleText on Article {
  contentType
  content
  htmlContent
}`, {"hash":"sha256:40072c2baa9cfdba8ec18990efe5e3ba605414acdec4ae016c0f2e2ee83ffae9"}) as unknown as TypedDocumentString<ArticleLanguagesQuery, ArticleLanguagesQueryVariables>;
export const ArticlesDocument = new TypedDocumentString(`
    query Articles($projectVersionId: ID!, $languageCode: String!, $categoryId: ID, $filter: ArticleFilter, $orderBy: ArticleOrder!, $first: Int!, $after: String) {
  articles(
    projectVersionId: $projectVersionId
    languageCode: $languageCode
    categoryId: $categoryId
    filter: $filter
    orderBy: $orderBy
    first: $first
    after: $after
  ) {
    nodes {
      ...ArticleFields
    }
    pageInfo {
      ...PageFields
    }
    totalCount
  }
}
    fragment ArticleFields on Article {
  id
  articleId
  languageCode
  title
  slug
  hidden
  order
  translationStatus
  modifiedAt
  latestVersionNumber
  status
  publicVersionNumber
  url
  category {
    categoryId
    name
  }
}
fragment PageFields on PageInfo {
  hasNextPage
  endCursor
}`, {"hash":"sha256:ccd53c636c99879fa7d561d06fce6e30d7f8e7c8ff045c8da6b57bd45e5607cf"}) as unknown as TypedDocumentString<ArticlesQuery, ArticlesQueryVariables>;
export const OfferedFiltersDocument = new TypedDocumentString(`
    query OfferedFilters($projectVersionId: ID!, $languageCode: String!) {
  articles(
    projectVersionId: $projectVersionId
    languageCode: $languageCode
    filter: {text: "a"}
    orderBy: TITLE
    first: 1
  ) {
    totalCount
  }
}
    `, {"hash":"sha256:4f9b4447f3112e07549a354fffdcab85e8a78572ce74cb61a3adec770a4b164d"}) as unknown as TypedDocumentString<OfferedFiltersQuery, OfferedFiltersQueryVariables>;
export const PreviewBulkUpdateArticlesDocument = new TypedDocumentString(`
    mutation PreviewBulkUpdateArticles($input: BulkUpdateArticlesInput!) {
  result: previewBulkUpdateArticles(input: $input) {
    ... on BulkUpdateArticlesPreview {
      results {
        ...PreviewFields
      }
      warnings {
        code
        description
      }
    }
    ...ErrorFields
  }
}
    fragment PreviewFields on ArticleUpdatePreview {
  index
  revision
  wouldSucceed
  isPublished
  issues {
    message
  }
  movesTo {
    name
  }
  article {
    modifiedAt
    category {
      name
    }
  }
  changes {
    field
    from
    to
  }
}
fragment ErrorText on MutationError {
  code
  message
}
fragment ErrorFields on MutationError {
  ...ErrorText
  ... on ValidationError {
    issues {
      message
    }
  }
}`, {"hash":"sha256:80e05d280a2e1ee5c79fde72348fe367e828be5e13c8e12973e120ce6f7b6ea0"}) as unknown as TypedDocumentString<PreviewBulkUpdateArticlesMutation, PreviewBulkUpdateArticlesMutationVariables>;
export const CurrentArticleDocument = new TypedDocumentString(`
    query CurrentArticle($articleId: ID!, $languageCode: String!) {
  article(articleId: $articleId, languageCode: $languageCode) {
    ...ArticleFields
    ...ArticleText
  }
}
    fragment ArticleFields on Article {
  id
  articleId
  languageCode
  title
  slug
  hidden
  order
  translationStatus
  modifiedAt
  latestVersionNumber
  status
  publicVersionNumber
  url
  category {
    categoryId
    name
  }
}
fragment ArticleText on Article {
  contentType
  content
  htmlContent
}`, {"hash":"sha256:3f1496a4c958e2d44f5a53f844fe7706d65adeb65434616684d8a1cb6b07eda5"}) as unknown as TypedDocumentString<CurrentArticleQuery, CurrentArticleQueryVariables>;
export const PreviewCreateArticlesDocument = new TypedDocumentString(`
    mutation PreviewCreateArticles($input: CreateArticlesInput!) {
  previewed: previewCreateArticles(input: $input) {
    ... on CreateArticlesPreview {
      results {
        wouldSucceed
        existing {
          articleId
        }
        issues {
          message
        }
      }
      warnings {
        description
      }
    }
    ...ErrorFields
  }
}
    fragment ErrorText on MutationError {
  code
  message
}
fragment ErrorFields on MutationError {
  ...ErrorText
  ... on ValidationError {
    issues {
      message
    }
  }
}`, {"hash":"sha256:bebeaa5ffcc99561d651706aebbfb2b189f84a1975f454989cfdd839ac6eaa80"}) as unknown as TypedDocumentString<PreviewCreateArticlesMutation, PreviewCreateArticlesMutationVariables>;
export const CreateArticlesDocument = new TypedDocumentString(`
    mutation CreateArticles($input: CreateArticlesInput!, $idempotencyKey: String!) {
  result: createArticles(input: $input, idempotencyKey: $idempotencyKey) {
    ... on CreateArticlesPayload {
      replayed
      results {
        ...CreateOutcomeFields
      }
    }
    ...ErrorFields
  }
}
    fragment CreateOutcomeFields on ArticleCreateOutcome {
  __typename
  details
  retryable
  ... on ArticleCreated {
    articleId
  }
  ... on ArticleCreateNotAttempted {
    reason
  }
  ... on ArticleCreateUnknown {
    candidates {
      articleId
      title
      modifiedAt
    }
  }
}
fragment ErrorText on MutationError {
  code
  message
}
fragment ErrorFields on MutationError {
  ...ErrorText
  ... on ValidationError {
    issues {
      message
    }
  }
}`, {"hash":"sha256:90dd2f9519ed02d4077978a4e9bdb3946bad63b829e8e0bff88ea64ce5e86efe"}) as unknown as TypedDocumentString<CreateArticlesMutation, CreateArticlesMutationVariables>;
export const ProjectVersionsDocument = new TypedDocumentString(`
    query ProjectVersions {
  knowledgeBaseId
  caller {
    scopes
  }
  projectVersions {
    projectVersionId
    name
    isDefault
    languages {
      code
      name
      isDefault
    }
  }
}
    `, {"hash":"sha256:7498f3a03220bb706b74d692677c0ce72d0c1dd2f7a221e508f4b673aecb0c4c"}) as unknown as TypedDocumentString<ProjectVersionsQuery, ProjectVersionsQueryVariables>;
export const CategoriesDocument = new TypedDocumentString(`
    query Categories($projectVersionId: ID!, $languageCode: String!) {
  categories(projectVersionId: $projectVersionId, languageCode: $languageCode) {
    ...CategoryFields
    children {
      ...CategoryFields
      children {
        ...CategoryFields
        children {
          ...CategoryFields
        }
      }
    }
  }
}
    fragment CategoryFields on Category {
  id
  categoryId
  name
}`, {"hash":"sha256:b6dc070eecc8d41320e3fad1f2e3c0a05e8ad5e07773397a2ea15e6f2cc3b08a"}) as unknown as TypedDocumentString<CategoriesQuery, CategoriesQueryVariables>;
export const ArticleUpdateJobsDocument = new TypedDocumentString(`
    query ArticleUpdateJobs($first: Int!) {
  articleUpdateJobs(first: $first) {
    nodes {
      ...JobFields
    }
  }
}
    fragment JobFields on ArticleUpdateJob {
  id
  name
  state
  done
  isRevertible
  revertOf {
    id
    name
    createdAt
  }
  waitingFor
  createdAt
  endedAt
  estimatedEndAt
  summary {
    total
    pending
    updated
    failed
    unknown
    notAttempted
  }
}`, {"hash":"sha256:b0bafccaa03e9f508ae662c5fe6c3614a7024bcc055ae8a3fd12434c20899832"}) as unknown as TypedDocumentString<ArticleUpdateJobsQuery, ArticleUpdateJobsQueryVariables>;
export const ArticleUpdateJobResultsDocument = new TypedDocumentString(`
    query ArticleUpdateJobResults($id: ID!, $outcomes: [ItemOutcome!], $first: Int!, $after: String) {
  articleUpdateJob(id: $id) {
    id
    results(outcomes: $outcomes, first: $first, after: $after) {
      nodes {
        ...OutcomeFields
      }
      pageInfo {
        ...PageFields
      }
    }
  }
}
    fragment PageFields on PageInfo {
  hasNextPage
  endCursor
}
fragment OutcomeFields on ArticleUpdateOutcome {
  __typename
  index
  articleId
  details
  retryable
  draftVersionNumber
  ... on ArticleUpdated {
    evidence
    publication
  }
  ... on ArticleUpdateUnknown {
    readBack
  }
  ... on ArticleUpdateNotAttempted {
    reason
  }
}`, {"hash":"sha256:fbb732477234ee94627a34f9d1d3e2decea12d772b2b2b7a163ff4d7f2d11f1a"}) as unknown as TypedDocumentString<ArticleUpdateJobResultsQuery, ArticleUpdateJobResultsQueryVariables>;
export const SubmitArticleUpdateJobDocument = new TypedDocumentString(`
    mutation SubmitArticleUpdateJob($input: SubmitArticleUpdateJobInput!, $idempotencyKey: String!) {
  submitArticleUpdateJob(input: $input, idempotencyKey: $idempotencyKey) {
    ... on SubmitArticleUpdateJobPayload {
      job {
        id
      }
    }
    ...ErrorFields
  }
}
    fragment ErrorText on MutationError {
  code
  message
}
fragment ErrorFields on MutationError {
  ...ErrorText
  ... on ValidationError {
    issues {
      message
    }
  }
}`, {"hash":"sha256:a335843c9de3019abffdc56a54ae72a45b5ee8c655557936513f970b172307bb"}) as unknown as TypedDocumentString<SubmitArticleUpdateJobMutation, SubmitArticleUpdateJobMutationVariables>;
export const CancelArticleUpdateJobDocument = new TypedDocumentString(`
    mutation CancelArticleUpdateJob($id: ID!) {
  changed: cancelArticleUpdateJob(id: $id) {
    ... on ArticleUpdateJobPayload {
      job {
        state
      }
    }
    ...ErrorText
  }
}
    fragment ErrorText on MutationError {
  code
  message
}`, {"hash":"sha256:446ee3bf45cee37fb1522c583f243e05137f020a4736ba319a91fec60639393a"}) as unknown as TypedDocumentString<CancelArticleUpdateJobMutation, CancelArticleUpdateJobMutationVariables>;
export const ResumeArticleUpdateJobDocument = new TypedDocumentString(`
    mutation ResumeArticleUpdateJob($id: ID!) {
  changed: resumeArticleUpdateJob(id: $id) {
    ... on ArticleUpdateJobPayload {
      job {
        state
      }
    }
    ...ErrorText
  }
}
    fragment ErrorText on MutationError {
  code
  message
}`, {"hash":"sha256:3c974ddbd805d08cc0c5d7c2ffc3f3173624f5288722c3538fc81db7abb02636"}) as unknown as TypedDocumentString<ResumeArticleUpdateJobMutation, ResumeArticleUpdateJobMutationVariables>;
export const PreviewRevertArticleUpdateJobDocument = new TypedDocumentString(`
    mutation PreviewRevertArticleUpdateJob($id: ID!, $first: Int!, $after: String) {
  previewed: previewRevertArticleUpdateJob(id: $id) {
    ... on RevertArticleUpdateJobPreview {
      summary {
        total
        restorable
      }
      items(first: $first, after: $after) {
        nodes {
          index
          articleId
          details
          members {
            name
            before
            asLeft
            now
          }
          notRestored
        }
        pageInfo {
          ...PageFields
        }
      }
    }
    ...ErrorFields
  }
}
    fragment ErrorText on MutationError {
  code
  message
}
fragment ErrorFields on MutationError {
  ...ErrorText
  ... on ValidationError {
    issues {
      message
    }
  }
}
fragment PageFields on PageInfo {
  hasNextPage
  endCursor
}`, {"hash":"sha256:54e30272fd84a686265c87bc4cdbd7edca7f1effb95a9c2e184178d62d962338"}) as unknown as TypedDocumentString<PreviewRevertArticleUpdateJobMutation, PreviewRevertArticleUpdateJobMutationVariables>;
export const RevertArticleUpdateJobDocument = new TypedDocumentString(`
    mutation RevertArticleUpdateJob($id: ID!, $idempotencyKey: String!, $ifPublished: IfPublished!, $userId: ID) {
  reverted: revertArticleUpdateJob(
    id: $id
    idempotencyKey: $idempotencyKey
    ifPublished: $ifPublished
    userId: $userId
  ) {
    ... on RevertArticleUpdateJobPayload {
      job {
        id
      }
    }
    ...ErrorFields
  }
}
    fragment ErrorText on MutationError {
  code
  message
}
fragment ErrorFields on MutationError {
  ...ErrorText
  ... on ValidationError {
    issues {
      message
    }
  }
}`, {"hash":"sha256:ba2d2dc33180e1951e5dcdb18f614d2ff1517b0090ace40ed7831c5f07a35f80"}) as unknown as TypedDocumentString<RevertArticleUpdateJobMutation, RevertArticleUpdateJobMutationVariables>;
export const PlanRootCategoriesDocument = new TypedDocumentString(`
    query PlanRootCategories($version: ID!) {
  categories(projectVersionId: $version) {
    ...CategoryFields
  }
}
    fragment CategoryFields on Category {
  id
  categoryId
  name
}`, {"hash":"sha256:da207b3b8ae00dd9ee753b0a891b5f8e637935fdac496a2a5fcbe613158d9535"}) as unknown as TypedDocumentString<PlanRootCategoriesQuery, PlanRootCategoriesQueryVariables>;
export const PlanChildCategoriesDocument = new TypedDocumentString(`
    query PlanChildCategories($ids: [ID!]!) {
  nodes(ids: $ids) {
    ... on Category {
      children {
        ...CategoryFields
      }
    }
  }
}
    fragment CategoryFields on Category {
  id
  categoryId
  name
}`, {"hash":"sha256:e20aab821a443e6c0d053b550bacd955649bd80fb3ffa88a223d5af6787c8b73"}) as unknown as TypedDocumentString<PlanChildCategoriesQuery, PlanChildCategoriesQueryVariables>;
export const PlanArticlesDocument = new TypedDocumentString(`
    query PlanArticles($version: ID!, $language: String!, $after: String) {
  articles(
    projectVersionId: $version
    languageCode: $language
    first: 100
    after: $after
  ) {
    nodes {
      ...ArticleFields
    }
    pageInfo {
      ...PageFields
    }
  }
}
    fragment ArticleFields on Article {
  id
  articleId
  languageCode
  title
  slug
  hidden
  order
  translationStatus
  modifiedAt
  latestVersionNumber
  status
  publicVersionNumber
  url
  category {
    categoryId
    name
  }
}
fragment PageFields on PageInfo {
  hasNextPage
  endCursor
}`, {"hash":"sha256:35950d4294e7959fffc3ca59dc7ed70f077e33947ea92bf353218d2f4b6f77d8"}) as unknown as TypedDocumentString<PlanArticlesQuery, PlanArticlesQueryVariables>;
export const PlanTextsDocument = new TypedDocumentString(`
    query PlanTexts($ids: [ID!]!) {
  nodes(ids: $ids) {
    ... on Article {
      content
      contentType
      revision
      ...ArticleFields
    }
  }
}
    fragment ArticleFields on Article {
  id
  articleId
  languageCode
  title
  slug
  hidden
  order
  translationStatus
  modifiedAt
  latestVersionNumber
  status
  publicVersionNumber
  url
  category {
    categoryId
    name
  }
}`, {"hash":"sha256:7c37600782a7b012759918708fcbd683872de7ca5520d50228cb58fabb846747"}) as unknown as TypedDocumentString<PlanTextsQuery, PlanTextsQueryVariables>;
export const PlanHasTextDocument = new TypedDocumentString(`
    query PlanHasText($id: ID!, $language: String!) {
  article(articleId: $id, languageCode: $language) {
    articleId
  }
}
    `, {"hash":"sha256:e6328cbb786272ff610713a78a74194ec52341c5002358512f23c3c5fe8d4774"}) as unknown as TypedDocumentString<PlanHasTextQuery, PlanHasTextQueryVariables>;
export const PlanCreateCategoriesDocument = new TypedDocumentString(`
    mutation PlanCreateCategories($input: CreateCategoriesInput!, $key: String!) {
  result: createCategories(input: $input, idempotencyKey: $key) {
    ... on CreateCategoriesPayload {
      replayed
      results {
        __typename
        details
        ... on CategoryCreated {
          categoryId
        }
        ... on CategoryCreateNotAttempted {
          reason
        }
      }
    }
    ...ErrorFields
  }
}
    fragment ErrorText on MutationError {
  code
  message
}
fragment ErrorFields on MutationError {
  ...ErrorText
  ... on ValidationError {
    issues {
      message
    }
  }
}`, {"hash":"sha256:91d6b14bae91fd6bd7726e0f06b65cb3267e8be3b4a666731e3bcd715aaeb4e5"}) as unknown as TypedDocumentString<PlanCreateCategoriesMutation, PlanCreateCategoriesMutationVariables>;
export const PlanUpdateDocument = new TypedDocumentString(`
    mutation PlanUpdate($input: BulkUpdateArticlesInput!) {
  result: bulkUpdateArticles(input: $input) {
    ... on BulkUpdateArticlesPayload {
      results {
        ...OutcomeFields
      }
    }
    ...ErrorFields
  }
}
    fragment ErrorText on MutationError {
  code
  message
}
fragment ErrorFields on MutationError {
  ...ErrorText
  ... on ValidationError {
    issues {
      message
    }
  }
}
fragment OutcomeFields on ArticleUpdateOutcome {
  __typename
  index
  articleId
  details
  retryable
  draftVersionNumber
  ... on ArticleUpdated {
    evidence
    publication
  }
  ... on ArticleUpdateUnknown {
    readBack
  }
  ... on ArticleUpdateNotAttempted {
    reason
  }
}`, {"hash":"sha256:c13669f53b9ee555998208e56574912fe69a76600be97f5fccdfc985d1ba4f5c"}) as unknown as TypedDocumentString<PlanUpdateMutation, PlanUpdateMutationVariables>;
export const TeamAccountsDocument = new TypedDocumentString(`
    query TeamAccounts($first: Int!) {
  teamAccounts(first: $first) {
    nodes {
      userId
      firstName
      lastName
    }
  }
}
    `, {"hash":"sha256:234befceb5fb25e29cf4db2670d5fe50a1bd1ffd991a4dc2ef438df14a34bd96"}) as unknown as TypedDocumentString<TeamAccountsQuery, TeamAccountsQueryVariables>;
export const PreviewPublishArticlesDocument = new TypedDocumentString(`
    mutation PreviewPublishArticles($input: PublishArticlesInput!) {
  result: previewPublishArticles(input: $input) {
    ... on PublishArticlesPreview {
      results {
        ...PreviewFields
      }
    }
    ...ErrorFields
  }
}
    fragment PreviewFields on ArticleUpdatePreview {
  index
  revision
  wouldSucceed
  isPublished
  issues {
    message
  }
  movesTo {
    name
  }
  article {
    modifiedAt
    category {
      name
    }
  }
  changes {
    field
    from
    to
  }
}
fragment ErrorText on MutationError {
  code
  message
}
fragment ErrorFields on MutationError {
  ...ErrorText
  ... on ValidationError {
    issues {
      message
    }
  }
}`, {"hash":"sha256:f20d87bf38dffe12b193082b0b2abd3d9f0795d5e45484fe3449f0495292cf66"}) as unknown as TypedDocumentString<PreviewPublishArticlesMutation, PreviewPublishArticlesMutationVariables>;
export const PreviewUnpublishArticlesDocument = new TypedDocumentString(`
    mutation PreviewUnpublishArticles($input: UnpublishArticlesInput!) {
  result: previewUnpublishArticles(input: $input) {
    ... on UnpublishArticlesPreview {
      results {
        ...PreviewFields
      }
    }
    ...ErrorFields
  }
}
    fragment PreviewFields on ArticleUpdatePreview {
  index
  revision
  wouldSucceed
  isPublished
  issues {
    message
  }
  movesTo {
    name
  }
  article {
    modifiedAt
    category {
      name
    }
  }
  changes {
    field
    from
    to
  }
}
fragment ErrorText on MutationError {
  code
  message
}
fragment ErrorFields on MutationError {
  ...ErrorText
  ... on ValidationError {
    issues {
      message
    }
  }
}`, {"hash":"sha256:a93327dd8fa9a66769f0db545ea6694212116f616afd18f8fd5625188aea86a4"}) as unknown as TypedDocumentString<PreviewUnpublishArticlesMutation, PreviewUnpublishArticlesMutationVariables>;
export const PublishArticlesDocument = new TypedDocumentString(`
    mutation PublishArticles($input: PublishArticlesInput!, $idempotencyKey: String) {
  result: publishArticles(input: $input, idempotencyKey: $idempotencyKey) {
    ... on PublishArticlesPayload {
      results {
        ...OutcomeFields
      }
    }
    ...ErrorFields
  }
}
    fragment ErrorText on MutationError {
  code
  message
}
fragment ErrorFields on MutationError {
  ...ErrorText
  ... on ValidationError {
    issues {
      message
    }
  }
}
fragment OutcomeFields on ArticleUpdateOutcome {
  __typename
  index
  articleId
  details
  retryable
  draftVersionNumber
  ... on ArticleUpdated {
    evidence
    publication
  }
  ... on ArticleUpdateUnknown {
    readBack
  }
  ... on ArticleUpdateNotAttempted {
    reason
  }
}`, {"hash":"sha256:bc2de226f41dbb7e148e0baf4d65b3227a30c66155b0b59cdc1117720ad5d9f4"}) as unknown as TypedDocumentString<PublishArticlesMutation, PublishArticlesMutationVariables>;
export const UnpublishArticlesDocument = new TypedDocumentString(`
    mutation UnpublishArticles($input: UnpublishArticlesInput!, $idempotencyKey: String) {
  result: unpublishArticles(input: $input, idempotencyKey: $idempotencyKey) {
    ... on UnpublishArticlesPayload {
      results {
        ...OutcomeFields
      }
    }
    ...ErrorFields
  }
}
    fragment ErrorText on MutationError {
  code
  message
}
fragment ErrorFields on MutationError {
  ...ErrorText
  ... on ValidationError {
    issues {
      message
    }
  }
}
fragment OutcomeFields on ArticleUpdateOutcome {
  __typename
  index
  articleId
  details
  retryable
  draftVersionNumber
  ... on ArticleUpdated {
    evidence
    publication
  }
  ... on ArticleUpdateUnknown {
    readBack
  }
  ... on ArticleUpdateNotAttempted {
    reason
  }
}`, {"hash":"sha256:810daa6f48e277f20fa0fa6d519ddf69782be529ace33eefe9191cd0279c1834"}) as unknown as TypedDocumentString<UnpublishArticlesMutation, UnpublishArticlesMutationVariables>;
export const ReaderGroupsDocument = new TypedDocumentString(`
    query ReaderGroups($first: Int!, $after: String) {
  readerGroups(first: $first, after: $after) {
    nodes {
      groupId
      title
      readerIds
      invitedSsoUserIds
      accessScope {
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
    pageInfo {
      ...PageFields
    }
  }
}
    fragment PageFields on PageInfo {
  hasNextPage
  endCursor
}`, {"hash":"sha256:2079ec318fbe2e30416ffb1ff7aa8fc594174be0cf498cdc0964dc31e02b295c"}) as unknown as TypedDocumentString<ReaderGroupsQuery, ReaderGroupsQueryVariables>;
export const ReaderGroupDocument = new TypedDocumentString(`
    query ReaderGroup($groupId: ID!, $after: String) {
  readerGroup(groupId: $groupId) {
    ...ReaderGroupFields
    readers(first: 100, after: $after) {
      nodes {
        ...ReaderFields
      }
      pageInfo {
        ...PageFields
      }
    }
  }
}
    fragment PageFields on PageInfo {
  hasNextPage
  endCursor
}
fragment ReaderGroupFields on ReaderGroup {
  groupId
  revision
  title
  description
  readerIds
  invitedSsoUserIds
  accessScope {
    ...AccessScopeFields
  }
  invitedSsoUsers {
    ...InvitedFields
  }
}
fragment ReaderFields on Reader {
  readerId
  firstName
  lastName
  email
}
fragment InvitedFields on InvitedSsoUser {
  invitationId
  email
}
fragment AccessScopeFields on AccessScope {
  __typename
  level
  ... on CategoryAccessScope {
    categories {
      projectVersionId
      categoryId
      languageCode
      category {
        name
      }
    }
  }
  ... on VersionAccessScope {
    projectVersionIds
    projectVersions {
      name
    }
  }
  ... on LanguageAccessScope {
    languages {
      projectVersionId
      projectVersion {
        name
      }
      languageCode
      language {
        name
      }
    }
  }
}`, {"hash":"sha256:8411a17444b3d5cfeb60943f76f22738b1f9a29911052b655ae47c0083230313"}) as unknown as TypedDocumentString<ReaderGroupQuery, ReaderGroupQueryVariables>;
export const ReadersDocument = new TypedDocumentString(`
    query Readers($first: Int!, $after: String, $emailContains: String) {
  readers(first: $first, after: $after, emailContains: $emailContains) {
    nodes {
      ...ReaderFields
    }
    pageInfo {
      ...PageFields
    }
  }
}
    fragment PageFields on PageInfo {
  hasNextPage
  endCursor
}
fragment ReaderFields on Reader {
  readerId
  firstName
  lastName
  email
}`, {"hash":"sha256:3fc23a73958b2a6b68c9185a1a925969b66b6350677cc83d3f9b873cf86fa9ed"}) as unknown as TypedDocumentString<ReadersQuery, ReadersQueryVariables>;
export const InvitedSsoUsersDocument = new TypedDocumentString(`
    query InvitedSsoUsers($first: Int!, $after: String, $emailContains: String) {
  invitedSsoUsers(first: $first, after: $after, emailContains: $emailContains) {
    nodes {
      ...InvitedFields
    }
    pageInfo {
      ...PageFields
    }
  }
}
    fragment PageFields on PageInfo {
  hasNextPage
  endCursor
}
fragment InvitedFields on InvitedSsoUser {
  invitationId
  email
}`, {"hash":"sha256:02c5cffb7e1c4e50a1fecb84ac42b0a46b97bf8a2ad7b0b2077a94e0f0188bb3"}) as unknown as TypedDocumentString<InvitedSsoUsersQuery, InvitedSsoUsersQueryVariables>;
export const UpdateReaderGroupDocument = new TypedDocumentString(`
    mutation UpdateReaderGroup($input: UpdateReaderGroupInput!) {
  updateReaderGroup(input: $input) {
    ... on UpdateReaderGroupPayload {
      warnings {
        description
      }
    }
    ...ErrorFields
  }
}
    fragment ErrorText on MutationError {
  code
  message
}
fragment ErrorFields on MutationError {
  ...ErrorText
  ... on ValidationError {
    issues {
      message
    }
  }
}`, {"hash":"sha256:1714aa3a34ae4028a5ec1ae4aeb7f9da9b03341c7c34f37cd08caa42739a6d1a"}) as unknown as TypedDocumentString<UpdateReaderGroupMutation, UpdateReaderGroupMutationVariables>;
export const PreviewUpdateReaderGroupDocument = new TypedDocumentString(`
    mutation PreviewUpdateReaderGroup($input: UpdateReaderGroupInput!) {
  previewUpdateReaderGroup(input: $input) {
    ... on UpdateReaderGroupPreview {
      wouldSucceed
      issues {
        message
      }
      changes {
        field
        from
        to
      }
      accessScope {
        ...AccessScopeFields
      }
      changesAccessScope
    }
    ...ErrorFields
  }
}
    fragment ErrorText on MutationError {
  code
  message
}
fragment ErrorFields on MutationError {
  ...ErrorText
  ... on ValidationError {
    issues {
      message
    }
  }
}
fragment AccessScopeFields on AccessScope {
  __typename
  level
  ... on CategoryAccessScope {
    categories {
      projectVersionId
      categoryId
      languageCode
      category {
        name
      }
    }
  }
  ... on VersionAccessScope {
    projectVersionIds
    projectVersions {
      name
    }
  }
  ... on LanguageAccessScope {
    languages {
      projectVersionId
      projectVersion {
        name
      }
      languageCode
      language {
        name
      }
    }
  }
}`, {"hash":"sha256:4e0856797c5982ef136cfa58ec2233d100ceec5a041484c4e8332d3045fe97ed"}) as unknown as TypedDocumentString<PreviewUpdateReaderGroupMutation, PreviewUpdateReaderGroupMutationVariables>;