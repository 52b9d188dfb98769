import { getOperationAST, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createCostChecks } from '../../../../src/graphql/execution/cost/cost-limit.ts';
import { createExecutor } from '../../../../src/graphql/execution/executor/execute.ts';
import { createSchema } from '../../../../src/graphql/schema/schema.ts';

const schema = createSchema();

/** Checks one operation with and without preparation. */
function checksOf(source: string) {
  const document = parse(source);
  expect(validate(schema, document)).toEqual([]);
  const operation = getOperationAST(document);
  if (!operation) throw new Error('The document has no operation.');
  const plan = createExecutor(schema).fixedPlanOf(document, operation);
  if (!plan) throw new Error('The plan depends on the variables.');
  const [prepared, other] = [createCostChecks(schema, 60), createCostChecks(schema, 60)];
  expect(prepared.prepare(plan)).toBeNull();
  return {
    prepared: (variables: object) => prepared.check(plan, { ...variables })?.message ?? null,
    other: (variables: object) => other.check(plan, { ...variables })?.message ?? null,
    withUnreadVariables: () => prepared.check(plan, UNREADABLE),
  };
}

const fail = () => {
  throw new Error('The variables were read.');
};
const UNREADABLE = new Proxy({}, { get: fail, has: fail, ownKeys: fail, getOwnPropertyDescriptor: fail });

describe('a prepared operation', () => {
  it.each([
    'query ($id: ID!) { article(articleId: $id) { title content category { name } } }',
    'query ($id: ID!) { readerGroup(groupId: $id) { readers(first: 10) { nodes { email } } } }',
    'query ($v: ID!) { categories(projectVersionId: $v) { name children { name } } }',
  ])('whose cost is always the same is never computed again: %s', (source) => {
    expect(checksOf(source).withUnreadVariables()).toBeNull();
  });

  it.each([
    [
      'query ($n: Int, $m: Int = 3) { articles(first: $n) { nodes { content title } } readers(first: 9) { nodes { groups(first: $m) { totalCount } } } }',
      [{ n: 10 }, { n: 60 }, { n: 10, m: 20 }, { n: 100, m: 100 }, {}],
    ],
    [
      'query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on Article { content } } rateLimit { limit } }',
      [{ ids: ['a'] }, { ids: Array.from({ length: 80 }, String) }],
    ],
  ])('costs what it costs without preparation: %s', (source, variables) => {
    const { prepared, other } = checksOf(source);
    const messages = variables.map(other);
    expect(variables.map(prepared)).toEqual(messages);
    expect(new Set(messages).size).toBeGreaterThan(1);
  });
});
