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

/** The articles to change in one bulk update. */
export type BulkUpdateArticlesInput = {
  /** The changes, in the order in which they are made. From 1 to 10,000 items, unless the gateway is set to another maximum (`MAX_BULK_ITEMS`). The same article may be changed by several items. */
  articles: Array<ArticleUpdateInput>;
  /** What becomes of items that change the text of a published version. With FORK and SKIP the articles of such items are read first, past the read cache; an item of which that does not tell whether its version is published is not attempted (UNAVAILABLE). Each fork takes a call to the service. */
  ifPublished?: IfPublished;
  /** The ID of the team account that becomes the contributor of new drafts, as in `TeamAccount.userId`. Needed with FORK, and not used otherwise. */
  userId?: string | null | undefined;
};

/** What becomes of an item that sets `title`, `content`, `htmlContent` or `translationStatus` of a published version: one with the status PUBLISHED, or the public one. */
export type IfPublished =
  /** The version is copied as a new draft, once for all items of it, and the item changes the draft. Readers see no change before the draft is published. */
  | 'FORK'
  /** It is not sent: `ArticleUpdateNotAttempted`, with the reason PUBLISHED. */
  | 'SKIP'
  /** It is sent as it is. The embedded store changes the version in place; what the service does is not documented. */
  | 'UPDATE';

/** A translation status that an article can be given. The service's own digit is in brackets. */
export type TranslationStatus =
  /** The text in another language has changed, and the translation has to follow ("1"). */
  | 'NEEDS_TRANSLATION'
  /** There is nothing to translate ("0"). */
  | 'NONE'
  /** The translation is up to date ("2"). */
  | 'TRANSLATED';

export type ArticleRowFragment = { id: string, articleId: string, languageCode: string, title: string | null, revision: string | null };

export type ArticleRowsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type ArticleRowsQuery = { articles: { nodes: Array<{ id: string, articleId: string, languageCode: string, title: string | null, revision: string | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type PreviewRowsMutationVariables = Exact<{
  input: BulkUpdateArticlesInput;
}>;


export type PreviewRowsMutation = { answer:
    | { message: string }
    | { results: Array<{ changes: Array<{ from: unknown, to: unknown }>, issues: Array<{ message: string }> }> }
    | { message: string }
    | { message: string }
    | { message: string }
    | { message: string }
    | { message: string }
   | null };

export type UpdateRowsMutationVariables = Exact<{
  input: BulkUpdateArticlesInput;
  key: string;
}>;


export type UpdateRowsMutation = { answer:
    | { message: string, retryable: boolean }
    | { results: Array<
        | { __typename: 'ArticleUpdateFailed', details: string | null, retryable: boolean }
        | { __typename: 'ArticleUpdateNotAttempted', details: string | null, retryable: boolean, current: { id: string, articleId: string, languageCode: string, title: string | null, revision: string | null } | null }
        | { __typename: 'ArticleUpdateUnknown', details: string | null, retryable: boolean }
        | { __typename: 'ArticleUpdated', details: string | null, retryable: boolean, article: { id: string, articleId: string, languageCode: string, title: string | null, revision: string | null } | null }
      > }
    | { message: string, retryable: boolean }
    | { message: string, retryable: boolean }
    | { message: string, retryable: boolean }
    | { message: string, retryable: boolean }
    | { message: string, retryable: boolean }
    | { message: string, retryable: boolean }
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
export const ArticleRowFragmentDoc = new TypedDocumentString(`
    fragment ArticleRow on Article {
  id
  articleId
  languageCode
  title
  revision
}
    `, {"fragmentName":"ArticleRow"}) as unknown as TypedDocumentString<ArticleRowFragment, unknown>;
export const ArticleRowsDocument = new TypedDocumentString(`
    query ArticleRows($after: String) {
  articles(first: 4, after: $after) {
    nodes {
      ...ArticleRow
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment ArticleRow on Article {
  id
  articleId
  languageCode
  title
  revision
}`) as unknown as TypedDocumentString<ArticleRowsQuery, ArticleRowsQueryVariables>;
export const PreviewRowsDocument = new TypedDocumentString(`
    mutation PreviewRows($input: BulkUpdateArticlesInput!) {
  answer: previewBulkUpdateArticles(input: $input) {
    ... on BulkUpdateArticlesPreview {
      results {
        changes {
          from
          to
        }
        issues {
          message
        }
      }
    }
    ... on MutationError {
      message
    }
  }
}
    `) as unknown as TypedDocumentString<PreviewRowsMutation, PreviewRowsMutationVariables>;
export const UpdateRowsDocument = new TypedDocumentString(`
    mutation UpdateRows($input: BulkUpdateArticlesInput!, $key: String!) {
  answer: bulkUpdateArticles(input: $input, idempotencyKey: $key) {
    ... on BulkUpdateArticlesPayload {
      results {
        __typename
        details
        retryable
        ... on ArticleUpdated {
          article {
            ...ArticleRow
          }
        }
        ... on ArticleUpdateNotAttempted {
          current {
            ...ArticleRow
          }
        }
      }
    }
    ... on MutationError {
      message
      retryable
    }
  }
}
    fragment ArticleRow on Article {
  id
  articleId
  languageCode
  title
  revision
}`) as unknown as TypedDocumentString<UpdateRowsMutation, UpdateRowsMutationVariables>;