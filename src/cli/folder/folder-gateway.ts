import { z } from 'zod';
import { err, ok } from '../../core/base/result.ts';
import type { PlanGateway } from '../../core/plans/plan-gateway.ts';
import {
  type GatewayClient,
  type GatewayOperation,
  MUTATION_ERROR_FIELDS,
  operation,
} from '../bulk-update/gateway-client.ts';

/** The operations of plans, which are sent again while they fail by the connection or by a temporary error. */
export function createFolderGateway(client: GatewayClient): PlanGateway {
  const ask =
    <Data>(asked: GatewayOperation<Data>) =>
    async (variables: object) => {
      const { answer } = await client.repeat(asked, JSON.stringify(variables));
      if (answer.ok) return ok(answer.value);
      const { kind, message } = answer.error;
      return err({ kind: kind === 'too-large' ? kind : ('refused' as const), message });
    };
  return {
    versions: ask(VERSIONS),
    rootCategories: ask(ROOTS),
    childCategories: ask(CHILDREN),
    articles: ask(ARTICLES),
    texts: ask(TEXTS),
    article: ask(READ_ARTICLE),
    createCategories: ask(creationOf('Categories', 'Category', 'categoryId')),
    createArticles: ask(creationOf('Articles', 'Article', 'articleId')),
    update: ask(writeOf('bulkUpdateArticles', 'BulkUpdateArticles')),
    publish: ask(writeOf('publishArticles', 'PublishArticles')),
    unpublish: ask(writeOf('unpublishArticles', 'UnpublishArticles')),
  };
}

const VERSIONS = operation(
  'query FolderTarget { knowledgeBaseId projectVersions { projectVersionId name isDefault languages { code isDefault } } }',
  z.object({
    knowledgeBaseId: z.string(),
    projectVersions: z.array(
      z.object({
        projectVersionId: z.string(),
        name: z.string(),
        isDefault: z.boolean(),
        languages: z.array(z.object({ code: z.string(), isDefault: z.boolean() })).nullable(),
      }),
    ),
  }),
);

const categoryShape = z.object({ id: z.string(), categoryId: z.string(), name: z.string() });

const ROOTS = operation(
  'query FolderCategories($version: ID!) { categories(projectVersionId: $version) { id categoryId name } }',
  z.object({ categories: z.array(categoryShape).nullable() }),
);

const CHILDREN = operation(
  'query FolderSubcategories($ids: [ID!]!) { nodes(ids: $ids) { ... on Category { children { id categoryId name } } } }',
  z.object({
    nodes: z.array(z.object({ children: z.array(categoryShape).nullable() }).nullable()),
  }),
);

const articleShape = z.object({
  id: z.string(),
  articleId: z.string(),
  title: z.string().nullable(),
  slug: z.string().nullable(),
  order: z.number().nullable(),
  hidden: z.boolean(),
  status: z.string().nullable(),
  publicVersionNumber: z.number().nullable(),
  latestVersionNumber: z.number().nullable(),
  translationStatus: z.string().nullable(),
  modifiedAt: z.string().nullable(),
  category: z.object({ categoryId: z.string() }).nullable(),
});

const ARTICLE_FIELDS = `id articleId title slug order hidden status publicVersionNumber latestVersionNumber
      translationStatus modifiedAt category { categoryId }`;

const ARTICLES = operation(
  `query FolderArticles($version: ID!, $language: String!, $after: String) {
  articles(projectVersionId: $version, languageCode: $language, first: 100, after: $after) {
    nodes { ${ARTICLE_FIELDS} }
    pageInfo { hasNextPage endCursor }
  }
}`,
  z.object({
    articles: z
      .object({
        nodes: z.array(articleShape),
        pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
      })
      .nullable(),
  }),
);

const TEXTS = operation(
  `query FolderTexts($ids: [ID!]!) {
  nodes(ids: $ids) { ... on Article { content contentType revision ${ARTICLE_FIELDS} } }
}`,
  z.object({
    nodes: z.array(
      articleShape
        .extend({ content: z.string().nullable(), contentType: z.string().nullable(), revision: z.string().nullable() })
        .nullable(),
    ),
  }),
);

const outcomeShape = z.object({
  __typename: z.string(),
  details: z.string().nullable(),
  articleId: z.string().optional(),
  categoryId: z.string().optional(),
  reason: z.string().optional(),
});

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

/** Reads whether an article has a text in a language: `article` is null where it has none. */
const READ_ARTICLE = operation(
  'query ApplyRead($id: ID!, $language: String) { article(articleId: $id, languageCode: $language) { articleId } }',
  z.object({ article: z.object({ articleId: z.string() }).nullable() }),
);
