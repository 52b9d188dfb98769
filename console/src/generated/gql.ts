/* eslint-disable */
import * as types from './graphql';



/**
 * Map of all GraphQL operations in the project.
 *
 * This map has several performance disadvantages:
 * 1. It is not tree-shakeable, so it will include all operations in the project.
 * 2. It is not minifiable, so the string of a GraphQL query will be multiple times inside the bundle.
 * 3. It does not support dead code elimination, so it will add unused operations.
 *
 * Therefore it is highly recommended to use the babel or swc plugin for production.
 * Learn more about it here: https://the-guild.dev/graphql/codegen/plugins/presets/preset-client#reducing-bundle-size
 */
type Documents = {
    "query Articles($projectVersionId: ID!, $languageCode: String!, $categoryId: ID, $filter: ArticleFilter, $orderBy: ArticleOrder!, $first: Int!, $after: String) {\n  articles(\n    projectVersionId: $projectVersionId\n    languageCode: $languageCode\n    categoryId: $categoryId\n    filter: $filter\n    orderBy: $orderBy\n    first: $first\n    after: $after\n  ) {\n    nodes {\n      ...ArticleFields\n    }\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n    totalCount\n  }\n}\n\nfragment ArticleFields on Article {\n  articleId\n  languageCode\n  title\n  hidden\n  order\n  translationStatus\n  modifiedAt\n  latestVersionNumber\n  category {\n    categoryId\n    name\n  }\n}\n\nquery OfferedFilters($projectVersionId: ID!, $languageCode: String!) {\n  articles(\n    projectVersionId: $projectVersionId\n    languageCode: $languageCode\n    filter: {text: \"a\"}\n    first: 1\n  ) {\n    totalCount\n  }\n}": typeof types.ArticlesDocument,
    "query ProjectVersions {\n  projectVersions {\n    projectVersionId\n    name\n    isDefault\n    languages {\n      code\n      name\n      isDefault\n    }\n  }\n}\n\nquery Categories($projectVersionId: ID!, $languageCode: String!) {\n  categories(projectVersionId: $projectVersionId, languageCode: $languageCode) {\n    ...CategoryFields\n    children {\n      ...CategoryFields\n      children {\n        ...CategoryFields\n        children {\n          ...CategoryFields\n        }\n      }\n    }\n  }\n}\n\nfragment CategoryFields on Category {\n  categoryId\n  name\n}": typeof types.ProjectVersionsDocument,
};
const documents: Documents = {
    "query Articles($projectVersionId: ID!, $languageCode: String!, $categoryId: ID, $filter: ArticleFilter, $orderBy: ArticleOrder!, $first: Int!, $after: String) {\n  articles(\n    projectVersionId: $projectVersionId\n    languageCode: $languageCode\n    categoryId: $categoryId\n    filter: $filter\n    orderBy: $orderBy\n    first: $first\n    after: $after\n  ) {\n    nodes {\n      ...ArticleFields\n    }\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n    totalCount\n  }\n}\n\nfragment ArticleFields on Article {\n  articleId\n  languageCode\n  title\n  hidden\n  order\n  translationStatus\n  modifiedAt\n  latestVersionNumber\n  category {\n    categoryId\n    name\n  }\n}\n\nquery OfferedFilters($projectVersionId: ID!, $languageCode: String!) {\n  articles(\n    projectVersionId: $projectVersionId\n    languageCode: $languageCode\n    filter: {text: \"a\"}\n    first: 1\n  ) {\n    totalCount\n  }\n}": types.ArticlesDocument,
    "query ProjectVersions {\n  projectVersions {\n    projectVersionId\n    name\n    isDefault\n    languages {\n      code\n      name\n      isDefault\n    }\n  }\n}\n\nquery Categories($projectVersionId: ID!, $languageCode: String!) {\n  categories(projectVersionId: $projectVersionId, languageCode: $languageCode) {\n    ...CategoryFields\n    children {\n      ...CategoryFields\n      children {\n        ...CategoryFields\n        children {\n          ...CategoryFields\n        }\n      }\n    }\n  }\n}\n\nfragment CategoryFields on Category {\n  categoryId\n  name\n}": types.ProjectVersionsDocument,
};

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query Articles($projectVersionId: ID!, $languageCode: String!, $categoryId: ID, $filter: ArticleFilter, $orderBy: ArticleOrder!, $first: Int!, $after: String) {\n  articles(\n    projectVersionId: $projectVersionId\n    languageCode: $languageCode\n    categoryId: $categoryId\n    filter: $filter\n    orderBy: $orderBy\n    first: $first\n    after: $after\n  ) {\n    nodes {\n      ...ArticleFields\n    }\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n    totalCount\n  }\n}\n\nfragment ArticleFields on Article {\n  articleId\n  languageCode\n  title\n  hidden\n  order\n  translationStatus\n  modifiedAt\n  latestVersionNumber\n  category {\n    categoryId\n    name\n  }\n}\n\nquery OfferedFilters($projectVersionId: ID!, $languageCode: String!) {\n  articles(\n    projectVersionId: $projectVersionId\n    languageCode: $languageCode\n    filter: {text: \"a\"}\n    first: 1\n  ) {\n    totalCount\n  }\n}"): typeof import('./graphql').ArticlesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query ProjectVersions {\n  projectVersions {\n    projectVersionId\n    name\n    isDefault\n    languages {\n      code\n      name\n      isDefault\n    }\n  }\n}\n\nquery Categories($projectVersionId: ID!, $languageCode: String!) {\n  categories(projectVersionId: $projectVersionId, languageCode: $languageCode) {\n    ...CategoryFields\n    children {\n      ...CategoryFields\n      children {\n        ...CategoryFields\n        children {\n          ...CategoryFields\n        }\n      }\n    }\n  }\n}\n\nfragment CategoryFields on Category {\n  categoryId\n  name\n}"): typeof import('./graphql').ProjectVersionsDocument;


export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}
