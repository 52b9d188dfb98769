import { getOperationAST, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { estimateQueryCost } from '../../../../src/graphql/execution/cost/cost-limit.ts';
import { UPSTREAM_COSTS } from '../../../../src/graphql/execution/cost/upstream-costs.ts';
import { createExecutor } from '../../../../src/graphql/execution/executor/execute.ts';
import { encodeGlobalId } from '../../../../src/graphql/schema/nodes.ts';
import { createSubgraph } from '../../../../src/graphql/schema/schema.ts';

const schema = createSubgraph();

function cost(source: string, variables: Record<string, unknown> = {}) {
  const document = parse(source);
  expect(validate(schema, document)).toEqual([]);
  const operation = getOperationAST(document);
  if (!operation) throw new Error('The document has no operation.');
  const plan = createExecutor(schema).fixedPlanOf(document, operation);
  if (!plan) throw new Error('The plan depends on the variables.');
  return estimateQueryCost(plan, variables);
}

describe('the cost of a query', () => {
  it('is 0 for fields that need no call', () => {
    expect(cost('{ __typename rateLimit { remaining } }')).toEqual({ total: 0, parts: [] });
  });

  it('counts pages of five groups, and the call that finds the end', () => {
    expect(cost('{ readerGroups(first: 20) { nodes { title readerIds } } }').total).toBe(5);
    expect(cost('query ($n: Int) { readerGroups(first: $n) { nodes { title } } }', { n: 100 }).total).toBe(21);
  });

  it('counts the text of each listed article once, however often it is selected', () => {
    const query =
      '{ articles(first: 50) { nodes { content htmlContent ...A } edges { node { title } } } } fragment A on Article { content }';
    expect(cost(query).parts).toEqual([
      ['Article.content', 50],
      ['Query.articles', 3],
    ]);
  });

  it('counts a read that fields of one request share once', () => {
    const query =
      '{ articles(first: 100) { nodes { category { name children { name } } projectVersion { name } } } projectVersions { name } }';
    expect(cost(query).total).toBe(2 + 1 + 1);
  });

  it('counts each alias of a root field', () => {
    expect(cost('{ a: readerGroup(groupId: "1") { title } b: readerGroup(groupId: "2") { title } }').total).toBe(2);
  });

  it('counts objects of one field by their types, and many articles by the lists that have them', () => {
    const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on Article { title } } }';
    const articles = (count: number, ...rest: readonly (string | number)[]) =>
      Array.from({ length: count }, (_, index) => encodeGlobalId('Article', [`a${index}`, ...rest]));
    const callsFor = (...ids: readonly string[]) => cost(query, { ids }).total - 1;
    expect([callsFor(...articles(4, 'en')), callsFor(...articles(100, 'en'))]).toEqual([4, 6]);
    expect(callsFor(...articles(50, 'en'), ...articles(50, 'de'))).toBe(12);
    expect(callsFor(...articles(50, 'en', 1))).toBe(50);
    const readers = [encodeGlobalId('Reader', ['r1']), encodeGlobalId('Reader', ['r2'])];
    const groups = [encodeGlobalId('ReaderGroup', ['g1']), encodeGlobalId('ReaderGroup', ['g2'])];
    expect(callsFor(...readers, ...groups, encodeGlobalId('ProjectVersion', ['v1']), 'no ID')).toBe(3);
    const categories = ['c1', 'c2'].map((id) => encodeGlobalId('Category', [id, 'en', 'v1']));
    expect(callsFor(...categories, encodeGlobalId('Category', ['c1', 'de', 'v1']))).toBe(2);
    expect(cost(query, { ids: [{ toString: null }, null, 1] }).total).toBe(1);
    expect(cost(query, { ids: articles(2, 'en')[0] }).total).toBe(2);
    const text = '{ nodes(ids: ["no ID", "neither"]) { ... on Article { content } } }';
    expect(cost(text).parts[0]).toEqual(['Article.content', 2]);
  });

  it('multiplies down the levels', () => {
    const query =
      '{ categories(projectVersionId: "v") { articles(first: 10) { nodes { versions { versionNumber } } } } }';
    expect(cost(query).parts[0]).toEqual(['Article.versions', 200]);
  });

  it('counts each group in the stated page of a reader, for each alias', () => {
    const one = 'groups(first: 7) { nodes { title } }';
    expect(cost(`{ readers(first: 2) { nodes { ${one} } } }`).parts).toEqual([
      ['Reader.groups', 14],
      ['Query.readers', 1],
    ]);
    expect(cost(`{ readers(first: 2) { nodes { ${one} more: ${one} } } }`).total).toBe(29);
    expect(cost('{ readers(first: 2) { nodes { groups { totalCount } } } }').total).toBe(7);
    expect(cost('{ readers(first: 2) { nodes { groupIds } } }').total).toBe(1);
  });

  it('counts entities by what they are, by both keys', () => {
    const query =
      'query ($representations: [_Any!]!) { _entities(representations: $representations) { ... on Article { versions { versionNumber } } ... on Reader { email } } }';
    const article = { __typename: 'Article', articleId: 'a1', languageCode: 'en' };
    const group = { __typename: 'ReaderGroup', groupId: 'g1' };
    expect(cost(query, { representations: [group, article] }).parts).toEqual([
      ['Query._entities', 3],
      ['Article.versions', 2],
    ]);
    const simple = 'query ($representations: [_Any!]!) { _entities(representations: $representations) { __typename } }';
    const total = (representations: readonly unknown[]) => cost(simple, { representations }).total;
    const category = { __typename: 'Category', categoryId: 'c1', languageCode: 'en' };
    const id = encodeGlobalId('Category', ['c1', 'en', 'pv1']);
    expect(total(Array.from({ length: 500 }, (_, n) => ({ __typename: 'Reader', readerId: `r${n}` })))).toBe(2);
    expect(total([category, { ...category, categoryId: 'c2' }])).toBe(4);
    expect(total([category, { ...category, languageCode: 'de' }])).toBe(7);
    expect(total([{ __typename: 'Category', id }])).toBe(2);
    expect(total([{ __typename: 'ReaderGroup', id }, { __typename: 'Article' }, null, 'Article', [article]])).toBe(1);
  });

  it('stays small for fragments that spread each other many times', () => {
    const chain = Array.from({ length: 30 }, (_, i) => `fragment F${i} on Category { name ...F${i + 1} ...F${i + 1} }`);
    const query = `{ categories(projectVersionId: "v") { ...F0 ...F0 } } ${chain.join(' ')} fragment F30 on Category { name }`;
    expect(cost(query).total).toBe(2);
  });

  it('lists only fields of the schema', () => {
    for (const name of Object.keys(UPSTREAM_COSTS)) {
      const [type = '', field = ''] = name.split('.');
      const found = schema.getType(type);
      expect(found && 'getFields' in found && found.getFields()[field], name).toBeTruthy();
    }
  });
});
