import { getOperationAST, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createCostChecks } from '../../../../src/graphql/execution/cost/cost-limit.ts';
import { createExecutor } from '../../../../src/graphql/execution/executor/execute.ts';
import { createSchema } from '../../../../src/graphql/schema/schema.ts';

const schema = createSchema();

function size(source: string, variables: Record<string, unknown> = {}) {
  const document = parse(source);
  expect(validate(schema, document)).toEqual([]);
  const operation = getOperationAST(document);
  if (!operation) throw new Error('The document has no operation.');
  const plan = createExecutor(schema).fixedPlanOf(document, operation);
  const [field] = plan?.rootSelection(plan.rootType) ?? [];
  if (!field) throw new Error('The operation has no field.');
  return createCostChecks(schema, 60).outcomeFieldsOf(field, field.coerceArgumentValues(variables));
}

const ids = Array.from({ length: 100 }, (_, index) => `${index}`);

describe('the size of the outcomes of a mutation', () => {
  it('includes the fields of each outcome', () => {
    const articles = ids.map((articleId) => ({ articleId }));
    const bulk = (results: string) =>
      `mutation ($a: [ArticleUpdateInput!]!) { bulkUpdateArticles(input: { articles: $a }) { ... on BulkUpdateArticlesPayload { ${results} } } }`;
    const items = (fields: number) => 1 + 100 * (1 + fields);
    expect(size(bulk('results { __typename }'), { a: articles })).toBe(items(1));
    expect(size(bulk('results { index articleId }'), { a: articles })).toBe(items(2));
    expect(size(bulk('results { ... on ArticleUpdated { index articleId } }'), { a: articles })).toBe(items(2));
    expect(size(bulk('results { index ... on ArticleUpdateNotAttempted { reason } }'), { a: articles })).toBe(items(2));
    expect(size(bulk('results { __typename } summary { total failed }'), { a: articles })).toBe(items(1) + 3);
  });

  it('includes the preview of each item', () => {
    const articles = ids.map((articleId) => ({ articleId }));
    const preview =
      'mutation ($a: [ArticleUpdateInput!]!) { previewBulkUpdateArticles(input: { articles: $a }) { ... on BulkUpdateArticlesPreview { results { index issues { message } } } } }';
    // One field for `results`, and for each item itself, its index, and one issue with a message.
    expect(size(preview, { a: articles })).toBe(1 + 100 * (1 + 1 + 1 + 2));
  });

  it('counts an object that is read back as the error that may replace it', () => {
    const bulk =
      'mutation { bulkUpdateArticles(input: { articles: [] }) { ... on BulkUpdateArticlesPayload { results { ... on ArticleUpdated { article { title content } } } } } }';
    const withTwo = bulk.replace('[]', '[{ articleId: "a" }, { articleId: "b" }]');
    expect(size(withTwo) - size(bulk)).toBe(2 * (1 + 11));
  });

  it('does not count error types', () => {
    const change = (result: string) =>
      size(
        `mutation ($input: ChangeReaderGroupMembersInput!) { changeReaderGroupMembers(input: $input) { ${result} } }`,
        {
          input: { groupId: 'g', addReaderIds: ids },
        },
      );
    const withErrors = '__typename ... on MutationError { message } ... on ValidationError { issues { path message } }';
    expect(change(withErrors)).toBe(change('__typename'));
    expect(change('... on ChangeReaderGroupMembersPayload { readers { added } }')).toBeGreaterThan(
      change('__typename') + 100,
    );
  });
});
