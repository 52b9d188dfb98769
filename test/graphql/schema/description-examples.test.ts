import { GraphQLError, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createSchema } from '../../../src/graphql/schema/schema.ts';

const schema = createSchema();

const examplesOf = (description: string): readonly string[] =>
  Array.from(description.matchAll(/```graphql\n(.*?)```/gsu), ([, example = '']) => example);

const problemsOf = (document: string): readonly string[] => {
  try {
    return validate(schema, parse(document)).map(({ message }) => message);
  } catch (error) {
    if (error instanceof GraphQLError) return [error.message];
    throw error;
  }
};

const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});

describe('the example in the description of a mutation', () => {
  it.each(
    mutations.flatMap(({ name, description }) => examplesOf(description ?? '').map((example) => [name, example])),
  )('is valid, and sends %s', (name, example) => {
    expect(problemsOf(example)).toEqual([]);
    expect(example).toContain(`${name}(`);
  });

  it.each(mutations)('is there: $name', ({ description }) => {
    expect(examplesOf(description ?? '')).toHaveLength(1);
  });
});
