import { getOperationAST, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { costOfQuery } from '../../../src/execution/cost/query-cost.ts';
import { planQuery } from '../../../src/execution/cost/query-plan.ts';
import { UPSTREAM_COSTS } from '../../../src/execution/cost/upstream-costs.ts';
import { fragmentsOf } from '../../../src/execution/documents/fragments.ts';
import { createSchema } from '../../../src/schema/schema.ts';

const schema = createSchema();

function cost(source: string, variables: Record<string, unknown> = {}) {
  const document = parse(source);
  expect(validate(schema, document)).toEqual([]);
  const operation = getOperationAST(document);
  if (!operation) throw new Error('The document has no operation.');
  return costOfQuery(planQuery({ schema, operation, fragments: fragmentsOf(document) }), variables);
}

describe('the cost of a query', () => {
  it('is nothing for what needs no call', () => {
    expect(cost('{ __typename rateLimit { remaining } }')).toEqual({ total: 0, parts: [] });
  });

  it('counts pages of five groups, and the call that finds the end', () => {
    expect(cost('{ readerGroups(first: 20) { nodes { title readerIds } } }').total).toBe(5);
    expect(cost('query ($n: Int) { readerGroups(first: $n) { nodes { title } } }', { n: 100 }).total).toBe(21);
  });

  it('counts the text of a listed article once for each, however often it is named', () => {
    const query =
      '{ articles(first: 50) { nodes { content htmlContent ...A } edges { node { title } } } } fragment A on Article { content }';
    expect(cost(query).parts).toEqual([
      ['Article.content', 50],
      ['Query.articles', 3],
    ]);
  });

  it('counts what is read once for the request once, whoever asks', () => {
    const query =
      '{ articles(first: 100) { nodes { category { name children { name } } projectVersion { name } } } projectVersions { name } }';
    expect(cost(query).total).toBe(2 + 1 + 1);
  });

  it('counts aliases of the root each by itself', () => {
    expect(cost('{ a: readerGroup(groupId: "1") { title } b: readerGroup(groupId: "2") { title } }').total).toBe(2);
  });

  it('multiplies down the levels', () => {
    const query =
      '{ categories(projectVersionId: "v") { articles(first: 10) { nodes { versions { versionNumber } } } } }';
    expect(cost(query).parts[0]).toEqual(['Article.versions', 200]);
  });

  it('stays small for fragments that name each other over and over', () => {
    const chain = Array.from({ length: 30 }, (_, i) => `fragment F${i} on Category { name ...F${i + 1} ...F${i + 1} }`);
    const query = `{ categories(projectVersionId: "v") { ...F0 ...F0 } } ${chain.join(' ')} fragment F30 on Category { name }`;
    expect(cost(query).total).toBe(2);
  });

  it('knows only fields that are there', () => {
    for (const name of Object.keys(UPSTREAM_COSTS)) {
      const [type = '', field = ''] = name.split('.');
      const found = schema.getType(type);
      expect(found && 'getFields' in found && found.getFields()[field], name).toBeTruthy();
    }
  });
});
