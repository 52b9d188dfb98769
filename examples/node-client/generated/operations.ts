/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** Changes to one language version of an article. What is left out is not sent to the service; null is sent as null, and both change nothing in a stored article. */
export type ArticleUpdateInput = {
  /** The article. Not empty. */
  articleId: string;
  /** Where the article moves to. Not empty. */
  categoryId?: string | null | undefined;
  /** A new text, for any editor. */
  content?: string | null | undefined;
  /** true hides the article, false shows it. Not null. */
  hidden?: boolean | null | undefined;
  /**
   * A new text as HTML, for articles of the HTML editor; used only where `content` is left out.
   * @deprecated The service is going to remove it; use content.
   */
  htmlContent?: string | null | undefined;
  /** The language. Left out: the default language of the article's project version. Not empty. */
  languageCode?: string | null | undefined;
  /** The position in the category, from 1. Not null. */
  order?: number | null | undefined;
  /** Free text that the service keeps for later reference. */
  source?: string | null | undefined;
  /** A new title. */
  title?: string | null | undefined;
  /** How far the translation is. */
  translationStatus?: TranslationStatus | null | undefined;
  /** Which version to change, from 1. Left out: the latest. */
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

/** How far a translation is, as it can be set. The service's digits are in brackets. */
export type TranslationStatus =
  /** The translation has to follow a changed text ("1"). */
  | 'NEEDS_TRANSLATION'
  /** Nothing to translate ("0"). */
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
    ... on Error {
      message
      code
      retryable
    }
  }
}
    `) as unknown as TypedDocumentString<UpdateArticlesMutation, UpdateArticlesMutationVariables>;