import { composeServices } from '@theguild/federation-composition';
import { parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { printSubgraphSdl } from '../../src/graphql/schema/schema.ts';

const LINK =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.5", import: ["@key", "@shareable", "@external", "@requires"])';

const PAGE_INFO =
  'type PageInfo @shareable { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }';

/** Composes the knowledge base with another subgraph, as the registry of Hive does. */
function compose(other: string) {
  const subgraphs = [
    { name: 'knowledge', typeDefs: parse(printSubgraphSdl()), url: 'http://127.0.0.1:4000/graphql' },
    { name: 'other', typeDefs: parse(`${LINK}\n${other}`), url: 'http://127.0.0.1:4001/graphql' },
  ];
  const { supergraphSdl = '', errors = [] } = composeServices(subgraphs);
  return { supergraph: supergraphSdl, errors: errors.map(({ message }) => message) };
}

describe('a supergraph', () => {
  it.each([
    ['Article', 'articleId: ID! languageCode: String!', 'articleId languageCode'],
    ['Category', 'categoryId: ID! languageCode: String!', 'categoryId languageCode'],
    ['ProjectVersion', 'projectVersionId: ID!', 'projectVersionId'],
    ['Reader', 'readerId: ID!', 'readerId'],
    ['ReaderGroup', 'groupId: ID!', 'groupId'],
  ])('joins %s by the own key of the service, and by the global ID', { tags: 'long' }, (type, fields, key) => {
    for (const [field, by] of [
      [fields, key],
      ['id: ID!', 'id'],
    ]) {
      const { supergraph, errors } = compose(
        `type Query { likes: Int } type ${type} @key(fields: "${by}") { ${field} likes: Int! }`,
      );
      expect(errors).toEqual([]);
      const [joined = ''] = new RegExp(`^type ${type} .*`, 'mu').exec(supergraph) ?? [];
      expect(joined).toContain(`@join__type(graph: KNOWLEDGE, key: "${key}")`);
      expect(joined).toContain(`@join__type(graph: OTHER, key: "${by}")`);
    }
  });

  it('lets others compute from fields of an article', () => {
    const other =
      'type Query { likes: Int } type Article @key(fields: "id") { id: ID! title: String @external shout: String @requires(fields: "title") }';
    expect(compose(other).errors).toEqual([]);
  });

  it('shares the position of pages, and leaves `node` and `nodes` to another', () => {
    const query = 'type Query { node(id: ID!): Node nodes(ids: [ID!]!): [Node]! pages: PageInfo }';
    const { supergraph, errors } = compose(`${query} interface Node { id: ID! } ${PAGE_INFO}`);
    expect(errors).toEqual([]);
    expect(supergraph).toMatch(/node\(id: ID!\): Node @join__field\(graph: OTHER\)/u);
  });

  it('keeps `@oneOf`', () => {
    expect(compose('type Query { likes: Int }').supergraph).toMatch(/^input AccessScopeInput .*@oneOf/mu);
  });

  it('refuses another owner of a field that is not shared', () => {
    const other = 'type Query { likes: Int } type Reader @key(fields: "readerId") { readerId: ID! email: String }';
    expect(compose(other).errors).toEqual([expect.stringContaining('Reader.email')]);
  });
});
