/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** Selects articles of a list. An article has to fulfil all members; a member that is left out or null selects all articles. Over the service, the first page with a filter reads the list of all articles in the language, by one call for 1,000 articles and one for each 100 more. */
export type ArticleFilter = {
  /** true: the articles that are hidden from readers. false: those that are not. */
  hidden?: boolean | null | undefined;
  /** The articles whose latest version was changed at this time or later. Articles whose time is not known, as after an import, are not found. */
  modifiedSince?: string | null | undefined;
  /** The articles whose latest version has one of these statuses, at least one. */
  status?: Array<ArticleStatus> | null | undefined;
  /** Words to search for, from 1 to 10 in at most 200 characters: the articles that have each of them in the title or the text, as a word or, from 3 letters on, as the beginning of a word. A word is a run of letters and digits, and each Chinese or Japanese character is one; everything else separates words and has no meaning. Case and accents make no difference. The first 200,000 characters of a text are searched, its markup included. The service offers no such search: over it the error has the code NOT_OFFERED. */
  text?: string | null | undefined;
  /** The articles with one of these translation statuses, at least one. Articles that have no status are not found by any. */
  translationStatus?: Array<ArticleTranslationStatus> | null | undefined;
};

/** The order of a list of articles. */
export type ArticleOrder =
  /** The order that the list has by itself: in the embedded store by ID, and for the articles of a category by `order` and then by ID; over the service, in the order of the service, which is not documented. */
  | 'ID'
  /** The article whose latest version was changed last comes first; those of the same time by ID, in descending order. Articles whose time is not known, as after an import, come last. */
  | 'MODIFIED_AT_DESC'
  /** By the first 100 characters of the title in lower case, compared by their code points, and then by ID. Articles without a title come first. */
  | 'TITLE';

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

export type ArticlesQueryVariables = Exact<{
  projectVersionId: string;
  languageCode: string;
  categoryId?: string | null | undefined;
  filter?: ArticleFilter | null | undefined;
  orderBy: ArticleOrder;
  first: number;
  after?: string | null | undefined;
}>;


export type ArticlesQuery = { articles: { totalCount: number | null, nodes: Array<{ articleId: string, languageCode: string, title: string | null, hidden: boolean, order: number | null, translationStatus: ArticleTranslationStatus | null, modifiedAt: string | null, latestVersionNumber: number | null, category: { categoryId: string, name: string } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type ArticleFieldsFragment = { articleId: string, languageCode: string, title: string | null, hidden: boolean, order: number | null, translationStatus: ArticleTranslationStatus | null, modifiedAt: string | null, latestVersionNumber: number | null, category: { categoryId: string, name: string } | null };

export type OfferedFiltersQueryVariables = Exact<{
  projectVersionId: string;
  languageCode: string;
}>;


export type OfferedFiltersQuery = { articles: { totalCount: number | null } | null };

export type ProjectVersionsQueryVariables = Exact<{ [key: string]: never; }>;


export type ProjectVersionsQuery = { projectVersions: Array<{ projectVersionId: string, name: string, isDefault: boolean, languages: Array<{ code: string, name: string, isDefault: boolean }> | null }> | null };

export type CategoriesQueryVariables = Exact<{
  projectVersionId: string;
  languageCode: string;
}>;


export type CategoriesQuery = { categories: Array<{ categoryId: string, name: string, children: Array<{ categoryId: string, name: string, children: Array<{ categoryId: string, name: string, children: Array<{ categoryId: string, name: string }> | null }> | null }> | null }> | null };

export type CategoryFieldsFragment = { categoryId: string, name: string };

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
  articleId
  languageCode
  title
  hidden
  order
  translationStatus
  modifiedAt
  latestVersionNumber
  category {
    categoryId
    name
  }
}
    `, {"fragmentName":"ArticleFields"}) as unknown as TypedDocumentString<ArticleFieldsFragment, unknown>;
export const CategoryFieldsFragmentDoc = new TypedDocumentString(`
    fragment CategoryFields on Category {
  categoryId
  name
}
    `, {"fragmentName":"CategoryFields"}) as unknown as TypedDocumentString<CategoryFieldsFragment, unknown>;
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
      hasNextPage
      endCursor
    }
    totalCount
  }
}
    fragment ArticleFields on Article {
  articleId
  languageCode
  title
  hidden
  order
  translationStatus
  modifiedAt
  latestVersionNumber
  category {
    categoryId
    name
  }
}`, {"hash":"sha256:09a730f2ae9daf57e0be8cdb3549bc63deed74a32a9d579e118175a99c559324"}) as unknown as TypedDocumentString<ArticlesQuery, ArticlesQueryVariables>;
export const OfferedFiltersDocument = new TypedDocumentString(`
    query OfferedFilters($projectVersionId: ID!, $languageCode: String!) {
  articles(
    projectVersionId: $projectVersionId
    languageCode: $languageCode
    filter: {text: "a"}
    first: 1
  ) {
    totalCount
  }
}
    `, {"hash":"sha256:7cc7024da5017499d75282ceb0d19d7e693ba3516b974d59975d377787c33004"}) as unknown as TypedDocumentString<OfferedFiltersQuery, OfferedFiltersQueryVariables>;
export const ProjectVersionsDocument = new TypedDocumentString(`
    query ProjectVersions {
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
    `, {"hash":"sha256:4c7b8d235968c01d97b76c91a26ae6fba88ed1e4050c9c6fa0514a4f99cd477d"}) as unknown as TypedDocumentString<ProjectVersionsQuery, ProjectVersionsQueryVariables>;
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
  categoryId
  name
}`, {"hash":"sha256:b28f7bb72fe41c501949c335f92cc66d2a08f6eafe9f34dbdf69c4db5eade119"}) as unknown as TypedDocumentString<CategoriesQuery, CategoriesQueryVariables>;