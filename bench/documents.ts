/** What a frontend sends to us and, to the letter, to every peer whose schema is written by hand. */
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
    ... on Error { code message retryable mayHaveApplied }
  }
}`;

export const GROUP_DOCUMENT = `mutation Regroup($input: UpdateReaderGroupInput!) {
  updateReaderGroup(input: $input) {
    __typename
    ... on UpdateReaderGroupPayload { serviceResult warnings { description code } }
    ... on Error { code message retryable mayHaveApplied }
  }
}`;

export const TYPENAME_DOCUMENT = '{ __typename }';

/** The same two for the schema that Hive Gateway makes of the service's OpenAPI document: no unions there. */
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
