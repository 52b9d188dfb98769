import fc from 'fast-check';
import { coerceInputValue, type GraphQLInputType, isInputType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { fits } from '../../src/execution/fitting-values.ts';
import { createSchema } from '../../src/schema/schema.ts';

const schema = createSchema();

function inputType(name: string): GraphQLInputType {
  const type = schema.getType(name);
  if (!isInputType(type)) throw new Error(`${name} is no input type.`);
  return type;
}

function isCoerced(type: GraphQLInputType, value: unknown): boolean {
  let isTaken = true;
  coerceInputValue(value, type, () => {
    isTaken = false;
  });
  return isTaken;
}

const UPDATES = inputType('BulkUpdateArticlesInput');
const GROUP = inputType('UpdateReaderGroupInput');

const value = fc.oneof(
  fc.constantFrom(null, undefined, true, 1, 1.5, 2 ** 31, '', 'a', 'DRAFT'),
  fc.string(),
  fc.integer(),
);
const member = fc.constantFrom(
  ...[
    'articleId',
    'title',
    'hidden',
    'order',
    'versionNumber',
    'translationStatus',
    'unknown',
    '__proto__',
    'toString',
  ],
);
const article = fc.dictionary(member, fc.oneof(value, fc.array(value, { maxLength: 2 })), { noNullPrototype: true });
const whole = article.map((members) => ({ articleId: 'a', ...members }));
const bulk = fc.record(
  { articles: fc.oneof(value, article, fc.array(fc.oneof(article, whole, value), { maxLength: 3 })), more: value },
  { requiredKeys: [] },
);

describe('fits', () => {
  it('never takes a value that coercion refuses', () => {
    fc.assert(
      fc.property(fc.oneof(bulk, value), (input) => {
        if (fits(UPDATES, input)) expect(isCoerced(UPDATES, input)).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });

  it('takes what frontends send', () => {
    const item = { articleId: 'a', title: 't', content: null, hidden: true, order: 1, translationStatus: 'TRANSLATED' };
    expect(fits(UPDATES, { articles: [item, { articleId: 'b' }] })).toBe(true);
    for (const accessScope of [{ level: 'NONE' }, { projectVersions: ['v1'] }]) {
      expect(fits(GROUP, { groupId: 'g', title: 't', readerIds: ['r'], accessScope })).toBe(true);
    }
  });

  it.each([
    ['nothing where something must be', {}],
    ['null where something must be', { articles: null }],
    ['a member that nobody knows', { articles: [], more: 1 }],
    ['an item without its ID', { articles: [{ title: 't' }] }],
    ['a number for a text', { articles: [{ articleId: 1 }, { articleId: 'a', title: 1 }] }],
    ['a value that no enum has', { articles: [{ articleId: 'a', translationStatus: 'constructor' }] }],
  ])('refuses %s', (_, input) => {
    expect(isCoerced(UPDATES, input)).toBe(false);
    expect(fits(UPDATES, input)).toBe(false);
  });

  it.each([
    ['none', {}],
    ['two', { projectVersions: ['a'], level: 'NONE' }],
    ['one that is null', { projectVersions: null }],
    ['one, and another that is null', { projectVersions: ['a'], languages: null }],
  ])('refuses an access scope with %s', (_, accessScope) => {
    const input = { groupId: 'g', title: 't', accessScope };
    expect(isCoerced(GROUP, input)).toBe(false);
    expect(fits(GROUP, input)).toBe(false);
  });
});
