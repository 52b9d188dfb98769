import fc from 'fast-check';
import { getOperationAST, getVariableValues, isInputType, type OperationDefinitionNode, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import {
  createCoerceInputValueOf,
  createTryCoerceVariables,
} from '../../../../src/graphql/execution/executor/coerce-variables.ts';
import { createSchema } from '../../../../src/graphql/schema/schema.ts';
import { leastTimeOf, MAX_MS } from '../../../support/linear-texts.ts';

const schema = createSchema();

function operationOf(variables: string): OperationDefinitionNode {
  const operation = getOperationAST(parse(`query (${variables}) { __typename }`));
  if (!operation) throw new Error('The document has no operation.');
  return operation;
}

const ofGraphqlJs = (operation: OperationDefinitionNode, given: Readonly<Record<string, unknown>>) =>
  getVariableValues(schema, operation.variableDefinitions ?? [], given).coerced ?? null;

const coerceInputValueOf = createCoerceInputValueOf();

const coerced = (variables: string, given: Readonly<Record<string, unknown>>) =>
  createTryCoerceVariables(schema, operationOf(variables), coerceInputValueOf)(given);

/** JSON values that sometimes are valid for an input type. */
function inputOf(memberNames: readonly string[]): fc.Arbitrary<unknown> {
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      fc.constantFrom(null, true, 0, 1, -1, 1.5, 2 ** 31, '', 'a', 'NONE', 'DRAFT', 'TRANSLATED', 'constructor'),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...memberNames), tie('tree'), { noNullPrototype: true, maxKeys: 5 }),
    ),
  }));
  return tree;
}

const INPUT_TYPES = Object.values(schema.getTypeMap()).filter(
  (type) => isInputType(type) && !type.name.startsWith('__'),
);
const MEMBER_NAMES = INPUT_TYPES.flatMap((type) => ('getFields' in type ? Object.keys(type.getFields()) : []));

const ARTICLES = '$input: BulkUpdateArticlesInput!';
const GROUP = '$input: UpdateReaderGroupInput!';
const article = { articleId: 'a', title: 't', content: null, hidden: true, order: 1, translationStatus: 'TRANSLATED' };

describe('createTryCoerceVariables', () => {
  it.each(INPUT_TYPES.map(({ name }) => name))('coerces %s as graphql-js does, or leaves it to graphql-js', (name) => {
    const operation = operationOf(`$one: ${name}, $list: [${name}!]`);
    const coerce = createTryCoerceVariables(schema, operation, coerceInputValueOf);
    const value = inputOf([...MEMBER_NAMES, 'unknown', '__proto__', 'toString']);
    fc.assert(
      fc.property(fc.record({ one: value, list: value }, { requiredKeys: [] }), (given) => {
        const before = structuredClone(given);
        const values = coerce(given);
        if (values !== null) expect({ ...values }).toEqual({ ...ofGraphqlJs(operation, given) });
        expect(given).toEqual(before);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each<[string, Readonly<Record<string, unknown>>]>([
    [ARTICLES, { input: { articles: [article, { articleId: 'b' }] } }],
    [GROUP, { input: { groupId: 'g', title: 't', readerIds: ['r'], accessScope: { level: 'NONE' } } }],
    [GROUP, { input: { groupId: 'g', title: 't', accessScope: { projectVersionIds: ['v', 1] } } }],
    ['$first: Int = 7, $after: String, $ids: [ID!] = ["a"]', { first: 3 }],
    ['$first: Int! = 7, $level: ScopeLevel = NONE', {}],
    ['$input: UpdateReaderGroupInput', {}],
    ['$input: UpdateReaderGroupInput', { input: null, other: 1 }],
  ])('coerces %s', (variables, given) => {
    const values = coerced(variables, given);
    expect(values).not.toBeNull();
    expect({ ...values }).toEqual({ ...ofGraphqlJs(operationOf(variables), given) });
  });

  it('returns a value that coercion does not change as it is', () => {
    const input = { articles: [article], ifPublished: 'UPDATE' };
    expect(coerced(ARTICLES, { input })?.['input']).toBe(input);
  });

  it.each<[string, unknown]>([
    [ARTICLES, undefined],
    [ARTICLES, null],
    [ARTICLES, {}],
    [ARTICLES, { articles: null }],
    [ARTICLES, { articles: [], more: 1 }],
    [ARTICLES, { articles: [{ title: 't' }] }],
    [ARTICLES, { articles: [{ articleId: 'a', title: 1 }] }],
    [ARTICLES, { articles: [{ articleId: 'a', translationStatus: 'constructor' }] }],
    [GROUP, { groupId: 'g', title: 't', accessScope: {} }],
    [GROUP, { groupId: 'g', title: 't', accessScope: { projectVersionIds: ['a'], level: 'NONE' } }],
    [GROUP, { groupId: 'g', title: 't', accessScope: { projectVersionIds: null } }],
    [GROUP, { groupId: 'g', title: 't', accessScope: { projectVersionIds: ['a'], languages: null } }],
    [GROUP, { groupId: 'g', title: 't', accessScope: { unknown: ['a'] } }],
  ])('leaves it to graphql-js to reject %s %j', (variables, input) => {
    const given = input === undefined ? {} : { input };
    expect(ofGraphqlJs(operationOf(variables), given)).toBeNull();
    expect(coerced(variables, given)).toBeNull();
  });

  // To coerce it, or to suggest another name, takes a second of the event loop.
  it('rejects a text of megabytes that no enum or number has without a look at it', async () => {
    const inputOf = (text: string) => ({ input: { articles: [{ articleId: 'a', translationStatus: text }] } });
    const text = 'T'.repeat(4_000_000);
    expect(coerced(ARTICLES, inputOf(text))).toBeNull();
    expect(await leastTimeOf((some) => coerced(ARTICLES, inputOf(some)), text)).toBeLessThan(MAX_MS);
  });
});
