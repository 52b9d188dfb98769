/** The document for kb-gateway and for every peer that has the same schema. */
export const BULK_DOCUMENT = `mutation Save($input: BulkUpdateArticlesInput!) {
  bulkUpdateArticles(input: $input) {
    __typename
    ... on BulkUpdateArticlesPayload {
      results {
        __typename
        ... on ArticleUpdated { articleId }
        ... on ArticleUpdateFailed { articleId details }
        ... on ArticleUpdateUnknown { articleId details }
        ... on ArticleUpdateNotAttempted { articleId details }
      }
      warnings { description code }
    }
    ... on MutationError { code message retryable mayHaveApplied }
  }
}`;

export const GROUP_DOCUMENT = `mutation Regroup($input: UpdateReaderGroupInput!) {
  updateReaderGroup(input: $input) {
    __typename
    ... on UpdateReaderGroupPayload { serviceResult warnings { description code } }
    ... on MutationError { code message retryable mayHaveApplied }
  }
}`;

export const TYPENAME_DOCUMENT = '{ __typename }';

/**
 * The same mutations in the schema that Hive Gateway derives from the service's OpenAPI document, which has no unions.
 */
export const HIVE_BULK_DOCUMENT = `mutation Save($input: [ArticleUpdate_Input]) {
  bulkUpdateArticles(input: $input) {
    success
    data { article_id success details }
    errors { description error_code }
    warnings { description warning_code }
  }
}`;

export const HIVE_GROUP_DOCUMENT = `mutation Regroup($groupId: String!, $input: ReadersGroup_Input) {
  updateReaderGroup(groupId: $groupId, input: $input) {
    result
    success
    errors { description error_code }
    warnings { description warning_code }
  }
}`;

/**
 * The requests of a target: by our schema, by the schema that Hive derives, or the service's REST calls (baselines).
 */
export type Dialect = 'graphql' | 'hive' | 'rest';
