import { type ASTVisitor, buildSchema, execute, GraphQLError, specifiedRules, type ValidationContext } from 'graphql';
import { describe, expect, it } from 'vitest';
import { limitSettings, requestLimits } from '../../../src/config/limits.ts';
import { createDocuments } from '../../../src/execution/documents/documents.ts';

const schema = buildSchema('type Query { a: Int }');

/** Documents, and how often one was validated. */
function createCountedDocuments(cacheBytes: number) {
  let validations = 0;
  const counting = (_context: ValidationContext): ASTVisitor => {
    validations++;
    return {};
  };
  const limits = requestLimits(limitSettings.parse({}));
  const documents = createDocuments({ schema, limits, rules: [...specifiedRules, counting], cacheBytes });
  const send = (query: string) => {
    const document = documents.parse(query);
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

  it('tells documents apart by every character', () => {
    const { send, validations } = createCountedDocuments(100_000);
    for (const query of ['{ a }', '{ a } ', '{a}', '{ b }', '{ a }']) send(query);
    expect(validations()).toBe(4);
  });

  it('does not remember what is not valid', () => {
    const { send, validations } = createCountedDocuments(100_000);
    for (let round = 0; round < 2; round++) expect(send('{ b }')).toEqual({ errors: [expect.any(GraphQLError)] });
    expect(validations()).toBe(2);
  });

  it('works without memory', () => {
    const { send, validations } = createCountedDocuments(0);
    for (let round = 0; round < 2; round++) expect(send('{ a }')).toEqual({ data: { a: null } });
    expect(validations()).toBe(2);
  });

  it('forgets the oldest of more documents than fit', () => {
    const { send, validations } = createCountedDocuments(100_000);
    for (let n = 0; n < 50; n++) send(`{ x${n}: a }`);
    send('{ x49: a }');
    expect(validations()).toBe(50);
    send('{ x0: a }');
    expect(validations()).toBe(51);
  });
});
