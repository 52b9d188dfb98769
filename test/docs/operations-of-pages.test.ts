import { globSync, readFileSync } from 'node:fs';
import { GraphQLError, Kind, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createSchema } from '../../src/graphql/schema/schema.ts';

const schema = createSchema();

/** The GraphQL of a page that can be sent: definitions of types, and pages in prose, have none. */
const operationsOf = (page: string): readonly string[] =>
  [...readFileSync(page, 'utf8').matchAll(/^```graphql\n(?<text>[\s\S]*?)^```$/gmu)]
    .map(({ groups }) => groups?.['text'] ?? '')
    .filter((text) => /^\s*(?:query|mutation|\{)/u.test(text));

const operations = [...globSync('docs/**/*.md'), 'README.md'].flatMap((page) =>
  operationsOf(page).map((text, index) => [page, index + 1, text] as const),
);

function problemsOf(text: string): readonly string[] {
  try {
    const document = parse(text);
    const problems = validate(schema, document).map(({ message }) => message);
    const isWhole = document.definitions.every(({ kind }) => kind === Kind.OPERATION_DEFINITION);
    return isWhole ? problems : [...problems, 'It has other definitions than operations.'];
  } catch (error) {
    if (error instanceof GraphQLError) return [error.message];
    throw error;
  }
}

describe('the GraphQL of a page', () => {
  it('is found', () => expect(operations.length).toBeGreaterThan(5));

  it.each(operations)('can be sent: %s, number %i', (_page, _index, text) => {
    expect(problemsOf(text)).toEqual([]);
  });
});
