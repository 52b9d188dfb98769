import { type ASTVisitor, buildSchema, execute, GraphQLError, specifiedRules, type ValidationContext } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createDocuments } from '../../../../src/graphql/execution/documents/documents.ts';

const schema = buildSchema('type Query { a: Int }');

/** Documents that count their validations. */
function createCountedDocuments(cacheBytes: number) {
  let validations = 0;
  const counting = (_context: ValidationContext): ASTVisitor => {
    validations++;
    return {};
  };
  const documents = createDocuments({ schema, maxDepth: 16, rules: [...specifiedRules, counting], cacheBytes });
  const send = (query: string) => {
    const document = documents.parse({ text: query, hash: null, trusted: null, trustedName: null });
    const errors = documents.validate(document);
    return errors.length > 0 ? { errors } : execute({ schema, document });
  };
  return { send, validations: () => validations };
}

describe('documents', () => {
  it('validates a document once, however often it is sent', () => {
    const { send, validations } = createCountedDocuments(100_000);
    for (let round = 0; round < 3; round++) expect(send('{ a }')).toEqual({ data: { a: null } });
    expect(validations()).toBe(1);
  });

  it('distinguishes documents by every character', () => {
    const { send, validations } = createCountedDocuments(100_000);
    for (const query of ['{ a }', '{ a } ', '{a}', '{ b }', '{ a }']) send(query);
    expect(validations()).toBe(4);
  });

  it('does not cache invalid documents', () => {
    const { send, validations } = createCountedDocuments(100_000);
    for (let round = 0; round < 2; round++) expect(send('{ b }')).toEqual({ errors: [expect.any(GraphQLError)] });
    expect(validations()).toBe(2);
  });

  it('works without a cache', () => {
    const { send, validations } = createCountedDocuments(0);
    for (let round = 0; round < 2; round++) expect(send('{ a }')).toEqual({ data: { a: null } });
    expect(validations()).toBe(2);
  });

  it('removes the oldest document when the cache is full', () => {
    const { send, validations } = createCountedDocuments(100_000);
    for (let n = 0; n < 50; n++) send(`{ x${n}: a }`);
    send('{ x49: a }');
    expect(validations()).toBe(50);
    send('{ x0: a }');
    expect(validations()).toBe(51);
  });

  it('keeps the documents that are sent again when the cache is full', () => {
    const { send, validations } = createCountedDocuments(100_000);
    for (let n = 0; n < 50; n++) {
      send(`{ x${n}: a }`);
      send('{ x0: a }');
    }
    expect(validations()).toBe(50);
  });

  it('does not cache a document that takes more than an eighth of the cache', () => {
    const { send, validations } = createCountedDocuments(40_000);
    for (let round = 0; round < 2; round++) send('{ a b: a c: a }');
    expect(validations()).toBe(2);
    for (let round = 0; round < 2; round++) send('{ a }');
    expect(validations()).toBe(3);
  });
});
