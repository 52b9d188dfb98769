import { z } from 'zod';
import { MUTATION_ERROR_FIELDS, operation } from '../bulk-update/gateway-client.ts';

const outcomeShape = z.object({
  __typename: z.string(),
  details: z.string().nullable(),
  articleId: z.string().optional(),
  categoryId: z.string().optional(),
  reason: z.string().optional(),
});

export type WriteOutcome = z.infer<typeof outcomeShape>;

/** Why an item was not done. */
export const notDoneReason = ({ details, reason, __typename: type }: WriteOutcome): string => details ?? reason ?? type;

/** A creation, which its key keeps from being done twice. */
const creationOf = (names: string, name: string, id: string) =>
  operation(
    `mutation ApplyCreate($input: Create${names}Input!, $key: String!) {
  result: create${names}(input: $input, idempotencyKey: $key) {
    ... on Create${names}Payload {
      replayed
      results {
        __typename
        details
        ... on ${name}Created { ${id} }
        ... on ${name}CreateNotAttempted { reason }
      }
    }
    ${MUTATION_ERROR_FIELDS}
  }
}`,
    z.object({ result: z.object({ replayed: z.boolean(), results: z.array(outcomeShape) }) }),
  );

export const CREATE_ARTICLES = creationOf('Articles', 'Article', 'articleId');
export const CREATE_CATEGORIES = creationOf('Categories', 'Category', 'categoryId');

/** A write that does no harm when it is done again. */
const writeOf = (field: string, name: string) =>
  operation(
    `mutation ApplyWrite($input: ${name}Input!) {
  result: ${field}(input: $input) {
    ... on ${name}Payload { results { __typename details ... on ArticleUpdateNotAttempted { reason } } }
    ${MUTATION_ERROR_FIELDS}
  }
}`,
    z.object({ result: z.object({ results: z.array(outcomeShape) }) }),
  );

export const UPDATE = writeOf('bulkUpdateArticles', 'BulkUpdateArticles');
export const PUBLISH = writeOf('publishArticles', 'PublishArticles');
export const UNPUBLISH = writeOf('unpublishArticles', 'UnpublishArticles');

/** Null where the article has no text in the language. */
export const READ_ARTICLE = operation(
  'query ApplyRead($id: ID!, $language: String) { article(articleId: $id, languageCode: $language) { articleId } }',
  z.object({ article: z.object({ articleId: z.string() }).nullable() }),
);
