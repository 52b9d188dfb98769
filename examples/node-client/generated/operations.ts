/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
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
    | { __typename: 'AuthenticationError', message: string, retryable: boolean, mayHaveApplied: boolean }
    | { __typename: 'BulkUpdateArticlesPayload', summary: { total: number, updated: number }, results: Array<
        | { __typename: 'ArticleUpdateFailed', articleId: string, details: string | null, retryable: boolean }
        | { __typename: 'ArticleUpdateNotAttempted', articleId: string, details: string | null, retryable: boolean }
        | { __typename: 'ArticleUpdateUnknown', articleId: string, details: string | null, retryable: boolean }
        | { __typename: 'ArticleUpdated', articleId: string, details: string | null, retryable: boolean, article: { title: string | null } | null }
      > }
    | { __typename: 'IdempotencyError', message: string, retryable: boolean, mayHaveApplied: boolean }
    | { __typename: 'RateLimitedError', message: string, retryable: boolean, mayHaveApplied: boolean, retryAfterSeconds: number | null }
    | { __typename: 'ServiceRejectedError', message: string, retryable: boolean, mayHaveApplied: boolean }
    | { __typename: 'ServiceUnavailableError', message: string, retryable: boolean, mayHaveApplied: boolean }
    | { __typename: 'TooCostlyError', message: string, retryable: boolean, mayHaveApplied: boolean }
    | { __typename: 'ValidationError', message: string, retryable: boolean, mayHaveApplied: boolean, issues: Array<{ path: Array<string>, message: string }> }
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
    ... on MutationError {
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
    ... on RateLimitedError {
      retryAfterSeconds
    }
  }
}
    `) as unknown as TypedDocumentString<UpdateArticlesMutation, UpdateArticlesMutationVariables>;