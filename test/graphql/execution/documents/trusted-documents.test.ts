import { describe, expect, it } from 'vitest';
import { MAX_QUERY_TOKENS } from '../../../../src/core/base/limits.ts';
import { prepareDocuments } from '../../../../src/graphql/execution/prepared-documents.ts';
import { createSchema } from '../../../../src/graphql/schema/schema.ts';

const DOCUMENTS = {
  list: 'query List { readerGroups { totalCount } }',
  two: 'query One { __typename } query Two { rateLimit { limit } }',
};

const prepare = (texts: Readonly<Record<string, string>>, maxQueryDepth = 16) =>
  prepareDocuments({
    schema: createSchema(),
    maxQueryDepth,
    maxUpstreamCalls: 60,
    introspection: false,
    trustedTexts: new Map(Object.entries(texts)),
    trustedOnly: true,
  });

function problems(texts: Readonly<Record<string, string>>, maxQueryDepth?: number) {
  const prepared = prepare(texts, maxQueryDepth);
  return prepared.ok ? [] : prepared.error;
}

describe('trusted documents', () => {
  it('are refused at the start with every problem, the ID of its document, and its place', () => {
    const sha256Id = `sha256:${'0'.repeat(64)}`;
    expect(
      problems({
        ...DOCUMENTS,
        syntax: 'query {',
        fields: '{\n  nothing\n  rateLimit { no such }\n}',
        fragments: 'fragment A on Article { id }',
        schema: '{ __schema { description } }',
        [sha256Id]: '{ __typename }',
      }),
    ).toEqual([
      'syntax: Syntax Error: Expected Name, found <EOF>. (line 1, column 8)',
      'fields: Cannot query field "nothing" on type "Query". (line 2, column 3)',
      'fields: Cannot query field "no" on type "RateLimit". (line 3, column 15)',
      'fields: Cannot query field "such" on type "RateLimit". (line 3, column 18)',
      'fragments: Fragment "A" is never used. (line 1, column 1)',
      expect.stringMatching(/^schema: GraphQL introspection has been disabled/u),
      `${sha256Id}: the SHA-256 of the text is another`,
    ]);
  });

  it('keep the limits of all documents, which are not checked again', () => {
    const long = `{ ${'__typename '.repeat(MAX_QUERY_TOKENS)} }`;
    expect(problems({ short: '{ __typename }', long })).toEqual([
      `long: The query must have at most ${MAX_QUERY_TOKENS} tokens.`,
    ]);
    expect(problems({ deep: '{ articles { nodes { id } } }' }, 2)).toEqual([
      'deep: The query must have at most 2 levels of fields within each other.',
    ]);
  });

  it('are refused at the start when they cost too much whatever their variables are', () => {
    const listed = (first: string, variables = '') =>
      `query L${variables} { articles(first: ${first}) { nodes { content } } }`;
    expect(problems({ fixed: listed('50'), variable: listed('$first', '($first: Int)') })).toEqual([]);
    expect(problems({ fixed: listed('100') })).toEqual([
      expect.stringMatching(/^fixed: The query may cost 103 calls to the service; 60 are allowed/u),
    ]);
  });

  it('have the names of their operations, which no other document has', () => {
    const prepared = prepare(DOCUMENTS);
    if (!prepared.ok) throw new Error(prepared.error.join());
    const { findDocument } = prepared.value;
    const nameOf = (params: object) => {
      const found = findDocument(params);
      return found.ok ? found.value?.trustedName : found.error.code;
    };
    expect(nameOf({ documentId: 'list' })).toBe('List');
    expect(nameOf({ documentId: 'two', operationName: 'Two' })).toBe('Two');
    expect(nameOf({ documentId: 'two', operationName: 'Three' })).toBeNull();
    expect(nameOf({ documentId: 'two' })).toBeNull();
  });

  it('are the same objects at every request, so that nothing is parsed or planned again', () => {
    const prepared = prepare(DOCUMENTS);
    if (!prepared.ok) throw new Error(prepared.error.join());
    const { findDocument, parse } = prepared.value;
    const read = () => {
      const found = findDocument({ documentId: 'list' });
      return found.ok && found.value ? parse(found.value) : null;
    };
    expect(read()).not.toBeNull();
    expect(read()).toBe(read());
  });
});
