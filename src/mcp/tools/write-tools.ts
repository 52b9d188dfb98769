import { ACCESS_SCOPE_FRAGMENT, MUTATION_ERROR_FRAGMENT, NOTICES } from './fragments.ts';
import { MAX_ARTICLES, PREVIEW_TOKEN, type Tool } from './tool.ts';

const TOKEN_NOTE =
  'The `previewToken` that the preview of these same arguments gave. It lives ten minutes and serves for one write.';

const TOKEN_RULE = 'Show the preview to the person you work for, and write only what they have seen.';

export const PREVIEW_TOOLS: readonly Tool[] = [
  {
    name: 'preview_article_updates',
    title: 'Preview article updates',
    description: `Shows what an update of up to ${MAX_ARTICLES} articles would change, field by field, and writes nothing. Gives the \`${PREVIEW_TOKEN}\` that update_articles needs, where writes are on.`,
    effect: 'preview',
    scopes: ['articles:write', 'read'],
    previewOf: 'update_articles',
    document: `mutation PreviewArticleUpdates($articles: [ArticleUpdateInput!]!) {
      previewBulkUpdateArticles(input: { articles: $articles }) {
        __typename
        ... on BulkUpdateArticlesPreview {
          summary { total changed unchanged failing }
          results { index articleId wouldSucceed changes { field from to } movesTo { categoryId name } issues { path message } }
          warnings { code description }
        }
        ...Failure
      }
    } ${MUTATION_ERROR_FRAGMENT}`,
  },
  {
    name: 'preview_reader_group_update',
    title: 'Preview a reader group update',
    description: `Shows what an update of a reader group would change, with the members who would be added and removed, and writes nothing. Gives the \`${PREVIEW_TOKEN}\` that update_reader_group needs, where writes are on.`,
    effect: 'preview',
    scopes: ['groups:write', 'read'],
    previewOf: 'update_reader_group',
    document: `mutation PreviewReaderGroupUpdate($input: UpdateReaderGroupInput!) {
      previewUpdateReaderGroup(input: $input) {
        __typename
        ... on UpdateReaderGroupPreview {
          wouldSucceed readerGroup { groupId title } changes { field from to }
          changesAccessScope accessScope { ...Scope }
          addedReaderIds removedReaderIds addedInvitedSsoUserIds removedInvitedSsoUserIds
          removedReaders { readerId email } removedInvitedSsoUsers { invitationId email }
          issues { path message }
        }
        ...Failure
      }
    } ${ACCESS_SCOPE_FRAGMENT} ${MUTATION_ERROR_FRAGMENT}`,
  },
];

export const WRITE_TOOLS: readonly Tool[] = [
  {
    name: 'update_articles',
    title: 'Update articles',
    description: `Updates up to ${MAX_ARTICLES} articles, as preview_article_updates has shown it. Each article has an outcome of its own: updated, failed, unknown, or not attempted. Never send an unknown one again before you have read the article. ${TOKEN_RULE}`,
    effect: 'write',
    scopes: ['articles:write'],
    notes: { [PREVIEW_TOKEN]: TOKEN_NOTE },
    document: `mutation UpdateArticles($articles: [ArticleUpdateInput!]!, $${PREVIEW_TOKEN}: String!) {
      bulkUpdateArticles(input: { articles: $articles }, idempotencyKey: $${PREVIEW_TOKEN}) {
        __typename
        ... on BulkUpdateArticlesPayload {
          summary { total updated failed unknown notAttempted }
          results {
            __typename index articleId details retryable
            ... on ArticleUpdateUnknown { readBack }
            ... on ArticleUpdateNotAttempted { reason retryAfterSeconds }
          }
          serviceErrors { description errorCode } ${NOTICES} replayed
        }
        ...Failure
      }
    } ${MUTATION_ERROR_FRAGMENT}`,
  },
  {
    name: 'update_reader_group',
    title: 'Update a reader group',
    description: `Updates a reader group, as preview_reader_group_update has shown it. What is left out is kept. ${TOKEN_RULE}`,
    effect: 'write',
    scopes: ['groups:write'],
    notes: { [PREVIEW_TOKEN]: TOKEN_NOTE },
    document: `mutation UpdateReaderGroup($input: UpdateReaderGroupInput!, $${PREVIEW_TOKEN}: String!) {
      updateReaderGroup(input: $input, idempotencyKey: $${PREVIEW_TOKEN}) {
        __typename
        ... on UpdateReaderGroupPayload { serviceResult ${NOTICES} replayed }
        ...Failure
      }
    } ${MUTATION_ERROR_FRAGMENT}`,
  },
];
