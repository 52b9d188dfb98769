/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** Changes to an article in one language. A member that is left out is not sent to the service, and null is sent as null; in the embedded store both keep what is stored. */
export type ArticleUpdateInput = {
  /** The service's own ID of the article, as in `Article.articleId`. Not empty. */
  articleId: string;
  /** The ID of the category that the article moves to, in the same project version, as in `Category.categoryId`. Left out: the article does not move. Not empty. */
  categoryId?: string | null | undefined;
  /** The new text, in the format of the editor of the article: Markdown, or HTML for the HTML editor. An empty text is sent as it is. */
  content?: string | null | undefined;
  /** true hides the article from readers, false shows the article. Not null. */
  hidden?: boolean | null | undefined;
  /**
   * The new text as HTML, for articles of the HTML editor only. Used where `content` is left out.
   * @deprecated The service is going to remove it; use content.
   */
  htmlContent?: string | null | undefined;
  /** The code of the language whose text is changed, such as `en` or `pt-br`. Left out: the default language of the article's project version. Not empty. */
  languageCode?: string | null | undefined;
  /** The new position of the article in its category, from 1. In the embedded store other articles keep their positions, and those with the same position are sorted by ID. Not null. */
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

/** What kind of failure it is; the same codes stand in `extensions.code` of a failed read. */
export type ErrorCode =
  /** The API token or the JWT does not permit this (HTTP 403). */
  | 'FORBIDDEN'
  /** A fault of the gateway itself. Its log has the request ID. */
  | 'INTERNAL'
  /** What was to be changed does not exist. */
  | 'NOT_FOUND'
  /** The service has no call for this. */
  | 'NOT_OFFERED'
  /** The write was sent, and no answer says what became of it. */
  | 'OUTCOME_UNKNOWN'
  /** The request would cost more calls to the service than one may. */
  | 'QUERY_TOO_COSTLY'
  /** The service accepts no more calls for now, or the gateway none of this caller (HTTP 429). */
  | 'RATE_LIMITED'
  /** The service refused the request in its own words. */
  | 'REJECTED'
  /** The API token or the JWT is missing or not valid (HTTP 401). */
  | 'UNAUTHENTICATED'
  /** The service cannot be reached, and nothing was written. */
  | 'UNAVAILABLE'
  /** The input breaks a rule; the issues say where. */
  | 'VALIDATION_FAILED';

/** A translation status that an article can be given. The service's own digit is in brackets. */
export type TranslationStatus =
  /** The text in another language has changed, and the translation has to follow ("1"). */
  | 'NEEDS_TRANSLATION'
  /** There is nothing to translate ("0"). */
  | 'NONE'
  /** The translation is up to date ("2"). */
  | 'TRANSLATED';

export type UpdateArticlesMutationVariables = Exact<{
  articles: Array<ArticleUpdateInput> | ArticleUpdateInput;
}>;


export type UpdateArticlesMutation = { bulkUpdateArticles:
    | { __typename: 'AuthenticationError', message: string, code: ErrorCode, retryable: boolean }
    | { __typename: 'BulkUpdateArticlesPayload', summary: { total: number, updated: number }, results: Array<
        | { __typename: 'ArticleUpdateFailed', articleId: string, details: string | null, retryable: boolean }
        | { __typename: 'ArticleUpdateNotAttempted', articleId: string, details: string | null, retryable: boolean }
        | { __typename: 'ArticleUpdateUnknown', articleId: string, details: string | null, retryable: boolean }
        | { __typename: 'ArticleUpdated', articleId: string, details: string | null, retryable: boolean, article: { title: string | null } | null }
      > }
    | { __typename: 'RateLimitedError', message: string, retryAfterSeconds: number | null, code: ErrorCode, retryable: boolean }
    | { __typename: 'ServiceRejectedError', message: string, code: ErrorCode, retryable: boolean }
    | { __typename: 'ServiceUnavailableError', message: string, code: ErrorCode, retryable: boolean }
    | { __typename: 'TooCostlyError', message: string, code: ErrorCode, retryable: boolean }
    | { __typename: 'ValidationError', message: string, code: ErrorCode, retryable: boolean, issues: Array<{ path: Array<string>, message: string }> }
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

export const UpdateArticlesDocument = new TypedDocumentString(`
    mutation UpdateArticles($articles: [ArticleUpdateInput!]!) {
  bulkUpdateArticles(input: {articles: $articles}) {
    __typename
    ... on BulkUpdateArticlesPayload {
      summary {
        total
        updated
      }
      results {
        __typename
        articleId
        details
        retryable
        ... on ArticleUpdated {
          article {
            title
          }
        }
      }
    }
    ... on ValidationError {
      message
      issues {
        path
        message
      }
    }
    ... on RateLimitedError {
      message
      retryAfterSeconds
    }
    ... on MutationError {
      message
      code
      retryable
    }
  }
}
    `) as unknown as TypedDocumentString<UpdateArticlesMutation, UpdateArticlesMutationVariables>;