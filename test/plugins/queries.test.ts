import { type ASTVisitor, buildSchema, type ValidationContext } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { describe, expect, it } from 'vitest';
import { limitSettings, requestLimits } from '../../src/config/limits.ts';
import { useQueries } from '../../src/plugins/queries.ts';

/** A server that counts how often a document is validated. */
function createCountingServer(cacheBytes: number) {
  let validations = 0;
  const counting: Plugin = {
    onValidate: ({ addValidationRule }) =>
      addValidationRule((_context: ValidationContext): ASTVisitor => {
        validations++;
        return {};
      }),
  };
  const yoga = createYoga({
    schema: buildSchema('type Query { a: Int }'),
    plugins: [useQueries({ limits: requestLimits(limitSettings.parse({})), cacheBytes }), counting],
    parserAndValidationCache: false,
    logging: false,
  });
  const send = async (query: string) => {
    const response = await yoga.fetch(`http://a/graphql?query=${encodeURIComponent(query)}`);
    return response.json();
  };
  return { send, validations: () => validations };
}

describe('useQueries', () => {
  it('validates a document once, however often it is sent', async () => {
    const { send, validations } = createCountingServer(100_000);
    for (let round = 0; round < 3; round++) expect(await send('{ a }')).toEqual({ data: { a: null } });
    expect(validations()).toBe(1);
  });

  it('tells documents apart by every character', async () => {
    const { send, validations } = createCountingServer(100_000);
    for (const query of ['{ a }', '{ a } ', '{a}', '{ b }', '{ a }']) await send(query);
    expect(validations()).toBe(4);
  });

  it('does not remember what is not valid', async () => {
    const { send, validations } = createCountingServer(100_000);
    for (let round = 0; round < 2; round++) expect(await send('{ b }')).toMatchObject({ errors: [{}] });
    expect(validations()).toBe(2);
  });

  it('works without memory', async () => {
    const { send, validations } = createCountingServer(0);
    for (let round = 0; round < 2; round++) expect(await send('{ a }')).toEqual({ data: { a: null } });
    expect(validations()).toBe(2);
  });

  it('forgets the oldest of more documents than fit', async () => {
    const { send, validations } = createCountingServer(100_000);
    for (let n = 0; n < 50; n++) await send(`{ x${n}: a }`);
    await send('{ x49: a }');
    expect(validations()).toBe(50);
    await send('{ x0: a }');
    expect(validations()).toBe(51);
  });
});
